package watchglass

import (
	"reflect"
	"time"
)

// Object is what every stage needs to know of an object: its identity and its version. The methods
// are those that all Kubernetes API types have, so a generated type is an Object without any
// change; other structs become one by embedding [ObjectMeta].
//
// An Object is read-only from the moment it enters a stage: the cache and every handler share it.
type Object interface {
	// GetNamespace returns the namespace, "" for a cluster-scoped object.
	GetNamespace() string
	// GetName returns the name, unique within the namespace and the resource.
	GetName() string
	// GetResourceVersion returns the version of this state of the object.
	// [CompareResourceVersion] says which of two versions of one resource is newer.
	GetResourceVersion() string
}

// IsNil reports whether v is nil, or holds a nil pointer or a nil func. An interface that holds one
// is not nil itself: the program would crash only when it is used, far from where it was passed.
func IsNil(v any) bool {
	switch held := reflect.ValueOf(v); held.Kind() {
	case reflect.Pointer, reflect.Func:
		return held.IsNil()
	}
	return v == nil
}

// TypeMeta says what a JSON document is. Servers leave it out of the items of a list of built-in
// types, so it may be empty.
type TypeMeta struct {
	Kind       string `json:"kind,omitempty"`       // for example "Pod"
	APIVersion string `json:"apiVersion,omitempty"` // for example "v1" or "apps/v1"
}

// ObjectMeta is the part that all Kubernetes objects have in common, with the JSON names of the
// Kubernetes API (io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta). Embed it to make a struct an
// [Object]:
//
//	type Widget struct {
//		watchglass.TypeMeta
//		watchglass.ObjectMeta `json:"metadata"`
//		Spec WidgetSpec       `json:"spec"`
//	}
//
// It leaves out managedFields, which is often the larger half of an object and which no stage
// reads, and selfLink, which servers no longer send.
type ObjectMeta struct {
	Name         string `json:"name,omitempty"`
	GenerateName string `json:"generateName,omitempty"` // prefix for a name the server makes up
	Namespace    string `json:"namespace,omitempty"`    // empty for cluster-scoped objects
	UID          string `json:"uid,omitempty"`          // new for each object, even under an old name

	ResourceVersion string `json:"resourceVersion,omitempty"` // opaque; changes with every write
	Generation      int64  `json:"generation,omitempty"`      // counts changes of the desired state

	CreationTimestamp time.Time  `json:"creationTimestamp,omitzero"`
	DeletionTimestamp *time.Time `json:"deletionTimestamp,omitempty"` // nil unless being deleted
	// DeletionGracePeriodSeconds is how long the deletion may take; nil unless being deleted.
	DeletionGracePeriodSeconds *int64 `json:"deletionGracePeriodSeconds,omitempty"`

	Labels          map[string]string `json:"labels,omitempty"`
	Annotations     map[string]string `json:"annotations,omitempty"`
	OwnerReferences []OwnerReference  `json:"ownerReferences,omitempty"`
	Finalizers      []string          `json:"finalizers,omitempty"` // each keeps it until removed
}

// PartialObjectMetadata is an object of any resource, of which only the metadata was asked for. A
// server makes it: see MetadataOnly of client.Options.
type PartialObjectMetadata struct {
	TypeMeta
	ObjectMeta `json:"metadata"`
}

// GetNamespace implements [Object].
func (m *ObjectMeta) GetNamespace() string { return m.Namespace }

// GetName implements [Object].
func (m *ObjectMeta) GetName() string { return m.Name }

// GetResourceVersion implements [Object].
func (m *ObjectMeta) GetResourceVersion() string { return m.ResourceVersion }

// GetUID returns the UID, which tells an object from a later one of the same name.
func (m *ObjectMeta) GetUID() string { return m.UID }

// GetLabels returns the labels themselves, not a copy: they must not be modified.
func (m *ObjectMeta) GetLabels() map[string]string { return m.Labels }

// GetAnnotations returns the annotations themselves, not a copy: they must not be modified.
func (m *ObjectMeta) GetAnnotations() map[string]string { return m.Annotations }

// GetFinalizers implements [Finalized]. It returns the finalizers themselves, not a copy.
func (m *ObjectMeta) GetFinalizers() []string { return m.Finalizers }

// SetFinalizers implements [Finalized].
func (m *ObjectMeta) SetFinalizers(finalizers []string) { m.Finalizers = finalizers }
