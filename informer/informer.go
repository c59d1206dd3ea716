package informer

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"example.com/watchglass"
	"example.com/watchglass/deltafifo"
	"example.com/watchglass/indexer"
	"example.com/watchglass/informer/mutation"
	"example.com/watchglass/processor"
	"example.com/watchglass/reflector"
)

// SharedIndexInformer keeps an indexed cache of a collection and calls its handlers for every
// change. All handlers share one list and one watch. Make one with [NewSharedIndexInformer]; all
// methods may be called from any goroutine, and from handlers.
//
// There are four locks on the way of an object, and a goroutine that holds one of them takes only
// those further down the pipe:
//
//	the queue's ──▶ blockDeltas ──▶ the indexer's
//	                     └────────▶ the processor's
//
// The process loop holds the first two while it processes a key; AddEventHandler takes the second
// and those after it. A goroutine that holds the processor's lock waits for no handler.
type SharedIndexInformer struct {
	*cache    // with the indexer and blockDeltas
	options   Options
	queue     Queue
	process   deltafifo.PopProcessFunc
	processor *processor.SharedProcessor
	mutations *mutation.Watch // nil if off

	synced        chan struct{} // closed when the first list is in the cache
	ended         chan struct{} // closed when Run returns or panics
	processErrors atomic.Int64
	changes       changes // see WaitFor

	// These need no lock, so that a trace may read them under any lock.
	started   atomic.Bool                         // Run has been called
	stopped   atomic.Bool                         // Run processes nothing any more
	reflector atomic.Pointer[reflector.Reflector] // nil until started
}

// NewSharedIndexInformer returns an informer that does nothing until [SharedIndexInformer.Run].
// It panics if there is no ListerWatcher, if [Options.Queue] is no QueueKind, and if
// [Options.WrapQueue] returns nil.
func NewSharedIndexInformer(options Options) *SharedIndexInformer {
	options = options.complete()
	s := &SharedIndexInformer{
		options: options,
		synced:  make(chan struct{}),
		ended:   make(chan struct{}),
	}
	s.cache = newCache(options, s.gather)
	s.queue, s.process = newQueue(options, s.cache)
	s.mutations = mutation.New(options.MutationDetector, options.Name, options.Logger)
	s.processor = processor.New(processor.Options{
		ResyncPeriod: options.ResyncPeriod,
		OnPanic:      options.OnPanic,
		UpstreamErr:  s.notSynced,
		Trace:        s.mutations.Trace(options.Trace.Processor),
		Logger:       options.Logger,
	})
	return s
}

// Run lists, watches and calls the handlers, until ctx ends. Then it stops the stages in order.
// First reflector and process loop end: what is still queued stays queued. Then the handlers are
// removed: Run waits for their current calls, and the notifications behind these are dropped,
// except for a handler that drains. Run returns nil after everything it started has ended. If it
// was called before, it returns [watchglass.ErrStarted] immediately.
//
// An IndexFunc, an OnProcessError or a trace that panics in the process loop makes Run
// panic. Then everything is stopped as above, but Run does not wait for its end: a handler that
// hangs must not hide the crash. A caller that recovers finds IsStopped true. A panic on another
// goroutine crashes the program. A Transform and a WatchErrorHandler run on the reflector's
// goroutine; a trace of the processor may run on the goroutine that waits for the first list.
func (s *SharedIndexInformer) Run(ctx context.Context) error {
	if !s.started.CompareAndSwap(false, true) {
		return fmt.Errorf("informer of %s: %w", s.Name(), watchglass.ErrStarted)
	}
	defer close(s.ended)
	c := s.newController()
	// The processor outlives ctx: otherwise the handlers would miss what the process loop still
	// brings into the cache while it ends.
	processing, stopProcessing := context.WithCancel(context.WithoutCancel(ctx))
	var handlers sync.WaitGroup
	handlers.Go(func() { _ = s.processor.Run(processing) }) // it is called once
	handlers.Go(func() { s.mutations.Run(processing) })
	func() {
		defer stopProcessing() // deferred, like the next line, in case the process loop panics
		defer s.stopped.Store(true)
		c.run(ctx)
	}()
	handlers.Wait()
	s.mutations.Check()
	return nil
}

