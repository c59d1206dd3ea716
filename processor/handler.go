package processor

import "example.com/watchglass"

// ResourceEventHandler is told what happened to the objects of one collection.
//
// Its methods are called one at a time, from one goroutine that belongs to this handler, without
// any lock held. A method that takes long delays only this handler: what happens meanwhile waits in
// the handler's own ring. But it waits in memory, so the usual method puts a key into a workqueue
// and returns.
//
// A method has to return or panic. If it ends its goroutine instead (runtime.Goexit, which
// t.FailNow calls), the handler is never called again and never ends, and Run does not return.
//
// The objects are shared with the cache and all other handlers: they must not be changed.
type ResourceEventHandler interface {
	// OnAdd says that obj is new to the cache. isInInitialList is true for the objects that were
	// there from the start, or when the handler joined, and false for those created later.
	OnAdd(obj watchglass.Object, isInInitialList bool)
	// OnUpdate says that oldObj became newObj. Several changes may arrive as one. A resync comes as
	// an update from an object to itself. If an object was deleted and created again between two
	// lists, the two have the same name and different UIDs: compare these where it matters.
	OnUpdate(oldObj, newObj watchglass.Object)
	// OnDelete says that obj is gone. It is the last known state, or a tombstone
	// (DeletedFinalStateUnknown of package deltafifo, by value) if the deletion itself was missed,
	// on which a type assertion without ok panics.
	OnDelete(obj watchglass.Object)
}

// ResourceEventHandlerFuncs makes a [ResourceEventHandler] of up to three funcs. A nil func
// ignores its notifications.
type ResourceEventHandlerFuncs struct {
	AddFunc    func(obj watchglass.Object, isInInitialList bool)
	UpdateFunc func(oldObj, newObj watchglass.Object)
	DeleteFunc func(obj watchglass.Object)
}

// OnAdd implements [ResourceEventHandler].
func (f ResourceEventHandlerFuncs) OnAdd(obj watchglass.Object, isInInitialList bool) {
	if f.AddFunc != nil {
		f.AddFunc(obj, isInInitialList)
	}
}

// OnUpdate implements [ResourceEventHandler].
func (f ResourceEventHandlerFuncs) OnUpdate(oldObj, newObj watchglass.Object) {
	if f.UpdateFunc != nil {
		f.UpdateFunc(oldObj, newObj)
	}
}

// OnDelete implements [ResourceEventHandler].
func (f ResourceEventHandlerFuncs) OnDelete(obj watchglass.Object) {
	if f.DeleteFunc != nil {
		f.DeleteFunc(obj)
	}
}
