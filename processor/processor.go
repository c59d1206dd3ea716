package processor

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"
)

// ErrStopped says that the processor has ended and takes no more handlers.
var ErrStopped = errors.New("processor has stopped")

// Options are the settings of a [SharedProcessor]. The zero value works.
type Options struct {
	// ResyncPeriod is how often someone will call ShouldResync. Zero means never, and then no
	// handler is resynced whatever it asks for. See [SharedProcessor.SettleResyncPeriod].
	ResyncPeriod time.Duration
	// OnPanic is called, in the handler's goroutine, when a handler panics. The handler then rests
	// for a second and goes on with the next notification. Nil means that the panic crashes the
	// program, as an unhandled panic does: a handler that lost a notification is wrong from then on
	// and nobody would know.
	OnPanic func(listener string, n Notification, recovered any)
	Trace   *Trace       // nil: nobody looks
	Logger  *slog.Logger // nil: discard
}

// state is where in its only life a processor is.
type state int

const (
	waiting state = iota // Run has not been called: listeners collect
	running              // listeners deliver
	stopped              // there are no listeners
)

// SharedProcessor tells any number of handlers the same things in the same order, each at its own
// speed. All methods may be called from any goroutine, handlers included; [SharedProcessor.Run] and
// [SharedProcessor.ShutDownListener] say what they wait for.
type SharedProcessor struct {
	options    Options // with nothing nil but OnPanic; not changed after New
	goroutines sync.WaitGroup

	// mu is held while a batch is handed out, so that all handlers hear one order. A listener's pop
	// needs no lock, so handing out always gets on. For the same reason nobody waits for a run,
	// that is for a handler, while holding mu: the handler may be waiting for mu.
	mu             sync.Mutex
	state          state                // only ever goes up
	listeners      []*processorListener // none has left; all started if running; none if stopped
	registered     int                  // how many there have ever been, for names
	upstreamSynced bool                 // UpstreamSynced has been called
	resyncPeriod   time.Duration        // at most any listener's resync period but 0
	resyncSettled  bool                 // resyncPeriod does not change any more
}

// New returns a processor without handlers. It starts nothing.
func New(options Options) *SharedProcessor {
	if options.Trace == nil {
		options.Trace = &Trace{}
	}
	if options.Logger == nil {
		options.Logger = slog.New(slog.DiscardHandler)
	}
	return &SharedProcessor{options: options, resyncPeriod: options.ResyncPeriod}
}

// Run lets all handlers be called until ctx ends, and returns when the last call has returned and
// every goroutine has ended. What waits at that moment is dropped, except for handlers that asked
// for [ListenerOptions.Drain]. Call it once: a processor has one life, and a second call is logged
// and returns at once.
func (p *SharedProcessor) Run(ctx context.Context) {
	if !p.start() {
		p.options.Logger.Warn("processor is run a second time; nothing done")
		return
	}
	<-ctx.Done()
	p.stop()
	p.goroutines.Wait() // without mu; see there
}

func (p *SharedProcessor) start() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.state != waiting {
		return false
	}
	p.state, p.resyncSettled = running, true
	for _, l := range p.listeners {
		l.start(&p.goroutines)
	}
	return true
}

func (p *SharedProcessor) stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.state = stopped
	for _, l := range p.listeners {
		p.takeLeave(l)
	}
	p.listeners = nil
}

// Distribute gives a batch to all handlers or, if isSync, only to those that are due for a resync.
// It takes the batch over: from now on the slice is shared and nobody may change it.
//
// Distribute does not wait for handlers. Before Run it does not wait for Run either: the batch is
// kept with each handler until then. (Waiting would be a trap: the caller usually holds a lock
// which somebody needs on the way to Run. client-go has been mended twice for that,
// kubernetes/kubernetes#136509 and #137296.) After Run there is nobody to tell, and the batch is
// dropped.
func (p *SharedProcessor) Distribute(batch []Notification, isSync bool) {
	if len(batch) == 0 {
		return
	}
	initial := countInitial(batch)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.state == stopped {
		return
	}
	if p.options.Trace.Distributed != nil {
		p.options.Trace.Distributed(batch, isSync)
	}
	for _, l := range p.listeners {
		if !isSync || l.syncing {
			l.add(batch, initial)
		}
	}
}

// UpstreamSynced says that the whole initial list is in the store and has been distributed. From
// now on a registration is synced as soon as its handler has been told of its initial list.
func (p *SharedProcessor) UpstreamSynced() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.upstreamSynced = true
	for _, l := range p.listeners {
		l.tracker.UpstreamHasSynced()
	}
}