// newController wires the controller. Run calls it, because handlers added before may have asked
// for a shorter resync period than the options did.
func (s *SharedIndexInformer) newController() *controller {
	options := s.options.reflector(versionedStore{s.queue, &s.changes})
	options.ResyncPeriod = s.processor.SettleResyncPeriod()
	options.ShouldResync = s.processor.ShouldResync
	r := reflector.New(options)
	s.reflector.Store(r)
	return &controller{
		reflector: r,
		queue:     s.queue,
		process:   s.process,
		processed: s.processed,
		synced:    s.firstListProcessed,
	}
}

// HasSynced reports whether the first list is in the cache. Whether a handler has been called with
// it, [processor.Registration.HasSynced] reports.
func (s *SharedIndexInformer) HasSynced() bool { return isClosed(s.synced) }

// Synced returns a channel that is closed when HasSynced becomes true. It stays open forever if the
// informer stops before that.
func (s *SharedIndexInformer) Synced() <-chan struct{} { return s.synced }

// GetIndexer returns the cache, for reading. A write would make it differ from the server, without
// a call of any handler.
func (s *SharedIndexInformer) GetIndexer() *indexer.Indexer { return s.indexer }

// AddIndexers adds indices to the cache, before or during Run. After Run it returns
// [watchglass.ErrStopped].
// Its other errors are those of [indexer.Indexer.AddIndexers]: an [indexer.IndexError] means that
// the indices are added, and names an object that they leave out.
func (s *SharedIndexInformer) AddIndexers(indexers indexer.Indexers) error {
	if s.IsStopped() {
		return watchglass.ErrStopped
	}
	return s.indexer.AddIndexers(indexers)
}

// IsStopped reports whether the informer has stopped processing; it cannot be started again. Run
// may still be waiting for handlers: see [SharedIndexInformer.Ended].
func (s *SharedIndexInformer) IsStopped() bool { return s.stopped.Load() }

// Stats are the numbers of an informer, for a metrics page or a log line. The numbers of a handler
// are those of its [processor.Registration].
type Stats struct {
	// Queued is how many keys wait to be processed, or deltas in a [RealFIFO]. It grows when the
	// process loop cannot keep up with the server.
	Queued int
	// Objects is how many objects the cache holds.
	Objects int
	// ProcessErrors is how often a key was processed with an error; see [Options.OnProcessError].
	ProcessErrors int
	// LostEvents is how many events and lists had objects that could not be used, because they did
	// not fit their Go type or a transform failed. Such an object stays as it was until its next event
	// or the next list.
	LostEvents int
	// LastSyncResourceVersion is the version up to which everything has been queued.
	LastSyncResourceVersion string
	// LastSync is when a list, an event or a bookmark last confirmed that version. Zero before the
	// first list. While a watch works, an API server sends a bookmark about once a minute. If nothing
	// happens in the collection, the first one may come only after ten minutes.
	LastSync time.Time
	// Failures is how many errors of list, watch and resync there were since the last success. 0
	// means that all is well, as far as is known. See [reflector.Stats].
	Failures int
	// LastError is the last of these errors, nil if there was none. It stays after a success.
	LastError error
}

// Stats returns the present numbers. They are read one after the other, so they may be of slightly
// different moments. It waits only for the lock of the cache.
func (s *SharedIndexInformer) Stats() Stats {
	stats := Stats{
		Queued:        s.queue.Len(),
		Objects:       s.indexer.Len(),
		ProcessErrors: int(s.processErrors.Load()),
	}
	if r := s.reflector.Load(); r != nil {
		of := r.Stats()
		stats.LostEvents = of.LostEvents
		stats.Failures, stats.LastError = of.Failures, of.LastError
		stats.LastSyncResourceVersion = r.LastSyncResourceVersion()
		stats.LastSync = r.LastSyncTime()
	}
	return stats
}

// Err returns nil if there was no failure since the last success, and otherwise the last error of
// list, watch or resync; see [reflector.Reflector.Err]. Before Run it says that Run is missing.
func (s *SharedIndexInformer) Err() error {
	if r := s.reflector.Load(); r != nil {
		return r.Err()
	}
	return fmt.Errorf("%s: Run has not been called", s.Name())
}

// notSynced is the Err of the handlers. A handler that has only fallen behind has none.
func (s *SharedIndexInformer) notSynced() error {
	if s.HasSynced() {
		return nil
	}
	return s.Err()
}

// LastSyncResourceVersion returns the version up to which everything has been queued, "" before the
// first list. The cache may be a little behind; see [Stats].
func (s *SharedIndexInformer) LastSyncResourceVersion() string {
	if r := s.reflector.Load(); r != nil {
		return r.LastSyncResourceVersion()
	}
	return ""
}
