package registry

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"example.com/watchglass/fakeapi/crd"
	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/patch"
	"example.com/watchglass/fakeapi/resource"
	"example.com/watchglass/fakeapi/status"
	"example.com/watchglass/fakeapi/store"
)

// Before a namespace or a definition is removed, its objects are deleted. There is no
// controller that does this in the background: the request that deletes a namespace
// also deletes its objects, and the request that removes the last object also removes
// the namespace. So all this is done before the answer is sent, and Close need not wait
// for it.

// A terminatingObject is a namespace or a definition that is deleted.
type terminatingObject struct {
	c    *Collection
	name string
}

// A terminatingSet has the namespaces and definitions that are deleted and not yet
// removed.
type terminatingSet struct {
	mu  sync.Mutex
	all map[terminatingObject]bool

	sweep  sync.Mutex   // held while one goroutine sweeps
	wanted atomic.Int64 // not 0: something was written since the last sweep began
}

// note adds o to the set or removes it.
func (s *terminatingSet) note(o terminatingObject, waits bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all == nil {
		s.all = map[terminatingObject]bool{}
	}
	if waits {
		s.all[o] = true
	} else {
		delete(s.all, o)
	}
}

// list returns the elements of the set, in no particular order.
func (s *terminatingSet) list() []terminatingObject {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []terminatingObject
	for o := range s.all {
		all = append(all, o)
	}
	return all
}

// concerns reports whether a write of a key needs a sweep: it wrote a terminating object,
// or removed an object in one. Other writes need none. If they swept, too, each write
// would look through all objects of a namespace that a finalizer keeps, and a request
// that sweeps would repeat its sweep as long as others write.
func (s *terminatingSet) concerns(c *Collection, key string, gone bool) bool {
	return slices.ContainsFunc(s.list(), func(o terminatingObject) bool {
		return o.c.Objects == c.Objects && o.name == key ||
			gone && o.has(c) && strings.HasPrefix(key, o.prefix())
	})
}

// settle deletes the objects in terminating namespaces and definitions, and releases
// those that are empty. It is called after each write that concerns them, also after the
// sweep's own writes. If another goroutine already sweeps, the call returns, and the
// other goroutine repeats its sweep. This ends, because a terminating namespace or
// definition accepts no new objects.
func (r *Registry) settle(ctx context.Context) {
	s := &r.terminating
	s.wanted.Add(1)
	for s.wanted.Load() > 0 && s.sweep.TryLock() {
		s.wanted.Store(0)
		for _, o := range s.list() {
			r.empty(ctx, o)
		}
		s.sweep.Unlock()
	}
}

// empty deletes the objects in a terminating object, and releases it if none is left.
// Errors do not matter: another client was faster, or the next sweep tries again.
func (r *Registry) empty(ctx context.Context, o terminatingObject) {
	left := 0
	for _, e := range r.catalog.Load().endpoints {
		if e.Type.View != nil || !o.has(e.Collection) {
			continue
		}
		left += e.Collection.removeBelow(ctx, o.prefix())
	}
	if left == 0 {
		r.release(ctx, o)
	}
}

// has reports whether objects of c may be in the terminating object.
func (o terminatingObject) has(c *Collection) bool {
	if o.c.Type.IsNamespace() {
		return !c.Type.Cluster
	}
	return c.Type.Defined && c.Type.QualifiedName() == o.name
}

// prefix returns what the keys of the objects in it start with.
func (o terminatingObject) prefix() string {
	if o.c.Type.IsNamespace() {
		return o.name + "/"
	}
	return ""
}

// removeBelow deletes the objects whose keys start with prefix, and returns how many are
// left.
func (c *Collection) removeBelow(ctx context.Context, prefix string) (left int) {
	for o := range c.Objects.Snapshot().All(prefix, "") {
		if d := o.(*object.Document); !d.Deleting {
			_, _, _ = c.Remove(ctx, Removal{Namespace: d.Namespace, Name: d.Name})
		}
	}
	return c.Objects.Snapshot().Count(prefix, "")
}

