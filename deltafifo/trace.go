package deltafifo

// Trace is a set of optional funcs that a queue calls with each of its steps, in their order. A nil
// func costs a comparison. What is reported is complete: a consumer need not count or remember.
//
// They are called with the queue's lock held: they must be quick and must not call the queue,
// except Len. Deltas are only valid during the call.
//
// A [RealFIFO] has the same trace. It has no keys, so it passes "" for them, and each of its deltas
// waits alone. It merges, ignores and requeues nothing.
type Trace struct {
	// Queued says that d has joined the queue, and what is now pending for the key. A key with one
	// pending delta has just been put at the end of the queue; one with more keeps its place.
	Queued func(key string, d Delta, pending Deltas, s State)
	// Merged says that one of two deletions in a row was dropped. It is called instead of Queued.
	// The one that was kept is the newest of those pending.
	Merged func(key string, dropped Delta, pending Deltas, s State)
	// Ignored says that a deletion was not queued because the object is neither queued nor known.
	Ignored func(key string, d Delta, s State)
	// Replaced says that a list has been queued, how many objects it had, and how many deletions it
	// showed. Queued or Merged was called for each of them before. (A RealFIFO queues a list as one
	// delta, and leaves the deletions to its consumer.)
	Replaced func(resourceVersion string, objects, deletions int, s State)
	// Popped says that a key and its deltas are about to be processed. They stay in the queue, and
	// count, until Processed.
	Popped func(key string, d Deltas, isInInitialList bool, s State)
	// Processed says that the process func has returned, and that the deltas have left the queue.
	Processed func(key string, s State)
	// Requeued says that popped deltas were put back at the end of the queue.
	Requeued func(key string, d Deltas, s State)
	// Synced says that HasSynced has become true. It is called once, before Synced's channel is
	// closed.
	Synced func(s State)
}

// State is what a queue counts, after the step that a trace reports.
type State struct {
	// Len is how many keys are queued, or in a RealFIFO how many deltas.
	Len int
	// Populated is true after the end of the first list, or after an event if that came earlier.
	Populated bool
	// InitialPopulationCount is how many entries of the first list are still to be processed.
	InitialPopulationCount int
	// Synced is what HasSynced returns: populated, and nothing of the first list is left.
	Synced bool
}
