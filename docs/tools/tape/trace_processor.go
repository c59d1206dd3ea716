package tape

import (
	"fmt"
	"slices"

	"example.com/watchglass"
	"example.com/watchglass/deltafifo"
	"example.com/watchglass/docs/tools/words"
	"example.com/watchglass/processor"
)

// listenerModel is a listener with its handler, as the processor's trace has reported them.
type listenerModel struct {
	ListenerState
	waiting  []Mark // whose call has not begun, the next one first
	ring     []int  // the sizes of the batches in the ring, the oldest first
	slots    int    // of the ring, which grows and shrinks as the processor's does
	rest     int    // of the batch that has left the ring: not begun
	credited bool   // with the batch that the processor hands out, before it says so
	leaves   bool   // a button has removed it; at the end of the informer all are removed
	state    HandlerState
}

// add is a batch for the listener.
func (l *listenerModel) add(batch []Mark) {
	l.waiting = append(l.waiting, batch...)
	l.High = max(l.High, len(l.waiting)) // drawn until its call begins, which is later than it is counted
	if len(l.ring) == l.slots {
		l.slots = max(16, 2*l.slots)
	}
	l.ring = append(l.ring, len(batch))
	l.handOver()
}

// take takes a batch out of the ring.
func (l *listenerModel) take() {
	l.rest, l.ring = l.rest+l.ring[0], l.ring[1:]
	if l.slots > 16 && len(l.ring) <= l.slots/4 {
		l.slots /= 2
	}
}

// waits says whether anything has to wait for the handler.
func (l *listenerModel) waits() bool { return len(l.ring) > 0 }

// handOver moves a batch out of the ring to run, if that has none.
func (l *listenerModel) handOver() {
	if l.rest == 0 && l.waits() && l.state.Busy == "" {
		l.take()
	}
}

// begin is a call of the handler.
func (l *listenerModel) begin(call string, hand Mark) {
	if len(l.waiting) > 0 { // or it has ended
		l.waiting = l.waiting[1:]
	}
	l.rest--
	l.state.Busy, l.state.Hand, l.state.Panicked = call, &hand, false
}

// end is its return, or its panic.
func (l *listenerModel) end() {
	l.state.Busy = ""
	l.handOver()
}

// finish is the end of the listener: nothing waits any more.
func (l *listenerModel) finish(dropped int) {
	l.Ended, l.Removed, l.Dropped = true, true, dropped
	l.waiting, l.rest, l.ring, l.slots = nil, 0, nil, 0
}

func (l *listenerModel) draw() (ListenerState, HandlerState) {
	l.Pending = len(l.waiting)
	l.Ring = RingState{Cap: l.slots, Waiting: append([]Mark{}, l.waiting[:min(len(l.waiting), maxArcs)]...)}
	l.state.Name = l.Name
	return l.ListenerState, l.state
}

func (m *model) listener(name string) *listenerModel {
	for _, l := range m.listeners {
		if l.Name == name {
			return l
		}
	}
	return &listenerModel{} // it has ended: what it still reports changes nothing
}

// processorTrace reports what the processor does, in the lanes of the processor and of the
// handlers. batch is what the next calls of Pending are about, nil for the first list of a handler
// that joins: the processor calls Distributed, ListenerAdded and Pending under its lock.
func (c *collector) processorTrace() *processor.Trace {
	var batch []Mark
	resync := false // only those are told that are due, and no trace says which
	return &processor.Trace{
		Distributed: func(told []processor.Notification, isSync bool, _ []string) {
			batch = drawNotifications(told)
			resync = isSync
			c.saw(words.Distributed(told, isSync), func(m *model) {
				if isSync { // not all are told, and the loop has it in its hand until they are
					return
				}
				for _, mark := range batch {
					m.queue.change().told(mark.Key)
				}
				for _, l := range m.listeners {
					if !l.Removed {
						l.add(batch)
						l.credited = true
					}
				}
			})
		},
		Pending: func(name string, depth, _ int) { c.pending(name, depth, batch, resync) },
		ListenerAdded: func(name string, initial []watchglass.Object) {
			batch, resync = nil, false
			c.saw(words.Joins(name, len(initial)), func(m *model) {
				m.listeners = append(slices.Clone(m.listeners), &listenerModel{ListenerState: ListenerState{Name: name}})
			})
		},
		ListenerRemoved: func(name string) {
			c.saw(words.Removed(name), func(m *model) { m.listener(name).Removed = true })
		},
		Delivering: func(name string, n processor.Notification) {
			c.paceHandler(name, handlerPace)
			c.saw(words.Delivering(name, n), func(m *model) {
				m.listener(name).begin(words.Call(n), drawNotification(n))
			})
		},
		Delivered: func(name string, n processor.Notification, _ int) {
			c.saw(words.Delivered(name, n), func(m *model) {
				l := m.listener(name)
				l.state.Told++
				l.end()
			})
		},
		ListenerEnded: func(name string, dropped int) {
			c.paceHandler(name, handlerPace)
			c.saw(words.HandlerEnded(name, dropped), func(m *model) {
				m.listener(name).finish(dropped)
				m.listeners = slices.DeleteFunc(slices.Clone(m.listeners),
					func(l *listenerModel) bool { return l.Ended && l.leaves })
			})
		},
	}
}

// pending is worth an event if the handler cannot take the batch at once. It is also worth one in a
// resync and when a handler joins, because no other event has drawn what the ring is given. Of the
// first list of a handler that joins only the depth is known, which says how much of it has come.
func (c *collector) pending(name string, depth int, batch []Mark, resync bool) {
	e := Event{Event: words.Pending(name, depth)}
	given, waits := resync || batch == nil, false
	if given {
		e.Kind = "given"
	}
	if resync {
		e.Key, e.From, e.To = batch[0].Key, words.Process, words.Processor
	}
	c.amend(func(m *model) {
		l := m.listener(name)
		l.High = max(l.High, depth)
		if !l.credited && !given {
			l.add(batch)
		}
		l.credited = false // the event of all of them has drawn it
		waits = l.waits()
	})
	if given || waits {
		c.report(e, func(m *model) {
			if l := m.listener(name); batch == nil {
				l.add(make([]Mark, max(depth-len(l.waiting), 0)))
			} else if resync {
				l.add(batch)
			}
		})
	}
}

// panicked is the informer's OnPanic.
func (c *collector) panicked(name string, n processor.Notification, recovered any) {
	c.saw(words.Panicked(name, n, recovered), func(m *model) {
		l := m.listener(name)
		l.state.Panics, l.state.Panicked = false, true
		l.end()
	})
}

// listenerSynced is reported by a goroutine that waits for it: no trace says it.
func (c *collector) listenerSynced(name string) {
	c.report(said(words.Processor, "synced", "%s has synced", name),
		func(m *model) { m.listener(name).Synced = true })
}

func drawNotifications(told []processor.Notification) (marks []Mark) {
	for _, n := range told {
		marks = append(marks, drawNotification(n))
	}
	return marks
}

func drawNotification(n processor.Notification) Mark {
	about := words.About(n)
	last, tombstone := about.(deltafifo.DeletedFinalStateUnknown)
	if tombstone && last.Obj != nil {
		about = last.Obj
	}
	return Mark{Key: words.Key(about), Type: fmt.Sprint(n.Kind), RV: about.GetResourceVersion(), Tombstone: tombstone}
}
