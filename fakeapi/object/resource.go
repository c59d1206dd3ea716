package object

import (
	"fmt"
	"slices"
	"strings"

	"example.com/watchglass/fakeapi/status"
)

// A Resource describes one type of objects that the server serves. It has no schema:
// an object is any JSON document with Kubernetes metadata. It is served in one version.
//
// Its Group decides how it answers. The core group, others without a dot, such as
// apps, and those ending in .k8s.io answer as a kube-apiserver's built-in types do,
// all others as the custom resources of a CustomResourceDefinition. The two differ in
// details that clients depend on: unconditional updates, strategic merge patches, the
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
	// Columns are the columns that kubectl get shows between Name and Age. Zero: none, or those
	// of a built-in type.
	Columns []Column
	// Scale has the paths of the numbers that /scale shows and sets. Nil: there is no
	// such subresource.
	Scale *ScalePaths
}

// A Column is one column of a resource's Table form, what kubectl get prints. In a
// CustomResourceDefinition it is an element of additionalPrinterColumns.
type Column struct {
	Name     string `json:"name"`     // the heading
	Type     string `json:"type"`     // OpenAPI type: string, integer, boolean, date; zero: string
	Path     string `json:"jsonPath"` // where the value is, for instance ".spec.color": see Path
	Priority int    `json:"priority"` // 0: always shown; larger: only with -o wide
}

// ScalePaths say where an object keeps what its Scale shows: the wanted number
// of replicas, the present number, and the selector of their pods.
type ScalePaths struct {
	Spec     string `json:"specReplicasPath"`   // for instance ".spec.replicas"
	Status   string `json:"statusReplicasPath"` // for instance ".status.replicas"
	Selector string `json:"labelSelectorPath"`  // of a selector, an object or its text; or empty
}

// Validate adds the errors in the paths. at is the path of the paths. A Scale writes where they
// lead to, so they must not lead to the metadata, or so deep that nothing can read the object
// again.
func (s *ScalePaths) Validate(errs *status.FieldErrors, at string) {
	for _, p := range []struct {
		field, path string
		roots       []string
	}{
		{"specReplicasPath", s.Spec, []string{".spec."}},
		{"statusReplicasPath", s.Status, []string{".status."}},
		{"labelSelectorPath", s.Selector, []string{".spec.", ".status."}},
	} {
		under := func(root string) bool { return strings.HasPrefix(p.path, root) }
		switch at := at + "." + p.field; {
		case p.path == "" && p.field == "labelSelectorPath": // there need not be one
		case p.path == "":
			errs.Required(at, "")
		case !slices.ContainsFunc(p.roots, under):
			errs.Invalid(at, p.path, "should be a json path under "+strings.Join(p.roots, " or "))
		case len(p.path) > MaxPath:
			errs.TooLong(at, MaxPath)
		}
	}
}

// APIVersion returns the apiVersion of the resource's objects: "v1" for the core
// group, "group/version" for others.
func (res *Resource) APIVersion() string {
	if res.Group == "" {
		return res.Version
	}
	return res.Group + "/" + res.Version
}

// Builtin reports whether the resource answers as the types compiled into a
// kube-apiserver do, rather than as custom resources do.
func (res *Resource) Builtin() bool {
	return !strings.Contains(res.Group, ".") || strings.HasSuffix(res.Group, ".k8s.io")
}

// QualifiedName returns the plural and the group, as messages name a resource:
// "pods", "widgets.workshop.example.dev".
func (res *Resource) QualifiedName() string { return status.Qualify(res.Plural, res.Group) }

// Validate returns an error if the resource's paths would be ambiguous.
func (res *Resource) Validate() error {
	parts := [][2]string{{"version", res.Version}, {"plural", res.Plural}, {"kind", res.Kind}}
	for _, part := range parts {
		if part[1] == "" || strings.ContainsAny(part[1], "/%? ") {
			return fmt.Errorf("fakeapi: resource %q: the %s %q is empty, or not one segment of a path",
				res.QualifiedName(), part[0], part[1])
		}
	}
	if res.Plural == "watch" || res.Plural == "namespaces" && res.Group != "" {
		return fmt.Errorf("fakeapi: resource %s: the plural has another meaning in paths",
			res.QualifiedName())
	}
	for _, c := range res.Columns {
		if _, err := ParsePath(c.Path); err != nil {
			return fmt.Errorf("fakeapi: resource %s: column %q: %w", res.QualifiedName(), c.Name, err)
		}
	}
	var errs status.FieldErrors
	if res.Scale != nil {
		res.Scale.Validate(&errs, "scale")
	}
	if len(errs) > 0 {
		return fmt.Errorf("fakeapi: resource %s: %s", res.QualifiedName(), errs[0])
	}
	return nil
}
