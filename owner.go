package watchglass

// OwnerReference names the owner of an object. When all owners are deleted, the garbage collector
// deletes the object.
type OwnerReference struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Name       string `json:"name"`
	UID        string `json:"uid"`

	Controller         *bool `json:"controller,omitempty"` // see ControllerOf
	BlockOwnerDeletion *bool `json:"blockOwnerDeletion,omitempty"`
}

// NewControllerRef returns the reference with which an object says that owner is its controller, to
// be put into its OwnerReferences. apiVersion and kind are those of owner, for example "apps/v1"
// and "ReplicaSet": the items of a list of built-in types do not say them. As in apimachinery,
// owner is not deleted before the object if it is deleted in the foreground.
//
// owner must come from the server, which gives it its UID, and must not be in another namespace
// than the object: the garbage collector would take it for deleted.
func NewControllerRef(owner interface {
	GetName() string
	GetUID() string
}, apiVersion, kind string) OwnerReference {
	return OwnerReference{APIVersion: apiVersion, Kind: kind, Name: owner.GetName(),
		UID: owner.GetUID(), Controller: new(true), BlockOwnerDeletion: new(true)}
}

// IsControlledBy reports whether obj says that owner is its controller. It compares UIDs: an owner
// that was created again under its old name is another one.
func IsControlledBy(
	obj interface{ ControllerOf() *OwnerReference }, owner interface{ GetUID() string },
) bool {
	ref := obj.ControllerOf()
	return ref != nil && ref.UID != "" && ref.UID == owner.GetUID()
}

// ControllerOf returns the owner that is the object's controller, nil if none is: at most one owner
// has Controller set. It points into the object and must not be modified.
func (m *ObjectMeta) ControllerOf() *OwnerReference {
	for i := range m.OwnerReferences {
		if owner := &m.OwnerReferences[i]; owner.Controller != nil && *owner.Controller {
			return owner
		}
	}
	return nil
}
