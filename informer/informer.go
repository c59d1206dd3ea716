package informer

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"example.com/watchglass"
	"example.com/watchglass/deltafifo"
	"example.com/watchglass/indexer"
	"example.com/watchglass/processor"
	"example.com/watchglass/reflector"
)

var (
	// ErrStarted is returned by a second Run. An informer lives once: what it knows belongs to
	// the watch it had, and there is nothing to go on from.
	ErrStarted = errors.New("informer has been started before")
	// ErrStopped is returned by what makes no sense after the end: adding a handler or an index.
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
	// Transform changes objects before they are stored, for example to drop fields that nobody
	// reads. It runs on the reflector's goroutine, under the queue's lock. Nil: none.
	Transform deltafifo.TransformFunc
	// ResyncPeriod is how often the cache is replayed to the handlers, as updates without a
	// change, and the default for handlers that say nothing else. It never contacts the server.
	// Zero: never.
	ResyncPeriod time.Duration
	// Reflector holds what else the reflector can be told: page size, backoff, timeouts. Its
	// ListerWatcher, Store, Name, resync and trace are the informer's to set, and overwritten.
	Reflector reflector.Options
	// OnProcessError is told what went wrong between queue and cache: an index function that
	// refused an object, say. The object is stored then, and missing in that index until it changes.
	// It is called by the process loop and must not block. Nil: the error is logged.
	OnProcessError func(error)
	// OnPanic is told of a handler that panicked, which then goes on with the next notification
	// after a pause; see [processor.Options]. Nil: the program crashes.
	OnPanic func(handler string, n processor.Notification, recovered any)
	// Trace is told what each stage does. Nil fields cost nothing.
	Trace Trace
	// Logger gets what nobody else is told. Nil: nothing is logged.
	Logger *slog.Logger
}

// Trace bundles the traces of the stages. The stages call them under their locks: a trace must
// return soon and must not call back.
type Trace struct {
	Reflector *reflector.Trace
	DeltaFIFO *deltafifo.Trace
	Indexer   *indexer.Trace
	Processor *processor.Trace
}

// SharedIndexInformer keeps an indexed cache of a collection and tells its handlers of every
// change. One list and one watch serve them all. Make one with [NewSharedIndexInformer]; all
// methods may be called from any goroutine, and from handlers.
type SharedIndexInformer struct {
	options   Options
	queue     *deltafifo.DeltaFIFO
	indexer   *indexer.Indexer
	processor *processor.SharedProcessor

	synced chan struct{} // closed when the first list is in the cache

	phaseMu   sync.Mutex
	phase     phase
	reflector *reflector.Reflector // nil until started

	// blockDeltas keeps cache and handlers in step: who holds it sees every change either in both
	// or in neither. The process loop holds it for each key; a handler joins under it.
	blockDeltas   sync.Mutex
	outbox        outbox
	processErrors int
}

type phase int

const (
	notStarted phase = iota
	running
	stopped
)

// NewSharedIndexInformer returns an informer that does nothing until [SharedIndexInformer.Run].
// It panics without a ListerWatcher: there would be nothing to inform about.
func NewSharedIndexInformer(options Options) *SharedIndexInformer {
	if options.ListerWatcher == nil {
		panic("informer: Options.ListerWatcher is nil")
	}
	if options.Name == "" {
		options.Name = "objects"
	}
	if options.KeyFunc == nil {
		options.KeyFunc = watchglass.MetaNamespaceKeyFunc
	}
	if options.Logger == nil {
		options.Logger = slog.New(slog.DiscardHandler)
	}
	s := &SharedIndexInformer{
		options: options,
		synced:  make(chan struct{}),
	}
	s.indexer = indexer.New(indexer.Options{
		KeyFunc:  deltafifo.DeletionHandlingKeyFunc(options.KeyFunc),
		Indexers: options.Indexers,
		Trace:    options.Trace.Indexer,
	})
	s.queue = deltafifo.New(deltafifo.Options{
		KeyFunc:      options.KeyFunc,
		KnownObjects: s.indexer,
		Transform:    options.Transform,
		Trace:        options.Trace.DeltaFIFO,
		Logger:       options.Logger,
	})
	s.processor = processor.New(processor.Options{
		ResyncPeriod: options.ResyncPeriod,
		OnPanic:      options.OnPanic,
		Trace:        options.Trace.Processor,
		Logger:       options.Logger,
	})
	s.outbox.send = s.processor.Distribute
	return s
}

