package object

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"strings"

	"example.com/watchglass/fakeapi/status"
)

// A Type is a Resource as it is served.
type Type struct {
	Resource

	Defined bool   // by a CustomResourceDefinition
	Schema  []byte // as JSON, as OpenAPI documents show it; nil: none
}

// Builtin reports whether the type answers as those compiled into a kube-apiserver do. A
// definition may name one of their groups.
func (t *Type) Builtin() bool { return !t.Defined && t.Resource.Builtin() }

// About names one of the type's objects in a Status.
func (t *Type) About(name string) status.About {
	return status.About{Group: t.Group, Plural: t.Plural, Kind: t.Kind, Name: name}
}

// SingularName returns the name for one object.
func (t *Type) SingularName() string { return cmp.Or(t.Singular, strings.ToLower(t.Kind)) }

// A GVK is meta/v1 GroupVersionKind: how clients name a type.
type GVK struct {
	Group   string `json:"group"`
	Version string `json:"version"`
	Kind    string `json:"kind"`
}

// GVKExtension is the field of OpenAPI documents that says to which type a part of them belongs.
const GVKExtension = "x-kubernetes-group-version-kind"

// GVK returns how clients name the type.
func (t *Type) GVK() GVK { return GVK{t.Group, t.Version, t.Kind} }

// IsPod reports whether the objects are pods, which are deleted in two writes.
func (t *Type) IsPod() bool { return t.Group == "" && t.Plural == "pods" }

// IsNamespace reports whether the objects are namespaces.
func (t *Type) IsNamespace() bool { return t.Group == "" && t.Plural == "namespaces" }

// IsDefinition reports whether the objects are CustomResourceDefinitions.
func (t *Type) IsDefinition() bool { return t.QualifiedName() == Definitions }

// Definitions is the qualified name of CustomResourceDefinitions.
const Definitions = "customresourcedefinitions.apiextensions.k8s.io"

// HasGeneration reports whether the server counts changes of the spec in metadata.generation. It
// does for custom resources, and for those built-in types whose controllers need it.
func (t *Type) HasGeneration() bool {
	return !t.Builtin() || t.Group == "apps" || t.IsPod() || t.IsDefinition()
}

// The verbs, as discovery, traces and faults name them.
const (
	VerbGet              = "get"
	VerbList             = "list"
	VerbWatch            = "watch"
	VerbCreate           = "create"
	VerbUpdate           = "update"
	VerbPatch            = "patch"
	VerbDelete           = "delete"
	VerbDeleteCollection = "deletecollection"
)

// Verbs returns the verbs that the type supports.
func (t *Type) Verbs() []string {
	if t.IsNamespace() {
		return strings.Fields("create delete get list patch update watch")
	}
	return strings.Fields("create delete deletecollection get list patch update watch")
}

// The subresources, as paths name them.
const (
	SubStatus   = "status"
	SubScale    = "scale"
	SubFinalize = "finalize" // of namespaces
)

// HasSubresource reports whether the objects have a subresource. Empty is the object itself.
func (t *Type) HasSubresource(name string) bool {
	return name == "" || name == SubStatus && t.Status || name == SubScale && t.Scale != nil ||
		name == SubFinalize && t.IsNamespace()
}

//go:embed resources.json
var builtinJSON []byte

// DefaultResources returns the resources in resources.json: those of a server whose Options name
// none. The caller owns the slice.
func DefaultResources() (all []Resource) {
	if err := json.Unmarshal(builtinJSON, &all); err != nil {
		panic(err)
	}
	return all
}
