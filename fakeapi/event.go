package fakeapi

import (
	"sync"
	"time"
)

// An eventType is the type of a watch event.
type eventType string

const (
	added      eventType = "ADDED"
	modified   eventType = "MODIFIED"
	removed    eventType = "DELETED"
	bookmarked eventType = "BOOKMARK"
	failed     eventType = "ERROR"
)

// An event is one committed write: a link in the chain that all watchers of a
// resource read along, each at its own pace. The chain is the fan-out: a write
// appends one event and wakes everybody; no watcher has a queue of its own, and
// what the slowest has passed is garbage.
type event struct {
	kind    eventType
	version uint64    // resourceVersion of the write
	seq     uint64    // position in the resource's chain: 1, 2, 3, …
	at      time.Time // when it was committed
	doc     *document // the new state; for removed, the last state at the deletion's version
	prev    *document // the state before; nil for added

	// next is set once, before ready is closed; who has seen ready closed may
	// read next without a lock.
	next  *event
	ready chan struct{}

	frames frameCache // what watchers are sent, each form made once
	leave  struct {   // see left
		once sync.Once
		doc  *document
	}
}

func newEvent(kind eventType, doc, prev *document) *event {
	e := &event{kind: kind, doc: doc, prev: prev, ready: make(chan struct{})}
	if doc != nil {
		e.version = doc.version
	}
	return e
}

// left is the object as a watcher sees it off whose selection this event's
// update has left: the last state that was selected, at the version of the
// update. A client that resumed from the old version would get it twice.
func (e *event) left(r *Resource) *document {
	e.leave.once.Do(func() {
		doc, err := newDocument(r, e.prev.tree(), e.version, removed)
		if err != nil {
			panic(err) // it has been encoded before
		}
		e.leave.doc = doc
	})
	return e.leave.doc
}

// view is what an event means to a watcher with a selection: which type of
// event on which document, or nothing (ok is false).
//
//	before \ after   selected    not selected
//	selected         MODIFIED    DELETED (as it was before)
//	not selected     ADDED       –
func (e *event) view(r *Resource, s *selection) (kind eventType, doc *document, ok bool) {
	was := e.prev != nil && s.matches(e.prev)
	is := e.kind != removed && s.matches(e.doc)
	switch {
	case was && is:
		return modified, e.doc, true
	case is:
		return added, e.doc, true
	case was && e.kind == removed:
		return removed, e.doc, true
	case was:
		return removed, e.left(r), true
	}
	return "", nil, false
}
