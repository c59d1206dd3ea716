package tape

import (
	"fmt"
	"slices"

	"example.com/watchglass"
	"example.com/watchglass/deltafifo"
	"example.com/watchglass/processor"
)

// ListenerState is what waits in the processor for one handler.
type ListenerState struct {
	Name    string    `json:"name"`
	Ring    RingState `json:"ring"`
	Pending int       `json:"pending"` // notifications whose call has not begun
	High    int       `json:"high"`    // the most that it ever was
	Synced  bool      `json:"synced"`
	Removed bool      `json:"removed"`
	Ended   bool      `json:"ended"`             // its last call has returned
	Dropped int       `json:"dropped,omitempty"` // notifications that waited at its end
}

// RingState is what waits for a handler, and how many slots its ring has. One batch of them is out
// of the ring already if the handler is between two calls of it.
type RingState struct {
	Cap     int    `json:"cap"`
	Waiting []Mark `json:"waiting"` // the next call first, at most maxArcs
}

// HandlerState is one handler: yours.
type HandlerState struct {
	Name string `json:"name"`
	Busy string `json:"busy"` // the call that is under way, or ""
	Hand *Mark  `json:"hand"` // what the last call that has begun is about; nil: none yet
	Told int    `json:"told"` // calls that have returned

	Panics   bool `json:"panics,omitempty"`   // a button wants it, in the next call
	Panicked bool `json:"panicked,omitempty"` // in its last call: it rests a second
}

// listenerModel is a listener with its handler, as the processor's trace has reported them. What
// waits is counted from what is handed out to what a call begins with, in the order of the events:
// the processor counts it as well, and its goroutines go on while they report.
type listenerModel struct {
	ListenerState
	waiting []Mark // whose call has not begun, the next one first
	slots   int    // of the ring, as it was reported last
	leaves  bool   // a button has removed it; at the end of the informer all are removed
	state   HandlerState
}

// add is a batch for the listener.
func (l *listenerModel) add(batch []Mark) {
	l.waiting = append(l.waiting, batch...)
	l.High = max(l.High, len(l.waiting))
}

// begin is a call of the handler.
func (l *listenerModel) begin(call string, hand Mark) {
	if len(l.waiting) > 0 { // or it has ended
		l.waiting = l.waiting[1:]
	}
	l.state.Busy, l.state.Hand, l.state.Panicked = call, &hand, false
}

// finish is the end of the listener: nothing waits any more.
func (l *listenerModel) finish(dropped int) {
	l.Ended, l.Removed, l.Dropped = true, true, dropped
	l.waiting, l.slots = nil, 0
}

