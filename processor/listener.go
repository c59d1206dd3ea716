package processor

import (
	"log/slog"
	"sync"
	"sync/atomic"
	"time"
)

// A processorListener stands between the processor and one handler, so that neither waits for the
// other. It is two goroutines and two channels:
//
//	add ──addCh──▶ pop ──nextCh──▶ run ──▶ handler
//	                │
//	              ring   batches for which the handler has not had time yet
//
// The channels carry batches: slices that do not change any more. A hop through an unbuffered
// channel costs as much as ten calls of a small handler, so it should carry more than one
// notification. All listeners share the slices, so a hundred handlers do not need a hundred copies.
type processorListener struct {
	name    string
	handler ResourceEventHandler
	drain   bool // see ListenerOptions.Drain
	trace   *Trace
	logger  *slog.Logger
	onPanic func(listener string, n Notification, recovered any) // nil: the program crashes
	tracker *SingleFileTracker
	resync  time.Duration // how often it is resynced; 0: never

	addCh  chan []Notification // to pop; closed by remove, under the processor's lock
	nextCh chan []Notification // from pop to run; closed by pop

	// The two events at the end of a listener's life, in this order.
	removed chan struct{} // closed by remove: nothing more is added
	ended   chan struct{} // closed by end: its last call has returned

	// ring holds batches, none of them empty. Until started it is guarded by the processor's lock,
	// from then on it is pop's alone.
	ring RingGrowing[[]Notification]

	// The processor's lock guards these.
	started  bool      // pop and run have been started
	syncing  bool      // sync batches are for this listener, too; see SharedProcessor.ShouldResync
	resyncAt time.Time // when the next resync is due; means nothing while resync is 0

	// Counts of notifications. A notification that waits may be in a channel, in pop's hand, in the
	// ring or in the rest of run's batch.
	pending   atomic.Int64 // whose call has not begun; raised by add, lowered by run
	highWater atomic.Int64 // the most that pending ever was; written under the processor's lock
	delivered atomic.Int64 // whose call has returned; written by run
	dropped   atomic.Int64 // whose call will never be made; written by end
}

// add hands over a batch, of which initial notifications are adds of the initial list. It waits for
// pop, which is always ready, and never for the handler. The caller holds the processor's lock, so
// that no batch overtakes another and none is added after remove.
func (l *processorListener) add(batch []Notification, initial int) {
	if len(batch) == 0 {
		return
	}
	// Counted before the batch is sent: run may finish the first adds before the send returns.
	l.tracker.Start(initial)
	depth := l.pending.Add(int64(len(batch)))
	l.highWater.Store(max(l.highWater.Load(), depth))
	if l.started {
		l.addCh <- batch
	} else {
		l.ring.WriteOne(batch)
	}
	if l.trace.Pending != nil {
		l.trace.Pending(l.name, int(depth))
	}
}

// start starts pop and run, which begin with what is already in the ring. They end after remove;
// goroutines.Wait waits for them. The caller holds the processor's lock.
func (l *processorListener) start(goroutines *sync.WaitGroup) {
	l.started = true
	goroutines.Go(l.pop)
	goroutines.Go(l.run)
}

// remove asks the goroutines to end and does not wait for them. The caller holds the processor's
// lock, and must release it before it waits for them: the handler may be waiting for the lock.
func (l *processorListener) remove() {
	close(l.removed)
	close(l.addCh)
	if !l.started {
		l.end()
	}
}

// end is called when no further call will be made. It drops what waits: the program may keep the
// registration for long, and with it the ring. pop has ended or was never started, so nothing else
// uses the ring.
func (l *processorListener) end() {
	l.dropped.Store(l.pending.Swap(0))
	l.ring = RingGrowing[[]Notification]{}
	if l.trace.ListenerEnded != nil {
		l.trace.ListenerEnded(l.name, int(l.dropped.Load()))
	}
	close(l.ended)
}
