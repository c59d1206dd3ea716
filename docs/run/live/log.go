package main

import (
	"encoding/json"
	"slices"
	"sync"
)

// maxHeld is how many events are held for pages that come back or step back. It bounds the memory:
// older ones are compacted, and a page that asks for them is told that they are gone.
const maxHeld = 2000

// eventLog is the history of the machine, as a server's is: events in order, the oldest compacted.
// The collector's lock guards it.
type eventLog struct {
	limit  int
	floor  int64 // the number of the first event
	events []*heldEvent
}

// heldEvent is an event in the log. It is encoded once, by the first page that asks for it, and
// never under the lock that the machine waits for.
type heldEvent struct {
	Event
	once sync.Once
	json []byte
}

func (h *heldEvent) encoded() []byte {
	h.once.Do(func() { h.json, _ = json.Marshal(h.Event) }) // it has no value that could fail
	return h.json
}

// add gives the event the next number. When a quarter more than the limit is held, that quarter is
// dropped in one go, so that adding costs constant time on average.
func (l *eventLog) add(e Event) {
	e.Seq = l.last() + 1
	l.events = append(l.events, &heldEvent{Event: e})
	if surplus := len(l.events) - l.limit; surplus > l.limit/4 {
		l.events = slices.Clone(l.events[surplus:])
		l.floor += int64(surplus)
	}
}

// last is the number of the newest event, 0 before the first.
func (l *eventLog) last() int64 { return l.floor + int64(len(l.events)) - 1 }

// after returns the events after seq, at most so many. ok is false if one of them is gone, or if
// there never was an event seq.
func (l *eventLog) after(seq int64, most int) (events []*heldEvent, ok bool) {
	if seq < l.floor-1 || seq > l.last() {
		return nil, false
	}
	rest := l.events[seq-l.floor+1:]
	return slices.Clone(rest[:min(most, len(rest))]), true
}
