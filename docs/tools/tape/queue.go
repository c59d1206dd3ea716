package tape

import (
	"fmt"
	"slices"
	"strings"

	"example.com/watchglass"
	"example.com/watchglass/deltafifo"
)

// The names of the queues, as the page and the flags write them.
const (
	DeltaFIFO = "DeltaFIFO"
	RealFIFO  = "RealFIFO"
)

// deltaTypes are the deltas that each kind of queue can hold.
var deltaTypes = map[string][]deltafifo.DeltaType{
	DeltaFIFO: {
		deltafifo.Added, deltafifo.Updated, deltafifo.Deleted, deltafifo.Replaced, deltafifo.Sync,
	},
	RealFIFO: {
		deltafifo.Added, deltafifo.Updated, deltafifo.Deleted, deltafifo.ReplacedAll,
		deltafifo.SyncAll, deltafifo.Bookmark,
	},
}

// QueueState is what waits between reflector and process loop.
type QueueState struct {
	Kind      string     `json:"kind"` // DeltaFIFO or RealFIFO
	Total     int        `json:"total"`
	Rows      []QueueRow `json:"rows"` // in the order in which they will be popped, at most maxRows
	Populated bool       `json:"populated"`
	Initial   int        `json:"initial"` // how much of the first list is not processed yet
	Synced    bool       `json:"synced"`
	Popped    []QueueRow `json:"popped"` // in the hand of the process loop: not told yet
}

// QueueRow is a key with its deltas, or one delta of a RealFIFO.
type QueueRow struct {
	Key     string `json:"key"`
	Deltas  []Mark `json:"deltas"`            // at most maxDeltas, the newest, oldest first
	Earlier int    `json:"earlier,omitempty"` // how many are before them
}

// queueModel is the queue as its trace has reported it. Deltas that are popped are shown in the
// hand of the process loop: the queue counts them until they are processed.
type queueModel struct{ QueueState }

func (q queueModel) draw([]string) *QueueState {
	q.Total, q.Popped = len(q.Rows), append([]QueueRow{}, q.Popped...)
	q.Rows = append([]QueueRow{}, q.Rows[:min(len(q.Rows), maxRows)]...)
	return &q.QueueState
}

// count takes over what the queue counts.
func (q *queueModel) count(s deltafifo.State) {
	q.Populated, q.Initial, q.Synced = s.Populated, s.InitialPopulationCount, s.Synced
}

// queued makes these deltas the row of a key, which keeps its place if it has one.
func (q *queueModel) queued(key string, pending deltafifo.Deltas) {
	earlier := max(len(pending)-maxDeltas, 0)
	row := QueueRow{Key: key, Deltas: drawDeltas(pending[earlier:]), Earlier: earlier}
	i := slices.IndexFunc(q.Rows, func(r QueueRow) bool { return r.Key == key })
	if i >= 0 {
		q.Rows[i] = row
		return
	}
	q.Rows = append(q.Rows, row)
}

// pop takes n rows from the front, into the hand of the process loop.
func (q *queueModel) pop(n int) {
	n = min(n, len(q.Rows))
	q.Popped, q.Rows = q.Rows[:n:n], q.Rows[n:]
}

// told takes a delta of an object out of the hand that the processor has been told of. A list that
// is one delta stays there until the process loop comes back.
func (q *queueModel) told(key string) {
	i := slices.IndexFunc(q.Popped, func(r QueueRow) bool { return r.Key == key })
	if i < 0 {
		return
	}
	q.Popped = slices.Clone(q.Popped)
	if row := &q.Popped[i]; len(row.Deltas) > 1 {
		row.Deltas = row.Deltas[1:]
	} else {
		q.Popped = slices.Delete(q.Popped, i, i+1)
	}
}

