package fakeapi

import (
	"fmt"
	"net/http"
	"slices"

	"example.com/watchglass/fakeapi/store"
)

// Namespaces are objects like others, but for three things. The server makes four
// of them when it starts. A namespace is deleted in two steps: it is Terminating,
// and takes in nothing new, until everything in it is gone (resource_lifecycle.go). And what
// holds it meanwhile, spec.finalizers, is written at a subresource of its own.

const (
	subStatus   = "status"
	subFinalize = "finalize"
)

// nameLabel is the label by which a namespace can be selected.
const nameLabel = "kubernetes.io/metadata.name"

// initialNamespaces are those that a server starts with, immortalNamespaces those
// that cannot be deleted.
var (
	initialNamespaces  = []string{"default", "kube-node-lease", "kube-public", "kube-system"}
	immortalNamespaces = []string{"default", "kube-public", "kube-system"}
)

// isNamespace says whether objects of the resource are namespaces.
func (r *Resource) isNamespace() bool { return r.Group == "" && r.Plural == "namespaces" }

// found puts the initial namespaces there. They have the version of the empty
// store: no write made them, and the first write of a client takes the same version
// as if they were not there.
func (c *collection) found() error {
	for _, name := range initialNamespaces {
		t := tree{"kind": c.resource.Kind, "apiVersion": c.resource.APIVersion(),
			"metadata": tree{"name": name}}
		c.resource.prepareNew(t)
		d, err := newDocument(c.resource, t, c.store.Version(), store.Added)
		if err != nil {
			return err
		}
		c.objects.Seed(d)
	}
	return nil
}

// prepareNamespace gives a namespace its label, and a new one what holds it until it
// is empty. Only the subresource takes that away: see splitFinalizers.
func prepareNamespace(_ *Resource, was, t tree) {
	m := metaOf(t)
	labels, ok := m["labels"].(tree)
	if !ok {
		labels = tree{}
		m["labels"] = labels
	}
	labels[nameLabel] = m.text("name")
	if was == nil {
		holdNamespace(t)
	}
}

// namespaceFinalizer is what holds a namespace until it is empty. Others in
// spec.finalizers are those of other controllers.
const namespaceFinalizer = "kubernetes"

// holdNamespace gives a namespace its finalizer, unless it has it.
func holdNamespace(t tree) {
	held := listAt(t, ".spec.finalizers")
	if !slices.Contains(held, any(namespaceFinalizer)) {
		setAt(t, ".spec.finalizers", append(slices.Clip(held), namespaceFinalizer))
	}
}

// splitFinalizers keeps spec.finalizers apart from the rest of a namespace: the
// subresource writes nothing else, and nothing else writes them.
func splitFinalizers(subresource string, was, next tree) {
	from := was
	if subresource == subFinalize {
		from = tree{"spec": next["spec"]}
		clear(next)
		for k, v := range was {
			next[k] = v
		}
	}
	spec := tree{}
	if held := listAt(from, ".spec.finalizers"); len(held) > 0 {
		spec["finalizers"] = held
	}
	next["spec"] = spec
}

// refuseDeletion: some namespaces are there for good.
func (r *Resource) refuseDeletion(name string) error {
	if r.isNamespace() && slices.Contains(immortalNamespaces, name) {
		return forbiddenObject(r, name, "this namespace may not be deleted")
	}
	return nil
}

func forbiddenObject(r *Resource, name, why string) *Status {
	return failure(http.StatusForbidden, "Forbidden",
		fmt.Sprintf("%s %q is forbidden: %s", r.QualifiedName(), name, why), about(r, name))
}

// namespaceTerminating is the answer to a create in a namespace that is going. The
// cause is how clients tell it from other refusals.
func namespaceTerminating(r *Resource, namespace, name string) *Status {
	s := forbiddenObject(r, name, "unable to create new content in namespace "+namespace+
		" because it is being terminated")
	s.Details.Causes = []Cause{{Reason: "NamespaceTerminating",
		Message: "namespace " + namespace + " is being terminated", Field: "metadata.namespace"}}
	return s
}

// listAt is the list at a path, nil if there is none.
func listAt(t tree, path string) []any {
	v, _ := lookup(t, path)
	l, _ := v.([]any)
	return l
}
