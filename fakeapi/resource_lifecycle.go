package fakeapi

import (
	"context"
	"sync"
	"sync/atomic"

	"example.com/watchglass/fakeapi/store"
)

// A lifecycle is how the lives of objects depend on each other: an object is in a
// namespace, and a custom resource's object has a definition. Both have to be
// there before the object, and cannot go before it has gone. All collections of a
// server share one.
type lifecycle struct {
	catalog     atomic.Pointer[catalog]
	namespaces  *collection // nil if they are not served
	definitions *collection // of CustomResourceDefinitions; nil if they are not served
	strict      bool        // nothing is created in a namespace that is missing

	// defining is held during each write of a definition. Which names it gets depends
	// on the others, and what it says is served from the moment it is stored.
	defining sync.Mutex
	refused  []string // definitions that lack a name; guarded by defining

	terminating terminatingSet
}

// newLifecycle registers the resources that the options name, and makes what is
// there from the start.
func newLifecycle(st *store.Store, o *Options) (*lifecycle, error) {
	l := &lifecycle{strict: o.RequireNamespaces}
	k, err := register(st, l, o.Resources)
	if err != nil {
		return nil, err
	}
	l.catalog.Store(k)
	for _, e := range k.endpoints {
		switch {
		case e.resource.isDefinition():
			l.definitions = e.c
		case e.resource.isNamespace():
			l.namespaces = e.c
			if err := e.c.found(); err != nil {
				return nil, err
			}
		}
	}
	return l, nil
}

// write changes what a key holds: see store.GuaranteedUpdate. What waited for
// just this write goes, too.
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
	ctx = context.WithoutCancel(ctx) // the client may go, the work is to be done
	if c.life.terminating.concerns(c, key, gone) {
		c.life.settle(ctx)
	}
	if c.resource.isDefinition() && c.life.catalog.Load() != served {
		c.life.reconsider(ctx) // only what is served takes names, or frees them
	}
	return nil
}

func (c *collection) serialized(ctx context.Context, key string,
	think func(store.Object) (commit, error)) error {
	if c.resource.isDefinition() {
		c.life.defining.Lock()
		defer c.life.defining.Unlock()
	}
	return c.objects.GuaranteedUpdate(ctx, key, think)
}

// admits says whether an object may be created: whether what it needs is there.
// get looks at what a key of a collection holds.
func (l *lifecycle) admits(c *collection, namespace, name string,
	get func(*store.Collection, string) store.Object) error {
	if c.resource.defined {
		if err := l.admitsCustom(c, name, get); err != nil {
			return err
		}
	}
	if c.resource.Cluster || l.namespaces == nil {
		return nil
	}
	switch d, _ := get(l.namespaces.objects, namespace).(*document); {
	case d == nil && l.strict:
		return notFound(l.namespaces.resource, namespace)
	case d != nil && d.deleting:
		return namespaceTerminating(c.resource, namespace, name)
	}
	return nil
}

// admitsCustom: the request may have found its resource when it was still served.
func (l *lifecycle) admitsCustom(c *collection, name string,
	get func(*store.Collection, string) store.Object) error {
	resource := c.resource.QualifiedName()
	d, _ := get(l.definitions.objects, resource).(*document)
	now := l.catalog.Load().stored(resource)
	switch {
	case d == nil || now == nil || now.c.objects != c.objects:
		return notFound(c.resource, name)
	case d.deleting:
		return forbiddenObject(c.resource, name,
			"create not allowed while custom resource definition is terminating")
	}
	return nil
}

// present is what a key of a collection holds now.
func presentIn(c *store.Collection, key string) store.Object { return c.Get(key) }

// isHeld says whether an object that is deleted cannot go yet.
func (r *Resource) isHeld(t tree) bool {
	switch m := metaOf(t); {
	case m.has("finalizers"):
		return true
	case !m.has("deletionTimestamp"): // their content goes first, see terminate
		return r.isNamespace() || r.isDefinition()
	case r.isNamespace():
		return len(listAt(t, ".spec.finalizers")) > 0
	}
	return false
}

// terminate is what else changes in an object that has just been marked as deleted. It is
// false for kinds in which that is the usual.
func (r *Resource) terminate(t tree) bool {
	switch {
	case r.isNamespace():
		holdNamespace(t)
		return setAt(t, ".status.phase", "Terminating")
	case r.isDefinition():
		terminateDefinition(t)
		return true
	}
	return false
}

// along is what has to happen in the store's update that commits d, or removes it.
func (c *collection) along(d *document, removal bool) func() {
	if !c.resource.isNamespace() && !c.resource.isDefinition() {
		return func() {}
	}
	serve := func() {}
	if c.resource.isDefinition() {
		serve = c.life.serving(d, removal)
	}
	return func() {
		c.life.terminating.note(terminatingObject{c, d.name}, d.deleting && !removal)
		serve()
	}
}