// queueTrace reports what a queue of this kind does.
func (c *collector) queueTrace(kind string) *deltafifo.Trace {
	report := func(e Event, s deltafifo.State, change func(*model)) {
		c.report(e, func(m *model) {
			change(m)
			m.queue.change().count(s)
		})
	}
	trace := &deltafifo.Trace{
		Queued: func(key string, d deltafifo.Delta, pending deltafifo.Deltas, s deltafifo.State) {
			report(queued(key, d, pending), s, func(m *model) {
				switch m.handOver(); {
				case key != "":
					m.queue.now.queued(key, pending)
				default: // a RealFIFO: each delta has a row of its own
					row := QueueRow{Key: keyOf(d.Object), Deltas: drawDeltas(pending)}
					m.queue.now.Rows = append(m.queue.now.Rows, row)
				}
				if d.Type == deltafifo.ReplacedAll {
					m.reflector.change().Hand = nil
				}
			})
		},
		Merged: func(key string, dropped deltafifo.Delta, pending deltafifo.Deltas, s deltafifo.State) {
			e := event(Queue, "merged", key, "%s: two deletions in a row, drops %s", Short(key),
				delta(dropped))
			report(e.moving(sourceOf(dropped), Queue), s, func(m *model) {
				m.handOver()
				m.queue.now.queued(key, pending)
			})
		},
		Ignored: func(key string, d deltafifo.Delta, s deltafifo.State) {
			e := event(Queue, "ignored", key, "%s: ignores %s", Short(key), delta(d))
			report(e, s, (*model).handOver)
		},
		Replaced: func(version string, objects, deletions int, s deltafifo.State) {
			e := said(Queue, "replaced", "replaced at version %s: %s, %s", version,
				Count(objects, "object"), Count(deletions, "deletion"))
			report(e, s, func(m *model) { m.reflector.change().Hand = nil })
		},
		Popped: func(key string, d deltafifo.Deltas, _ bool, s deltafifo.State) {
			n := 1
			if key == "" {
				n = len(d)
			}
			report(popped(key, d).moving(Queue, Process), s, func(m *model) { m.queue.now.pop(n) })
		},
		Processed: func(_ string, s deltafifo.State) {
			c.amend(func(m *model) { m.queue.change().count(s) })
		},
		Requeued: func(key string, d deltafifo.Deltas, s deltafifo.State) {
			report(event(Queue, "requeued", key, "%s: put back", Short(key)), s, func(m *model) {
				m.queue.now.queued(key, d)
			})
		},
		Synced: func(s deltafifo.State) {
			e := said(Queue, "synced", "synced: the first list has been processed").in("synced")
			report(e, s, func(*model) {})
		},
	}
	if kind == RealFIFO {
		trace.Replaced = nil // the list is one delta, which Queued has reported
	}
	return trace
}

// handOver takes out of the reflector's hand what is queued now; of a list, one object is.
func (m *model) handOver() {
	hand := m.reflector.now.Hand
	if hand == nil {
		return
	}
	left, r := *hand, m.reflector.change()
	r.Hand = nil
	if left.N--; left.N > 0 {
		r.Hand = &left
	}
}

// queued tells of a delta that the queue has got; pending are all that wait for its key.
func queued(key string, d deltafifo.Delta, pending deltafifo.Deltas) Event {
	e := event(Queue, "queued", keyOf(d.Object), "%s", delta(d))
	if key != "" {
		e = event(Queue, "queued", key, "%s: %s", Short(key), deltas(pending)).in("%s", delta(d))
	}
	e.Object = encodedObject(d.Object)
	if drawDelta(d).Tombstone {
		e = e.as("tombstone")
	} else {
		e = e.as(string(d.Type))
	}
	return e.moving(sourceOf(d), Queue)
}

// popped tells what the process loop has taken: a key with its deltas or, from a RealFIFO, a batch.
func popped(key string, d deltafifo.Deltas) Event {
	if key != "" {
		return event(Process, "pop", key, "pop %s: %s", Short(key), deltas(d)).in("pop %s", Short(key))
	}
	e := said(Process, "pop", "pop %s", deltas(d))
	if len(d) == 1 {
		e.Key = keyOf(d[0].Object)
	}
	return e
}

// sourceOf is where a delta comes from: the reflector, or what is known.
func sourceOf(d deltafifo.Delta) string {
	if drawDelta(d).Tombstone || d.Type == deltafifo.Sync || d.Type == deltafifo.SyncAll {
		return Cache
	}
	return Reflector
}

// deltas shows deltas: Added web-1@2, Deleted tombstone of web-1@2. Of many, it shows the first.
func deltas(d deltafifo.Deltas) string { return list(d, ", ", delta) }

func delta(d deltafifo.Delta) string {
	return strings.TrimSpace(fmt.Sprintf("%s %s", d.Type, at(d.Object)))
}

// encodedObject is the JSON of an object of the server, or of the last state in a tombstone.
func encodedObject(obj watchglass.Object) string {
	if last, ok := obj.(deltafifo.DeletedFinalStateUnknown); ok {
		obj = last.Obj
	}
	if u, ok := obj.(*watchglass.Unstructured); ok {
		return string(encoded(u))
	}
	return ""
}

func drawDeltas(deltas deltafifo.Deltas) []Mark {
	states := make([]Mark, len(deltas))
	for i, d := range deltas {
		states[i] = drawDelta(d)
	}
	return states
}

func drawDelta(d deltafifo.Delta) Mark {
	s := Mark{Type: string(d.Type), RV: d.Object.GetResourceVersion()}
	switch obj := d.Object.(type) {
	case deltafifo.DeletedFinalStateUnknown:
		s.Tombstone = true
		if obj.Obj != nil { // the last state that the cache knew
			s.RV = obj.Obj.GetResourceVersion()
		}
	case deltafifo.ReplacedAllInfo:
		s.N = len(obj.Objects)
	}
	return s
}
