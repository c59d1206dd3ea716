package informer

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"example.com/watchglass"
	"example.com/watchglass/deltafifo"
	"example.com/watchglass/deltafifo/realfifo"
	"example.com/watchglass/indexer"
	"example.com/watchglass/processor"
	"example.com/watchglass/reflector"
)

var (
	// ErrStarted is returned by a second Run. An informer runs once: its cache belongs to the watch
	// it had, and that has ended.
	ErrStarted = errors.New("informer has been started before")
	// ErrStopped is returned by AddEventHandler and AddIndexers after Run has ended.
	ErrStopped = errors.New("informer has stopped")
)

// Options says what to watch and how. Only ListerWatcher is needed.
type Options struct {
	// ListerWatcher lists and watches the collection, for example a client of package reflector/wire.
	ListerWatcher reflector.ListerWatcher
	// Name says in logs and errors what is watched. Empty: "objects".
	Name string
	// KeyFunc computes the key of an object. Nil: [watchglass.MetaNamespaceKeyFunc].
	KeyFunc watchglass.KeyFunc
	// Indexers are the indices of the cache, by name. Nil: none; see also AddIndexers.
	Indexers indexer.Indexers
	// Queue chooses the queue between reflector and cache. Zero: the [DeltaFIFO].
	Queue QueueKind
	// WrapQueue is given the queue and returns what reflector and process loop use in its place, for
	// example one that waits before Pop or counts. What it returns must do all that the queue does;
	// a [RealFIFO] also has PopBatch (see [Queue]) and UpdateResourceVersion. Nil: the queue itself.
	WrapQueue func(Queue) Queue
	// Transform changes objects before they are stored, for example to drop fields that are never
	// read. It runs on the reflector's goroutine, under the queue's lock. Nil: none.
	Transform deltafifo.TransformFunc
	// ResyncPeriod is how often the cache is replayed to the handlers, as updates without a
	// change. It is the default for handlers whose own period is zero. A resync never contacts the
	// server. Zero: never.
	ResyncPeriod time.Duration
	// Reflector holds the other options of the reflector, such as page size, backoff and timeouts.
	// ListerWatcher, Store, Name, ResyncPeriod, ShouldResync and Trace must be zero here, because
	// the informer sets them. A nil Logger means the informer's.
	Reflector reflector.Options
	// OnProcessError is called once for each key that was processed with an error, for example if
	// an IndexFunc refused an object. Such an object is in the cache, and handlers are called with
	// it; only that index does not find it. OnProcessError is called by the process loop and must
	// not block. Nil: the error is logged.
	OnProcessError func(error)
	// OnPanic is called when a handler has panicked. The handler is called with its next
	// notification after a pause; see [processor.Options]. Nil: the program crashes.
	OnPanic func(handler string, n processor.Notification, recovered any)
	// MutationDetector finds out which handler changes objects of the cache. Nil: off, at no cost.
	MutationDetector *MutationDetector
	// Trace has the funcs that each stage calls when it does something. Nil fields cost nothing.
	Trace Trace
	// Logger gets the errors that cannot be returned and for which no func of the options is set.
	// Nil: nothing is logged.
	Logger *slog.Logger
}

// Trace bundles the traces of the stages. The stages call them under their locks: a trace must
// return soon. The package doc says what it must not call.
type Trace struct {
	Reflector *reflector.Trace
	DeltaFIFO *deltafifo.Trace
	RealFIFO  *realfifo.Trace
	Indexer   *indexer.Trace
	Processor *processor.Trace
}

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
	mutations *mutationDetector // nil if off

	synced        chan struct{} // closed when the first list is in the cache
	ended         chan struct{} // closed when Run returns or panics
	processErrors atomic.Int64
	versions      versionWaits // see WaitForVersion

	// These need no lock, so that a trace may read them under any lock.
	started   atomic.Bool                         // Run has been called
	stopped   atomic.Bool                         // Run processes nothing any more
	reflector atomic.Pointer[reflector.Reflector] // nil until started
}

// NewSharedIndexInformer returns an informer that does nothing until [SharedIndexInformer.Run].
// It panics if there is no ListerWatcher, if [Options.Reflector] sets what the informer sets, if
// [Options.Queue] is no QueueKind, and if [Options.WrapQueue] returns nil.
func NewSharedIndexInformer(options Options) *SharedIndexInformer {
	if options.ListerWatcher == nil {
		panic("informer: Options.ListerWatcher is nil")
	}
	if fault := options.fault(); fault != "" {
		panic("informer: Options." + fault)
	}
	options = options.complete()
	s := &SharedIndexInformer{
		options: options,
		synced:  make(chan struct{}),
		ended:   make(chan struct{}),
	}
	s.cache = newCache(options, s.gather)
	if s.queue, s.process = newQueue(options, s.cache); s.queue == nil {
		panic("informer: Options.WrapQueue returned nil")
	}
	s.versions.queue, s.versions.batch = s.queue, 1
	if options.Queue == RealFIFO {
		s.versions.batch = realfifo.MaxBatch
	}
	s.mutations = newMutationDetector(options, s.cache.keyFunc)
	s.processor = processor.New(processor.Options{
		ResyncPeriod: options.ResyncPeriod,
		OnPanic:      options.OnPanic,
		Trace:        s.mutations.trace(options.Trace.Processor),
		Logger:       options.Logger,
	})
	return s
}