// Run lists, watches and tells, until ctx ends; then it stops from the source to the end: first
// reflector and process loop, then the handlers, whose current calls it waits for. What they had
// not been told by then they are not told any more. It returns nil after all that has ended, or
// [ErrStarted] at once when it has been called before.
func (s *SharedIndexInformer) Run(ctx context.Context) error {
	c, err := s.start()
	if err != nil {
		return err
	}
	// The processor outlives ctx: what the process loop still sends while it ends needs someone to
	// take it, or cache and handlers would part at the last moment.
	processing, stopProcessing := context.WithCancel(context.WithoutCancel(ctx))
	var handlers sync.WaitGroup
	handlers.Go(func() { s.processor.Run(processing) })

	c.run(ctx)
	s.flush() // what has reached the cache, a handler that drains shall hear

	s.phaseMu.Lock()
	s.phase = stopped
	s.phaseMu.Unlock()
	stopProcessing()
	handlers.Wait()
	return nil
}

// start wires the controller. It is late because handlers added before may have asked for a
// shorter resync period than the options did.
func (s *SharedIndexInformer) start() (*controller, error) {
	s.phaseMu.Lock()
	defer s.phaseMu.Unlock()
	if s.phase != notStarted {
		return nil, ErrStarted
	}

	options := s.options.Reflector
	options.ListerWatcher = s.options.ListerWatcher
	options.Store = s.queue
	options.Name = s.options.Name
	options.ResyncPeriod = s.processor.SettleResyncPeriod()
	options.ShouldResync = s.processor.ShouldResync
	options.Trace = s.options.Trace.Reflector
	if options.Logger == nil {
		options.Logger = s.options.Logger
	}
	r, err := reflector.New(options)
	if err != nil {
		return nil, err
	}
	s.phase, s.reflector = running, r
	return &controller{
		reflector: r,
		queue:     s.queue,
		process:   s.processDeltas,
		processed: s.processed,
		synced:    s.firstListProcessed,
	}, nil
}

// HasSynced reports whether the first list is in the cache. It says nothing about handlers: see
// [processor.Registration].
func (s *SharedIndexInformer) HasSynced() bool {
	select {
	case <-s.synced:
		return true
	default:
		return false
	}
}

// Synced returns a channel that is closed when HasSynced becomes true. It stays open forever if the
// informer stops before that.
func (s *SharedIndexInformer) Synced() <-chan struct{} { return s.synced }

// GetIndexer returns the cache, for reading. Writing to it makes it differ from the server without
// anyone being told.
func (s *SharedIndexInformer) GetIndexer() *indexer.Indexer { return s.indexer }

// AddIndexers adds indices to the cache, before or during Run. It fails with [ErrStopped] after,
// and as [indexer.Indexer.AddIndexers] does, for a name that is taken.
func (s *SharedIndexInformer) AddIndexers(indexers indexer.Indexers) error {
	s.phaseMu.Lock()
	defer s.phaseMu.Unlock()
	if s.phase == stopped {
		return ErrStopped
	}
	return s.indexer.AddIndexers(indexers)
}

// IsStopped reports whether the informer has ended; it cannot be started again.
func (s *SharedIndexInformer) IsStopped() bool {
	s.phaseMu.Lock()
	defer s.phaseMu.Unlock()
	return s.phase == stopped
}
