package fakeapi

import (
	"context"
	"slices"
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

	leaving leaving
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
	wrote := false
	err := c.serialized(ctx, key, func(present store.Object) (commit, error) {
		take, err := think(present)
		if take == nil || err != nil {
			return nil, err
		}
		return func(tx *store.Tx) error { wrote = true; return take(tx) }, nil
	})
	if err != nil || !wrote {
		return err
	}
	ctx = context.WithoutCancel(ctx) // the client may go, the work is to be done
	c.life.settle(ctx)
	if c.resource.isDefinition() {
		c.life.reconsider(ctx)
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
	case r.isNamespace():
		return len(listAt(t, ".spec.finalizers")) > 0
	case r.isDefinition(): // until its objects are gone it has a finalizer, see leave
		return !m.has("deletionTimestamp")
	}
	return false
}

// leave is what else changes in an object that has just been marked as deleted. It is
// false for kinds in which that is the usual.
func (r *Resource) leave(t tree) bool {
	switch {
	case r.isNamespace():
		return setAt(t, ".status.phase", "Terminating")
	case r.isDefinition():
		leaveDefinition(t)
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
		c.life.leaving.note(leaver{c, d.name}, d.deleting && !removal)
		serve()
	}
}

// A leaver is a namespace or a definition that is deleted.
type leaver struct {
	c    *collection
	name string
}

// leaving are the leavers that wait for what is in them to go.
type leaving struct {
	mu  sync.Mutex
	all map[leaver]bool

	sweep  sync.Mutex   // held while one goroutine sweeps
	wanted atomic.Int64 // not 0: something was written since the last sweep began
}

func (w *leaving) note(l leaver, waits bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.all == nil {
		w.all = map[leaver]bool{}
	}
	if waits {
		w.all[l] = true
	} else {
		delete(w.all, l)
	}
}

// list is who waits, in no particular order.
func (w *leaving) list() []leaver {
	w.mu.Lock()
	defer w.mu.Unlock()
	var all []leaver
	for l := range w.all {
		all = append(all, l)
	}
	return all
}

// settle removes what leavers hold and, once they are empty, the leavers. It is
// called after each write, and by the sweep's own writes, too: those, and those of
// other requests meanwhile, leave it to the sweep under way to look once more.
func (l *lifecycle) settle(ctx context.Context) {
	w := &l.leaving
	if len(w.list()) == 0 {
		return
	}
	w.wanted.Add(1)
	for w.wanted.Load() > 0 && w.sweep.TryLock() {
		w.wanted.Store(0)
		for _, leaver := range w.list() {
			l.empty(ctx, leaver)
		}
		w.sweep.Unlock()
	}
}

// empty deletes what is in a leaver, and lets it go if nothing is left. What goes
// wrong is no error: another client was faster, or a finalizer holds an object.
func (l *lifecycle) empty(ctx context.Context, who leaver) {
	left := 0
	for _, e := range l.catalog.Load().endpoints {
		if e.c == nil || e.resource.view != nil || !who.has(e.c) {
			continue
		}
		left += e.c.removeAll(ctx, who.prefix())
	}
	if left == 0 {
		l.letGo(ctx, who)
	}
}

// has says whether objects of c may be in the leaver.
func (who leaver) has(c *collection) bool {
	if who.c.resource.isNamespace() {
		return !c.resource.Cluster
	}
	return c.resource.defined && c.resource.QualifiedName() == who.name
}

// prefix is what the keys of the leaver's objects start with.
func (who leaver) prefix() string {
	if who.c.resource.isNamespace() {
		return who.name + "/"
	}
	return ""
}

// removeAll deletes the objects whose keys start with prefix, and returns how many
// are there still.
func (c *collection) removeAll(ctx context.Context, prefix string) (left int) {
	for o := range c.objects.Snapshot().All(prefix, "") {
		if d := o.(*document); !d.deleting {
			_, _, _ = c.remove(ctx, removal{namespace: d.namespace, name: d.name})
		}
	}
	return c.objects.Snapshot().Count(prefix, "")
}

// letGo takes the last thing away that holds a leaver.
func (l *lifecycle) letGo(ctx context.Context, who leaver) {
	u := update{name: who.name, patch: true}
	if who.c.resource.isNamespace() {
		u.subresource = subFinalize
	}
	u.change = func(t tree) (tree, error) {
		if u.subresource == subFinalize {
			setAt(t, ".spec.finalizers", nil)
			return t, nil
		}
		m := metaOf(t)
		m.setList("finalizers", slices.DeleteFunc(m.list("finalizers"), func(f string) bool {
			return f == definitionFinalizer
		}))
		return t, nil
	}
	_, _ = who.c.update(ctx, u)
}
