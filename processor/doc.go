// Package processor notifies every handler of what happened, each at its own speed.
//
//	fakeapi ~~▶ reflector ──▶ deltafifo ──▶ (process loop) ──▶ indexer
//	                                              └─────────▶ [processor] ──▶ your handlers
//
// A [SharedProcessor] takes notifications (an object was added, updated or deleted) and hands them
// to all handlers registered with it. Between it and each handler there is a listener: two
// goroutines with a growing ring between them:
//
//	                 ┌──addCh──▶ pop ──nextCh──▶ run ──▶ handler 1
//	Gather, Flush ───┤            └─ ring
//	                 └──addCh──▶ pop ──nextCh──▶ run ──▶ handler 2
//	                              └─ ring
//
// pop is always ready to receive, so Flush never waits for a handler. run calls the handler with
// one notification after the other. What pop has received and run cannot take yet waits in the
// ring. The smallest use:
//
//	p := processor.New(processor.Options{})
//	registration, err := p.AddListener(handler, processor.HandlerOptions{}, nil)
//	go p.Run(ctx)
//	p.Gather(processor.AddNotification(obj, false), false)
//	p.Flush()
//
// Reading order: notification.go, handler.go, processor.go; then the way of a notification in
// distribute.go, listener.go, pop.go, ring.go, run.go; then join.go for how a handler comes and
// goes.
//
// # Why the ring has no bound
//
// The obvious alternative is a queue of fixed size per handler, with Flush waiting when one is
// full. Then the slowest handler sets the pace for all. Worse, Flush is called by the one goroutine
// that writes to the cache. If a handler waits until the cache holds some object, it waits for
// Flush, and Flush waits for the handler: a deadlock. The event bus of tailscale began with bounded
// queues and had exactly this; it is unbounded since tailscale/tailscale#18020. The price of a ring
// without a bound is memory when a handler falls behind. [Registration.Pending] and
// [Registration.HighWater] show how much, and it is given back as the handler catches up.
//
// # The end of a handler
//
// A handler ends in two steps. First it is removed, by RemoveListener or at the end of Run: it gets
// no newer notifications. Then it has ended: its last call has returned. Between the two the
// current call goes on and, with [HandlerOptions.Drain], so do the calls for all notifications
// that waited.
//
// # What is promised
//
//   - A handler is called from one goroutine, one call at a time, with no lock held. It may call
//     any method of the processor, also while Run is ending.
//   - All handlers get the same notifications in the same order, except replays, which change
//     nothing and go to those that are due; see [SharedProcessor.ShouldResync]. A handler that
//     joins late gets the adds of its initial list first.
//   - Gather, Flush and AddListener do not wait for handlers, neither before Run nor during it. A
//     blocked handler delays only itself, and Run, which returns after the last call.
//   - A registration has synced when upstream has and when the handler's calls for all adds of its
//     initial list are over. A call that panics counts, if OnPanic is set; if the panic crashes the
//     program, no sync is reported.
//   - A handler that is removed keeps nothing of what waited for it, even if its call hangs, except
//     the rest of the batch that the call belongs to: at most 127 notifications.
//   - Objects are not copied. They must not change.
//
// # What is not promised
//
//   - Order between handlers. A handler may be a hundred thousand notifications ahead of another.
//   - Delivery after removal, or after the end of Run: what waits is dropped, unless the handler
//     was added with [HandlerOptions.Drain]. [Registration.Dropped] says how much that was.
//   - Bounded memory; see above.
//   - Survival of a panic: it crashes the program, unless [Options.OnPanic] is set.
package processor
