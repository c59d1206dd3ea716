package registry

import (
	"context"
	"maps"
	"slices"

	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/store"
)

// Before a namespace or a definition is removed, its objects are deleted. There is no controller
// that does this in the background: the request that deletes a namespace also deletes its objects,
// and the request that removes the last object also removes the namespace. So all this is done
// before the answer is sent, and Close need not wait for it.

// settle does what follows from a write of c, which made is from was. A namespace or a definition
// that is deleted now loses its content. The removal of its last object removes one that is
// deleted. Nothing else is looked at, because there may be many deleted ones, with many objects.
func (c *Collection) settle(ctx context.Context, was, is *object.Document) {
	switch {
	case is == nil:
		if !c.Type.Cluster && c.registry.namespaces != nil {
			c.registry.namespaces.release(ctx, was.Namespace)
		}
		if c.Type.Defined {
			c.registry.definitions.release(ctx, c.Type.QualifiedName())
		}
	case is.Deleting && (c.Type.IsNamespace() || c.Type.IsDefinition()):
		if !was.Deleting {
			c.empty(ctx, is.Name)
		}
		c.release(ctx, is.Name)
	}
}

// empty deletes the objects in a deleted namespace, or of a deleted definition, which accept no new
// ones. Errors do not matter: another client was faster.
func (c *Collection) empty(ctx context.Context, name string) {
	in, prefix := c.content(name)
	for _, one := range in {
		for o := range one.Objects.Snapshot().All(prefix, "") {
			d := o.(*object.Document)
			_, _, _ = one.Remove(ctx, Removal{Namespace: d.Namespace, Name: d.Name})
		}
	}
}

// content returns the collections in which the objects in a namespace, or of a definition, may be,
// and what their keys start with. c is the collection of namespaces or of definitions.
func (c *Collection) content(name string) (in []*Collection, prefix string) {
	if c.Type.IsNamespace() {
		prefix = object.KeysIn(name)
	}
	for _, one := range c.registry.catalog.Load().collections {
		if prefix != "" && !one.Type.Cluster ||
			prefix == "" && one.Type.Defined && one.Type.QualifiedName() == name {
			in = append(in, one)
		}
	}
	return in, prefix
}

// release removes the server's finalizer from a namespace or a definition, if that is deleted and
// empty. If it was the last finalizer, the namespace or the definition is removed.
func (c *Collection) release(ctx context.Context, name string) {
	if d := c.Get(name); d == nil || !d.Deleting {
		return
	}
	in, prefix := c.content(name)
	if slices.ContainsFunc(in, func(c *Collection) bool { return c.Objects.Holds(prefix) }) {
		return
	}
	u := Update{Name: name, Patch: true}
	part, finalizer := "metadata", definitionFinalizer
	if c.Type.IsNamespace() {
		u.Subresource, part, finalizer = object.SubFinalize, "spec", namespaceFinalizer
	}
	u.Change = func(present object.Tree) (object.Tree, error) {
		t := object.Copy(present).(object.Tree)
		m := object.Meta(object.Within(t, part)) // a list of texts in both
		m.SetList("finalizers", slices.DeleteFunc(m.List("finalizers"),
			func(f string) bool { return f == finalizer }))
		return t, nil
	}
	_, _ = c.Update(ctx, u)
}

// Namespaces differ from other objects in three things. The server creates four of them when it
// starts. A namespace is deleted in two steps: it stays Terminating, and accepts no new objects,
// until all objects in it are gone (see settle). And spec.finalizers, which keep it until then, can
// be changed only by the subresource finalize.

// nameLabel lets selectors find a namespace by its name.
const nameLabel = "kubernetes.io/metadata.name"

// initialNamespaces are those that a server starts with. They cannot be deleted.
var initialNamespaces = []string{"default", "kube-node-lease", "kube-public", "kube-system"}

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
	if subresource == object.SubFinalize {
		held = object.At[[]any](next, ".spec.finalizers")
		clear(next)
		maps.Copy(next, was)
	}
	next["spec"] = object.Tree{}
	if len(held) > 0 {
		object.SetAt(next, ".spec.finalizers", held)
	}
}