func (l *listenerModel) draw() (ListenerState, HandlerState) {
	l.Pending = len(l.waiting)
	shown := l.waiting[:min(len(l.waiting), maxArcs)]
	l.Ring.Waiting = append([]Mark{}, shown...)
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

// settle draws the rings as they were reported last. Their goroutines report at any time, so a tape
// shows what they have reported before virtual time went on: by then each of them was at rest.
func (m *model) settle() {
	for _, l := range m.listeners {
		l.Ring.Cap = l.slots
	}
}

// processorTrace reports what the processor does, in the lanes of the processor and of the
// handlers.
func (c *collector) processorTrace() *processor.Trace {
	return &processor.Trace{
		Distributed: func(told []processor.Notification, isSync bool, listeners []string) {
			batch := drawNotifications(told)
			c.report(distributed(told, isSync, listeners), func(m *model) {
				for _, mark := range batch {
					m.queue.change().told(mark.Key)
				}
				for _, name := range listeners {
					m.listener(name).add(batch)
				}
			})
		},
		Pending: func(name string, _, _ int) { c.pending(name) },
		ListenerAdded: func(name string, initial []watchglass.Object) {
			joined := &listenerModel{ListenerState: ListenerState{Name: name}}
			for _, obj := range initial {
				joined.add([]Mark{drawNotification(processor.AddNotification(obj, true))})
			}
			objects := Count(len(initial), "object")
			e := said(Processor, "joins", "%s joins, %s to tell", name, objects)
			c.report(e.in("%s joins, %s", name, objects), func(m *model) {
				m.listeners = append(slices.Clone(m.listeners), joined)
			})
		},
		ListenerRemoved: func(name string) {
			e := said(Processor, "removed", "%s is removed", name)
			c.report(e, func(m *model) { m.listener(name).Removed = true })
		},
		Ring: func(name string, _, slots int) {
			c.amend(func(m *model) {
				if m.listener(name).slots = slots; !c.paced {
					m.settle()
				}
			})
		},
		Delivering: func(name string, n processor.Notification) {
			c.paceHandler(name, handlerPace)
			c.report(delivering(name, n), func(m *model) {
				m.listener(name).begin(call(n), drawNotification(n))
			})
		},
		Delivered: func(name string, n processor.Notification, delivered int) {
			e := event(Handler(name), "returned", keyOf(about(n)), "has returned from %s", call(n))
			c.report(e.in("%s ends %s", name, at(about(n))), func(m *model) {
				h := &m.listener(name).state
				h.Told, h.Busy = delivered, ""
			})
		},
		Synced: func(name string) {
			e := said(Processor, "synced", "%s has synced", name)
			c.report(e, func(m *model) { m.listener(name).Synced = true })
		},
		ListenerEnded: func(name string, dropped int) {
			c.paceHandler(name, handlerPace)
			c.report(handlerEnded(name, dropped), func(m *model) {
				m.listener(name).finish(dropped)
				m.listeners = slices.DeleteFunc(slices.Clone(m.listeners),
					func(l *listenerModel) bool { return l.Ended && l.leaves })
			})
		},
	}
}

// pending is worth an event if the handler is in a call, and so cannot take the batch at once.
func (c *collector) pending(name string) {
	depth, isBusy := 0, false
	c.amend(func(m *model) {
		l := m.listener(name)
		depth, isBusy = len(l.waiting), l.state.Busy != ""
	})
	if isBusy {
		c.report(said(Processor, "pending", "%s: %d wait", name, depth), nil)
	}
}

// panicked is the informer's OnPanic.
func (c *collector) panicked(name string, n processor.Notification, recovered any) {
	e := event(Handler(name), "panic", keyOf(about(n)), "panics: %v", recovered)
	c.report(e.in("%s panics", name).failing(true), func(m *model) {
		h := &m.listener(name).state
		h.Panics, h.Panicked, h.Busy = false, true, ""
	})
}

// distributed tells what the processor passes to these handlers. With isSync, they are those that
// are due for a resync.
func distributed(told []processor.Notification, isSync bool, listeners []string) Event {
	all := list(told, ", ", func(n processor.Notification) string {
		return fmt.Sprintf("%v %s", n.Kind, at(about(n)))
	})
	e := said(Processor, "distribute", "tells %s", all).in("%s", all).as(told[0].Kind.String())
	if isSync {
		e = said(Processor, "sync", "tells those that are due: %s", all).in("due: %s", all)
	}
	if len(told) == 1 {
		e.Key = keyOf(about(told[0]))
	}
	if isSync && len(listeners) == 0 {
		return e
	}
	return e.moving(Process, Processor)
}

// delivering tells of a call of a handler that begins.
func delivering(name string, n processor.Notification) Event {
	e := event(Handler(name), "call", keyOf(about(n)), "%s", told(n)).in("%s %s", name, did(n)).
		moving(Processor, Handler(name))
	if drawNotification(n).Tombstone {
		return e.as("tombstone")
	}
	return e.as(n.Kind.String())
}

// handlerEnded tells of the end of a handler. dropped is how many notifications it was never told.
func handlerEnded(name string, dropped int) Event {
	e := event(Handler(name), "ended", "", "has ended")
	if dropped > 0 {
		e = event(Handler(name), "ended", "", "has ended, %d dropped", dropped)
	}
	return e.in("%s %s", name, e.Text)
}

// about returns the object of a notification: the new one, or for a delete the last one.
func about(n processor.Notification) watchglass.Object {
	if n.New != nil {
		return n.New
	}
	return n.Old
}

// deeds are the words for a notification: the method of a handler, and what has happened.
var deeds = map[processor.Kind]struct{ call, did string }{
	processor.Add:    {"OnAdd", "added"},
	processor.Update: {"OnUpdate", "updated"},
	processor.Delete: {"OnDelete", "deleted"},
}

// call names a notification as the call of a handler.
func call(n processor.Notification) string { return deeds[n.Kind].call + " " + at(about(n)) }

func did(n processor.Notification) string { return deeds[n.Kind].did + " " + at(about(n)) }

// told says what a handler is told.
func told(n processor.Notification) string {
	text := did(n)
	switch {
	case n.Kind == processor.Add && n.IsInInitialList:
		text += ", in the initial list"
	case n.Kind == processor.Update:
		text += " from version " + n.Old.GetResourceVersion()
		was, _ := fate(n.Old)
		is, isBeingDeleted := fate(n.New)
		if was != is {
			text += ", which has another UID"
		}
		if isBeingDeleted {
			text += ", which is being deleted"
		}
	}
	return text
}

// fate is what is no part of watchglass.Object.
func fate(obj watchglass.Object) (uid string, isBeingDeleted bool) {
	if u, ok := obj.(*watchglass.Unstructured); ok {
		return u.StringAt("metadata", "uid"), u.StringAt("metadata", "deletionTimestamp") != ""
	}
	return "", false
}

func drawNotifications(told []processor.Notification) (marks []Mark) {
	for _, n := range told {
		marks = append(marks, drawNotification(n))
	}
	return marks
}

func drawNotification(n processor.Notification) Mark {
	obj := about(n)
	last, tombstone := obj.(deltafifo.DeletedFinalStateUnknown)
	if tombstone && last.Obj != nil {
		obj = last.Obj
	}
	return Mark{
		Key: keyOf(obj), Type: fmt.Sprint(n.Kind), RV: obj.GetResourceVersion(), Tombstone: tombstone,
	}
}
