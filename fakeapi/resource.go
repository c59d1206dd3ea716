package fakeapi

import (
	"fmt"
	"slices"
	"strings"
)

// A Resource describes one collection type the server offers, registered by
// value: the server needs no schema, since an object is any JSON document with
// Kubernetes metadata.
//
// Its Group decides how it answers. The core group, apps and the groups ending
// in .k8s.io answer as a kube-apiserver's built-in types do, all others as the
// custom resources of a CustomResourceDefinition. The two differ in small ways
// that clients trip over: unconditional updates, strategic merge patches, the
// kind of list items, the wording of some errors.
type Resource struct {
	Group   string // "" is the core group, served below /api
	Version string // for instance "v1"
	Plural  string // the name in paths, for instance "widgets"
	Kind    string // for instance "Widget"; the list kind is Kind + "List"

	Cluster bool     // objects have no namespace; zero: they have one
	Status  bool     // there is a /status subresource; zero: status is ordinary data
	Select  []string // paths that field selectors may name, for instance ".spec.color"

	Singular   string   // the name for one object; zero: Kind in lower case
	ShortNames []string // what kubectl accepts in place of Plural
	Categories []string // groups of resources, such as kubectl's "all"
	// Columns are what kubectl get shows between Name and Age. Zero: nothing, but
	// for the built-in types of the default set what a real server shows.
	Columns []Column
}

// A Column is one column of a resource's Table form, what kubectl get prints.
type Column struct {
	Name     string // the heading
	Type     string // OpenAPI type: string, integer, boolean, date; zero: string
	Path     string // where the value is in the object, for instance ".spec.color"
	Priority int    // 0: always shown; larger: only with -o wide
}

// DefaultResources are the resources of a server whose Options name none: the
// core, apps and coordination types that controllers meet first, and widgets of
// workshop.example.dev as the custom resource. The slice is the caller's.
func DefaultResources() []Resource {
	return []Resource{
		{Version: "v1", Plural: "pods", Kind: "Pod", Status: true,
			Select: []string{".spec.nodeName", ".spec.restartPolicy", ".spec.schedulerName",
				".spec.serviceAccountName", ".spec.hostNetwork", ".status.phase",
				".status.podIP", ".status.nominatedNodeName"},
			ShortNames: []string{"po"}, Categories: []string{"all"}},
		{Version: "v1", Plural: "configmaps", Kind: "ConfigMap", ShortNames: []string{"cm"}},
		{Version: "v1", Plural: "nodes", Kind: "Node", Cluster: true, Status: true,
			Select: []string{".spec.unschedulable"}, ShortNames: []string{"no"}},
		{Version: "v1", Plural: "namespaces", Kind: "Namespace", Cluster: true, Status: true,
			Select: []string{".status.phase"}, ShortNames: []string{"ns"}},
		{Version: "v1", Plural: "services", Kind: "Service", Status: true,
			Select: []string{".spec.clusterIP", ".spec.type"}, ShortNames: []string{"svc"},
			Categories: []string{"all"}},
		{Version: "v1", Plural: "secrets", Kind: "Secret", Select: []string{".type"}},
		{Version: "v1", Plural: "events", Kind: "Event", ShortNames: []string{"ev"},
			Select: []string{".involvedObject.kind", ".involvedObject.namespace",
				".involvedObject.name", ".involvedObject.uid", ".involvedObject.apiVersion",
				".involvedObject.resourceVersion", ".involvedObject.fieldPath",
				".reason", ".reportingComponent", ".source", ".type"}},
		{Group: "apps", Version: "v1", Plural: "deployments", Kind: "Deployment", Status: true,
			ShortNames: []string{"deploy"}, Categories: []string{"all"}},
		{Group: "apps", Version: "v1", Plural: "replicasets", Kind: "ReplicaSet", Status: true,
			Select: []string{".status.replicas"}, ShortNames: []string{"rs"},
			Categories: []string{"all"}},
		{Group: "coordination.k8s.io", Version: "v1", Plural: "leases", Kind: "Lease"},
		{Group: "workshop.example.dev", Version: "v1", Plural: "widgets", Kind: "Widget",
			Status: true, Select: []string{".spec.color"}, ShortNames: []string{"wd"},
			Columns: []Column{{Name: "Color", Path: ".spec.color"}}},
	}
}

// APIVersion is the apiVersion of the resource's objects: "v1" for the core
// group, "group/version" for others.
func (r *Resource) APIVersion() string {
	if r.Group == "" {
		return r.Version
	}
	return r.Group + "/" + r.Version
}

// Builtin says whether the resource answers as the types compiled into a
// kube-apiserver do, rather than as custom resources do.
func (r *Resource) Builtin() bool {
	return r.Group == "" || r.Group == "apps" || strings.HasSuffix(r.Group, ".k8s.io")
}

// QualifiedName is the plural and the group, the way messages name a resource:
// "pods", "widgets.workshop.example.dev".
func (r *Resource) QualifiedName() string { return qualify(r.Plural, r.Group) }

// qualifiedKind is the kind and the group, the way messages about invalid
// objects name it: "Pod", "Widget.workshop.example.dev".
func (r *Resource) qualifiedKind() string { return qualify(r.Kind, r.Group) }

func qualify(name, group string) string {
	if group == "" {
		return name
	}
	return name + "." + group
}

// singular is the resource's name for one object.
func (r *Resource) singular() string {
	if r.Singular != "" {
		return r.Singular
	}
	return strings.ToLower(r.Kind)
}

// hasGeneration says whether the server counts changes of the specification in
// metadata.generation. Custom resources always have it; of the built-in types
// only those that some controller acts upon.
func (r *Resource) hasGeneration() bool {
	return !r.Builtin() || r.Group == "apps" || r.isPod()
}

// prepareStatus is what becomes of a new object's status, where that is not for
// whoever creates the object to say. Nodes create themselves and know.
func (r *Resource) prepareStatus(t tree) {
	if r.Status && r.QualifiedName() != "nodes" {
		delete(t, "status")
	}
	switch r.QualifiedName() {
	case "pods":
		t["status"] = tree{"phase": "Pending", "qosClass": "BestEffort"}
	case "namespaces":
		t["status"] = tree{"phase": "Active"}
	}
}

// isPod: pods are deleted in two writes, and their phase starts as Pending.
func (r *Resource) isPod() bool { return r.Group == "" && r.Plural == "pods" }

// validate refuses a resource whose paths or documents could not be told apart
// from others'.
func (r *Resource) validate() error {
	for _, part := range []string{r.Version, r.Plural, r.Kind} {
		if part == "" || strings.ContainsAny(part, "/%? ") {
			return fmt.Errorf("fakeapi: resource %+v: %q is not a path segment", *r, part)
		}
	}
	if slices.Contains([]string{"watch", "namespaces"}, r.Plural) && r.Group != "" {
		return fmt.Errorf("fakeapi: resource %s: the name is taken in paths", r.QualifiedName())
	}
	for _, p := range r.Select {
		if !strings.HasPrefix(p, ".") || len(p) < 2 {
			return fmt.Errorf("fakeapi: resource %s: path %q must start with a dot",
				r.QualifiedName(), p)
		}
	}
	return nil
}
