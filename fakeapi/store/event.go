package store

import (
	"sync"
	"time"
)

// A Type says what an event means to a watcher. The values are those of the
// Kubernetes API.
type Type string

// The types of events.
const (
	Added    Type = "ADDED"
	Modified Type = "MODIFIED"
	Deleted  Type = "DELETED"
)

// An Event is one write: a link in the chain that all watchers of a collection
// read along. The store keeps an event as long as it is in the window, a watcher
// that has not passed it keeps it longer; after that it is garbage.
type Event struct {
	Type   Type
	Object Object // the new state; for Deleted, the last state at the deletion's version
	Before Object // the state before; nil for Added

	blank uint64    // the version of an event that is none: the start of a chain
	at    time.Time // when it was committed
	place place     // how far along the chain it is
	size  int       // in bytes, for Limits.Bytes

	// next is set once, before ready is closed. A goroutine that has seen ready
	// closed may read next without a lock.
	next  *Event
	ready chan struct{}

	memo struct {
		once  sync.Once
		value any
	}
}

func newEvent(kind Type, object, before Object) *Event {
	return &Event{Type: kind, Object: object, Before: before, size: object.Size() + overhead,
		ready: make(chan struct{})}
}

// blankBefore is an event that is none, right before another one: the cursor of
// a watcher that has not passed that one.
func blankBefore(e *Event) *Event {
	b := &Event{ready: make(chan struct{}), next: e,
		place: place{e.place.events - 1, e.place.bytes - uint64(e.size)}}
	close(b.ready)
	return b
}

// Version is that of the write.
func (e *Event) Version() uint64 {
	if e.Object == nil {
		return e.blank
	}
	return e.Object.Version()
}

// overhead is what an event takes in memory besides its object, about.
const overhead = 512

// A place is how far along a chain an event is: how many events, and how many
// bytes of them, there are from the start of the chain up to and with this one.
type place struct{ events, bytes uint64 }

func (p place) plus(e *Event) place { return place{p.events + 1, p.bytes + uint64(e.size)} }

// Seen is what the event means to a watcher that is interested in some objects
// only: empty if nothing.
//
//	before \ after   selected    not selected
//	selected         Modified    Deleted
//	not selected     Added       nothing
//
// Such a watcher must see an object that leaves its selection as deleted, or it
// would keep it forever. There is one more thing to it: the state to be shown is
// the one before, since that was the last one it knew.
func (e *Event) Seen(selected func(Object) bool) Type {
	was := e.Before != nil && selected(e.Before)
	is := e.Type != Deleted && selected(e.Object)
	switch {
	case was && is:
		return Modified
	case is:
		return Added
	case was:
		return Deleted
	}
	return ""
}

// Memo is a value that all who read the event share. The first call makes it. It is
// for what is the same for all watchers and expensive to make.
func (e *Event) Memo(make func() any) any {
	e.memo.once.Do(func() { e.memo.value = make() })
	return e.memo.value
}
