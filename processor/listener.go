package processor

import (
	"sync"
	"sync/atomic"
	"time"
)

// A processorListener stands between the processor and one handler, so that neither waits for the
// other. It is two goroutines and two channels:
//
//	add ──addCh──▶ pop ──nextCh──▶ run ──▶ handler
//	                │
//	              ring   notifications for which the handler has not had time yet
//
// Where the code hands over a batch, read "a notification": a batch is a few of them, for speed
// only (distribute.go).
type processorListener struct {
	HandlerOptions          // Name is not empty, ResyncPeriod is what the handler gets
	shared         *Options // the processor's
	handler        ResourceEventHandler
	tracker        *tracker

	addCh  chan batch // to pop; closed by remove, under the processor's lock
	nextCh chan batch // from pop to run; closed by pop

	// The two events at the end of a listener's life, in this order.
	removed chan struct{} // closed by remove: nothing more is added
	ended   chan struct{} // closed by end: its last call has returned

	// ring holds what pop has received and run has not. Until started it is guarded by the
	// processor's lock, from then on it is pop's alone.
	ring ring[batch]

	// The processor's lock guards these.
	started  bool      // pop and run have been started
	syncing  bool      // replays are for this listener, too; see ShouldResync
	resyncAt time.Time // when the next resync is due; means nothing if ResyncPeriod is 0

	// Counts of notifications. One that waits may be in a channel, in the ring or with run.
	pending   atomic.Int64 // whose call has not begun; raised by add, lowered by run
	highWater atomic.Int64 // the most that pending ever was; written under the processor's lock
	delivered atomic.Int64 // whose call has returned; written by run
	dropped   atomic.Int64 // whose call will never be made; written by end
}

// gets says whether a batch is for this listener. The caller holds the processor's lock.
func (l *processorListener) gets(b batch) bool { return l.syncing || !b.isSync }

// add waits for pop, which is always ready, and never for the handler. The caller holds the
// processor's lock, so that nothing overtakes and nothing is added after remove.
func (l *processorListener) add(b batch) {
	l.tracker.start(b.initial)
	depth := l.pending.Add(int64(len(b.list)))
	highWater := max(l.highWater.Load(), depth)
	l.highWater.Store(highWater)
	if l.shared.Trace.Pending != nil {
		l.shared.Trace.Pending(l.Name, int(depth), int(highWater))
	}
	if l.started {
		l.addCh <- b
	} else {
		l.ring.push(b)
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
	if l.shared.Trace.ListenerRemoved != nil {
		l.shared.Trace.ListenerRemoved(l.Name)
	}
	close(l.removed)
	close(l.addCh)
	if !l.started {
		l.end()
	}
}

// end is called when no further call will be made. What waits is dropped: pop has emptied the ring,
// or was never started, and the program may keep the registration for long.
func (l *processorListener) end() {
	l.dropped.Store(l.pending.Swap(0))
	l.ring.clear()
	if l.shared.Trace.ListenerEnded != nil {
		l.shared.Trace.ListenerEnded(l.Name, int(l.dropped.Load()))
	}
	close(l.ended)
}
