package realfifo

import "example.com/watchglass/deltafifo"

// Trace is a set of funcs that a queue calls with each of its steps, in their order. Any of them
// may be nil, which costs a comparison.
//
// They are called with the queue's lock held: they must be quick and must not call the queue,
// except Len. Deltas are only valid during the call.
type Trace struct {
	// Queued says that d was put at the end of the queue.
	Queued func(d deltafifo.Delta)
	// Popped says that deltas are about to be processed. They leave the queue after that.
	Popped func(batch deltafifo.Deltas, isInInitialList bool)
	// Synced says that HasSynced has become true. It is called once.
	Synced func()
}
