// Package processor tells every handler what happened, each at its own speed.
//
//	fakeapi ~~▶ reflector ──▶ deltafifo ──▶ (process loop) ──▶ indexer
//	                                              └─────────▶ [processor] ──▶ your handlers
//
// A [SharedProcessor] takes batches of notifications (this was added, that was updated, the other
// deleted) and hands each to all handlers registered with it. Between it and each handler stands a
// listener, two goroutines with a growing ring between them:
//
//	                ┌──addCh──▶ pop ──nextCh──▶ run ──▶ handler 1
//	Distribute ─────┤            └─ ring
//	                └──addCh──▶ pop ──nextCh──▶ run ──▶ handler 2
//	                             └─ ring
//
// pop always listens, so Distribute never waits for a handler. run always works, so a handler never
// waits for the stream. What the one has taken and the other not yet wants is in the ring. The
// smallest use:
//
//	p := processor.New(processor.Options{})
//	registration, err := p.AddListener(handler, processor.ListenerOptions{}, nil)
//	go p.Run(ctx)
//	p.Distribute([]processor.Notification{processor.AddNotification(obj, false)}, false)
//
// # Why the ring has no bound
//
// The obvious alternative is a queue of fixed size per handler, with Distribute waiting when one is
// full. Then the slowest handler sets the pace for all, and worse: Distribute is called by the one
// goroutine that feeds the cache. A handler that waits for the cache to show something now waits
// for Distribute, which waits for the handler. The event bus of tailscale began with bounded queues
// and ran into exactly this; it is unbounded since tailscale/tailscale#18020. The price is memory
// when a handler falls behind. It is paid by that handler alone, visible in [Registration.Pending]
// and [Registration.HighWater], and given back when the handler has caught up.
//
// # What is promised
//
//   - A handler is called from one goroutine, one call at a time, with no lock held. It may call
//     any method of the processor, also while Run is ending.
//   - All handlers hear the same batches in the same order, except sync batches, which go to those
//     that are due; see [SharedProcessor.ShouldResync]. A handler that joins late hears its initial
//     notifications first.
//   - Distribute and AddListener wait for no handler, neither before Run nor during it. A blocked
//     handler delays nobody but itself, and at the end Run, which returns when the last call has.
//   - A registration is synced when upstream is and its handler has returned from every add of its
//     initial list: never earlier, and not prevented by a panic.
//   - A batch is not copied. It must not change after it was handed over, and neither may objects.
//
// # What is not promised
//
//   - Order between handlers. One may be a hundred thousand notifications ahead of another.
//   - Delivery after removal, or after the end of Run: what waits is dropped, unless the handler
//     asked for [ListenerOptions.Drain].
//   - Bounded memory; see above.
//   - Survival of a panic: it crashes the program, unless [Options.OnPanic] is set.
package processor
