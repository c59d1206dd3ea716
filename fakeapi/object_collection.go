package fakeapi

import (
	"context"

	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/resource"
	"example.com/watchglass/fakeapi/store"
)

// A collection has the objects of one resource, in all namespaces, and what requests
// for them need.
type collection struct {
	resource *resource.Type
	objects  *store.Collection // of *document
	store    *store.Store
	life     *lifecycle

	// changed is done when the resource's definition changes or is deleted; change ends it.
	changed context.Context
	change  context.CancelFunc
}

// newCollection adds the collection of a resource to a store.
func newCollection(st *store.Store, r *resource.Type, life *lifecycle) *collection {
	c := &collection{resource: r, objects: st.NewCollection(r.QualifiedName()), store: st,
		life: life}
	c.changed, c.change = context.WithCancel(context.Background())
	return c
}

// servedAs returns the collection for requests in version r of its resource. The versions
// may differ in whether status is a subresource or ordinary data.
func (c *collection) servedAs(r *resource.Type) *collection {
	if r.Status == c.resource.Status {
		return c
	}
	stored, same := *c.resource, *c
	stored.Status = r.Status
	same.resource = &stored
	return &same
}

// current returns the object that a key holds now, nil if none.
func (c *collection) current(key string) *object.Document {
	d, _ := c.objects.Get(key).(*object.Document)
	return d
}

// newStore returns an empty store with the limits that o sets.
func newStore(o Options) *store.Store {
	limits := store.Limits{Events: o.HistoryCount, Age: o.HistoryAge, Bytes: o.HistoryBytes,
		Behind: o.WatchBuffer}
	committed := o.Trace.Committed
	if committed == nil {
		return store.New(limits, nil)
	}
	return store.New(limits, func(c *store.Collection, e *store.Event) {
		d := e.Object.(*object.Document)
		committed(Change{string(e.Type), c.Name(), d.Namespace, d.Name, d.Version()})
	})
}
