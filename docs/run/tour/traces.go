package main

import (
	"time"

	"example.com/watchglass"
	"example.com/watchglass/deltafifo"
	"example.com/watchglass/docs/tools/lanes"
	"example.com/watchglass/docs/tools/words"
	"example.com/watchglass/fakeapi"
	"example.com/watchglass/indexer"
	"example.com/watchglass/informer"
	"example.com/watchglass/processor"
	"example.com/watchglass/reflector"
)

// saw adds the cell of an event: its lane says which stage has reported it.
func (r *recorder) saw(lane int, e words.Event) {
	r.add(lanes.Cell{Lane: lane, Object: e.Key, Text: e.Brief, Alarm: e.Fault})
}

// serverTrace returns the trace of the fake API server.
func (r *recorder) serverTrace() *fakeapi.Trace {
	return &fakeapi.Trace{
		Request:   func(q fakeapi.Request) { r.saw(apiServer, words.Requested(q)) },
		Committed: func(c fakeapi.Change) { r.saw(apiServer, words.Committed(c)) },
		Sent:      func(q fakeapi.Request, f fakeapi.FrameInfo) { r.saw(apiServer, words.Sent(q, f)) },
		WatchEnded: func(_ fakeapi.Request, why fakeapi.EndReason) {
			r.saw(apiServer, words.WatchEnded(why))
		},
	}
}

// trace returns the traces of the informer's stages.
func (r *recorder) trace() informer.Trace {
	return informer.Trace{
		Reflector: r.reflectorTrace(),
		DeltaFIFO: r.queueTrace(),
		Indexer:   r.indexerTrace(),
		Processor: r.processorTrace(),
	}
}

// reflectorTrace returns a trace that leaves out the transitions of which the next request or event
// tells, too.
func (r *recorder) reflectorTrace() *reflector.Trace {
	return &reflector.Trace{
		Listing: func(o reflector.ListOptions) { r.saw(reflecting, words.Listing(o)) },
		Listed: func(items int, version string, _ bool) {
			r.saw(reflecting, words.Listed(items, version))
		},
		Opening: func(o reflector.ListOptions) { r.saw(reflecting, words.Opening(o)) },
		Opened:  func(reflector.ListOptions) { r.saw(reflecting, words.Opened()) },
		Event:   func(e reflector.Event) { r.saw(reflecting, words.Read(e)) },
		Ended:   func(int, time.Duration, error) { r.saw(reflecting, words.Ended()) },
		Transition: func(t reflector.Transition, err error) {
			switch {
			case t.To == reflector.Stopped:
				r.saw(reflecting, words.Stopped())
			case err != nil:
				r.saw(reflecting, words.Transitioned(t, err))
			}
		},
		BackingOff: func(d time.Duration) { r.saw(reflecting, words.BackingOff(d)) },
	}
}

func (r *recorder) queueTrace() *deltafifo.Trace {
	return &deltafifo.Trace{
		Queued: func(key string, _ deltafifo.Delta, pending deltafifo.Deltas) {
			r.saw(queueing, words.Queued(key, pending))
		},
		Popped: func(key string, deltas deltafifo.Deltas, _ bool) {
			r.saw(queueing, words.Popped(key, deltas))
		},
		Synced: func() { r.saw(queueing, words.QueueSynced()) },
	}
}

func (r *recorder) indexerTrace() *indexer.Trace {
	return &indexer.Trace{
		Added:   func(key string, obj watchglass.Object) { r.saw(indexing, words.Added(key, obj)) },
		Updated: func(key string, _, obj watchglass.Object) { r.saw(indexing, words.Updated(key, obj)) },
		Deleted: func(key string, obj watchglass.Object) { r.saw(indexing, words.Deleted(key, obj)) },
	}
}

// processorTrace returns a trace with a cell for each notification, so that each object has its
// arrow.
func (r *recorder) processorTrace() *processor.Trace {
	return &processor.Trace{
		Distributed: func(notifications []processor.Notification, isSync bool) {
			for _, n := range notifications {
				r.saw(processing, words.Distributed([]processor.Notification{n}, isSync))
			}
		},
		Pending: func(string, int) { r.add() }, // wakes overtake
		ListenerAdded: func(name string, initial int) {
			r.saw(processing, words.Joins(name, initial))
		},
		ListenerRemoved: func(name string) { r.saw(processing, words.Removed(name)) },
		Delivering: func(name string, n processor.Notification) {
			r.saw(handling, words.Delivering(name, n))
		},
		ListenerEnded: func(name string, dropped int) {
			r.saw(handling, words.HandlerEnded(name, dropped))
		},
	}
}
