package fakeapi

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
)

// What goes before a namespace or a definition can go. There is no controller that
// would do this in the background: the request that deletes a namespace deletes what
// is in it, and the request that takes the last object away takes the namespace along.
// So it has happened when the answer is there, and Close has nothing to wait for.

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

// list is what waits, in no particular order.
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
