package informer

import (
	"example.com/watchglass"
	"example.com/watchglass/deltafifo"
)

// Handler is told what happens to the objects of type T. A nil func ignores its notifications. The
// funcs are called as those of [processor.ResourceEventHandler] are: one at a time, from a
// goroutine of the handler's own, and the objects are shared and must not be changed.
//
// With a Filter, the handler is told as if only those objects existed that pass it: an object that
// begins to pass is an add, and one that no longer passes is a deletion of its last state that
// passed. Filter must answer from the object alone, and the same every time.
//
// Handler implements [processor.ResourceEventHandler], for code that wraps handlers of all types.
// Others use [Informer.Handle].
type Handler[T watchglass.Object] struct {
	// Filter reports whether the handler is interested in an object. Nil: in all. It is never
	// called with a tombstone: the last known state is what it judges.
	Filter func(obj T) bool
	// Add is told of an object that is new to the cache. isInInitialList is true for the objects
	// that were there from the start, or when the handler was added.
	Add func(obj T, isInInitialList bool)
	// Update is told that an object changed, or, in a resync, that it is as it was.
	Update func(oldObj, newObj T)
	// Delete is told that an object is gone.
	Delete func(Deletion[T])

	key     func(key string)   // told the key of every notification; nil: not wanted
	keyFunc watchglass.KeyFunc // the informer's; nil: [watchglass.MetaNamespaceKeyFunc]
}

// Deletion says which object is gone. It is the same for a deletion that was seen and for one that
// was concluded, so a handler has no tombstone to take apart.
type Deletion[T watchglass.Object] struct {
	// Key is the key under which the cache held the object.
	Key string
	// Last is the last state that is known. It is the zero T, nil for a pointer, if
	// FinalStateUnknown is true and no state could be found.
	Last T
	// FinalStateUnknown is true if the deletion was not seen but concluded, from a list that came
	// back without the object. Then Last may be long outdated.
	FinalStateUnknown bool
}

// OnKey returns the handler that almost every controller wants: it calls f with the key of each
// object that was added, updated or deleted. Usually f is the Add of a queue of package workqueue.
// Keys are those of the informer's KeyFunc.
func OnKey[T watchglass.Object](f func(key string)) Handler[T] { return Handler[T]{key: f} }

// OnAdd implements [processor.ResourceEventHandler].
func (h Handler[T]) OnAdd(obj watchglass.Object, isInInitialList bool) {
	if t := obj.(T); h.passes(t) {
		h.added(t, isInInitialList)
	}
}

// OnUpdate implements [processor.ResourceEventHandler].
func (h Handler[T]) OnUpdate(oldObj, newObj watchglass.Object) {
	before, now := oldObj.(T), newObj.(T)
	switch passes, passed := h.passes(now), h.passes(before); {
	case passes && passed:
		h.updated(before, now)
	case passes:
		h.added(now, false)
	case passed:
		h.deleted(Deletion[T]{Key: h.keyOf(before), Last: before})
	}
}

// OnDelete implements [processor.ResourceEventHandler].
//
// Filter cannot judge an object of which no state is known. Its deletion is told: a deletion too
// many is easily ignored, and after a missing one the handler would believe in the object for ever.
func (h Handler[T]) OnDelete(obj watchglass.Object) {
	gone, concluded := obj.(deltafifo.DeletedFinalStateUnknown)
	if !concluded {
		if t := obj.(T); h.passes(t) {
			h.deleted(Deletion[T]{Key: h.keyOf(t), Last: t})
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
	if h.key != nil {
		h.key(h.keyOf(obj))
	}
}

func (h Handler[T]) updated(oldObj, newObj T) {
	if h.Update != nil {
		h.Update(oldObj, newObj)
	}
	if h.key != nil {
		h.key(h.keyOf(newObj))
	}
}

func (h Handler[T]) deleted(d Deletion[T]) {
	if h.Delete != nil {
		h.Delete(d)
	}
	if h.key != nil {
		h.key(d.Key)
	}
}

func (h Handler[T]) passes(obj T) bool { return h.Filter == nil || h.Filter(obj) }

// keyOf has no error to return: an object without a key is neither queued nor told.
func (h Handler[T]) keyOf(obj T) string {
	key, _ := h.keyFunc.KeyOf(obj)
	return key
}
