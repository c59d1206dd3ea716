package processor

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"example.com/watchglass"
)

// Options are the settings of a [SharedProcessor]. The zero value works.
type Options struct {
	// ResyncPeriod is the time between two calls that the caller makes to ShouldResync, and the
	// period of a handler that asks for none. Zero means that the caller makes none, and then no
	// handler is resynced, whatever period it asks for. Less than a second is raised to a second.
	// [SharedProcessor.SettleResyncPeriod] returns what came of it.
	ResyncPeriod time.Duration
	// OnPanic is called, in the handler's goroutine, when a handler panics. The handler then rests
	// for a second and goes on with the next notification. Nil means that the panic crashes the
	// program, as an unhandled panic does: from then on a handler that lost a notification may work
	// on wrong data, and without a crash that would not be noticed.
	OnPanic func(listener string, n Notification, recovered any)
	// UpstreamErr returns why upstream has not synced so far, nil if nothing has failed. It is what
	// [Registration.Err] returns. Nil means that this is always nil.
	UpstreamErr func() error

	Trace  *Trace       // nil: nothing is traced
	Logger *slog.Logger // nil: discard
}

// state is the phase of a processor. It changes only in this order.
type state int

const (
	waiting state = iota // Run has not been called: listeners collect notifications
	running              // listeners deliver notifications
	stopped              // there are no listeners
)

// SharedProcessor calls any number of handlers with the same notifications in the same order, each
// at its own speed. All methods may be called from any goroutine, handlers included. Only
// [SharedProcessor.Run] and [SharedProcessor.ShutDownListener] wait for handlers.
type SharedProcessor struct {
	options    Options // not changed after New; Trace and Logger are not nil
	goroutines sync.WaitGroup

	// mu is held while a notification is handed to all listeners, so that all handlers get one
	// order. That never takes long, because a listener's pop is always ready and takes no lock. A
	// goroutine that holds mu must not wait for a handler, because the handler may be waiting for mu.
	mu             sync.Mutex
	state          state                // never goes back
	listeners      []*processorListener // none removed; all started if running; none if stopped
	registered     int                  // how many there have ever been, for names
	upstreamSynced bool                 // UpstreamSynced has been called
	resyncPeriod   time.Duration        // no listener's period is shorter, unless it is 0
	resyncSettled  bool                 // resyncPeriod does not change any more
	gathered       batch                // not distributed yet; fewer than maxBatch
}

// New returns a processor without handlers. It starts no goroutine.
func New(options Options) *SharedProcessor {
	options.Trace = cmp.Or(options.Trace, &Trace{})
	options.Logger = cmp.Or(options.Logger, slog.New(slog.DiscardHandler))
	period, _ := effectiveResync(options.ResyncPeriod, options.ResyncPeriod, false)
	return &SharedProcessor{options: options, resyncPeriod: period}
}

// Run calls the handlers until ctx ends. What waits then is dropped, except for handlers with
// [HandlerOptions.Drain]. It returns nil when the last call has returned and every goroutine of the
// processor has ended. If Run was called before, it returns [watchglass.ErrStarted] immediately.
func (p *SharedProcessor) Run(ctx context.Context) error {
	if !p.start() {
		return fmt.Errorf("processor: %w", watchglass.ErrStarted)
	}
	<-ctx.Done()
	p.stop()
	p.goroutines.Wait() // without mu: a handler may be waiting for it
	return nil
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
	p.flush() // a handler that drains gets all that was gathered
	p.state = stopped
	for _, l := range p.listeners {
		l.remove()
	}
	p.listeners = nil
}

// UpstreamSynced says that the whole initial list is in the store and has been gathered. From now
// on a registration has synced as soon as its handler has been called with all adds of its initial
// list.
func (p *SharedProcessor) UpstreamSynced() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.flush() // or the trackers would not wait for the last initial adds
	if p.upstreamSynced {
		return // upstream counts once
	}
	p.upstreamSynced = true
	for _, l := range p.listeners {
		l.tracker.finished()
	}
}
