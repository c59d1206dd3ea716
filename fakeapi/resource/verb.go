package resource

// The verbs of the Kubernetes API.
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

// The subresources.
const (
	SubStatus   = "status"
	SubScale    = "scale"
	SubFinalize = "finalize" // of namespaces
)

// ScaleKind is the type of the objects at /scale.
var ScaleKind = GVK{"autoscaling", "v1", "Scale"}

// HasSubresource reports whether the objects have a subresource. Empty is the object itself.
func (t *Type) HasSubresource(name string) bool {
	return name == "" || name == SubStatus && t.Status || name == SubScale && t.Scale != nil ||
		name == SubFinalize && t.IsNamespace()
}