// complete returns the options with the zero Name and Logger replaced by their defaults.
func (o Options) complete() Options {
	if o.Name == "" {
		o.Name = "objects"
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return o
}

// reflector returns the reflector's options, without a store.
func (o Options) reflector() reflector.Options {
	options := o.Reflector
	options.ListerWatcher = o.ListerWatcher
	options.Name = o.Name
	options.ResyncPeriod = o.ResyncPeriod
	options.Trace = o.Trace.Reflector
	if options.Logger == nil {
		options.Logger = o.Logger
	}
	return options
}

// fault says what is wrong with the options, "" if nothing is.
func (o Options) fault() string {
	if name := setByInformer(o.Reflector); name != "" {
		return "Reflector." + name + " is set: the informer sets it itself"
	}
	if o.Queue != DeltaFIFO && o.Queue != RealFIFO {
		return fmt.Sprintf("Queue is %d: there is no such queue", o.Queue)
	}
	return ""
}

// setByInformer returns the name of a field that is set although the informer sets it, "" if there
// is none.
func setByInformer(o reflector.Options) string {
	switch {
	case o.ListerWatcher != nil:
		return "ListerWatcher"
	case o.Store != nil:
		return "Store"
	case o.Name != "":
		return "Name"
	case o.ResyncPeriod != 0:
		return "ResyncPeriod"
	case o.ShouldResync != nil:
		return "ShouldResync"
	case o.Trace != nil:
		return "Trace"
	}
	return ""
}

// Run lists, watches and calls the handlers, until ctx ends. Then it stops the stages in order.
// First reflector and process loop end: what is still queued stays queued. Then the handlers are
// removed: Run waits for their current calls, and the notifications behind these are dropped,
// except for a handler that drains. Run returns nil after everything it started has ended. If it
// was called before, it returns [ErrStarted] immediately.
//
// A KeyFunc, an IndexFunc, an OnProcessError or a trace that panics in the process loop makes Run
// panic. Then everything is stopped as above, but Run does not wait for its end: a handler that
// hangs must not hide the crash. A caller that recovers finds IsStopped true. A panic on another
// goroutine crashes the program. A Transform and a WatchErrorHandler run on the reflector's
// goroutine; a trace of the processor may run on the goroutine that waits for the first list.
func (s *SharedIndexInformer) Run(ctx context.Context) error {
	if !s.started.CompareAndSwap(false, true) {
		return ErrStarted
	}
	defer close(s.ended)
	c := s.newController()
	// The processor outlives ctx: otherwise the handlers would miss what the process loop still
	// brings into the cache while it ends.
	processing, stopProcessing := context.WithCancel(context.WithoutCancel(ctx))
	var handlers sync.WaitGroup
	handlers.Go(func() { s.processor.Run(processing) })
	handlers.Go(func() { s.mutations.run(processing) })
	func() {
		defer stopProcessing() // deferred, like the next line, in case the process loop panics
		defer s.stopped.Store(true)
		c.run(ctx)
	}()
	handlers.Wait()
	s.mutations.finish()
	return nil
}

// newController wires the controller. Run calls it, because handlers added before may have asked
// for a shorter resync period than the options did.
func (s *SharedIndexInformer) newController() *controller {
	options := s.options.reflector()
	options.Store = versionedStore{s.queue, &s.versions}
	options.ResyncPeriod = s.processor.SettleResyncPeriod()
	options.ShouldResync = s.processor.ShouldResync
	r, err := reflector.New(options)
	if err != nil {
		panic(err) // cannot happen: what reflector.New needs is set
	}
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

// AddIndexers adds indices to the cache, before or during Run. After Run it returns [ErrStopped].
// Its other errors are those of [indexer.Indexer.AddIndexers]: an [indexer.IndexError] means that
// the indices are added, and names an object that they leave out.
func (s *SharedIndexInformer) AddIndexers(indexers indexer.Indexers) error {
	if s.IsStopped() {
		return ErrStopped
	}
	return s.indexer.AddIndexers(indexers)
}

// IsStopped reports whether the informer has stopped processing; it cannot be started again. Run
// may still be waiting for handlers: see [SharedIndexInformer.Ended].
func (s *SharedIndexInformer) IsStopped() bool { return s.stopped.Load() }
