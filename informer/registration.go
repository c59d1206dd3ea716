package informer

import (
	"context"
	"errors"
	"time"

	"example.com/watchglass/processor"
)

// HandlerOptions are the settings of a handler. The zero value is right for most handlers.
type HandlerOptions struct {
	// Name names the handler in traces, logs and gauges. Empty: its type and number.
	Name string
	// ResyncPeriod is how often the whole cache is replayed to this handler, a second at least.
	// Zero: as often as [Options.ResyncPeriod] says. Negative: never. The informer checks which
	// handlers are due once in a period of its own, so each handler's period is rounded up to a
	// multiple of that. An informer without a period never checks. A handler that is added before
	// Run and asks for a shorter period shortens the informer's.
	ResyncPeriod time.Duration
	// Drain makes the informer deliver the notifications that wait for the handler when it is
	// removed or when Run ends. The default is to drop them, as client-go does.
	Drain bool
}

// AddEventHandler registers a handler, before or during Run. The handler is called with everything
// that is in the cache already, as adds with isInInitialList, and then with every change, in the
// order of the changes; nothing is left out and nothing comes twice. The calls are made on a
// goroutine of its own. The handler may be slow: notifications that wait for it are kept in memory.
//
// The same handler added twice is two handlers. After the informer has stopped, the error is
// [ErrStopped]. AddEventHandler panics if handler is nil or holds a nil pointer, or if it is a
// [Handler] with a Selector for objects without GetLabels. It blocks while a change is being
// processed, which is short.
func (s *SharedIndexInformer) AddEventHandler(
	handler processor.ResourceEventHandler, options HandlerOptions,
) (*processor.Registration, error) {
	mustWork(handler)
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

// RemoveEventHandler removes a handler. It gets no new notifications, and those that wait for it
// are dropped unless it has Drain; see [processor.Registration.Dropped]. RemoveEventHandler does
// not wait for the current call; [SharedIndexInformer.ShutDownEventHandler] does. Removing twice,
// or after the informer has stopped, is no error. A registration of another informer is
// [processor.ErrForeign]. RemoveEventHandler panics if r is nil.
func (s *SharedIndexInformer) RemoveEventHandler(r *processor.Registration) error {
	return s.processor.RemoveListener(r)
}

// ShutDownEventHandler removes a handler and waits until its last call has returned, or until ctx
// ends: then it returns ctx's cause. A handler that calls it for itself waits until ctx ends. The
// other errors are those of RemoveEventHandler.
func (s *SharedIndexInformer) ShutDownEventHandler(
	ctx context.Context, r *processor.Registration,
) error {
	return s.processor.ShutDownListener(ctx, r)
}
