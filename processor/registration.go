package processor

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// ErrForeign says that a registration was made by another processor, or by none.
var ErrForeign = errors.New("registration belongs to another processor")

// ListenerOptions are the settings of one registration. The zero value works.
type ListenerOptions struct {
	// Name stands in traces and logs. Empty means the handler's type and a number.
	Name string
	// ResyncPeriod is how often the handler wants to hear of every object in the cache, changed or
	// not. Zero means never. Less than a second is raised to a second.
	ResyncPeriod time.Duration
	// Drain lets the handler hear, after its removal or the end of Run, what was already waiting;
	// but one that is removed before Run is never called. The default is to drop it, as client-go
	// does: whoever removes a handler has usually torn down what the handler works on.
	Drain bool
}

// A Registration is one handler's place in a processor. Its methods may be called from anywhere.
type Registration struct {
	owner    *SharedProcessor
	listener *processorListener
}

// Name returns the name under which traces and logs speak of the handler.
func (r *Registration) Name() string { return r.listener.name }

// HasSynced reports whether the handler has been told of everything in its initial list: its calls
// have returned. A handler that is removed before that never becomes synced.
func (r *Registration) HasSynced() bool { return r.listener.tracker.HasSynced() }

// Synced returns a channel that is closed when HasSynced becomes true.
func (r *Registration) Synced() <-chan struct{} { return r.listener.tracker.Done() }

// Done returns a channel that is closed when the handler's last call has returned, after its
// removal or the end of Run. From a handler, wait for other handlers' at most: its own last call
// cannot return while it waits for itself.
func (r *Registration) Done() <-chan struct{} { return r.listener.done }

// Pending returns how many notifications wait for the handler, the current one not counted.
func (r *Registration) Pending() int { return int(r.listener.pending.Load()) }

// HighWater returns the most that ever waited. For a handler that keeps up, that is the length of
// the longest batch.
func (r *Registration) HighWater() int { return int(r.listener.highWater.Load()) }

// Delivered returns how many calls have returned.
func (r *Registration) Delivered() int { return int(r.listener.delivered.Load()) }

// AddListener registers a handler. The same handler registered twice is two registrations, and is
// then called from two goroutines.
//
// The initial notifications are for this handler alone, and it hears them before anything that is
// distributed later. They should be synthetic adds for what is in the store, and then the caller
// must see to it that between taking them from the store and the return of AddListener nothing is
// distributed: what came in between would be missed, or heard twice. AddListener takes the slice
// over.
//
// Before Run the handler is registered and everything waits for Run; while Run runs the first call
// is made at once; after it there is [ErrStopped]. AddListener never waits for a handler.
func (p *SharedProcessor) AddListener(handler ResourceEventHandler, options ListenerOptions,
	initial []Notification) (*Registration, error) {
	if handler == nil {
		return nil, errors.New("add listener: no handler")
	}
	count := countInitial(initial)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.state == stopped {
		return nil, fmt.Errorf("add listener: %w", ErrStopped)
	}
	l := p.newListener(handler, options)
	p.listeners = append(p.listeners, l)
	if p.options.Trace.ListenerAdded != nil {
		p.options.Trace.ListenerAdded(l.name, len(initial))
	}
	// Into the ring first, so that nothing can overtake. Counted before upstream's word is passed
	// on: the other way round the registration would be synced before its handler has heard a
	// thing.
	l.add(initial, count)
	if p.upstreamSynced {
		l.tracker.UpstreamHasSynced()
	}
	if p.state == running {
		l.start(&p.goroutines)
	}
	return &Registration{owner: p, listener: l}, nil
}

// RemoveListener sees to it that the handler gets nothing more: what waits is dropped (or, with
// [ListenerOptions.Drain], still delivered), and nothing new is accepted. It does not wait for the
// current call, so a handler may remove itself; see [Registration.Done] and
// [SharedProcessor.ShutDownListener].
//
// Removing what has been removed before, or is registered elsewhere, does nothing and is no error.
// Nil is ErrForeign.
func (p *SharedProcessor) RemoveListener(r *Registration) error {
	if r == nil {
		return fmt.Errorf("remove listener: %w", ErrForeign)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if r.owner == p && !isClosed(r.listener.gone) {
		p.listeners = slices.DeleteFunc(p.listeners, func(l *processorListener) bool {
			return l == r.listener
		})
		p.takeLeave(r.listener)
	}
	return nil
}

// ShutDownListener removes a handler and waits until its last call has returned: then what the
// handler works on may be torn down. If ctx ends first it returns ctx's cause, and the handler is
// removed all the same. A handler that shuts down itself waits for itself, until ctx ends.
//
// A registration of another processor is [ErrForeign]: waiting for a handler that nobody has
// removed would take for ever.
func (p *SharedProcessor) ShutDownListener(ctx context.Context, r *Registration) error {
	if r == nil || r.owner != p {
		return fmt.Errorf("shut down listener: %w", ErrForeign)
	}
	if err := p.RemoveListener(r); err != nil {
		return err
	}
	select {
	case <-r.Done():
		return nil
	case <-ctx.Done():
		return fmt.Errorf("shut down listener %s: its call has not returned: %w",
			r.Name(), context.Cause(ctx))
	}
}

// newListener is called with p.mu held.
func (p *SharedProcessor) newListener(h ResourceEventHandler,
	o ListenerOptions) *processorListener {
	p.registered++
	if o.Name == "" {
		o.Name = fmt.Sprintf("%T-%d", h, p.registered)
	}
	resync := p.agreeOnResync(o)
	return &processorListener{
		name:    o.Name,
		handler: h,
		drain:   o.Drain,
		trace:   p.options.Trace,
		logger:  p.options.Logger,
		onPanic: p.options.OnPanic,
		tracker: NewSingleFileTracker(),

		addCh:  make(chan []Notification),
		nextCh: make(chan []Notification),
		gone:   make(chan struct{}),
		done:   make(chan struct{}),

		syncing:  true, // and so it stays until ShouldResync is first called
		resync:   resync,
		resyncAt: time.Now().Add(resync),
	}
}

// takeLeave is called with p.mu held. The caller takes l out of p.listeners.
func (p *SharedProcessor) takeLeave(l *processorListener) {
	if p.options.Trace.ListenerRemoved != nil {
		p.options.Trace.ListenerRemoved(l.name)
	}
	l.leave()
}
