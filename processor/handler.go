package processor

import "example.com/watchglass"

// ResourceEventHandler is notified of what happens to the objects of one collection.
//
// Its methods are called one at a time, from one goroutine that belongs to this handler, without
// any lock held. A slow method delays only this handler: its next notifications wait in a ring of
// its own. The ring has no bound, so a method should put a key into a workqueue and return.
//
// A method has to return or panic. If it ends its goroutine instead (runtime.Goexit, which
// t.FailNow calls), the handler is never called again and never counts as ended. If it has
// [HandlerOptions.Drain], Run waits for it forever.
//
// The objects are shared with the cache and all other handlers: they must not be changed.
type ResourceEventHandler interface {
	// OnAdd says that obj is new to the cache. isInInitialList is true for the objects that were
	// there from the start, or when the handler joined, and false for those created later.
	OnAdd(obj watchglass.Object, isInInitialList bool)
	// OnUpdate says that oldObj became newObj. Several changes may arrive as one. A resync comes as
	// an update from an object to itself. If an object was deleted and created again between two
	// lists, oldObj and newObj have the same name and different UIDs: compare these if it matters.
	OnUpdate(oldObj, newObj watchglass.Object)
	// OnDelete says that obj was deleted. It is the last known state or, if the deletion itself was
	// missed, a tombstone (DeletedFinalStateUnknown of package deltafifo, by value). A type
	// assertion without ok panics on a tombstone.
	OnDelete(obj watchglass.Object)
}

// ResourceEventHandlerFuncs makes a [ResourceEventHandler] of up to three funcs. A nil func
// ignores its notifications.
type ResourceEventHandlerFuncs struct {
	AddFunc    func(obj watchglass.Object, isInInitialList bool)
	UpdateFunc func(oldObj, newObj watchglass.Object)
	DeleteFunc func(obj watchglass.Object)
}

// OnAdd calls AddFunc.
func (f ResourceEventHandlerFuncs) OnAdd(obj watchglass.Object, isInInitialList bool) {
	if f.AddFunc != nil {
		f.AddFunc(obj, isInInitialList)
	}
}

// OnUpdate calls UpdateFunc.
func (f ResourceEventHandlerFuncs) OnUpdate(oldObj, newObj watchglass.Object) {
	if f.UpdateFunc != nil {
		f.UpdateFunc(oldObj, newObj)
	}
}

// OnDelete calls DeleteFunc.
func (f ResourceEventHandlerFuncs) OnDelete(obj watchglass.Object) {
	if f.DeleteFunc != nil {
		f.DeleteFunc(obj)
	}
}
