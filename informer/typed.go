package informer

import (
	"fmt"

	"example.com/watchglass"
	"example.com/watchglass/deltafifo"
	"example.com/watchglass/indexer"
	"example.com/watchglass/processor"
	"example.com/watchglass/reflector/client"
)

// This file, handler.go and lister.go are the typed API: the same informer, with the type of its
// objects in the signatures. A program that knows the type at compile time uses them; the stages
// themselves do not.

// PointerTo is the constraint that lets a caller write For[Pod] and be given *Pod everywhere.
type PointerTo[S any] interface {
	*S
	watchglass.Object
}

// Informer is a [SharedIndexInformer] all of whose objects are of type T, for example *Pod. It is a
// small value that can be copied; the copies are the same informer. All methods may be called from
// any goroutine. Make one with [For], [Typed] or a factory.
type Informer[T watchglass.Object] struct{ *SharedIndexInformer }

// For returns an informer of the collection that a client's options describe, with objects of type
// *S:
//
//	pods, err := informer.For[Pod](client.Options{URL: url}, informer.Options{})
//
// A collection is more than its URL: the HTTP client and the selectors belong to it. They are all
// in client.Options. For a cluster, package cluster makes URL and HTTP client of a kubeconfig.
//
// If options.Name is empty, the informer is named after the collection: "pods", "deployments.apps"
// or, of one namespace, "pods in shop". options.ListerWatcher must be nil, because For makes it:
// otherwise For panics. It also panics if objects of type *S would have no name; see
// [client.New].
//
// If options.Indexers is nil, the cache gets the index by namespace, as in generated informers, so
// that [Lister.Namespace] need not look at every object; a map that is not nil is used as it is. A
// Transform must return objects of type *S: an object of another type is refused, as if the
// Transform had failed.
//
// For fails if the URL is not an absolute one of http or https. Nothing is sent before Run.
func For[S any, T PointerTo[S]](
	collection client.Options, options Options,
) (Informer[T], error) {
	if options.ListerWatcher != nil {
		panic("informer: Options.ListerWatcher is set: For makes it of the client's options")
	}
	watched, err := client.New[S, T](collection)
	if err != nil {
		return Informer[T]{}, fmt.Errorf("informer: %w", err)
	}
	options.ListerWatcher = watched
	if options.Indexers == nil {
		options.Indexers = indexer.Indexers{indexer.NamespaceIndex: indexer.MetaNamespaceIndexFunc}
	}
	options.Transform = returning[T](options.Transform)
	return Typed[T](NewSharedIndexInformer(options)), nil
}

// Typed returns the typed view of an informer whose objects are all of type T. The caller
// guarantees that: an object of another type makes typed handlers and listers panic. It is for an
// informer with a ListerWatcher of its own; otherwise [For] is safer.
func Typed[T watchglass.Object](s *SharedIndexInformer) Informer[T] { return Informer[T]{s} }

// returning makes a transform fail if it returns an object that is not a T. Otherwise the object
// would make each handler panic, where the fault is that of the transform.
func returning[T watchglass.Object](transform deltafifo.TransformFunc) deltafifo.TransformFunc {
	if transform == nil {
		return nil
	}
	return func(obj watchglass.Object) (watchglass.Object, error) {
		made, err := transform(obj)
		if _, ok := made.(T); err == nil && !ok {
			return nil, fmt.Errorf("the transform made a %T of a %T", made, obj)
		}
		return made, err
	}
}

// AddEventHandler registers a typed handler, as [SharedIndexInformer.AddEventHandler] does any
// other one: see that method for its calls, for the errors and for what panics.
func (i Informer[T]) AddEventHandler(
	handler Handler[T], options processor.HandlerOptions,
) (*processor.Registration, error) {
	return i.SharedIndexInformer.AddEventHandler(handler, options)
}

// Lister returns a reader of the cache. It can be called before Run: the cache is empty then.
func (i Informer[T]) Lister() Lister[T] {
	return Lister[T]{cache: i.GetIndexer()}
}

// Index adds an index to the cache, before or during Run, and returns its typed view. values
// returns the values under which [Index.Get] finds an object; if it returns none, the index leaves
// the object out. It must be a pure function of the object, and it must not call the informer; see
// [indexer.IndexFunc].
//
// A name that is taken is [indexer.ErrIndexExists], because the other func may mean something else:
// controllers that share an informer add an index once. If values is nil, Index returns the view of
// an index that exists, for example [indexer.NamespaceIndex]; the error is [indexer.ErrNoIndex] if
// there is none. After the end of Run a new index is [watchglass.ErrStopped].
func (i Informer[T]) Index(name string, values func(T) []string) (Index[T], error) {
	if err := i.addIndex(name, values); err != nil {
		return Index[T]{}, fmt.Errorf("index %q: %w", name, err)
	}
	return Index[T]{name: name, cache: i.GetIndexer()}, nil
}

// addIndex adds an index, or finds it if there is no func.
func (i Informer[T]) addIndex(name string, values func(T) []string) error {
	if values == nil {
		if _, exists := i.GetIndexer().GetIndexers()[name]; !exists {
			return indexer.ErrNoIndex
		}
		return nil
	}
	return i.AddIndexers(indexer.Indexers{
		name: func(obj watchglass.Object) ([]string, error) {
			t, ok := obj.(T)
			if !ok {
				return nil, fmt.Errorf("a %T, want a %T", obj, t)
			}
			return values(t), nil
		},
	})
}
