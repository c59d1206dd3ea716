// Package factory is for programs with several controllers: they ask a factory for their informers,
// and two that need the same collection share one list, one watch and one cache.
//
//	f := factory.New(factory.Options{Collection: …})
//	pods, err := factory.Of[Pod](f, "/api/v1/pods")
//	...
//	f.Run(ctx) // blocks until ctx ends
package factory

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	"example.com/watchglass"
	"example.com/watchglass/informer"
	"example.com/watchglass/reflector/client"
)

// Options says what the informers of a [Factory] have in common. Only Collection is needed.
type Options struct {
	// Collection returns where a collection is and how to ask for it, given its path, for example
	// "/api/v1/pods". A selector that it sets for a path holds for every controller that asks for
	// the path. It must not call the factory.
	Collection func(path string) client.Options
	// Informer holds the options that each informer starts from; see [informer.For]. Its Name is not
	// used: each informer has that of its collection. All informers call its funcs and traces, at the
	// same time.
	Informer informer.Options
	// Customize may change the options for one collection, for example its resync period. It is
	// called once for each informer, and must not call the factory. Nil: no changes.
	Customize func(path string, options *informer.Options)
}

// Factory makes one informer for each collection, however often it is asked for, and runs them all.
// Make one with [New]; ask it with [Of]. All methods may be called from any goroutine.
type Factory struct {
	options Options
	running sync.WaitGroup

	// The mutex guards all that follows. It is held while an informer is made, so that two callers
	// do not get two informers of one collection.
	mu        sync.Mutex
	informers map[collection]*informer.SharedIndexInformer
	asked     []*informer.SharedIndexInformer     // the same, in the order of the calls of Of
	start     func(*informer.SharedIndexInformer) // nil before Run
	stopped   bool                                // Run has ended: nothing is started any more
	failed    []error                             // of informers that could not run
}

// A collection has one informer. The same path with two types is two collections: their objects are
// decoded differently.
type collection struct {
	path   string
	object reflect.Type
}

// New returns a factory without informers. It panics if Collection is nil.
func New(options Options) *Factory {
	if options.Collection == nil {
		panic("factory: Options.Collection is nil")
	}
	return &Factory{options: options, informers: map[collection]*informer.SharedIndexInformer{}}
}

// Of returns the factory's informer of the objects of type *S at path. The first call makes it. If
// the factory runs, Of starts the informer; otherwise Run will. The caller need not keep it.
//
//	pods, err := factory.Of[Pod](factory, "/api/v1/pods")
//
// The errors are those of [informer.For]; after an error, the next call tries to make the informer
// again. After Run, Of still returns the existing informers, for their caches. Instead of a new one
// it returns [watchglass.ErrStopped].
func Of[S any, T informer.PointerTo[S]](f *Factory, path string) (informer.Informer[T], error) {
	path = "/" + strings.Trim(path, "/")
	key := collection{path, reflect.TypeFor[T]()}
	f.mu.Lock()
	defer f.mu.Unlock()
	if s := f.informers[key]; s != nil {
		return informer.Typed[T](s), nil
	}
	if f.stopped {
		return informer.Informer[T]{}, fmt.Errorf("informer of %s: factory: %w",
			path, watchglass.ErrStopped)
	}
	i, err := informer.For[S, T](f.options.Collection(path), f.optionsFor(path))
	if err != nil {
		return informer.Informer[T]{}, err
	}
	f.informers[key] = i.SharedIndexInformer
	f.asked = append(f.asked, i.SharedIndexInformer)
	if f.start != nil {
		f.start(i.SharedIndexInformer)
	}
	return i, nil
}

// Dynamic does what [Of] does, for a resource for which the program has no struct. A resource
// without Version or Resource is an error, too.
func (f *Factory) Dynamic(r client.Resource) (informer.Informer[*watchglass.Unstructured], error) {
	if r.Version == "" || r.Resource == "" {
		return informer.Informer[*watchglass.Unstructured]{}, fmt.Errorf(
			"informer of a resource: want version and resource, got %q and %q", r.Version, r.Resource)
	}
	return Of[watchglass.Unstructured](f, r.Path())
}

func (f *Factory) optionsFor(path string) informer.Options {
	options := f.options.Informer
	options.Name = ""
	if f.options.Customize != nil {
		f.options.Customize(path, &options)
	}
	return options
}

// Run runs all informers, those asked for before and later ones, until ctx ends, and returns when
// everything that it started has ended. It returns nil, or [watchglass.ErrStarted] if it is called
// a second time or if one of the informers was also run by a caller; then Run does not wait for
// that one.
func (f *Factory) Run(ctx context.Context) error {
	if !f.startAll(ctx) {
		return fmt.Errorf("factory: %w", watchglass.ErrStarted)
	}
	<-ctx.Done()
	f.mu.Lock()
	f.stopped = true // from here on the WaitGroup does not grow any more
	f.mu.Unlock()
	f.running.Wait()
	f.mu.Lock()
	defer f.mu.Unlock()
	return errors.Join(f.failed...)
}

// startAll returns false if it was called before.
func (f *Factory) startAll(ctx context.Context) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.start != nil {
		return false
	}
	f.start = func(s *informer.SharedIndexInformer) { f.running.Go(func() { f.run(ctx, s) }) }
	for _, s := range f.asked {
		f.start(s)
	}
	return true
}

func (f *Factory) run(ctx context.Context, s *informer.SharedIndexInformer) {
	if err := s.Run(ctx); err != nil {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.failed = append(f.failed, err)
	}
}

// WaitForSync waits until all informers that have been asked for so far have synced: their caches
// hold the first list. The errors are those of the func [informer.WaitForSync], which names the
// informers and their last errors. Handlers may not have been called with the first list yet; to
// wait for that, pass their registrations to the func.
func (f *Factory) WaitForSync(ctx context.Context) error {
	f.mu.Lock()
	asked := slices.Clone(f.asked)
	f.mu.Unlock()
	all := make([]informer.Syncer, len(asked))
	for i, s := range asked {
		all[i] = s
	}
	return informer.WaitForSync(ctx, all...)
}
