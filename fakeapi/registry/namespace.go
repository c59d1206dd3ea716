package registry

import (
	"slices"

	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/resource"
	"example.com/watchglass/fakeapi/status"
	"example.com/watchglass/fakeapi/store"
)

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
	labels, ok := m["labels"].(object.Tree)
	if !ok {
		labels = object.Tree{}
		m["labels"] = labels
	}
	labels[nameLabel] = m.Text("name")
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
		for k, v := range was {
			next[k] = v
		}
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
