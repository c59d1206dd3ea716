package main

import (
	"maps"
	"slices"

	"example.com/watchglass/docs/tools/words"
	"example.com/watchglass/processor"
)

// listenerModel is a listener with its handler, as the processor's trace has reported them.
type listenerModel struct {
	name            string
	ring            ringModel
	rest            int // in run's batch, not begun yet
	pending, high   int
	dropped         int
	synced, removed bool
	ended           bool
	credited        bool // with the batch that the processor hands out, before it says so
	leaves          bool // a button has removed it; at the end of the informer all are removed
	state           HandlerState
}

// ringModel is a ring that grows and shrinks as the processor's does, with its batches, the oldest
// first.
type ringModel struct {
	batches []ringBatch
	slots   int
}

// ringBatch is how many notifications there are, and the object that the first is about, "" if that
// is not known.
type ringBatch struct {
	n   int
	key string
}

func (r *ringModel) push(b ringBatch) {
	if len(r.batches) == r.slots {
		r.slots = max(16, 2*r.slots)
	}
	r.batches = append(r.batches, b)
}

func (r *ringModel) pop() (n int) {
	n, r.batches = r.batches[0].n, r.batches[1:]
	if r.slots > 16 && len(r.batches) <= r.slots/4 {
		r.slots /= 2
	}
	return n
}

// add is a batch for the listener. rest is below zero if run has begun with the batch before it was
// reported.
func (l *listenerModel) add(n int, key string) {
	l.pending += n
	l.ring.push(ringBatch{n, key})
	if l.rest < 0 {
		l.rest += l.ring.pop()
	}
	l.handOver()
}

// waits says whether anything has to wait for the handler.
func (l *listenerModel) waits() bool { return len(l.ring.batches) > 0 }

// handOver moves a batch out of the ring to run, if that has none.
func (l *listenerModel) handOver() {
	if l.rest == 0 && l.waits() && l.state.Busy == "" {
		l.rest = l.ring.pop()
	}
}

// begin is a call of the handler.
func (l *listenerModel) begin(call string) {
	l.pending--
	l.rest--
	l.state.Busy = call
	l.state.Last = append(slices.Clone(l.state.Last), call)
	if surplus := len(l.state.Last) - maxCalls; surplus > 0 {
		l.state.Last = l.state.Last[surplus:]
	}
}

// end is its return, or its panic.
func (l *listenerModel) end() {
	l.state.Busy = ""
	l.handOver()
}

// finish is the end of the listener: nothing waits any more.
func (l *listenerModel) finish(dropped int) {
	l.ended, l.removed, l.dropped = true, true, dropped
	l.pending, l.rest, l.ring = 0, 0, ringModel{}
}

func (l *listenerModel) drawListener() ListenerState {
	ring := RingState{Len: len(l.ring.batches), Cap: l.ring.slots}
	for _, b := range l.ring.batches[:min(len(l.ring.batches), maxArcs)] {
		ring.Keys = append(ring.Keys, b.key)
	}
	return ListenerState{Name: l.name, Ring: ring,
		Pending: max(l.pending, 0), High: l.high, Synced: l.synced, Removed: l.removed,
		Ended: l.ended, Dropped: l.dropped}
}

func (l *listenerModel) drawHandler() HandlerState {
	s := l.state
	s.Name = l.name
	if s.Last == nil {
		s.Last = []string{}
	}
	return s
}

// knows says whether a listener of that name is in the picture, if only in its last call.
func (c *collector) knows(name string) (known bool) {
	c.look(func(m *model) {
		known = slices.ContainsFunc(m.listeners, func(l *listenerModel) bool { return l.name == name })
	})
	return known
}

func (m *model) listener(name string) *listenerModel {
	for _, l := range m.listeners {
		if l.name == name {
			return l
		}
	}
	return &listenerModel{} // it has ended: what it still reports changes nothing
}

// processorTrace reports what the processor does, in the lanes of the processor and of the
// handlers. batch is the size of the batch that the next calls of Pending are about: the processor
// calls Distributed, ListenerAdded and Pending under its lock.
func (c *collector) processorTrace() *processor.Trace {
	batch := 0
	return &processor.Trace{
		Distributed: func(told []processor.Notification, isSync bool) {
			batch = len(told)
			c.saw(words.Distributed(told, isSync), func(m *model) {
				for _, l := range m.listeners { // of a resync, not all are told
					if !isSync && !l.removed {
						l.add(batch, words.Key(words.About(told[0])))
						l.credited = true
					}
				}
			})
		},
		Pending: func(name string, depth int) { c.pending(name, depth, batch) },
		ListenerAdded: func(name string, initial int) {
			batch = 0
			c.saw(words.Joins(name, initial), func(m *model) {
				m.listeners = append(slices.Clone(m.listeners), &listenerModel{name: name})
			})
		},
		ListenerRemoved: func(name string) {
			c.saw(words.Removed(name), func(m *model) { m.listener(name).removed = true })
		},
		Delivering:    c.delivering,
		Delivered:     c.delivered,
		ListenerEnded: c.listenerEnded,
	}
}

// pending is worth an event if the handler cannot take the batch at once. batch is 0 for the
// initial list of a handler that joins: then the depth says how much of it has come.
func (c *collector) pending(name string, depth, batch int) {
	waits := false
	change := func(m *model) {
		l := m.listener(name)
		l.high = max(l.high, depth)
		if l.credited {
			l.credited = false // the event of all of them has drawn it
		} else if batch > 0 {
			l.add(batch, "")
		} else {
			l.add(depth-l.pending, "")
		}
		waits = l.waits()
	}
	c.amend(change)
	if waits {
		c.saw(words.Pending(name, depth), nil)
	}
}

func (c *collector) delivering(name string, n processor.Notification) {
	c.saw(words.Delivering(name, n), func(m *model) { m.listener(name).begin(words.Call(n)) })
}

func (c *collector) delivered(name string, n processor.Notification) {
	c.saw(words.Delivered(name, n), func(m *model) {
		l := m.listener(name)
		l.state.Told++
		l.end()
	})
}

// panicked is the informer's OnPanic.
func (c *collector) panicked(name string, n processor.Notification, recovered any) {
	c.saw(words.Panicked(name, n, recovered), func(m *model) { m.listener(name).end() })
}

func (c *collector) listenerEnded(name string, dropped int) {
	c.saw(words.HandlerEnded(name, dropped), func(m *model) {
		m.listener(name).finish(dropped)
		m.listeners = slices.DeleteFunc(slices.Clone(m.listeners),
			func(l *listenerModel) bool { return l.ended && l.leaves })
	})
}

// listenerSynced is reported by a goroutine that waits for it: no trace says it.
func (c *collector) listenerSynced(name string) {
	c.report(said(words.Processor, "synced", "%s has synced", name),
		func(m *model) { m.listener(name).synced = true })
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
