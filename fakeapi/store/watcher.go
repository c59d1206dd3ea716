package store

import (
	"sync"
	"sync/atomic"
)

// A Start is where a watch begins.
type Start struct {
	// Version is what the client knows, or will know once it was sent State. The
	// watcher's first event is the first one after it.
	Version uint64
	// State is the collection at Version. A watch from a version has none.
	State *Snapshot

	Watcher *Watcher
}

// A Watcher is one reader of a collection's chain of events. It has no queue, only
// a cursor. One goroutine moves it along; Close ends it.
type Watcher struct {
	collection *Collection
	cursor     atomic.Pointer[Event] // the last event passed; writes of the store look at it
	joined     place                 // the end of the chain when it joined

	mu    sync.Mutex
	state watcherState
	slow  chan struct{} // closed when it is cut off
	abort func()        // called when it is cut off
}

type watcherState int

const (
	watching watcherState = iota
	cutOff
	closed
)

// WatchFrom starts a watch of all that happens after a version. A version that
// is not reached yet is fine: the watch gets all events from now on, and its
// reader has to ignore those up to the version. The error is a *TooOldError.
//
// abort is called, by any goroutine and at most once, if the watcher is cut off.
// It has to make its goroutine stop waiting for the client. It may be nil.
func (c *Collection) WatchFrom(version uint64, abort func()) (Start, error) {
	c.store.mu.RLock()
	defer c.store.mu.RUnlock()
	if err := c.history.knows(version); err != nil {
		return Start{}, err
	}
	return Start{Version: version, Watcher: c.join(c.history.cursor(version), abort)}, nil
}

// WatchState starts a watch of what is there, and of all that happens after that.
// About abort see WatchFrom.
func (c *Collection) WatchState(abort func()) Start {
	c.store.mu.RLock()
	defer c.store.mu.RUnlock()
	state := c.snapshot()
	return Start{Version: state.Version, State: &state, Watcher: c.join(c.history.tail, abort)}
}

// join registers a watcher with a cursor. The store's lock is held, a shared one
// is enough: many watches start at once, and none waits for another.
func (c *Collection) join(cursor *Event, abort func()) *Watcher {
	w := &Watcher{collection: c, joined: c.history.tail.place, abort: abort,
		slow: make(chan struct{})}
	w.cursor.Store(cursor)
	c.watchers.add(w)
	return w
}

// Ready is closed when there is an event that Next would return.
func (w *Watcher) Ready() <-chan struct{} { return w.cursor.Load().ready }

// Next moves the cursor to the next event and returns that, nil if there is none
// yet.
func (w *Watcher) Next() *Event {
	e := w.cursor.Load()
	select {
	case <-e.ready:
		w.cursor.Store(e.next)
		return e.next
	default:
		return nil
	}
}

// Behind is how many events Next would return now, one after the other. If that
// is 0, the watcher knows everything up to the version that is returned as well,
// which may be beyond its last event: other collections are written to, too.
func (w *Watcher) Behind() (events int, version uint64) {
	c := w.collection
	c.store.mu.RLock()
	defer c.store.mu.RUnlock()
	// A watch from the past may have begun at a blank event: its place counts.
	return int(c.history.tail.place.events - w.cursor.Load().place.events), c.store.version
}

// Slow is closed when the watcher is cut off because it is too far behind.
func (w *Watcher) Slow() <-chan struct{} { return w.slow }

// Close ends the watcher. After it has returned, abort is not called any more.
func (w *Watcher) Close() {
	w.collection.watchers.remove(w)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.state = closed
}

// cutOff ends a watcher that is too far behind.
func (w *Watcher) cutOff() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.state != watching {
		return
	}
	w.state = cutOff
	close(w.slow)
	if w.abort != nil {
		w.abort()
	}
}

// tooFarBehind says whether the watcher is, with the chain ending at end. What was
// in the chain when it joined is not its fault and does not count.
func (w *Watcher) tooFarBehind(end place, limits Limits) bool {
	from := w.joined
	if here := w.cursor.Load().place; here.events > from.events {
		from = here
	}
	return end.events-from.events > uint64(limits.Behind) ||
		end.bytes-from.bytes > uint64(limits.Bytes)
}

// A watcherSet is the watchers of a collection. Its lock is separate from the
// store's, so that watchers come and go under the store's shared lock.
type watcherSet struct {
	mu  sync.Mutex
	all map[*Watcher]struct{}
}

func (s *watcherSet) add(w *Watcher) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all == nil {
		s.all = map[*Watcher]struct{}{}
	}
	s.all[w] = struct{}{}
}

func (s *watcherSet) remove(w *Watcher) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.all, w)
}

// Watchers is how many watches of the collection are open.
func (c *Collection) Watchers() int {
	c.watchers.mu.Lock()
	defer c.watchers.mu.Unlock()
	return len(c.watchers.all)
}

// tooFarBehind are the watchers to be cut off. To keep writes cheap with thousands
// of watchers it looks at them only now and then, so a watcher may get an eighth
// further behind than it is allowed.
func (s *watcherSet) tooFarBehind(h *history, limits Limits) (slow []*Watcher) {
	end := h.tail.place
	before := place{end.events - 1, end.bytes - uint64(h.tail.size)}
	if !crosses(before.events, end.events, limits.Behind/8) &&
		!crosses(before.bytes, end.bytes, limits.Bytes/8) {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for w := range s.all {
		if w.tooFarBehind(end, limits) {
			slow = append(slow, w)
		}
	}
	return slow
}

// crosses says whether a multiple of step is between two numbers, or is the larger.
func crosses(from, to uint64, step int) bool {
	s := uint64(max(1, step))
	return from/s != to/s
}

// cutOffSlow cuts off the watchers that the transaction found too far behind.
func (tx *Tx) cutOffSlow() {
	for _, w := range tx.slow {
		w.cutOff()
	}
}
