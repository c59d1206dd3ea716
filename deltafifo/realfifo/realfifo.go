package realfifo

import (
	"cmp"
	"sync"
	"sync/atomic"

	"example.com/watchglass/deltafifo"
)

// Options are the settings of a queue. The zero value works.
type Options struct {
	// Transform is applied to every object of Add, Update, Delete and Replace before it is queued,
	// except to tombstones. Nil means that objects are queued as they are.
	Transform deltafifo.TransformFunc
	// Trace is called with every step of the queue. Nil means that nothing is traced.
	Trace *deltafifo.Trace
}

// RealFIFO is a queue of deltas in the order of their arrival. All methods may be called from any
// goroutine. It is made for one consumer. Several take turns: each waits until the process func of
// the other has returned, because otherwise they could store two states of an object in the wrong
// order.
type RealFIFO struct {
	transform deltafifo.TransformFunc // nil if there is none
	trace     *deltafifo.Trace        // not nil

	// mu guards all that follows except length. It is held while transforms run, but not while a
	// process func runs.
	mu sync.Mutex
	// changed is signalled when a delta is queued, the queue is closed, or processing becomes false.
	// Pop waits for it.
	changed sync.Cond

	// queue holds the deltas. Those that are being processed are still in front.
	queue []deltafifo.Delta
	// batchHas is empty, except while firstBatch runs: the objects of the batch so far.
	batchHas map[objectName]struct{}
	// processing is true while a process func runs.
	processing bool
	// lastVersion is the version of the newest delta that has one.
	lastVersion string

	// progress counts down what was queued at the end of the first Replace: the list, and resyncs
	// and bookmarks before it, which are not events. Each of them is a batch of its own, so a batch
	// counts as one.
	progress deltafifo.Progress
	closed   bool

	// length is how many deltas are in the queue, readable without the lock.
	length atomic.Int64
}

// objectName has what makes the key of an object. It is no key, because to join the two would be an
// allocation for each delta.
type objectName struct{ namespace, name string }

// New returns an empty queue.
func New(o Options) *RealFIFO {
	f := &RealFIFO{
		transform: o.Transform,
		trace:     cmp.Or(o.Trace, &deltafifo.Trace{}),
		batchHas:  map[objectName]struct{}{},
	}
	f.progress = deltafifo.NewProgress(f.traceSynced)
	f.changed.L = &f.mu
	return f
}

// Len returns how many deltas are queued. Those that are being processed still count. Len takes no
// lock, so that a process func, a transform or a trace may call it.
func (f *RealFIFO) Len() int { return int(f.length.Load()) }

// state returns the numbers for a trace. It is called with the lock held.
func (f *RealFIFO) state() deltafifo.State { return f.progress.State(len(f.queue)) }

func (f *RealFIFO) traceSynced() {
	if f.trace.Synced != nil {
		f.trace.Synced(f.state())
	}
}

// HasSynced says whether the first list has been processed: every delta that was queued at the end
// of the first Replace has been popped, and its process func has returned. It says nothing about
// what the process func returned, nor about handlers further down the pipe.
//
// An empty list is a delta, too: unlike in DeltaFIFO, it has to be processed. If Add, Update or
// Delete was called before the first Replace, HasSynced is true from then on, because there is no
// list to wait for. Once true it stays true.
func (f *RealFIFO) HasSynced() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.progress.HasSynced()
}

// Synced returns a channel that is closed when HasSynced becomes true. It is the same channel every
// time.
func (f *RealFIFO) Synced() <-chan struct{} { return f.progress.Synced() }
