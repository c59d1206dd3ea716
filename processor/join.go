package processor

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"example.com/watchglass"
)

// ErrForeign says that a registration was made by another processor.
var ErrForeign = errors.New("registration belongs to another processor")

// HandlerOptions are the settings of one registration. The zero value is right for most handlers.
type HandlerOptions struct {
	// Name stands for the handler in traces and logs. Empty means the handler's type and a number.
	Name string
	// ResyncPeriod is how often the handler wants an update for every object in the cache, changed
	// or not, a second at least. Zero means as often as [Options.ResyncPeriod] says. Negative means
	// never. Which handlers are due is checked once in a period of the processor, so each handler's
	// period is rounded up to a multiple of that. A processor without a period never checks. A
	// handler that is added before Run and asks for a shorter period shortens the processor's.
	ResyncPeriod time.Duration
	// Drain makes the processor deliver what is already waiting when the handler is removed or Run
	// ends. False means that it is dropped, as in client-go: a caller that removes a handler has
	// usually torn down what the handler works on. A handler that is removed before Run is never
	// called, with or without Drain.
	Drain bool
}

// AddListener registers a handler. The same handler registered twice is two registrations, and is
// then called from two goroutines.
//
// The handler is first called with the initial objects, as adds with isInInitialList, and then with
// everything that is gathered later. The initial objects should be those in the store. The caller
// must not gather anything between reading them from the store and the return of AddListener:
// otherwise the handler would miss it or get it twice. AddListener does not keep the slice.
//
// Before Run the handler is registered, and its calls wait for Run. During Run its calls begin
// immediately. After Run the error is [watchglass.ErrStopped]. AddListener never waits for a
// handler. It panics if handler is nil.
func (p *SharedProcessor) AddListener(handler ResourceEventHandler, options HandlerOptions,
	initial []watchglass.Object) (*Registration, error) {
	if watchglass.IsNil(handler) {
		panic("processor: the handler is nil")
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.state == stopped {
		return nil, fmt.Errorf("add listener: %w", watchglass.ErrStopped)
	}
	p.flush() // to the earlier handlers: what was gathered is in this handler's initial objects
	l := p.newListener(handler, options)
	p.listeners = append(p.listeners, l)
	if p.options.Trace.ListenerAdded != nil {
		p.options.Trace.ListenerAdded(l.Name, initial)
	}
	// The adds are in the ring before pop and run start, so that nothing can overtake them. They are
	// counted before upstream is: otherwise the handler would have synced before its first call.
	for objs := range slices.Chunk(initial, maxBatch) {
		l.add(initialAdds(objs))
	}
	if p.upstreamSynced {
		l.tracker.finished()
	}
	if p.state == running {
		l.start(&p.goroutines)
	}
	return &Registration{owner: p, listener: l}, nil
}

// RemoveListener removes a handler: what waits for it is dropped (or, with [HandlerOptions.Drain],
// still delivered), and the handler gets nothing newer. RemoveListener does not wait for the
// current call, so a handler may remove itself; see [Registration.Ended] and
// [SharedProcessor.ShutDownListener].
//
// Removing a handler twice, or after Run, does nothing and is not an error. For a registration of
// another processor the error is [ErrForeign]. RemoveListener panics if the registration is nil.
func (p *SharedProcessor) RemoveListener(r *Registration) error {
	if r == nil {
		panic("processor: the registration is nil")
	}
	if r.owner != p {
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
	r.listener.remove()
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
	o HandlerOptions) *processorListener {
	p.registered++
	o.Name = cmp.Or(o.Name, fmt.Sprintf("%T-%d", h, p.registered))
	o.ResyncPeriod = p.agreeOnResync(o)
	l := &processorListener{
		HandlerOptions: o,
		shared:         &p.options,
		handler:        h,
		tracker:        newTracker(o.Name, p.options.Trace.Synced),

		addCh:   make(chan batch),
		nextCh:  make(chan batch),
		removed: make(chan struct{}),
		ended:   make(chan struct{}),

		syncing:  true, // until the next call of ShouldResync
		resyncAt: time.Now().Add(o.ResyncPeriod),
	}
	if trace := p.options.Trace.Ring; trace != nil {
		l.ring.onChange = func(batches, slots int) { trace(o.Name, batches, slots) }
	}
	return l
}
