package informer

import (
	"iter"

	"example.com/watchglass"
	"example.com/watchglass/indexer"
)

// Lister reads the cache of an informer: all of it, or the part that [Lister.Namespace] and
// [Lister.Select] choose. It never sends a request and never waits: before the first list is in the
// cache, it finds nothing. See [WaitForSync].
//
// A Lister is a small value that can be copied. All methods may be called from any goroutine. The
// objects are shared with the cache and with all handlers: read them, and change only a copy.
// Results are in no order. The zero Lister finds nothing.
type Lister[T watchglass.Object] struct {
	cache     *indexer.Indexer
	namespace string // "": all
	selector  Selector
}

// Namespace returns a lister of the objects in a namespace. As in client-go, "" means all of them.
//
// If the cache has the index [indexer.NamespaceIndex], as the caches of [For] do, a read looks only
// at the objects of the namespace. Without the index it looks at every object.
func (l Lister[T]) Namespace(namespace string) Lister[T] {
	l.namespace = namespace
	return l
}

// Select returns a lister of those objects of l that have the labels. An object has labels if it
// has the method GetLabels() map[string]string, as everything with a [watchglass.ObjectMeta] does.
// An object without that method is treated like one without labels.
func (l Lister[T]) Select(selector Selector) Lister[T] {
	l.selector = l.selector.and(selector)
	return l
}

// Get returns the object under a key, usually namespace/name, and whether l has one there. It costs
// one map lookup.
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

// All returns the objects one by one, for range: those that the cache holds when the range begins.
// The cache is not locked while the loop body runs.
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
	if l.selector.IsEmpty() { // GetLabels is not called without need: it may make a copy
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
// are none. It looks at no other objects.
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
