package deltafifo

// Trace is a set of funcs that a queue calls with each of its steps, in their order. Any of them
// may be nil, which costs a comparison.
//
// They are called with the queue's lock held: they must be quick and must not call the queue.
// Deltas are only valid during the call.
type Trace struct {
	// Queued says that d has joined the queue, and what is now pending for the key. A key with one
	// pending delta has just been put at the end of the queue; one with more keeps its place.
	Queued func(key string, d Delta, pending Deltas)
	// Merged says that one of two deletions in a row was dropped. It is called instead of Queued.
	Merged func(key string, kept, dropped Delta)
	// Ignored says that a deletion was not queued because the object is neither queued nor known.
	Ignored func(key string, d Delta)
	// Replaced says that a list has been queued, how many objects it had, and how many deletions it
	// showed. Queued or Merged was called for each of them before.
	Replaced func(resourceVersion string, objects, deletions int)
	// Popped says that a key and its deltas are about to be processed. They leave the queue after
	// that.
	Popped func(key string, d Deltas, isInInitialList bool)
	// Requeued says that popped deltas were put back at the end of the queue.
	Requeued func(key string, d Deltas)
	// Synced says that HasSynced has become true. It is called once.
	Synced func()
}
