package deltafifo

import (
	"cmp"
	"sync"
	"sync/atomic"
)

// This file and the other realfifo files are off the reading path: DeltaFIFO is enough to
// understand how an informer works.

// RealFIFOOptions are the settings of a [RealFIFO]. The zero value works.
type RealFIFOOptions struct {
	// Transform is applied to every object of Add, Update, Delete and Replace before it is queued,
	// except to tombstones. Nil means that objects are queued as they are.
	Transform TransformFunc
	// Trace is called with every step of the queue. Nil means that nothing is traced.
	Trace *Trace
}

// RealFIFO is the ordered sibling of [DeltaFIFO]: a queue of deltas in the order in which they
// arrived. client-go's informers have run on a queue of this kind since Kubernetes 1.33. Each event
// becomes one delta at the end of the queue. So does a list ([ReplacedAll]), a resync ([SyncAll])
// and a version without an event ([Bookmark]):
//
//	q := deltafifo.NewRealFIFO(deltafifo.RealFIFOOptions{})
//	q.Replace(list, "100")                      // producer: what a list returned
//	q.Update(obj)                               // producer: what a watch reports
//	q.PopBatch(func(batch deltafifo.Deltas, initial bool) error { … }) // consumer
//
// # Why there are two
//
// The first reason is order. DeltaFIFO is a queue of keys. If web-1 is queued, a new event for it
// is processed before an older event for web-2. The cache then holds a mixture that never existed
// on the server, so it is not the state at any version. Here the cache passes through the states of
// the server one by one, and "the cache has reached version 117" has a meaning. See
// https://github.com/kubernetes/enhancements/issues/5647.
//
// The second reason is what DeltaFIFO must know. To find the deletions that a list shows, it
// compares the list with the consumer's cache and with its own content. It can do so only while no
// delta is between the two, so its lock is held while the consumer works. Here the consumer makes
// the comparison, when it processes the list. By then all that came before the list is in the
// cache, so the cache alone is enough. The queue needs no known objects, and the producer goes on
// while the consumer works.
//
// The price: an object that changes ten times while it waits is ten deltas in ten places, and the
// consumer has to know three more types of delta.
//
// # What is promised
//
// Order. Deltas come out in the order in which they were queued. Nothing is merged, dropped or
// moved. A deletion is queued even if the object was never seen: only the consumer's cache shows
// whether the deletion is news.
//
// Atomic lists. A list is queued whole or not at all: if one object has no key, Replace fails and
// nothing has changed. In the place of an object that cannot be used stands its identity.
//
// Every state is seen. A batch of PopBatch holds each object at most once. So a consumer that
// applies a batch to its cache in one step still shows its readers every state of every object.
//
// Ownership. Objects are shared and must not be modified; only the transform may. The queue keeps
// the slice that Replace is given. The process func of PopBatch must not keep its batch.
//
// Blocking. Pop and PopBatch wait for deltas, and for the process func of another Pop. All other
// methods wait only for a lock, which is free while a process func runs.
//
// One consumer. All methods may be called from any goroutine, but several consumers take turns:
// each waits until the process func of the other has returned. Otherwise they could store two
// states of an object in the wrong order.
//
// # What is not promised
//
// Versions in order. The queue does not look for the larger of two resource versions: if the
// producer sends an older state after a newer one, the consumer gets them in that order.
//
// Bounded memory. A queue grows with the events for which its consumer has had no time. client-go
// holds the lock during a batch behind which 2000 deltas or more wait, so that the producer waits.
//
// Other keys than watchglass.MetaNamespaceKeyFunc makes, and the other modes of client-go's
// RealFIFO. It has three: a list becomes one delta per object, for which the queue has to know the
// consumer's cache, as DeltaFIFO does; or a list becomes one delta, and the lock is held while the
// consumer works; or it becomes one delta, and the lock is free. Here there is only the last mode,
// which is client-go's default.
type RealFIFO struct {
	transform TransformFunc // nil if there is none
	trace     *Trace        // not nil

	// mu guards all that follows except length. It is held while transforms run, but not while a
	// process func runs.
	mu sync.Mutex
	// changed is signalled when a delta is queued, the queue is closed, or processing becomes false.
	// Pop waits for it.
	changed sync.Cond

	// queue holds the deltas. Those that are being processed are still in front.
	queue []Delta
	// batchHas is empty, except while firstBatch runs: the objects of the batch so far.
	batchHas map[objectName]struct{}
	// processing is true while a process func runs.
	processing bool
	// lastVersion is the version of the newest delta that has one.
	lastVersion string

	// progress counts down what was queued at the end of the first Replace: the list, and resyncs
	// and bookmarks before it, which are not events. Each of them is a batch of its own, so a batch
	// counts as one.
	progress progress
	closed   bool

	// length is how many deltas are in the queue, readable without the lock.
	length atomic.Int64
}

// objectName has what makes the key of an object. It is no key, because to join the two would be an
// allocation for each delta.
type objectName struct{ namespace, name string }

// NewRealFIFO returns an empty queue.
func NewRealFIFO(o RealFIFOOptions) *RealFIFO {
	f := &RealFIFO{
		transform: o.Transform,
		trace:     cmp.Or(o.Trace, &Trace{}),
		batchHas:  map[objectName]struct{}{},
	}
	f.progress = newProgress(f.traceSynced)
	f.changed.L = &f.mu
	return f
}

// Len returns how many deltas are queued. Those that are being processed still count. Len takes no
// lock, so that a process func, a transform or a trace may call it.
func (f *RealFIFO) Len() int { return int(f.length.Load()) }

// state returns the numbers for a trace. It is called with the lock held.
func (f *RealFIFO) state() State { return f.progress.state(len(f.queue)) }

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
	return f.progress.hasSynced()
}

// Synced returns a channel that is closed when HasSynced becomes true. It is the same channel every
// time.
func (f *RealFIFO) Synced() <-chan struct{} { return f.progress.synced }
