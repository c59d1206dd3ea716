package main

import (
	"context"
	"fmt"
	"strings"
	"sync"
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

// recorder collects what the traces report. Stages call it from many goroutines and while they hold
// their locks, so it only appends.
type recorder struct {
	mu      sync.Mutex
	cells   []lanes.Cell  // reported and not yet taken, in the order of reports
	changed chan struct{} // closed by the next report
}

func newRecorder() *recorder { return &recorder{changed: make(chan struct{})} }

func (r *recorder) add(cells ...lanes.Cell) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.cells = append(r.cells, cells...)
	close(r.changed)
	r.changed = make(chan struct{})
}

// news returns a channel that the next report closes.
func (r *recorder) news() <-chan struct{} {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.changed
}

// take returns what was reported since the last take.
func (r *recorder) take() []lanes.Cell {
	r.mu.Lock()
	defer r.mu.Unlock()
	cells := r.cells
	r.cells = nil
	return cells
}

// want is a report to wait for: a cell in this lane whose text contains this text.
type want struct {
	lane int
	text string
}

// patience is how long await waits for a report. Over loopback a report takes milliseconds.
const patience = 20 * time.Second

var errStuck = fmt.Errorf("not reported within %v", patience)

// await waits until each want has been reported since the last take. A want that is given twice
// must have been reported twice.
func (r *recorder) await(ctx context.Context, wants ...want) error {
	times := map[want]int{}
	for _, w := range wants {
		times[w]++
		if err := r.until(ctx, func() bool { return r.reported(w) >= times[w] }); err != nil {
			return fmt.Errorf("%q in lane %s: %w", w.text, stages.Names[w.lane], err)
		}
	}
	return nil
}

// until waits until done returns true. It calls done again after each report.
func (r *recorder) until(ctx context.Context, done func() bool) error {
	late := time.After(patience)
	for {
		news := r.news() // before done, or a report between the two would be missed
		if done() {
			return nil
		}
		select {
		case <-news:
		case <-ctx.Done():
			return ctx.Err()
		case <-late:
			return errStuck
		}
	}
}

// reported returns how often w was reported since the last take.
func (r *recorder) reported(w want) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return count(r.cells, w.lane, w.text)
}

// count returns how many cells of a lane contain the text.
func count(cells []lanes.Cell, lane int, text string) (n int) {
	for _, c := range cells {
		if c.Lane == lane && strings.Contains(c.Text, text) {
			n++
		}
	}
	return n
}

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
