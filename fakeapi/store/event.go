package store

import "time"

// A Type says what an event means to a watcher. The values are those of the Kubernetes API.
type Type string

// What a write did, or what it means to a watcher of only some objects: see Seen.
const (
	Added    Type = "ADDED"
	Modified Type = "MODIFIED"
	Deleted  Type = "DELETED"
)

// An Event is one write, in the chain that all watchers of a collection read along. The store keeps
// an event while it is in the window. A watcher that has not passed it keeps it longer. After that
// it is garbage. It is shared: a caller only reads it.
type Event struct {
	Type   Type
	Object Object // the new state; for Deleted, the last state at the deletion's version
	Before Object // the state before; nil for Added

	collection *Collection
	at         time.Time // when it was committed
	size       int       // how many bytes it keeps alive: see newEvent
	place      place     // what was committed before it
	before     *link     // to this event
	after      *link     // to the next one of its collection
}

// newEvent makes the event of a write. Its size is what would be free without the event: the
// state that the write has replaced, and the last state of a deleted object. The new state is
// stored anyway; when another write replaces it, it counts in the event of that write. So
// every state counts once.
func newEvent(kind Type, object, before Object) *Event {
	e := &Event{Type: kind, Object: object, Before: before, size: overhead}
	if before != nil {
		e.size += before.Size()
	}
	if kind == Deleted {
		e.size += object.Size()
	}
	return e
}

// Version returns the version of the write.
func (e *Event) Version() uint64 { return e.Object.Version() }

// overhead is roughly how many bytes an event takes in memory besides its objects.
const overhead = 512

// A place is how far a store and one of its collections have come: how many events of the
// collection were committed, and how many bytes of events of all collections.
type place struct {
	events uint64
	bytes  uint64
}

// A link leads from an event to the next one of its collection, which may not be there yet. Cursors
// stand at links.
type link struct {
	// next is set once, before ready is closed. A goroutine that has seen ready closed may read
	// next without a lock.
	next  *Event
	ready chan struct{}
}

func newLink() *link { return &link{ready: make(chan struct{})} }

// event returns the event that the link leads to, nil if it is not there yet.
func (l *link) event() *Event {
	select {
	case <-l.ready:
		return l.next
	default:
		return nil
	}
}

// Seen returns what the event means to a watcher of only some of the objects, "" if it
// means nothing to it.
//
//	before \ after   selected    not selected
//	selected         Modified    Deleted
//	not selected     Added       nothing
//
// Such a watcher must see an object that leaves its selection as deleted, or it would
// keep the object forever. If the object still exists, the state to show is Before:
// the last state in the selection.
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
