package informer

import (
	"context"
	"fmt"
	"sync/atomic"

	"example.com/watchglass"
	"example.com/watchglass/indexer"
	"example.com/watchglass/processor"
	"example.com/watchglass/reflector"
)

// This file is for programs that need less than a [SharedIndexInformer].

// Controller keeps the cache that [NewInformer] returns with it up to date, and calls the handler.
// All methods may be called from any goroutine.
type Controller struct {
	controller
	started atomic.Bool
	ended   chan struct{} // closed when Run returns or panics
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
// It panics when [NewSharedIndexInformer] does, and for a handler for which AddEventHandler does,
// nil excepted. It also panics if Options.OnPanic, Options.MutationDetector or
// Options.Trace.Processor is set, because only a processor calls them.
func NewInformer(
	options Options, handler processor.ResourceEventHandler,
) (*indexer.Indexer, *Controller) {
	if options.OnPanic != nil || options.MutationDetector != nil || options.Trace.Processor != nil {
		panic("informer: Options.OnPanic, MutationDetector or Trace.Processor is set: " +
			"a plain informer has no processor")
	}
	options = options.complete()
	mustWork(handler)
	cache := newCache(options, callsTo(handler))
	queue, process := newQueue(options, cache)
	return cache.indexer, &Controller{ended: make(chan struct{}), controller: controller{
		reflector: reflector.New(options.reflector(queue)),
		queue:     queue,
		process:   process,
		processed: func(err error) {
			if err != nil {
				options.OnProcessError(err)
			}
		},
		synced: func() {},
	}}
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

// Run lists, watches and calls the handler until ctx ends, and returns nil when everything that it
// started has ended. What is still queued then is not processed. If Run was called before, it
// returns [watchglass.ErrStarted] immediately. If the handler panics, Run panics too, without
// waiting for what it started.
func (c *Controller) Run(ctx context.Context) error {
	if !c.started.CompareAndSwap(false, true) {
		return fmt.Errorf("informer of %s: %w", c.Name(), watchglass.ErrStarted)
	}
	defer close(c.ended)
	c.run(ctx)
	return nil
}

// Synced returns a channel that is closed when the handler has been called with the first list. It
// stays open forever if Run ends before that.
func (c *Controller) Synced() <-chan struct{} { return c.queue.Synced() }

// Name returns [Options.Name].
func (c *Controller) Name() string { return c.reflector.Name() }

// Ended returns a channel that is closed when Run returns or panics.
func (c *Controller) Ended() <-chan struct{} { return c.ended }

// Err returns nil if there was no failure since the last success, and otherwise the last error of
// list, watch or resync; see [reflector.Reflector.Err].
func (c *Controller) Err() error { return c.reflector.Err() }