// release removes the server's finalizer from a terminating object. If it was the last
// one, the object is removed.
func (r *Registry) release(ctx context.Context, o terminatingObject) {
	u := Update{Name: o.name, Patch: true}
	if o.c.Type.IsNamespace() {
		u.Subresource = resource.SubFinalize
	}
	u.Change = func(present object.Tree) (object.Tree, error) {
		t := patch.Copy(present).(object.Tree)
		if u.Subresource == resource.SubFinalize {
			object.SetAt(t, ".spec.finalizers", slices.DeleteFunc(object.ListAt(t, ".spec.finalizers"),
				func(f any) bool { return f == namespaceFinalizer }))
			return t, nil
		}
		m := object.MetaOf(t)
		m.SetList("finalizers", slices.DeleteFunc(m.List("finalizers"), func(f string) bool {
			return f == crd.Finalizer
		}))
		return t, nil
	}
	_, _ = o.c.Update(ctx, u)
}

// Namespaces differ from other objects in three things. The server creates four of them
// when it starts. A namespace is deleted in two steps: it stays Terminating, and accepts
// no new objects, until all objects in it are gone (resource_terminating.go). And
// spec.finalizers, which keep it until then, can be changed only by the subresource
// finalize.

// nameLabel is the label by which a namespace can be selected.
const nameLabel = "kubernetes.io/metadata.name"

// initialNamespaces are those that a server starts with, immortalNamespaces those
// that cannot be deleted.
var (
	initialNamespaces  = []string{"default", "kube-node-lease", "kube-public", "kube-system"}
	immortalNamespaces = []string{"default", "kube-public", "kube-system"}
)

// seedNamespaces stores the initial namespaces. They have the version of the empty
// store: no write created them, and the first write of a client takes the same version
// as without them.
func (c *Collection) seedNamespaces() error {
	for _, name := range initialNamespaces {
		t := object.Tree{"kind": c.Type.Kind, "apiVersion": c.Type.APIVersion(),
			"metadata": object.Tree{"name": name}}
		c.prepareNew(t)
		d, err := object.New(c.Type, t, c.registry.store.Version(), store.Added)
		if err != nil {
			return err
		}
		c.Objects.Seed(d)
	}
	return nil
}

// prepareNamespace gives a namespace its label, and a new one its finalizer. Only the
// subresource finalize removes that: see splitFinalizers.
func prepareNamespace(was, t object.Tree) {
	m := object.MetaOf(t)
	object.Within(m, "labels")[nameLabel] = m.Text("name")
	if was == nil {
		holdNamespace(t)
	}
}

// namespaceFinalizer keeps a namespace until it is empty. Other entries of
// spec.finalizers belong to other controllers.
const namespaceFinalizer = "kubernetes"

// holdNamespace gives a namespace its finalizer, unless it has it.
func holdNamespace(t object.Tree) {
	held := object.ListAt(t, ".spec.finalizers")
	if !slices.Contains(held, any(namespaceFinalizer)) {
		object.SetAt(t, ".spec.finalizers", append(slices.Clip(held), namespaceFinalizer))
	}
}

// splitFinalizers keeps spec.finalizers apart from the rest of a namespace: the
// subresource finalize changes nothing else, and no other write changes them.
func splitFinalizers(subresource string, was, next object.Tree) {
	from := was
	if subresource == resource.SubFinalize {
		from = object.Tree{"spec": next["spec"]}
		clear(next)
		maps.Copy(next, was)
	}
	spec := object.Tree{}
	if held := object.ListAt(from, ".spec.finalizers"); len(held) > 0 {
		spec["finalizers"] = held
	}
	next["spec"] = spec
}

// refuseDeletion returns an error for the namespaces that cannot be deleted.
func refuseDeletion(typ *resource.Type, name string) error {
	if typ.IsNamespace() && slices.Contains(immortalNamespaces, name) {
		return status.Refused(typ.About(name), "this namespace may not be deleted")
	}
	return nil
}
