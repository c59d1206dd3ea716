package processor

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"example.com/watchglass"
)

// ErrForeign says that a registration was made by another processor, or by none.
var ErrForeign = errors.New("registration belongs to another processor")

// ListenerOptions are the settings of one registration. The zero value works.
type ListenerOptions struct {
	// Name stands for the handler in traces and logs. Empty means the handler's type and a number.
	Name string
	// ResyncPeriod is how often the handler wants an update for every object in the cache, changed
	// or not. Zero means never. Less than a second is raised to a second.
	ResyncPeriod time.Duration
	// Drain makes the processor deliver what is already waiting when the handler is removed or Run
	// ends. False means that it is dropped, as in client-go: a caller that removes a handler has
	// usually torn down what the handler works on. A handler that is removed before Run is never
	// called, with or without Drain.
	Drain bool
}

// A Registration is one handler's place in a processor. Its methods may be called from any
// goroutine, handlers included.
type Registration struct {
	owner    *SharedProcessor
	listener *processorListener
}

// Name returns the handler's name in traces and logs.
func (r *Registration) Name() string { return r.listener.name }

// HasSynced reports whether upstream has synced and the handler's calls for all of its initial list
// have returned. It stays false for a handler that is removed before upstream has synced, or whose
// initial adds were dropped.
func (r *Registration) HasSynced() bool { return r.listener.tracker.HasSynced() }

// Synced returns a channel that is closed when HasSynced becomes true.
func (r *Registration) Synced() <-chan struct{} { return r.listener.tracker.Synced() }

// Ended returns a channel that is closed when the handler's last call has returned, after its
// removal or the end of Run. A handler may wait for the end of other handlers, but not for its own:
// its call cannot return while it waits.
func (r *Registration) Ended() <-chan struct{} { return r.listener.ended }

// ResyncPeriod returns how often the handler is resynced, 0 for never. It may be another period
// than the handler asked for; see [ListenerOptions] and [SharedProcessor.SettleResyncPeriod]. In
// practice it is rounded up to a multiple of the period in which ShouldResync is called.
func (r *Registration) ResyncPeriod() time.Duration { return r.listener.resync }

// Pending returns how many notifications wait for the handler, the current one not counted.
func (r *Registration) Pending() int { return int(r.listener.pending.Load()) }

// HighWater returns the largest number of notifications that ever waited. For a handler that keeps
// up, that is the length of the longest batch.
func (r *Registration) HighWater() int { return int(r.listener.highWater.Load()) }

// Delivered returns how many calls have returned. A call that panicked does not count.
func (r *Registration) Delivered() int { return int(r.listener.delivered.Load()) }

// Dropped returns how many notifications were still waiting when the handler ended, and so were
// never delivered. It is 0 until then. It stays 0 for a handler with [ListenerOptions.Drain],
// unless the handler is removed before Run.
func (r *Registration) Dropped() int { return int(r.listener.dropped.Load()) }

// AddListener registers a handler. The same handler registered twice is two registrations, and is
// then called from two goroutines.
//
// The handler is first called with the initial objects, as adds with isInInitialList, and then with
// everything that is distributed or gathered later. The initial objects should be those in the
// store. The caller must not distribute anything between reading them from the store and the return
// of AddListener: otherwise the handler would miss it or get it twice. AddListener does not keep
// the slice.
//
// Before Run the handler is registered, and its calls wait for Run. During Run its calls begin
// immediately. After Run the error is [ErrStopped]. AddListener never waits for a handler. It is an
// error if handler is nil.
func (p *SharedProcessor) AddListener(handler ResourceEventHandler, options ListenerOptions,
	initial []watchglass.Object) (*Registration, error) {
	if handler == nil {
		return nil, errors.New("add listener: the handler is nil")
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.state == stopped {
		return nil, fmt.Errorf("add listener: %w", ErrStopped)
	}
	p.flush() // to the earlier handlers: what was gathered is in this handler's initial objects
	l := p.newListener(handler, options)
	p.listeners = append(p.listeners, l)
	if p.options.Trace.ListenerAdded != nil {
		p.options.Trace.ListenerAdded(l.name, len(initial))
	}
	// The adds are in the ring before pop and run start, so that nothing can overtake them. They are
	// counted before UpstreamHasSynced: otherwise the tracker would be synced before the first call.
	for objs := range slices.Chunk(initial, maxBatch) {
		l.add(initialAdds(objs), len(objs))
	}
	if p.upstreamSynced {
		l.tracker.UpstreamHasSynced()
	}
	if p.state == running {
		l.start(&p.goroutines)
	}
	return &Registration{owner: p, listener: l}, nil
}

// RemoveListener removes a handler: what waits for it is dropped (or, with [ListenerOptions.Drain],
// still delivered), and the handler gets nothing newer. RemoveListener does not wait for the
// current call, so a handler may remove itself; see [Registration.Ended] and
// [SharedProcessor.ShutDownListener].
//
// Removing a handler twice, or after Run, does nothing and is no error. For a registration of
// another processor, and for nil, the error is [ErrForeign].
func (p *SharedProcessor) RemoveListener(r *Registration) error {
	if r == nil || r.owner != p {
		return fmt.Errorf("remove listener: %w", ErrForeign)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if isClosed(r.listener.removed) {
		return nil
	}
	p.flush() // a handler that drains gets all that was gathered before its removal
	p.listeners = slices.DeleteFunc(p.listeners, func(l *processorListener) bool {
		return l == r.listener
	})
	p.remove(r.listener)
	return nil
}

// ShutDownListener removes a handler and waits until it has ended: then what the handler works on
// may be torn down. If ctx ends first, the error wraps ctx's cause, and the handler is removed all
// the same. A handler that calls it for itself waits until ctx ends, because its own call cannot
// return before. The other errors are those of RemoveListener.
func (p *SharedProcessor) ShutDownListener(ctx context.Context, r *Registration) error {
	if err := p.RemoveListener(r); err != nil {
		return err
	}
	select {
	case <-r.Ended():
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
		resync:  resync,

		addCh:   make(chan []Notification),
		nextCh:  make(chan []Notification),
		removed: make(chan struct{}),
		ended:   make(chan struct{}),

		syncing:  true, // until the next call of ShouldResync
		resyncAt: time.Now().Add(resync),
	}
}

// remove is called with p.mu held. The caller takes l out of p.listeners.
func (p *SharedProcessor) remove(l *processorListener) {
	if p.options.Trace.ListenerRemoved != nil {
		p.options.Trace.ListenerRemoved(l.name)
	}
	l.remove()
}
