package tape

import (
	"maps"
	"slices"
	"strings"

	"example.com/watchglass"
	"example.com/watchglass/deltafifo"
	"example.com/watchglass/deltafifo/realfifo"
	"example.com/watchglass/docs/tools/words"
	"example.com/watchglass/indexer"
)

// The names of the queues, as the page and the flags write them.
const (
	DeltaFIFO = "DeltaFIFO"
	RealFIFO  = "RealFIFO"
)

// deltaTypes are the deltas that each kind of queue can hold.
var deltaTypes = map[string][]deltafifo.DeltaType{
	DeltaFIFO: {deltafifo.Added, deltafifo.Updated, deltafifo.Deleted, deltafifo.Replaced,
		deltafifo.Sync},
	RealFIFO: {deltafifo.Added, deltafifo.Updated, deltafifo.Deleted, realfifo.ReplacedAll,
		realfifo.SyncAll, realfifo.Bookmark},
}

// queueModel is the queue as its trace has reported it. Deltas leave it here when they are popped:
// the queue itself keeps them until they are processed, and reports nothing then.
type queueModel struct{ QueueState }

func (q queueModel) draw([]string) *QueueState {
	q.Total, q.Popped = len(q.Rows), append([]QueueRow{}, q.Popped...)
	q.Rows = append([]QueueRow{}, q.Rows[:min(len(q.Rows), maxRows)]...)
	return &q.QueueState
}

// queued makes these deltas the row of a key, which keeps its place if it has one.
func (q *queueModel) queued(key string, pending deltafifo.Deltas) {
	earlier := max(len(pending)-maxDeltas, 0)
	row := QueueRow{Key: key, Deltas: drawDeltas(pending[earlier:]), Earlier: earlier}
	if i := q.find(key); i >= 0 {
		q.Rows[i] = row
		return
	}
	q.Rows = append(q.Rows, row)
}

// find returns the number of a key's row, or -1.
func (q *queueModel) find(key string) int {
	return slices.IndexFunc(q.Rows, func(r QueueRow) bool { return r.Key == key })
}

// populate notes the end of the first list: what is queued now is what has to be processed before
// the queue is synced.
func (q *queueModel) populate() {
	if !q.Populated {
		q.Populated, q.Initial = true, len(q.Rows)
	}
}

// pop takes n rows from the front, into the hand of the process loop.
func (q *queueModel) pop(n int) {
	q.Populated = true // by an event, if there was no list
	n = min(n, len(q.Rows))
	q.Popped = q.Rows[:n:n]
	q.Rows = q.Rows[n:]
	q.Initial = max(q.Initial-n, 0)
}

// told takes an object out of the hand that the processor has been told of. A list that is one
// delta has all its objects.
func (q *queueModel) told(key string) {
	for i, row := range q.Popped {
		if row.Key != key && row.Key != "" {
			continue
		}
		row.Deltas = slices.Clone(row.Deltas)
		if row.Deltas[0].N--; row.Deltas[0].N <= 0 {
			row.Deltas = row.Deltas[1:]
		}
		if q.Popped = slices.Clone(q.Popped); len(row.Deltas) == 0 {
			q.Popped = slices.Delete(q.Popped, i, i+1)
		} else {
			q.Popped[i] = row
		}
		return
	}
}

func (c *collector) deltaFIFOTrace() *deltafifo.Trace {
	return &deltafifo.Trace{
		Queued: func(key string, d deltafifo.Delta, pending deltafifo.Deltas, _ deltafifo.State) {
			e := Event{Event: words.Queued(key, pending), Object: encodedObject(d.Object)}
			if drawDelta(d).Tombstone || d.Type == deltafifo.Sync { // which come from what is known
				e.From, e.To = words.Cache, words.Queue
			}
			c.report(e, func(m *model) { m.handOver().queued(key, pending) })
		},
		Merged: func(key string, dropped deltafifo.Delta, pending deltafifo.Deltas, _ deltafifo.State) {
			e := Event{Event: words.Merged(key, dropped)}
			if drawDelta(dropped).Tombstone {
				e.From, e.To = words.Cache, words.Queue
			}
			c.report(e, func(m *model) { m.handOver().merged(key, *pending.Newest()) })
		},
		Ignored: func(key string, d deltafifo.Delta, _ deltafifo.State) {
			c.saw(words.Ignored(key, d), func(m *model) { m.handOver() })
		},
		Replaced: func(version string, objects, deletions int, _ deltafifo.State) {
			c.saw(words.Replaced(version, objects, deletions), func(m *model) {
				m.reflector.change().Hand = nil
				m.queue.change().populate()
			})
		},
		Popped: func(key string, d deltafifo.Deltas, _ bool, _ deltafifo.State) {
			c.queues(words.Popped(key, d), func(q *queueModel) { q.pop(1) })
		},
		Requeued: func(key string, d deltafifo.Deltas, _ deltafifo.State) {
			c.queues(words.Requeued(key), func(q *queueModel) { q.queued(key, d) })
		},
		Synced: c.queueSynced,
	}
}

