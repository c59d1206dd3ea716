package fakeapi

import (
	"errors"
	"fmt"

	"example.com/watchglass/fakeapi/store"
)

// A collection is the objects of one resource, in all namespaces: what requests
// about them are served from.
type collection struct {
	resource *Resource
	objects  *store.Collection // of *document
	store    *store.Store
	life     *lifecycle
	changed  signal // given when the resource is served otherwise, or not any more
}

// newCollection adds the collection of a resource to a store.
func newCollection(st *store.Store, r *Resource, life *lifecycle) *collection {
	return &collection{resource: r, objects: st.NewCollection(r.QualifiedName()), store: st,
		life: life, changed: newSignal()}
}

// servedAs is the collection for writes through another version of its resource, in
// which the status may be ordinary data, or not.
func (c *collection) servedAs(r *Resource) *collection {
	if r.Status == c.resource.Status {
		return c
	}
	stored, same := *c.resource, *c
	stored.Status = r.Status
	same.resource = &stored
	return &same
}

// current is the object that a key holds now, nil if none.
func (c *collection) current(key string) *document {
	d, _ := c.objects.Get(key).(*document)
	return d
}

// newStore is an empty store with the limits that o sets.
func newStore(o Options) *store.Store {
	limits := store.Limits{Events: o.HistoryCount, Age: o.HistoryAge, Bytes: o.HistoryBytes,
		Behind: o.WatchBuffer}
	told := o.Trace.Committed
	if told == nil {
		return store.New(limits, nil)
	}
	return store.New(limits, func(c *store.Collection, e *store.Event) {
		d := e.Object.(*document)
		told(Change{string(e.Type), c.Name(), d.namespace, d.name, d.version})
	})
}

// fromStore is an error of the store as clients know it; others stay as they are.
func fromStore(err error) error {
	if old, ok := errors.AsType[*store.TooOldError](err); ok {
		return expired(fmt.Sprintf("too old resource version: %d (%d)", old.Version, old.Oldest))
	}
	if future, ok := errors.AsType[*store.FutureError](err); ok {
		return tooLargeVersion(future.Version, future.Newest)
	}
	return err
}
