package informer

import (
	"iter"
	"slices"
	"strings"

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
func (l Lister[T]) Namespace(namespace string) NamespaceLister[T] {
	l.namespace = namespace
	return NamespaceLister[T]{l}
}

// Select returns a lister of those objects of l that the selector matches. It panics if the
// selector has a condition and a T has no method GetLabels.
func (l Lister[T]) Select(selector Selector) Lister[T] {
	mustHaveLabels[T](selector)
	l.selector.conditions = slices.Concat(l.selector.conditions, selector.conditions)
	return l
}

// Get returns the object under a key, usually namespace/name, and whether l has one there. It costs
// one map lookup. To find an object by its name alone, call Get of a [NamespaceLister].
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
		if list == nil && l.selector.matchesAll() { // with a selector, much of it could stay empty
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

// has reports whether obj is in the namespace of l and meets its selectors.
func (l Lister[T]) has(obj watchglass.Object) bool {
	if l.namespace != "" && obj.GetNamespace() != l.namespace {
		return false
	}
	return l.selector.matchesLabelsOf(obj)
}

// NamespaceLister is a [Lister] of one namespace. It finds objects by their names.
type NamespaceLister[T watchglass.Object] struct{ all Lister[T] }

// Select returns a lister of those objects of l that the selector matches.
func (l NamespaceLister[T]) Select(selector Selector) NamespaceLister[T] {
	return NamespaceLister[T]{l.all.Select(selector)}
}

// Get returns the object with this name, not key, and whether l has it. It costs one map lookup. In
// the namespace "" it finds objects without a namespace: a name alone does not identify any other.
func (l NamespaceLister[T]) Get(name string) (obj T, ok bool) {
	return l.all.Get(strings.TrimPrefix(l.all.namespace+"/"+name, "/"))
}

// All returns the objects one by one, as [Lister.All] does.
func (l NamespaceLister[T]) All() iter.Seq[T] { return l.all.All() }

// List returns the objects in a slice that belongs to the caller, nil if there are none.
func (l NamespaceLister[T]) List() []T { return l.all.List() }

// Index finds the objects of an informer by a value that they have in common; see [Informer.Index].
// What is said of [Lister] about sharing, goroutines and order holds for Index, too. The zero
// Index, as it is returned beside an error, finds nothing.
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
	objs, _ := x.cache.ByIndex(x.name, value) // there is no error: an index is never removed
	if len(objs) == 0 {
		return nil
	}
	found := make([]T, len(objs))
	for i, obj := range objs {
		found[i] = obj.(T)
	}
	return found
}
