package processor

import "example.com/watchglass"

// FilteringResourceEventHandler lets Handler see only the objects that pass FilterFunc, as if there
// were no others: an object that comes to pass is an add, one that no longer passes is a delete.
//
// FilterFunc must answer from the object alone, and the same every time. An answer that changes on
// its own makes the handler hear the update of something it was never told of. It gets tombstones
// as they come: GetNamespace and GetName work on them, a type assertion without ok panics.
type FilteringResourceEventHandler struct {
	FilterFunc func(obj watchglass.Object) bool // nil: all objects pass
	Handler    ResourceEventHandler             // required
}

// OnAdd implements [ResourceEventHandler].
func (f FilteringResourceEventHandler) OnAdd(obj watchglass.Object, isInInitialList bool) {
	if f.passes(obj) {
		f.Handler.OnAdd(obj, isInInitialList)
	}
}

// OnUpdate implements [ResourceEventHandler]. There are four cases:
//
//	old passes   new passes   the handler hears
//	yes          yes          OnUpdate(old, new)
//	no           yes          OnAdd(new, false): new to this handler, but not in any first list
//	yes          no           OnDelete(old): the last state that the handler knew, not the new one
//	no           no           nothing
func (f FilteringResourceEventHandler) OnUpdate(oldObj, newObj watchglass.Object) {
	passes, passed := f.passes(newObj), f.passes(oldObj)
	switch {
	case passes && passed:
		f.Handler.OnUpdate(oldObj, newObj)
	case passes:
		f.Handler.OnAdd(newObj, false)
	case passed:
		f.Handler.OnDelete(oldObj)
	}
}

// OnDelete implements [ResourceEventHandler].
func (f FilteringResourceEventHandler) OnDelete(obj watchglass.Object) {
	if f.passes(obj) {
		f.Handler.OnDelete(obj)
	}
}

func (f FilteringResourceEventHandler) passes(obj watchglass.Object) bool {
	return f.FilterFunc == nil || f.FilterFunc(obj)
}
