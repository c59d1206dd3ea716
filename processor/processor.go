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
	// ResyncPeriod is how often the caller will call ShouldResync. Zero means never, and then no
	// handler is resynced whatever it asks for. See [SharedProcessor.SettleResyncPeriod].
	ResyncPeriod time.Duration
	// OnPanic is called, in the handler's goroutine, when a handler panics. The handler then rests
	// for a second and goes on with the next notification. Nil means that the panic crashes the
	// program, as an unhandled panic does: a handler that lost a notification is wrong from then
	// on, and without a crash it would not be noticed.
	OnPanic func(listener string, n Notification, recovered any)
	Trace   *Trace       // nil: nothing is traced
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
	// needs no lock, so handing out always gets on. A goroutine that holds mu must not wait for a
	// run, that is for a handler: the handler may be waiting for mu.
	mu             sync.Mutex
	state          state                // only ever goes up
	listeners      []*processorListener // none removed; all started if running; none if stopped
	registered     int                  // how many there have ever been, for names
	upstreamSynced bool                 // UpstreamSynced has been called
	resyncPeriod   time.Duration        // at most any listener's resync period but 0
	resyncSettled  bool                 // resyncPeriod does not change any more
	gathered       []Notification       // not distributed yet; fewer than maxBatch
	gatheredSync   bool                 // gathered is for those that are due for a resync
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
	p.flush() // a handler that drains is told of all that has happened
	p.state = stopped
	for _, l := range p.listeners {
		p.remove(l)
	}
	p.listeners = nil
}

// UpstreamSynced says that the whole initial list is in the store and has been gathered or
// distributed. From now on a registration is synced as soon as its handler has been told of its
// initial list.
func (p *SharedProcessor) UpstreamSynced() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.flush() // the registrations have to count the initial adds before they hear that these are all
	p.upstreamSynced = true
	for _, l := range p.listeners {
		l.tracker.UpstreamHasSynced()
	}
}
