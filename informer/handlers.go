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
	// multiple of how often the informer looks who is due; an informer without a resync period
	// never looks. A shorter period asked for before Run makes it look more often.
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
	if options.ResyncPeriod == 0 {
		options.ResyncPeriod = s.options.ResyncPeriod
	}
	// Whoever joins is handed the cache as it is. If deltas were processed meanwhile, an object
	// that comes between the copy and the joining would be told never, or twice.
	s.blockDeltas.Lock()
	defer s.blockDeltas.Unlock()
	s.outbox.flush() // to those who were here before: the newcomer finds these in the cache
	var initial []processor.Notification
	for _, obj := range s.indexer.List() {
		initial = append(initial, processor.AddNotification(obj, true))
	}
	r, err := s.processor.AddListener(handler, processor.ListenerOptions{
		Name:         options.Name,
		ResyncPeriod: max(options.ResyncPeriod, 0),
		Drain:        options.Drain,
	}, initial)
	if errors.Is(err, processor.ErrStopped) {
		return nil, ErrStopped
	}
	return r, err
}

// RemoveEventHandler takes a handler out: it is told nothing more, what still waits for it is
// dropped unless it asked for Drain. It does not wait for a call that is going on;
// [SharedIndexInformer.ShutDownEventHandler] does. Removing twice, or after the informer has
// stopped, is no error, and a registration of another informer is left alone.
func (s *SharedIndexInformer) RemoveEventHandler(r *processor.Registration) error {
	return s.processor.RemoveListener(r)
}

// ShutDownEventHandler removes a handler and waits until its last call has returned, or until ctx
// ends, whose error it then returns. A handler cannot wait for itself this way. A registration of
// another informer is [processor.ErrForeign].
func (s *SharedIndexInformer) ShutDownEventHandler(
	ctx context.Context, r *processor.Registration,
) error {
	return s.processor.ShutDownListener(ctx, r)
}
