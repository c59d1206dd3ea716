package watchglass

import "slices"

// Finalized is an object with finalizers: one that embeds [ObjectMeta], an [Unstructured], or a
// generated type.
//
// A finalizer is the name of a controller that has to clean up before the object may go. When such
// an object is deleted, the server only sets its deletionTimestamp, and removes the object when an
// update has removed the last finalizer.
type Finalized interface {
	GetFinalizers() []string
	SetFinalizers(finalizers []string)
}

// ContainsFinalizer reports whether obj has the finalizer.
func ContainsFinalizer(obj Finalized, finalizer string) bool {
	return slices.Contains(obj.GetFinalizers(), finalizer)
}

// AddFinalizer adds the finalizer and reports whether obj did not have it: then obj has to be
// written. It gives obj a new slice, so obj may be a copy *cached of an object in a cache; an
// [Unstructured] must be a [DeepCopy].
func AddFinalizer(obj Finalized, finalizer string) (changed bool) {
	if changed = !ContainsFinalizer(obj, finalizer); changed {
		obj.SetFinalizers(append(slices.Clip(obj.GetFinalizers()), finalizer))
	}
	return changed
}

// RemoveFinalizer removes the finalizer and reports whether obj had it: then obj has to be written.
// Like [AddFinalizer], it gives obj a new slice.
func RemoveFinalizer(obj Finalized, finalizer string) (changed bool) {
	if changed = ContainsFinalizer(obj, finalizer); changed {
		obj.SetFinalizers(slices.DeleteFunc(slices.Clone(obj.GetFinalizers()),
			func(f string) bool { return f == finalizer }))
	}
	return changed
}
