package informer

import (
	"iter"

	"example.com/watchglass"
	"example.com/watchglass/indexer"
)

// Lister reads the cache of an informer: all of it, or what [Lister.Namespace] and [Lister.Select]
// leave of it. It never asks the server and never waits for the first list. Before that, see
// [WaitForSync], it finds nothing.
//
// It is a small value to be copied. All methods may be called from any goroutine. The objects are
// shared with the cache and with all handlers: read them, and copy what is to be changed. Results
// are in no order. The zero Lister finds nothing.
type Lister[T watchglass.Object] struct {
	cache     *indexer.Indexer
	namespace string // "": all
	selector  Selector
}

// Namespace returns a lister of the objects in a namespace. As in client-go, "" means all of them.
//
// Its reads cost as much as the namespace holds if the cache has the index
// [indexer.NamespaceIndex], as those of [For] have it. Without it they look at every object.
func (l Lister[T]) Namespace(namespace string) Lister[T] {
	l.namespace = namespace
	return l
}

// Select returns a lister of those objects of l that have the labels. An object has labels if it
// has the method GetLabels() map[string]string, as everything with a [watchglass.ObjectMeta] does;
// others are selected by the empty selector and by conditions that an absent label meets.
func (l Lister[T]) Select(selector Selector) Lister[T] {
	l.selector = l.selector.and(selector)
	return l
}

// Get returns the object under a key, usually namespace/name, and whether l has one there. It costs
// one look into a map.
func (l Lister[T]) Get(key string) (obj T, ok bool) {
	if l.cache == nil {
		return obj, false
	}
	held, ok, _ := l.cache.GetByKey(key) // the error is always nil
	if !ok || !l.has(held) {
		return obj, false
	}
	return held.(T), true
}

// All returns the objects one by one, for range. They are those of the moment in which the range
// begins: the body may take its time, and the cache is not locked meanwhile.
func (l Lister[T]) All() iter.Seq[T] {
	return func(yield func(T) bool) {
		for _, obj := range l.candidates() {
			if l.has(obj) && !yield(obj.(T)) {
				return
			}
		}
	}
}

// List returns the objects in a slice that belongs to the caller, nil if there are none.
func (l Lister[T]) List() []T {
	var list []T
	candidates := l.candidates()
	for _, obj := range candidates {
		if !l.has(obj) {
			continue
		}
		if list == nil && l.selector.IsEmpty() { // with a selector, much of it could stay empty
			list = make([]T, 0, len(candidates))
		}
		list = append(list, obj.(T))
	}
	return list
}

// candidates returns the objects that l may have, and as few others as the indices allow.
func (l Lister[T]) candidates() []watchglass.Object {
	if l.cache == nil {
		return nil
	}
	if l.namespace != "" {
		objs, err := l.cache.ByIndex(indexer.NamespaceIndex, l.namespace)
		if err == nil {
			return objs
		}
	}
	return l.cache.List()
}

// has reports whether obj is in the namespace of l and meets its selector.
func (l Lister[T]) has(obj watchglass.Object) bool {
	if l.namespace != "" && obj.GetNamespace() != l.namespace {
		return false
	}
	if l.selector.IsEmpty() { // then no labels need be looked up, which may cost a copy
		return true
	}
	var labels map[string]string
	if labelled, ok := obj.(interface{ GetLabels() map[string]string }); ok {
		labels = labelled.GetLabels()
	}
	return l.selector.Matches(labels)
}

// Index finds the objects of an informer by a value that they have in common; see [Informer.Index].
// What is said of [Lister] about sharing, goroutines and order holds here, too. The zero Index, as
// it is returned beside an error, finds nothing.
type Index[T watchglass.Object] struct {
	name  string
	cache *indexer.Indexer
}

// Get returns the objects that have the value, in a slice that belongs to the caller, nil if there
// are none. It costs as much as there are results.
func (x Index[T]) Get(value string) []T {
	if x.cache == nil {
		return nil
	}
	objs, err := x.cache.ByIndex(x.name, value)
	if err != nil || len(objs) == 0 { // there is no error: an index is never removed
		return nil
	}
	found := make([]T, len(objs))
	for i, obj := range objs {
		found[i] = obj.(T)
	}
	return found
}

// Values returns all values that any object has, sorted, in a slice that belongs to the caller.
func (x Index[T]) Values() []string {
	if x.cache == nil {
		return nil
	}
	return x.cache.ListIndexFuncValues(x.name)
}
