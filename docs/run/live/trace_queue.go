package main

import (
	"fmt"
	"slices"
	"strings"

	"example.com/watchglass/deltafifo"
	"example.com/watchglass/deltafifo/realfifo"
	"example.com/watchglass/informer"
)

// The names of the queues, as the page and the flags write them.
const (
	deltaFIFO = "DeltaFIFO"
	realFIFO  = "RealFIFO"
)

func queueKind(name string) informer.QueueKind {
	if name == realFIFO {
		return informer.RealFIFO
	}
	return informer.DeltaFIFO
}

// queueModel is the queue as its trace has reported it. Deltas leave it here when they are popped:
// the queue itself keeps them until they are processed, and reports nothing then.
type queueModel struct {
	kind      string
	rows      []QueueRow     // in the order in which they will be popped
	popped    int            // rows that have left
	places    map[string]int // of each key of a DeltaFIFO: popped before its row comes to the front
	populated bool
	initial   int
	synced    bool
}

func (q queueModel) draw() *QueueState {
	state := &QueueState{Kind: q.kind, Total: len(q.rows), Populated: q.populated,
		Initial: q.initial, Synced: q.synced, Rows: []QueueRow{}}
	state.Rows = append(state.Rows, q.rows[:min(len(q.rows), maxRows)]...)
	return state
}

// queued makes these deltas the row of a key, which keeps its place if it has one.
func (q *queueModel) queued(key string, pending deltafifo.Deltas) {
	earlier := max(len(pending)-maxDeltas, 0)
	row := QueueRow{Key: key, Deltas: drawDeltas(pending[earlier:]), Earlier: earlier}
	if i := q.find(key); i >= 0 {
		q.rows[i] = row
		return
	}
	if q.places == nil {
		q.places = map[string]int{}
	}
	q.places[key] = q.popped + len(q.rows)
	q.rows = append(q.rows, row)
}

// find returns the number of a key's row, or -1. A first list can have many thousand keys, so it
// does not look through them.
func (q *queueModel) find(key string) int {
	if place, ok := q.places[key]; ok {
		return place - q.popped
	}
	return -1
}

// populate notes the end of the first list: what is queued now is what has to be processed before
// the queue is synced.
func (q *queueModel) populate() {
	if !q.populated {
		q.populated, q.initial = true, len(q.rows)
	}
}

// pop takes n rows from the front.
func (q *queueModel) pop(n int) {
	q.populated = true // by an event, if there was no list
	n = min(n, len(q.rows))
	for _, row := range q.rows[:n] {
		delete(q.places, row.Key)
	}
	q.rows, q.popped = q.rows[n:], q.popped+n
	q.initial = max(q.initial-n, 0)
}

func (c *collector) deltaFIFOTrace() *deltafifo.Trace {
	return &deltafifo.Trace{
		Queued: func(key string, _ deltafifo.Delta, pending deltafifo.Deltas) {
			c.queues("queued", key, func(q *queueModel) { q.queued(key, pending) },
				"%s: %s", short(key), deltaText(pending))
		},
		Merged: func(key string, kept, dropped deltafifo.Delta) {
			c.queues("merged", key, func(q *queueModel) { q.merged(key, kept) },
				"%s: two deletions in a row, drops %s", short(key), deltaText(deltafifo.Deltas{dropped}))
		},
		Ignored: func(key string, d deltafifo.Delta) {
			c.queues("ignored", key, nil, "%s: ignores %s", short(key), deltaText(deltafifo.Deltas{d}))
		},
		Replaced: func(version string, objects, deletions int) {
			c.queues("replaced", "", (*queueModel).populate,
				"replaced at version %s: %d objects, %d deletions", version, objects, deletions)
		},
		Popped: func(key string, d deltafifo.Deltas, _ bool) {
			c.pops("pop "+short(key)+": "+deltaText(d), key, 1)
		},
		Requeued: func(key string, d deltafifo.Deltas) {
			c.queues("requeued", key, func(q *queueModel) { q.queued(key, d) },
				"%s: put back", short(key))
		},
		Synced: c.queueSynced,
	}
}

// merged replaces the last delta of a key.
func (q *queueModel) merged(key string, kept deltafifo.Delta) {
	if i := q.find(key); i >= 0 {
		row := q.rows[i]
		row.Deltas = append(slices.Clone(row.Deltas[:len(row.Deltas)-1]), drawDelta(kept))
		q.rows[i] = row
	}
}

func (c *collector) realFIFOTrace() *realfifo.Trace {
	return &realfifo.Trace{
		Queued: func(d deltafifo.Delta) {
			key := keyOfDelta(d)
			c.queues("queued", key, func(q *queueModel) {
				q.rows = append(q.rows, QueueRow{Key: key, Deltas: []DeltaState{drawDelta(d)}})
				if d.Type == realfifo.ReplacedAll {
					q.populate()
				}
			}, "%s", deltaText(deltafifo.Deltas{d}))
		},
		Popped: func(batch deltafifo.Deltas, _ bool) {
			key := ""
			if len(batch) == 1 {
				key = keyOfDelta(batch[0])
			}
			c.pops("pop "+deltaText(batch), key, len(batch))
		},
		Synced: c.queueSynced,
	}
}

// queues reports something in the lane of the queue.
func (c *collector) queues(kind, key string, change func(*queueModel), format string,
	args ...any) {
	e := Event{Lane: laneQueue, Kind: kind, Key: key, Text: fmt.Sprintf(format, args...)}
	if kind == "queued" || kind == "merged" {
		e.From, e.To = laneReflector, laneQueue
	}
	c.report(e, func(m *model) {
		if change != nil {
			change(m.queue.change())
		}
	})
}

// pops reports that the process loop has taken something.
func (c *collector) pops(text, key string, rows int) {
	e := Event{Lane: laneProcess, Kind: "pop", Key: key, Text: text, From: laneQueue, To: laneCache}
	c.report(e, func(m *model) { m.queue.change().pop(rows) })
}

func (c *collector) queueSynced() {
	c.queues("synced", "", func(q *queueModel) { q.populated, q.synced = true, true },
		"synced: the first list has been processed")
}

func drawDeltas(deltas deltafifo.Deltas) []DeltaState {
	states := make([]DeltaState, len(deltas))
	for i, d := range deltas {
		states[i] = drawDelta(d)
	}
	return states
}

func drawDelta(d deltafifo.Delta) DeltaState {
	s := DeltaState{Type: string(d.Type), RV: d.Object.GetResourceVersion()}
	switch obj := d.Object.(type) {
	case deltafifo.DeletedFinalStateUnknown:
		s.Tombstone = true
		if obj.Obj != nil { // the last state that the cache knew
			s.RV = obj.Obj.GetResourceVersion()
		}
	case realfifo.ReplacedAllInfo:
		s.N = len(obj.Objects)
	}
	return s
}

// keyOfDelta is "" for a delta that is about the whole collection.
func keyOfDelta(d deltafifo.Delta) string {
	if d.Object.GetName() == "" {
		return ""
	}
	return keyOf(d.Object)
}

// deltaText shows deltas as the stories do: Added web-1@2, Deleted tombstone of web-1@2.
func deltaText(deltas deltafifo.Deltas) string {
	const most = 8
	var each []string
	for i, d := range deltas {
		if i == most {
			each = append(each, fmt.Sprintf("and %d more", len(deltas)-most))
			break
		}
		each = append(each, strings.TrimSpace(fmt.Sprintf("%s %s", d.Type, at(d.Object))))
	}
	return strings.Join(each, ", ")
}
