package processor

import "example.com/watchglass"

// FilteringResourceEventHandler calls Handler only for the objects that pass FilterFunc, as if
// there were no others: an update after which an object passes becomes an add, and an update after
// which it no longer passes becomes a delete.
//
// The result of FilterFunc must depend on the object alone. Otherwise the handler may get an update
// of an object whose add it never got. FilterFunc is called with tombstones, too: GetNamespace and
// GetName work on them, a type assertion without ok panics.
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
//	old passes   new passes   call of the handler
//	yes          yes          OnUpdate(old, new)
//	no           yes          OnAdd(new, false): new to this handler, but not in any first list
//	yes          no           OnDelete(old): the last state that the handler got, not the new one
//	no           no           none
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
