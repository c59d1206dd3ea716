package informer

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"

	"example.com/watchglass/deltafifo"
	"example.com/watchglass/indexer"
	"example.com/watchglass/processor"
	"example.com/watchglass/reflector"
)

// This file is for programs that need less than a [SharedIndexInformer]. A Controller is a
// reflector, a queue, and a func that is called with what comes out of the queue. NewInformer makes
// a Controller that keeps a cache and calls one handler.

// Config says what a [Controller] is made of. Only Logger, OnProcessError and most of Reflector may
// be left zero.
type Config struct {
	// Reflector says what is listed and watched, and how. ListerWatcher is needed. Store must be
	// nil: it is the queue.
	Reflector reflector.Options
	// Queue is filled by the reflector and emptied by Process. The controller closes it.
	Queue Queue
	// Process is called with what comes out of the queue, by one goroutine. While it runs, nothing
	// else is processed, and with a DeltaFIFO nothing is queued either. Its errors are not passed to
	// the queue: a deltafifo.ErrRequeue does not queue the key again.
	Process deltafifo.PopProcessFunc
	// OnProcessError is called with each error of Process, by the same goroutine. Nil: it is logged.
	OnProcessError func(error)
	// Logger gets the errors for which no func above is set. Nil: nothing is logged.
	Logger *slog.Logger
}

// Controller lists and watches a collection and calls a Process func with each change. It has no
// cache and no handlers. Make one with [NewController]. All methods may be called from any
// goroutine.
type Controller struct {
	controller
	started atomic.Bool
}

// NewController returns a controller that does nothing until [Controller.Run]. It fails if
// something is missing in the config, and if the reflector has a store.
func NewController(c Config) (*Controller, error) {
	switch {
	case c.Queue == nil:
		return nil, errors.New("controller: Config.Queue is nil")
	case c.Process == nil:
		return nil, errors.New("controller: Config.Process is nil")
	case c.Reflector.Store != nil:
		return nil, errors.New("controller: Config.Reflector.Store is set: it must be the queue")
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	if c.OnProcessError == nil {
		c.OnProcessError = func(err error) {
			c.Logger.Error("processing failed", "of", c.Reflector.Name, "err", err)
		}
	}
	c.Reflector.Store = c.Queue
	r, err := reflector.New(c.Reflector)
	if err != nil {
		return nil, fmt.Errorf("controller: %w", err)
	}
	return &Controller{controller: controller{
		reflector: r,
		queue:     c.Queue,
		process:   c.Process,
		processed: func(_ int, err error) {
			if err != nil {
				c.OnProcessError(err)
			}
		},
		synced: func() {},
	}}, nil
}

// Run lists, watches and processes until ctx ends, and returns nil when everything that it started
// has ended. What is still queued then is not processed. If Run was called before, it returns
// [ErrStarted] immediately. If Process panics, Run panics too, without waiting for what it started.
func (c *Controller) Run(ctx context.Context) error {
	if !c.started.CompareAndSwap(false, true) {
		return ErrStarted
	}
	c.run(ctx)
	return nil
}

// Synced returns a channel that is closed when the first list has been processed: Process has
// returned from its last call for it. It stays open forever if Run ends before that.
func (c *Controller) Synced() <-chan struct{} { return c.queue.Synced() }

// HasSynced reports whether the first list has been processed.
func (c *Controller) HasSynced() bool { return isClosed(c.Synced()) }

// LastSyncResourceVersion returns the version up to which everything has been queued, "" before the
// first list.
func (c *Controller) LastSyncResourceVersion() string {
	return c.controller.reflector.LastSyncResourceVersion()
}

// NewInformer returns a cache, and a controller that keeps it up to date and calls one handler. It
// is the plain informer: there is no processor, so the handler is called by the process loop, after
// the cache was changed and before the next change is made. A slow handler makes all of it slow,
// and one that panics makes [Controller.Run] panic. In return a program waits for one thing only:
// when the controller has synced, the handler has been called with the whole first list.
//
// The handler may read the cache. A resync, or a list that changes nothing, is an update to the
// same version. If the handler is nil, there is only the cache.
//
// It fails if there is no Options.ListerWatcher, if Options.Queue is no QueueKind, if
// Options.WrapQueue returns nil, and if Options.Reflector sets what the informer sets. It also
// fails if Options.OnPanic, Options.MutationDetector or Options.Trace.Processor is set, because
// only a processor calls them.
func NewInformer(options Options, handler processor.ResourceEventHandler) (
	*indexer.Indexer, *Controller, error,
) {
	if fault := options.fault(); fault != "" {
		return nil, nil, fmt.Errorf("informer: Options.%s", fault)
	}
	if options.OnPanic != nil || options.MutationDetector != nil || options.Trace.Processor != nil {
		return nil, nil, errors.New("informer: Options.OnPanic, MutationDetector or " +
			"Trace.Processor is set: a plain informer has no processor")
	}
	options = options.complete()
	c := newCache(options, callsTo(handler))
	queue, process := newQueue(options, c)
	controller, err := NewController(Config{
		Reflector:      options.reflector(),
		Queue:          queue,
		Process:        process,
		OnProcessError: options.OnProcessError,
		Logger:         options.Logger,
	})
	if err != nil {
		return nil, nil, err
	}
	return c.indexer, controller, nil
}

// callsTo returns a func that calls the handler, which may be nil.
func callsTo(handler processor.ResourceEventHandler) func(processor.Notification) {
	if handler == nil {
		handler = processor.ResourceEventHandlerFuncs{}
	}
	return func(n processor.Notification) {
		switch n.Kind {
		case processor.Add:
			handler.OnAdd(n.New, n.IsInInitialList)
		case processor.Update:
			handler.OnUpdate(n.Old, n.New)
		case processor.Delete:
			handler.OnDelete(n.Old)
		}
	}
}
