package registry

import (
	"context"
	"maps"
	"slices"

	"example.com/watchglass/fakeapi/crd"
	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/patch"
	"example.com/watchglass/fakeapi/resource"
	"example.com/watchglass/fakeapi/store"
)

// Before a namespace or a definition is removed, its objects are deleted. There is no controller
// that does this in the background: the request that deletes a namespace also deletes its objects,
// and the request that removes the last object also removes the namespace. So all this is done
// before the answer is sent, and Close need not wait for it.

// A parent is a namespace or a definition. If it is deleted, its content goes first.
type parent struct {
	c    *Collection
	name string
}

func (c *Collection) parentsOf(d *object.Document) (all []parent) {
	if !c.Type.Cluster && c.registry.namespaces != nil {
		all = append(all, parent{c.registry.namespaces, d.Namespace})
	}
	if c.Type.Defined {
		all = append(all, parent{c.registry.definitions, c.Type.QualifiedName()})
	}
	return all
}

// settle does what follows from a write, which made is from was. A parent that is deleted now
// loses its content. The removal of its last object removes a parent that is deleted. Nothing
// else is looked at, because there may be many deleted parents, and many objects in them.
func (c *Collection) settle(ctx context.Context, was, is *object.Document) {
	switch {
	case is == nil:
		for _, o := range c.parentsOf(was) {
			c.registry.release(ctx, o, c)
		}
	case is.Deleting && (c.Type.IsNamespace() || c.Type.IsDefinition()):
		o := parent{c, is.Name}
		if !was.Deleting {
			c.registry.empty(ctx, o)
		}
		c.registry.release(ctx, o, c)
	}
}

// empty deletes the objects in a deleted parent, which accepts no new ones. Errors do not
// matter: another client was faster.
func (reg *Registry) empty(ctx context.Context, o parent) {
	for _, c := range reg.catalog.Load().collections {
		if !o.has(c) {
			continue
		}
		for in := range c.Objects.Snapshot().All(o.prefix(), "") {
			if d := in.(*object.Document); !d.Deleting {
				_, _, _ = c.Remove(ctx, Removal{Namespace: d.Namespace, Name: d.Name})
			}
		}
	}
}

// has reports whether objects of c may be in the parent.
func (o parent) has(c *Collection) bool {
	if o.c.Type.IsNamespace() {
		return !c.Type.Cluster
	}
	return c.Type.Defined && c.Type.QualifiedName() == o.name
}

// prefix returns what the keys of the objects in it start with.
func (o parent) prefix() string {
	if o.c.Type.IsNamespace() {
		return object.KeysIn(o.name)
	}
	return ""
}

// holds reports whether any objects of c are in the parent.
func (o parent) holds(c *Collection) bool {
	return o.has(c) && c.Objects.Snapshot().Count(o.prefix(), "") > 0
}

// release removes the server's finalizer from a parent, if that is deleted and empty. If it was
// the last one, the parent is removed. An object of c has just been removed.
func (reg *Registry) release(ctx context.Context, o parent, c *Collection) {
	if d := o.c.Get(o.name); d == nil || !d.Deleting || o.holds(c) ||
		slices.ContainsFunc(reg.catalog.Load().collections, o.holds) {
		return
	}
	u := Update{Name: o.name, Patch: true}
	part, finalizer := "metadata", crd.Finalizer
	if o.c.Type.IsNamespace() {
		u.Subresource, part, finalizer = resource.SubFinalize, "spec", namespaceFinalizer
	}
	u.Change = func(present object.Tree) (object.Tree, error) {
		t := patch.Copy(present).(object.Tree)
		m := object.Meta(object.Within(t, part)) // a list of texts in both
		m.SetList("finalizers", slices.DeleteFunc(m.List("finalizers"),
			func(f string) bool { return f == finalizer }))
		return t, nil
	}
	_, _ = o.c.Update(ctx, u)
}

// Namespaces differ from other objects in three things. The server creates four of them when it
// starts. A namespace is deleted in two steps: it stays Terminating, and accepts no new objects,
// until all objects in it are gone (see settle). And spec.finalizers, which keep it until then, can
// be changed only by the subresource finalize.

// nameLabel lets selectors find a namespace by its name.
const nameLabel = "kubernetes.io/metadata.name"

// initialNamespaces are those that a server starts with, immortalNamespaces those
// that cannot be deleted.
var (
	initialNamespaces  = []string{"default", "kube-node-lease", "kube-public", "kube-system"}
	immortalNamespaces = []string{"default", "kube-public", "kube-system"}
)

// seedNamespaces stores the initial namespaces. They have the version of the empty store: no write
// created them, and the first write of a client takes the same version as without them.
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
	held := object.At[[]any](t, ".spec.finalizers")
	if !slices.Contains(held, any(namespaceFinalizer)) {
		object.SetAt(t, ".spec.finalizers", append(slices.Clip(held), namespaceFinalizer))
	}
}

// splitFinalizers keeps spec.finalizers apart from the rest of a namespace: the
// subresource finalize changes nothing else, and no other write changes them.
func splitFinalizers(subresource string, was, next object.Tree) {
	held := object.At[[]any](was, ".spec.finalizers")
	if subresource == resource.SubFinalize {
		held = object.At[[]any](next, ".spec.finalizers")
		clear(next)
		maps.Copy(next, was)
	}
	next["spec"] = object.Tree{}
	if len(held) > 0 {
		object.SetAt(next, ".spec.finalizers", held)
	}
}
