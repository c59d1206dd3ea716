package informer

import (
	"context"
	"errors"
	"time"

	"example.com/watchglass/processor"
)

// HandlerOptions says how a handler wants to be told. The zero value is right for most.
type HandlerOptions struct {
	// Name names the handler in traces, logs and gauges. Empty: its type and number.
	Name string
	// ResyncPeriod is how often this handler wants the whole cache replayed. Zero: as often as
	// [Options.ResyncPeriod] says. Negative: never. It is rounded up to a second, and to a
	// multiple of the informer's own period, at which it checks which handlers are due. Without
	// one it never checks. A handler added before Run that asks for less shortens it.
	ResyncPeriod time.Duration
	// Drain lets the handler hear, after its removal or the end of Run, what was already waiting
	// for it. The default is to drop that, as client-go does.
	Drain bool
}

// AddEventHandler registers a handler, before or during Run. It is told of everything that is in
// the cache already, as adds with isInInitialList, and then of every change, in the order of the
// changes; nothing is left out or told twice. The handler is called on a goroutine of its own and
// may take its time: what it has not been told yet waits in memory.
//
// The same handler added twice is two handlers. After the informer has stopped, the error is
// [ErrStopped]. The call blocks while a change is being processed, which is short.
func (s *SharedIndexInformer) AddEventHandler(
	handler processor.ResourceEventHandler, options HandlerOptions,
) (*processor.Registration, error) {
	if s.IsStopped() { // although handlers that drain may still be called
		return nil, ErrStopped
	}
	if options.ResyncPeriod == 0 {
		options.ResyncPeriod = s.options.ResyncPeriod
	}
	s.blockDeltas.Lock()
	defer s.blockDeltas.Unlock()
	r, err := s.processor.AddListener(handler, processor.ListenerOptions{
		Name:         options.Name,
		ResyncPeriod: max(options.ResyncPeriod, 0),
		Drain:        options.Drain,
	}, s.indexer.List())
	if errors.Is(err, processor.ErrStopped) {
		return nil, ErrStopped
	}
	return r, err
}

// RemoveEventHandler removes a handler: it is told nothing newer, and what waits for it is dropped
// unless it asked for Drain; see [processor.Registration.Dropped]. RemoveEventHandler does not wait
// for the current call; [SharedIndexInformer.ShutDownEventHandler] does. Removing twice, or after
// the informer has stopped, is no error. A registration of another informer is
// [processor.ErrForeign].
func (s *SharedIndexInformer) RemoveEventHandler(r *processor.Registration) error {
	return s.processor.RemoveListener(r)
}

// ShutDownEventHandler removes a handler and waits until its last call has returned, or until ctx
// ends: then it returns ctx's cause. A handler that shuts down itself waits for itself, until ctx
// ends. The other errors are those of RemoveEventHandler.
func (s *SharedIndexInformer) ShutDownEventHandler(
	ctx context.Context, r *processor.Registration,
) error {
	return s.processor.ShutDownListener(ctx, r)
}
