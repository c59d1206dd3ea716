package informer

import (
	"fmt"
	"reflect"
	"slices"

	"example.com/watchglass"
	"example.com/watchglass/deltafifo"
	"example.com/watchglass/processor"
)

// Handler has the funcs that are called when objects of type T are added, updated and deleted. If a
// func is nil, its notifications are ignored. The funcs are called like the methods of a
// [processor.ResourceEventHandler]: one at a time, on a goroutine of the handler's own. The objects
// are shared and must not be changed.
//
// With a Selector or a Filter, the funcs are called as if only those objects existed that pass
// both: an object that begins to pass is an add, and one that no longer passes is a deletion of its
// last state that passed. Their results must depend on nothing but the object.
//
// Pass it to [Informer.AddEventHandler]. It also has the methods of a
// [processor.ResourceEventHandler], for code that wraps handlers of all types.
type Handler[T watchglass.Object] struct {
	// Selector matches the labels of the objects that the handler is interested in. Zero: all. A T
	// without GetLabels cannot have one: then to add the handler panics.
	Selector Selector
	// Filter reports whether the handler is interested in an object. Nil: in all. It is not called
	// with a tombstone, but with the last known state.
	Filter func(obj T) bool
	// Add is called with an object that is new to the cache. isInInitialList is true for objects of
	// the first list, and for those that were in the cache when the handler was added.
	Add func(obj T, isInInitialList bool)
	// Update is called when an object has changed, and in a resync, when it has not.
	Update func(oldObj, newObj T)
	// Delete is called when an object is gone.
	Delete func(Deletion[T])
}

// Deletion says which object is gone. It has the same form for a deletion that the watch has seen
// and for one that a list has shown, so a handler need not handle tombstones.
type Deletion[T watchglass.Object] struct {
	// Key is the key under which the cache held the object.
	Key string
	// Last is the last state that is known. It is the zero T, nil for a pointer, if
	// FinalStateUnknown is true and no state could be found.
	Last T
	// FinalStateUnknown is true if the watch has not seen the deletion, but a list came back
	// without the object. Then Last may be long outdated.
	FinalStateUnknown bool
}

// OnKey returns the handler that almost every controller wants: it calls f with the key of each
// object that was added, updated or deleted. Usually f is the Add of a queue of package workqueue.
// OnKey panics if f is nil.
func OnKey[T watchglass.Object](f func(key string)) Handler[T] {
	if f == nil {
		panic("informer: OnKey: the func is nil")
	}
	return Handler[T]{
		Add:    func(obj T, _ bool) { f(keyOf(obj)) },
		Update: func(_, obj T) { f(keyOf(obj)) },
		Delete: func(d Deletion[T]) { f(d.Key) },
	}
}

// OnKeys returns the handler of a controller whose objects have others that belong to them: it
// calls f with the keys that keysOf returns, for example of the owners of a pod. It is called with
// those of an object that was added, of both states of one that was updated, because the owner may
// have changed, and of the last state of one that was deleted. A deletion without a last state
// makes no call.
//
//	pods.AddEventHandler(informer.OnKeys(ownersOf, queue.Add), processor.HandlerOptions{})
//
// keysOf may be the func of an index, too; see [Informer.Index]. OnKeys panics if one of the funcs
// is nil.
func OnKeys[T watchglass.Object](keysOf func(T) []string, f func(key string)) Handler[T] {
	if keysOf == nil || f == nil {
		panic("informer: OnKeys: one of the funcs is nil")
	}
	each := func(keys []string) {
		for _, key := range keys {
			f(key)
		}
	}
	return Handler[T]{
		Add: func(obj T, _ bool) { each(keysOf(obj)) },
		Update: func(oldObj, newObj T) {
			now := keysOf(newObj)
			each(now)
			each(slices.DeleteFunc(slices.Clone(keysOf(oldObj)), func(key string) bool {
				return slices.Contains(now, key)
			}))
		},
		Delete: func(d Deletion[T]) {
			if !reflect.ValueOf(&d.Last).Elem().IsZero() {
				each(keysOf(d.Last))
			}
		},
	}
}

// mustWork panics if a handler could not be called, or would never be called because it selects
// objects by labels that they cannot have. Nil is for the caller to judge.
func mustWork(handler processor.ResourceEventHandler) {
	if handler != nil && watchglass.IsNil(handler) {
		panic(fmt.Sprintf("informer: the handler is a nil %T", handler))
	}
	if typed, ok := handler.(interface{ mustWork() }); ok {
		typed.mustWork()
	}
}

func (h Handler[T]) mustWork() {
	mustHaveLabels[T](h.Selector)
}

// OnAdd is called by the informer.
func (h Handler[T]) OnAdd(obj watchglass.Object, isInInitialList bool) {
	if t := obj.(T); h.passes(t) {
		h.added(t, isInInitialList)
	}
}

// OnUpdate is called by the informer.
func (h Handler[T]) OnUpdate(oldObj, newObj watchglass.Object) {
	before, now := oldObj.(T), newObj.(T)
	switch passes, passed := h.passes(now), h.passes(before); {
	case passes && passed:
		h.updated(before, now)
	case passes:
		h.added(now, false)
	case passed:
		h.deleted(Deletion[T]{Key: keyOf(before), Last: before})
	}
}

// OnDelete is called by the informer.
//
// If no state of the object is known, it is unknown whether it passed, and the deletion is passed
// on. A handler easily ignores the deletion of an object that it does not know. If a deletion were
// missing, it would keep the object forever.
func (h Handler[T]) OnDelete(obj watchglass.Object) {
	gone, concluded := obj.(deltafifo.DeletedFinalStateUnknown)
	if !concluded {
		if t := obj.(T); h.passes(t) {
			h.deleted(Deletion[T]{Key: keyOf(t), Last: t})
		}
		return
	}
	last, known := gone.Obj.(T)
	if !known || h.passes(last) {
		h.deleted(Deletion[T]{Key: gone.Key, Last: last, FinalStateUnknown: true})
	}
}

func (h Handler[T]) added(obj T, isInInitialList bool) {
	if h.Add != nil {
		h.Add(obj, isInInitialList)
	}
}

func (h Handler[T]) updated(oldObj, newObj T) {
	if h.Update != nil {
		h.Update(oldObj, newObj)
	}
}

func (h Handler[T]) deleted(d Deletion[T]) {
	if h.Delete != nil {
		h.Delete(d)
	}
}

func (h Handler[T]) passes(obj T) bool {
	return h.Selector.matchesLabelsOf(obj) && (h.Filter == nil || h.Filter(obj))
}

// keyOf drops the error, because an object without a key does not get as far as a handler.
func keyOf(obj watchglass.Object) string {
	key, _ := watchglass.MetaNamespaceKeyFunc(obj)
	return key
}
