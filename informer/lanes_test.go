package informer_test

import (
	"example.com/watchglass"
	"example.com/watchglass/deltafifo"
	"example.com/watchglass/deltafifo/realfifo"
	"example.com/watchglass/docs/tools/words"
	"example.com/watchglass/fakeapi"
	"example.com/watchglass/indexer"
	"example.com/watchglass/reflector"
)

// The traces of the stages write lines in lanes. Each lane belongs to one goroutine: otherwise its
// order would differ from run to run. (The queue's belongs to the reflector's goroutine, which
// adds.)

func (h *house) say(lane string, e words.Event) { h.lanes.Report(lane, "%s", e.Text) }

func (h *house) serverTrace() *fakeapi.Trace {
	return &fakeapi.Trace{
		Request:   func(fakeapi.Request) { h.requests.Add(1) },
		Committed: func(c fakeapi.Change) { h.say("server", words.Committed(c)) },
	}
}

func (h *house) reflectorTrace() *reflector.Trace {
	say := func(e words.Event) { h.say("reflector", e) }
	return &reflector.Trace{
		Listing:    func(o reflector.ListOptions) { say(words.Listing(o)) },
		Opening:    func(o reflector.ListOptions) { say(words.Opening(o)) },
		Transition: func(t reflector.Transition, err error) { say(words.Transitioned(t, err)) },
		Event:      func(e reflector.Event) { say(words.Read(e)) },
	}
}

func (h *house) queueTrace() *deltafifo.Trace {
	return &deltafifo.Trace{
		Queued: func(key string, _ deltafifo.Delta, pending deltafifo.Deltas) {
			h.say("queue", words.Queued(key, pending))
		},
		Popped: func(key string, deltas deltafifo.Deltas, _ bool) {
			h.say("process", words.Popped(key, deltas))
		},
	}
}

func (h *house) orderedTrace() *realfifo.Trace {
	return &realfifo.Trace{
		Queued: func(d deltafifo.Delta) { h.say("queue", words.QueuedInOrder(d)) },
		Popped: func(batch deltafifo.Deltas, _ bool) { h.say("process", words.PoppedBatch(batch)) },
	}
}

func (h *house) indexerTrace() *indexer.Trace {
	return &indexer.Trace{
		Added:   func(key string, obj watchglass.Object) { h.say("process", words.Added(key, obj)) },
		Updated: func(key string, _, obj watchglass.Object) { h.say("process", words.Updated(key, obj)) },
		Deleted: func(key string, obj watchglass.Object) { h.say("process", words.Deleted(key, obj)) },
		Replaced: func(objects int, version string) {
			h.say("process", words.ReplacedCache(objects, version))
		},
	}
}
