package informer

import (
	"fmt"
	"net/http"
	"time"

	"example.com/watchglass"
	"example.com/watchglass/deltafifo"
	"example.com/watchglass/deltafifo/realfifo"
	"example.com/watchglass/docs/tools/story"
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

// overSlowNetwork returns a client whose answers arrive later, piece by piece.
func overSlowNetwork(client *http.Client, lag time.Duration) *http.Client {
	return &http.Client{Transport: slowNetwork{client.Transport, lag}}
}

type slowNetwork struct {
	http.RoundTripper
	lag time.Duration
}

func (n slowNetwork) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := n.RoundTripper.RoundTrip(r)
	if err == nil && n.lag > 0 {
		resp.Body = story.Late(resp.Body, n.lag, r.Context().Done())
	}
	return resp, err
}

// write updates a widget, and starts a goroutine that waits until the cache holds it as written.
func (h *house) write(name, color string) error {
	raw, err := h.server.Patch("widgets", "default", name, colored(color))
	if err != nil {
		return err
	}
	version := versionOf(h.t, raw)
	h.lanes.Report("writer", "waits for version %s", version)
	h.running.Go(func() { // joined in Cleanup
		if err := h.informer.WaitFor(h.ctx, "default/"+name, version); err != nil {
			h.lanes.Report("writer", "%v", err)
			return
		}
		h.lanes.Report("writer", "the cache has reached version %s", version)
	})
	return nil
}

// colored is a merge patch.
func colored(color string) string { return fmt.Sprintf(`{"spec":{"color":%q}}`, color) }
