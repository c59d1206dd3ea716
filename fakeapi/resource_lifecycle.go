package fakeapi

import (
	"context"
	"sync"
	"sync/atomic"

	"example.com/watchglass/fakeapi/crd"
	"example.com/watchglass/fakeapi/defaults"
	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/resource"
	"example.com/watchglass/fakeapi/status"
	"example.com/watchglass/fakeapi/store"
)

// A lifecycle enforces how objects depend on each other: an object depends on its
// namespace, and an object of a custom resource on its definition. Both have to exist
// before the object is created, and are removed only after it. All collections of a
// server share one lifecycle.
type lifecycle struct {
	store       *store.Store
	catalog     atomic.Pointer[catalog]
	namespaces  *collection // nil if they are not served
	definitions *collection // of CustomResourceDefinitions; nil if they are not served
	strict      bool        // nothing can be created in a missing namespace

	// defining is held during each write of a definition: the names that it gets depend
	// on the other definitions, and the write that stores it also changes the catalog.
	defining sync.Mutex
	refused  []string // definitions that lack a name; guarded by defining

	terminating terminatingSet
	defaults    defaults.Defaults
}

// newLifecycle registers resources and creates the initial namespaces. strict refuses to create
// objects in a missing namespace.
func newLifecycle(st *store.Store, resources []resource.Resource, strict bool) (*lifecycle, error) {
	l := &lifecycle{store: st, strict: strict}
	k, err := register(l, resources)
	if err != nil {
		return nil, err
	}
	l.catalog.Store(k)
	for _, e := range k.endpoints {
		switch {
		case e.resource.IsDefinition():
			l.definitions = e.c
		case e.resource.IsNamespace():
			l.namespaces = e.c
			if err := e.c.seedNamespaces(); err != nil {
				return nil, err
			}
		}
	}
	return l, nil
}

// compact drops the history of all collections.
func (l *lifecycle) compact() {
	_ = l.store.Update(func(tx *store.Tx) error {
		for _, e := range l.catalog.Load().endpoints {
			tx.Compact(e.c.objects)
		}
		return nil
	})
}

// watchers returns how many watches of a resource are open. An empty name counts the watches
// of all resources, an unknown one has none.
func (l *lifecycle) watchers(resource string) int {
	n := 0
	for _, e := range l.catalog.Load().endpoints {
		r := e.resource
		named := resource == "" || resource == r.Plural || resource == r.QualifiedName()
		if named && r.View == nil {
			n += e.c.objects.Watchers()
		}
	}
	return n
}

// write changes the object under a key: see store.GuaranteedUpdate. Then it deletes
// what has to be deleted because of this write, and gives refused definitions the names
// that it has freed.
func (c *collection) write(ctx context.Context, key string,
	think func(store.Object) (commit, error)) error {
	wrote, gone, served := false, false, c.life.catalog.Load()
	err := c.serialized(ctx, key, func(present store.Object) (commit, error) {
		take, err := think(present)
		if take == nil || err != nil {
			return nil, err
		}
		return func(tx *store.Tx) error {
			err := take(tx)
			wrote, gone = true, tx.Get(c.objects, key) == nil
			return err
		}, nil
	})
	if err != nil || !wrote {
		return err
	}
	ctx = context.WithoutCancel(ctx) // this is done even if the client disconnects
	if c.life.terminating.concerns(c, key, gone) {
		c.life.settle(ctx)
	}
	if c.resource.IsDefinition() && c.life.catalog.Load() != served {
		c.life.reconsider(ctx) // only a change of the catalog can free names
	}
	return nil
}

func (c *collection) serialized(ctx context.Context, key string,
	think func(store.Object) (commit, error)) error {
	if c.resource.IsDefinition() {
		c.life.defining.Lock()
		defer c.life.defining.Unlock()
	}
	return c.objects.GuaranteedUpdate(ctx, key, think)
}

// admits returns an error if an object must not be created because its namespace or its
// definition is missing or terminating. get returns the object under a key of a
// collection.
func (l *lifecycle) admits(c *collection, namespace, name string,
	get func(*store.Collection, string) store.Object) error {
	if c.resource.Defined {
		if err := l.admitsCustom(c, name, get); err != nil {
			return err
		}
	}
	if c.resource.Cluster || l.namespaces == nil {
		return nil
	}
	switch d, _ := get(l.namespaces.objects, namespace).(*object.Document); {
	case d == nil && l.strict:
		return status.NotFound(l.namespaces.resource.About(namespace))
	case d != nil && d.Deleting:
		return status.NamespaceTerminating(c.resource.About(name), namespace)
	}
	return nil
}

// admitsCustom checks the definition of an object: it may have been deleted or replaced
// since the request found its resource.
func (l *lifecycle) admitsCustom(c *collection, name string,
	get func(*store.Collection, string) store.Object) error {
	resource := c.resource.QualifiedName()
	d, _ := get(l.definitions.objects, resource).(*object.Document)
	now := l.catalog.Load().stored(resource)
	switch {
	case d == nil || now == nil || now.c.objects != c.objects:
		return status.NotFound(c.resource.About(name))
	case d.Deleting:
		return status.Refused(c.resource.About(name),
			"create not allowed while custom resource definition is terminating")
	}
	return nil
}

// presentIn returns the object that a key of a collection holds now.
func presentIn(c *store.Collection, key string) store.Object { return c.Get(key) }

// isHeld reports whether an object that is deleted must stay for now.
func isHeld(r *resource.Type, t object.Tree) bool {
	switch m := object.MetaOf(t); {
	case m.Has("finalizers"):
		return true
	case !m.Has("deletionTimestamp"): // their content goes first, see terminate
		return r.IsNamespace() || r.IsDefinition()
	case r.IsNamespace():
		return len(object.ListAt(t, ".spec.finalizers")) > 0
	}
	return false
}

// terminate makes the further changes in an object that has just been marked as deleted.
// It returns false for kinds that need none.
func terminate(r *resource.Type, t object.Tree) bool {
	switch {
	case r.IsNamespace():
		holdNamespace(t)
		return object.SetAt(t, ".status.phase", "Terminating")
	case r.IsDefinition():
		crd.Terminate(t)
		return true
	}
	return false
}

// along returns a function to be called in the store's update that commits d or removes
// it: it records terminating objects and changes the catalog.
func (c *collection) along(d *object.Document, removal bool) func() {
	if !c.resource.IsNamespace() && !c.resource.IsDefinition() {
		return func() {}
	}
	serve := func() {}
	if c.resource.IsDefinition() {
		serve = c.life.serving(d, removal)
	}
	return func() {
		c.life.terminating.note(terminatingObject{c, d.Name}, d.Deleting && !removal)
		serve()
	}
}
