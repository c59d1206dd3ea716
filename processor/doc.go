// Package processor tells every handler what happened, each at its own speed.
//
//	fakeapi ~~▶ reflector ──▶ deltafifo ──▶ (process loop) ──▶ indexer
//	                                              └─────────▶ [processor] ──▶ your handlers
//
// A [SharedProcessor] takes notifications (this was added, that was updated, the other deleted),
// gathers them into batches and hands each batch to all handlers registered with it. Between it and
// each handler stands a listener, two goroutines with a growing ring between them:
//
//	                             ┌──addCh──▶ pop ──nextCh──▶ run ──▶ handler 1
//	Gather ─▶ batch ── Flush ────┤            └─ ring
//	                             └──addCh──▶ pop ──nextCh──▶ run ──▶ handler 2
//	                                          └─ ring
//
// pop always listens, so Flush never waits for a handler. run always works, so a handler never
// waits for the stream. Batches that pop has taken and run cannot take yet are in the ring. The
// smallest use:
//
//	p := processor.New(processor.Options{})
//	registration, err := p.AddListener(handler, processor.ListenerOptions{}, nil)
//	go p.Run(ctx)
//	p.Gather(processor.AddNotification(obj, false), false)
//	p.Flush()
//
// # Why the ring has no bound
//
// The obvious alternative is a queue of fixed size per handler, with Flush waiting when one is
// full. Then the slowest handler sets the pace for all, and worse: Flush is called by the one
// goroutine that feeds the cache. A handler that waits for the cache to show something now waits
// for Flush, which waits for the handler. The event bus of tailscale began with bounded queues and
// ran into exactly this; it is unbounded since tailscale/tailscale#18020. The price is memory when
// a handler falls behind. It is visible in [Registration.Pending] and [Registration.HighWater], and
// given back as the handler catches up.
//
// # The end of a handler
//
// A handler's end is two events. It is removed: by RemoveListener or by the end of Run it was asked
// to go, and it is told nothing newer. It has ended: its last call has returned. Between the two
// the current call goes on, and with [ListenerOptions.Drain] all calls that waited.
//
// # What is promised
//
//   - A handler is called from one goroutine, one call at a time, with no lock held. It may call
//     any method of the processor, also while Run is ending.
//   - All handlers hear the same notifications in the same order, except sync notifications, which
//     go to those that are due; see [SharedProcessor.ShouldResync]. A handler that joins late hears
//     the adds of its initial list first.
//   - Gather, Flush, Distribute and AddListener wait for no handler, neither before Run nor during
//     it. A blocked handler delays only itself, and Run, which returns after the last call.
//   - A registration is synced when upstream is and its handler has been called with every add of
//     its initial list: never earlier, not prevented by a panic that OnPanic is told of, and never
//     reported on the way to a crash.
//   - Objects are not copied, and neither is a batch given to Distribute. They must not change.
//
// # What is not promised
//
//   - Order between handlers. One may be a hundred thousand notifications ahead of another.
//   - Delivery after removal, or after the end of Run: what waits is dropped, unless the handler
//     asked for [ListenerOptions.Drain]. [Registration.Dropped] says how much that was.
//   - Bounded memory; see above.
//   - Survival of a panic: it crashes the program, unless [Options.OnPanic] is set.
package processor