// merged replaces the last delta of a key.
func (q *queueModel) merged(key string, kept deltafifo.Delta) {
	if i := q.find(key); i >= 0 {
		row := q.Rows[i]
		row.Deltas = append(slices.Clone(row.Deltas[:len(row.Deltas)-1]), drawDelta(kept))
		q.Rows[i] = row
	}
}

func (c *collector) realFIFOTrace() *deltafifo.Trace {
	return &deltafifo.Trace{
		Queued: func(_ string, d deltafifo.Delta, _ deltafifo.Deltas, _ deltafifo.State) {
			e := Event{Event: words.QueuedInOrder(d), Object: encodedObject(d.Object)}
			c.report(e, func(m *model) {
				q := m.handOver()
				q.Rows = append(q.Rows, QueueRow{Key: e.Key, Deltas: []Mark{drawDelta(d)}})
				if d.Type == realfifo.ReplacedAll {
					m.reflector.now.Hand = nil
					q.populate()
				}
			})
		},
		Popped: func(_ string, batch deltafifo.Deltas, _ bool, _ deltafifo.State) {
			c.queues(words.PoppedBatch(batch), func(q *queueModel) { q.pop(len(batch)) })
		},
		Synced: c.queueSynced,
	}
}

// queues reports something that changes the queue.
func (c *collector) queues(e words.Event, change func(*queueModel)) {
	c.saw(e, func(m *model) { change(m.queue.change()) })
}

func (c *collector) queueSynced(deltafifo.State) {
	c.queues(words.QueueSynced(), func(q *queueModel) { q.Populated, q.Synced = true, true })
}

// handOver returns the queue for changing it. What the reflector had in its hand is queued now; of
// a list, one object is.
func (m *model) handOver() *queueModel {
	if hand := m.reflector.now.Hand; hand != nil {
		left, r := *hand, m.reflector.change()
		if r.Hand = nil; left.Key != "" {
			r.Version = left.RV // of a list, the reflector records the version when all of it is queued
		}
		if left.N--; left.N > 0 {
			m.reflector.now.Hand = &left
		}
	}
	return m.queue.change()
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
	case realfifo.ReplacedAllInfo:
		s.N = len(obj.Objects)
	}
	return s
}

// cacheModel is the cache as the indexer's trace has reported it.
type cacheModel struct {
	objects map[string]watchglass.Object
	synced  bool
}

func (c cacheModel) draw(recent []string) *CacheState {
	rows := objectRows(recent, func(key string) (string, bool) {
		obj, ok := c.objects[key]
		if !ok {
			return "", false
		}
		return obj.GetResourceVersion(), true
	})
	keys := map[string][]string{}
	for _, row := range rows {
		values, _ := byApp(c.objects[row.Key])
		for _, value := range values {
			keys[value] = append(keys[value], row.Key)
		}
	}
	index := IndexState{Name: "app", Values: []IndexValue{}}
	for _, value := range slices.Sorted(maps.Keys(keys)) {
		index.Values = append(index.Values, IndexValue{value, keys[value]})
	}
	return &CacheState{Total: len(c.objects), Objects: rows, Indices: []IndexState{index}, Synced: c.synced}
}

// indexerTrace reports what changes in the cache.
func (c *collector) indexerTrace() *indexer.Trace {
	stores := func(e words.Event, change func(*cacheModel)) {
		c.saw(e, func(m *model) { change(m.cache.change()) })
	}
	return &indexer.Trace{
		Added: func(key string, obj watchglass.Object) {
			stores(words.Added(key, obj), func(m *cacheModel) { m.objects[key] = obj })
		},
		Updated: func(key string, _, obj watchglass.Object) {
			stores(words.Updated(key, obj), func(m *cacheModel) { m.objects[key] = obj })
		},
		Deleted: func(key string, obj watchglass.Object) {
			stores(words.Deleted(key, obj), func(m *cacheModel) { delete(m.objects, key) })
		},
		Replaced: func(now []watchglass.Object, version string) {
			slices.SortFunc(now, func(a, b watchglass.Object) int {
				return strings.Compare(words.Key(a), words.Key(b))
			})
			c.saw(words.ReplacedCache(len(now), version), func(m *model) {
				m.cache.change().objects = map[string]watchglass.Object{}
				for _, obj := range now {
					m.cache.now.objects[words.Key(obj)] = obj
					m.touch(words.Key(obj))
				}
			})
		},
	}
}
