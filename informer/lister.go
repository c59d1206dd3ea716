package informer

import (
	"fmt"
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
	namespace string     // "": all
	selectors []Selector // all must match
}

// Namespace returns a lister of the objects in a namespace. As in client-go, "" means all of them.
//
// If the cache has the index [indexer.NamespaceIndex], as the caches of [For] do, a read looks only
// at the objects of the namespace. Without the index it looks at every object.
func (l Lister[T]) Namespace(namespace string) NamespaceLister[T] {
	l.namespace = namespace
	return NamespaceLister[T]{l}
}

// Select returns a lister of those objects of l that the selector matches. A nil selector matches
// all of them. Select panics if a T has no method GetLabels.
func (l Lister[T]) Select(selector Selector) Lister[T] {
	if selector != nil {
		mustHaveLabels[T]()
		l.selectors = append(slices.Clip(l.selectors), selector)
	}
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
		if list == nil && len(l.selectors) == 0 { // with a selector, much of it could stay empty
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
	if len(l.selectors) == 0 { // GetLabels is not called without need: it may make a copy
		return true
	}
	labels := labelsOf(obj)
	for _, s := range l.selectors {
		if !s.Matches(labels) {
			return false
		}
	}
	return true
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

// Selector matches labels. Package selector parses those of Kubernetes.
type Selector interface {
	// Matches reports whether labels match. A nil map is an object without labels.
	Matches(labels map[string]string) bool
}

// labelled is an object that can have labels, as everything with a [watchglass.ObjectMeta] can.
type labelled interface{ GetLabels() map[string]string }

// labelsOf returns the labels of an object, nil if it cannot have any. Such an object gets here only
// if T is an interface.
func labelsOf(obj watchglass.Object) map[string]string {
	if obj, ok := obj.(labelled); ok {
		return obj.GetLabels()
	}
	return nil
}

// mustHaveLabels panics if a T cannot have labels. If T is an interface, each object decides.
func mustHaveLabels[T watchglass.Object]() {
	var t T
	if _, ok := any(t).(labelled); !ok && any(t) != nil {
		panic(fmt.Sprintf("informer: a Selector for %T, which has no method "+
			"GetLabels() map[string]string", t))
	}
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
