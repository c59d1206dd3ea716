package informer

import (
	"context"
	"fmt"

	"example.com/watchglass"
	"example.com/watchglass/processor"
)

// AddEventHandler registers a handler, before or during Run. The handler is called with everything
// that is in the cache already, as adds with isInInitialList, and then with every change, in the
// order of the changes; nothing is left out and nothing comes twice. The calls are made on a
// goroutine of its own. The handler may be slow: notifications that wait for it are kept in memory.
//
// The same handler added twice is two handlers. After the informer has stopped, the error is
// [watchglass.ErrStopped]. AddEventHandler panics if handler is nil or holds a nil pointer, or if
// it is a [Handler] with a Selector for objects without GetLabels. It blocks while a change is
// being processed, which is short.
func (s *SharedIndexInformer) AddEventHandler(
	handler processor.ResourceEventHandler, options processor.HandlerOptions,
) (*processor.Registration, error) {
	mustWork(handler)
	if s.IsStopped() { // although handlers that drain may still be called
		return nil, fmt.Errorf("add event handler: %w", watchglass.ErrStopped)
	}
	s.blockDeltas.Lock()
	defer s.blockDeltas.Unlock()
	return s.processor.AddListener(handler, options, s.indexer.List())
}

// RemoveEventHandler removes a handler. It gets no new notifications, and those that wait for it
// are dropped unless it has Drain; see [processor.Registration.Dropped]. RemoveEventHandler does
// not wait for the current call; [SharedIndexInformer.ShutDownEventHandler] does. Removing twice,
// or after the informer has stopped, is not an error. A registration of another informer is
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
