package rvinformer

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"maps"
	"sync"
	"sync/atomic"

	"example.com/watchglass"
	"example.com/watchglass/deltafifo"
	"example.com/watchglass/reflector"
)

// Handler writes to the mirror. One goroutine calls it, one call at a time, and nothing is queued
// during a call: a slow handler slows down the watch. A call must return nil only when the mirror
// holds what it was called with: then the version is recorded, and another run does not bring the
// object again. If it returns an error, it is not known whether the mirror holds the object, until
// a later call succeeds; the error is passed on to [Options.OnProcessError]. A handler may call the
// methods of the informer and keep the objects.
//
// isInInitialList is true for the calls that the first list of this run leads to.
type Handler interface {
	// OnAdd is called with an object that the mirror does not hold. After a call that failed, the
	// mirror may hold it, in any state: insert it or write over it.
	OnAdd(obj watchglass.Object, isInInitialList bool) error
	// OnUpdate is called with a newer state of an object that the mirror holds.
	OnUpdate(obj watchglass.Object, isInInitialList bool) error
	// OnDelete is called when an object is gone. If the watch has not seen the deletion, obj is a
	// [deltafifo.DeletedFinalStateUnknown], which has the key and usually no object. After a call
	// that failed, the mirror may not hold it.
	OnDelete(obj watchglass.Object, isInInitialList bool) error
	// OnSync is called with an object that the mirror holds in this version: there is nothing to
	// write. An error is reported, and the version stays.
	OnSync(obj watchglass.Object) error
}

// Options says what to mirror and how. ListerWatcher and Handler are needed.
type Options struct {
	// ListerWatcher lists and watches the collection.
	ListerWatcher reflector.ListerWatcher
	// Name says in logs and errors what is mirrored. Empty: what the ListerWatcher says, if it is a
	// fmt.Stringer.
	Name string
	// Reflector says how to list and watch.
	Reflector reflector.Options
	// Handler writes to the mirror.
	Handler Handler
	// Versions is what the mirror holds already: key → resourceVersion, as it was read from the
	// mirror or as [Informer.Versions] returned it in an earlier run. It is copied. Nil: the mirror
	// is empty.
	Versions map[string]string
	// Transform changes objects before they are queued. It must keep their resourceVersion.
	// Nil: none.
	Transform deltafifo.TransformFunc
	// WatchErrorHandler is called with each error of list and watch; see the option of the same name
	// in [reflector.Config]. Nil: errors are logged.
	WatchErrorHandler func(error)
	// OnProcessError is called with the errors of the handler, once for each key whose processing
	// had errors. The process loop calls it; it must not block. Nil: they are logged.
	OnProcessError func(error)
	// Logger gets the errors for which no func is set. Nil: nothing is logged.
	Logger *slog.Logger
}

// Informer keeps the versions of a mirror and calls its handler. Make one with [New]. All methods
// may be called from any goroutine.
type Informer struct {
	handler        Handler
	onProcessError func(error)
	queue          *deltafifo.DeltaFIFO
	reflector      *reflector.Reflector
	versions       versions
	started        atomic.Bool
	ended          chan struct{} // closed when Run returns or panics
}

// New returns an informer that does nothing until [Informer.Run]. It panics without a ListerWatcher
// or a Handler.
func New(o Options) *Informer {
	if watchglass.IsNil(o.Handler) {
		panic("rvinformer: Options.Handler is nil")
	}
	o.Logger = cmp.Or(o.Logger, slog.New(slog.DiscardHandler))
	i := &Informer{
		handler: o.Handler, onProcessError: o.OnProcessError, ended: make(chan struct{}),
	}
	if i.onProcessError == nil {
		i.onProcessError = func(err error) {
			o.Logger.Error("object not mirrored", "of", i.Name(), "err", err)
		}
	}
	i.versions.of = maps.Clone(o.Versions)
	if i.versions.of == nil {
		i.versions.of = map[string]string{}
	}
	i.queue = deltafifo.New(deltafifo.Options{
		KnownObjects: &i.versions, Transform: o.Transform,
	})
	i.reflector = reflector.New(reflector.Config{
		ListerWatcher: o.ListerWatcher, Store: i.queue, Name: o.Name, Options: o.Reflector,
		WatchErrorHandler: o.WatchErrorHandler, Logger: o.Logger,
	})
	return i
}

// Run lists, watches and calls the handler until ctx ends, and returns nil when everything it
// started has ended. What is still queued then is not processed: the next run finds it by its first
// list. A second call of Run returns [watchglass.ErrStarted]: to restart, make another informer,
// with the Versions of this one in its Options. If the handler panics, Run panics too, without
// waiting for what it started.
func (i *Informer) Run(ctx context.Context) error {
	if !i.started.CompareAndSwap(false, true) {
		return fmt.Errorf("rvinformer: %s: %w", i.Name(), watchglass.ErrStarted)
	}
	defer close(i.ended)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // in case the handler panics
	var running sync.WaitGroup
	running.Go(func() { i.reflector.Run(ctx) })
	running.Go(func() {
		<-ctx.Done()
		i.queue.Close() // wakes the Pop below
	})
	for ctx.Err() == nil {
		if err := i.processNext(); err != nil {
			i.onProcessError(err)
		}
	}
	running.Wait()
	return nil
}

// processNext waits for a key and returns the errors of the handler, nil if the queue was closed.
//
// The queue does not get these errors, because some would mean something to it that the handler did
// not intend. An ErrRequeue would put the key back into the queue, forever.
func (i *Informer) processNext() (failed error) {
	_, _ = i.queue.Pop(func(deltas deltafifo.Deltas, isInInitialList bool) error {
		failed = i.process(deltas, isInInitialList)
		return nil
	})
	return failed
}

// Synced returns a channel that is closed when the first list is in the mirror: the last call for
// it has returned.
func (i *Informer) Synced() <-chan struct{} { return i.queue.Synced() }

// Name returns [Options.Name]. With Synced, Ended and Err it is what WaitForSync of package
// informer needs.
func (i *Informer) Name() string { return i.reflector.Name() }

// Ended returns a channel that is closed when Run returns or panics.
func (i *Informer) Ended() <-chan struct{} { return i.ended }

// Err returns nil if there was no failure since the last success, and otherwise the last error of
// list or watch; see [reflector.Reflector.Err].
func (i *Informer) Err() error { return i.reflector.Err() }

// Versions returns a copy of what the mirror holds: key → resourceVersion, which is empty if the
// mirror may hold the object or not. A program that passes it as [Options.Versions] continues in
// another run.
func (i *Informer) Versions() map[string]string { return i.versions.copy() }
