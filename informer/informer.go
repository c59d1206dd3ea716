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
	// change, and the default for handlers that say nothing else. It never contacts the server.
	// Zero: never.
	ResyncPeriod time.Duration
	// Reflector holds what else the reflector can be told: page size, backoff, timeouts. What the
	// informer has fields for itself or does itself must be zero here: ListerWatcher, Store, Name,
	// ResyncPeriod, ShouldResync, Trace. A nil Logger means the informer's.
	Reflector reflector.Options
	// OnProcessError is told what went wrong between queue and cache, once for each key that was
	// processed with an error: an IndexFunc refused an object, say. Such an object is in the cache,
	// handlers are told of it, and only that index does not find it. OnProcessError is called by the
	// process loop and must not block. Nil: the error is logged.
	OnProcessError func(error)
	// OnPanic is told of a handler that panicked, which then goes on with the next notification
	// after a pause; see [processor.Options]. Nil: the program crashes.
	OnPanic func(handler string, n processor.Notification, recovered any)
	// MutationDetector finds out which handler changes objects of the cache. Nil: off, at no cost.
	MutationDetector *MutationDetector
	// Trace is told what each stage does. Nil fields cost nothing.
	Trace Trace
	// Logger is told what goes wrong where no error can be returned and no func is there to be
	// told. Nil: nothing is logged.
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

// SharedIndexInformer keeps an indexed cache of a collection and tells its handlers of every
// change. One list and one watch serve them all. Make one with [NewSharedIndexInformer]; all
// methods may be called from any goroutine, and from handlers.
//
// There are four locks on the way of an object, and a goroutine that holds one of them takes only
// those further down the pipe:
//
//	the queue's ──▶ blockDeltas ──▶ the indexer's
//	                     └────────▶ the processor's
//
// The process loop holds the first two while it processes a key; AddEventHandler takes them from
// the second on. A goroutine that holds the processor's lock waits for no handler.
type SharedIndexInformer struct {
	*cache    // with the indexer and blockDeltas
	options   Options
	queue     Queue
	process   deltafifo.PopProcessFunc
	processor *processor.SharedProcessor
	mutations *mutationDetector // nil if off

	synced        chan struct{} // closed when the first list is in the cache
	ended         chan struct{} // closed when Run returns
	processErrors atomic.Int64
	versions      versionWaits // see WaitForVersion

	// Without a lock, so that traces may ask, whatever they are called under.
	started   atomic.Bool                         // Run has been called
	stopped   atomic.Bool                         // Run processes nothing any more
	reflector atomic.Pointer[reflector.Reflector] // nil until started
}

// NewSharedIndexInformer returns an informer that does nothing until [SharedIndexInformer.Run].
// It panics without a ListerWatcher, without a queue, and if [Options.Reflector] sets what the
// informer sets.
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

// complete returns the options with what their zero values stand for.
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

// Run lists, watches and calls the handlers, until ctx ends; then it stops from the source to the
// end. First reflector and process loop end: what is still queued stays queued. Then the handlers
// are removed: Run waits for their current calls, and what waits behind these is dropped, except
// for a handler that drains. It returns nil after everything it started has ended, or [ErrStarted]
// at once when it was called before.
//
// A KeyFunc, an IndexFunc, an OnProcessError or a trace that panics in the process loop makes Run
// panic. Then everything is asked to end as above, but Run does not wait for it: a handler that
// hangs must not hide the crash. A caller that recovers finds IsStopped true. What panics on
// another goroutine crashes the program: on the reflector's a Transform or a WatchErrorHandler, and
// on that which waits for the first list perhaps a trace of the processor.
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
		defer stopProcessing() // deferred in case of a panic, and so is the next one
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
		panic(err) // what must be set is set
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

// HasSynced reports whether the first list is in the cache. It says nothing about handlers: see
// [processor.Registration].
func (s *SharedIndexInformer) HasSynced() bool { return isClosed(s.synced) }

// Synced returns a channel that is closed when HasSynced becomes true. It stays open forever if the
// informer stops before that.
func (s *SharedIndexInformer) Synced() <-chan struct{} { return s.synced }

// GetIndexer returns the cache, for reading. Writing to it makes it differ from the server, and no
// handler is told.
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

// IsStopped reports whether the informer has ended; it cannot be started again.
func (s *SharedIndexInformer) IsStopped() bool { return s.stopped.Load() }
