package deltafifo

import (
	"cmp"
	"sync"
	"sync/atomic"

	"example.com/watchglass"
)

// KnownObjects is the consumer's cache. The indexer implements it. Its methods are called with the
// queue's lock held, so an implementation may take locks of its own but must not call the queue.
type KnownObjects interface {
	// ListKeys returns the keys of all known objects, in any order. The slice belongs to the
	// caller.
	ListKeys() []string
	// GetByKey returns the known object, nil if there is none, and whether there is one. If the
	// look-up fails, Delete and Replace treat the object as known, and Resync skips it.
	GetByKey(key string) (watchglass.Object, bool, error)
}

// Options are the settings of a queue. The zero value works.
type Options struct {
	// KeyFunc computes the key under which an object is queued. It is not called for tombstones.
	// Nil means watchglass.MetaNamespaceKeyFunc.
	KeyFunc watchglass.KeyFunc
	// KnownObjects is the cache that the consumer fills from the deltas. Nil means that the queue
	// knows only what is queued: Replace finds deletions only there, and Resync does nothing.
	KnownObjects KnownObjects
	// Transform is applied to every object before it is queued. Nil means that objects are queued
	// as they are.
	Transform TransformFunc
	// Trace is called with every step of the queue. Nil means that nothing is traced.
	Trace *Trace
}

// DeltaFIFO is a queue of keys with a list of deltas for each. All methods may be called from any
// goroutine. It is made for one consumer: two goroutines that work on what Pop returns could hold
// deltas of the same key at the same time, and store them in the wrong order.
type DeltaFIFO struct {
	keyFunc   watchglass.KeyFunc // handles tombstones
	known     KnownObjects       // nil if there is none
	transform TransformFunc      // nil if there is none
	trace     *Trace             // not nil

	// mu guards all that follows except length. It is held while transforms, process funcs and the
	// methods of KnownObjects run, so it is always locked before any lock that these take.
	mu sync.Mutex
	// arrived is signalled when a key is queued or the queue is closed. Pop waits for it.
	arrived sync.Cond

	// items holds what is pending for each key. A key is in items if and only if it is in queue; no
	// Deltas is empty.
	items map[string]Deltas
	// mostItems is the largest number of keys that items was made for, or has held.
	mostItems int
	// queue holds the keys in the order in which they will be popped, each once.
	queue []string

	// progress counts down the keys of the first Replace.
	progress progress
	closed   bool

	// length is the length of queue, readable without the lock.
	length atomic.Int64
}

// New returns an empty queue.
func New(o Options) *DeltaFIFO {
	f := &DeltaFIFO{
		keyFunc:   DeletionHandlingKeyFunc(o.KeyFunc),
		known:     o.KnownObjects,
		transform: o.Transform,
		trace:     cmp.Or(o.Trace, &Trace{}),
		items:     map[string]Deltas{},
	}
	f.progress = newProgress(f.traceSynced)
	f.arrived.L = &f.mu
	return f
}

// Len returns how many keys are queued. A key that is being processed still counts. Len takes no
// lock, so that a process func, a transform or a trace may call it, and a metric does not wait for
// them.
func (f *DeltaFIFO) Len() int { return int(f.length.Load()) }

// state returns the numbers for a trace. It is called with the lock held.
func (f *DeltaFIFO) state() State { return f.progress.state(len(f.queue)) }

func (f *DeltaFIFO) traceSynced() {
	if f.trace.Synced != nil {
		f.trace.Synced(f.state())
	}
}

// HasSynced says whether the first list has been processed: every key that was queued at the end of
// the first Replace has been popped, and its process func has returned. It says nothing about what
// the process func returned, nor about handlers further down the pipe.
//
// It is true immediately if nothing is queued at the end of the first Replace, and also if Add,
// Update or Delete was called before it: then there is no list to wait for. Once true it stays
// true. HasSynced waits for a running process func.
func (f *DeltaFIFO) HasSynced() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.progress.hasSynced()
}

// Synced returns a channel that is closed when HasSynced becomes true. It is the same channel every
// time.
//
// client-go's DeltaFIFO closes its channel when the last key of the list is taken, so a goroutine
// that waits for it may look for the last object before it is stored. Here the channel is closed
// when that key has been processed.
func (f *DeltaFIFO) Synced() <-chan struct{} { return f.progress.synced }

// KeyOf returns the key under which obj is queued: for a tombstone the key that it holds, for every
// other object what Options.KeyFunc returns. The error is a *watchglass.KeyError.
func (f *DeltaFIFO) KeyOf(obj watchglass.Object) (string, error) { return f.keyFunc(obj) }

// KeyOfDeltas returns the key of the newest delta's object. The others are older states of the same
// object. The error is a *watchglass.KeyError, also if d is empty.
func (f *DeltaFIFO) KeyOfDeltas(d Deltas) (string, error) {
	if len(d) == 0 {
		return f.KeyOf(nil)
	}
	return f.KeyOf(d.Newest().Object)
}
