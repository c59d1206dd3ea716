package store

import (
	"sync"
	"sync/atomic"
)

// A Start says where a watch begins, and has its watcher.
type Start struct {
	// Version is what the client knows, or will know after it has received State. The
	// watcher's first event is the first one after it.
	Version uint64
	// State is the collection at Version; nil for a watch from a version.
	State *Snapshot

	Watcher *Watcher // the caller must close it
}

// A Watcher is one reader of a collection's chain of events. It has no queue, only
// a cursor. One goroutine at a time may call Next; Close ends the watcher.
type Watcher struct {
	collection *Collection
	holds      bool                 // it is a holder of a snapshot: see Hold
	cursor     atomic.Pointer[link] // to the next event; tooFarBehind reads it in writes
	joined     place                // the end of the chain when it joined

	end   sync.Once     // the first cutOff or Close; later ones only wait for it
	slow  chan struct{} // closed when it is cut off
	abort func()        // called when it is cut off
}

// WatchFrom starts a watch of all events after a version. The version may be one that is
// not reached yet: then the watch gets all events from now on, and its reader has to
// ignore those up to the version. The error is a *TooOldError.
//
// abort is called, by any goroutine and at most once, if the watcher is cut off. It has to
// make the watcher's goroutine stop waiting for the client. It may be nil.
func (c *Collection) WatchFrom(version uint64, abort func()) (Start, error) {
	c.store.mu.RLock()
	defer c.store.mu.RUnlock()
	if err := c.history.knows(version); err != nil {
		return Start{}, err
	}
	return Start{Version: version, Watcher: c.join(false, c.history.cursor(version), abort)}, nil
}

// WatchState starts a watch of the present state and of all events after it. For abort
// see WatchFrom.
func (c *Collection) WatchState(abort func()) Start {
	c.store.mu.RLock()
	defer c.store.mu.RUnlock()
	state := c.snapshot()
	return Start{Version: state.Version, State: &state,
		Watcher: c.join(false, c.history.end, abort)}
}

// Hold registers a caller that is about to read a snapshot and may take long. The snapshot
// keeps all states alive that are replaced meanwhile. If they are more than Limits.Bytes, the
// holder is cut off like a slow watcher: see Slow, and WatchFrom for abort. So all snapshots
// together keep little more alive than the history does. The caller has to close the holder,
// and uses none of its other methods.
func (c *Collection) Hold(abort func()) *Watcher {
	c.store.mu.RLock()
	defer c.store.mu.RUnlock()
	// The cursor leads nowhere: it keeps no event alive.
	return c.join(true, &link{place: c.history.end.place}, abort)
}

// join registers a watcher with a cursor. The caller holds the store's lock, shared: many watches
// can start at the same time, and none waits for another.
func (c *Collection) join(holds bool, cursor *link, abort func()) *Watcher {
	w := &Watcher{collection: c, holds: holds, joined: c.history.end.place, abort: abort,
		slow: make(chan struct{})}
	w.cursor.Store(cursor)
	c.watchers.Store(w, nil)
	return w
}

// Ready returns a channel that is closed when there is an event for Next to return. It is
// another channel after each Next.
func (w *Watcher) Ready() <-chan struct{} { return w.cursor.Load().ready }

// Next moves the cursor to the next event and returns that event, nil if there is none
// yet. It does not block.
func (w *Watcher) Next() *Event {
	at := w.cursor.Load()
	select {
	case <-at.ready:
		w.cursor.Store(at.next.after)
		return at.next
	default:
		return nil
	}
}

// Behind returns how many events Next would return now, one after the other, and the
// store's version. If there are no such events, the watcher knows everything up to that
// version, which may be beyond its last event: other collections are written to, too.
func (w *Watcher) Behind() (events int, version uint64) {
	c := w.collection
	c.store.mu.RLock()
	defer c.store.mu.RUnlock()
	return int(c.history.end.place.events - w.cursor.Load().place.events), c.store.version
}

// Slow returns a channel that is closed when the watcher is cut off because it is too far
// behind. The caller still has to close the watcher.
func (w *Watcher) Slow() <-chan struct{} { return w.slow }

// Close ends the watcher: after it has returned, abort is not called any more. It waits
// for a call of abort that is running. It may be called again.
func (w *Watcher) Close() {
	w.collection.watchers.Delete(w)
	w.end.Do(func() {})
}

// cutOff ends a watcher that is too far behind.
func (w *Watcher) cutOff() {
	w.end.Do(func() {
		close(w.slow)
		if w.abort != nil {
			w.abort()
		}
	})
}

// tooFarBehind says whether the watcher is too far behind the end of the chain. Events
// that were in the chain when it joined do not count. A holder keeps no events, only bytes.
func (w *Watcher) tooFarBehind(end place, limits Limits) bool {
	from := w.joined
	if here := w.cursor.Load().place; here.events > from.events {
		from = here
	}
	return !w.holds && end.events-from.events > uint64(limits.Behind) ||
		end.bytes-from.bytes > uint64(limits.Bytes)
}

// Watchers returns how many watches of the collection are open.
func (c *Collection) Watchers() (n int) {
	for key := range c.watchers.Range {
		if !key.(*Watcher).holds {
			n++
		}
	}
	return n
}

// tooFarBehind returns the watchers to cut off after the last event. To keep writes cheap with
// thousands of watchers, it checks them only each time the chain has grown by an eighth of a limit.
// So a watcher may get an eighth further behind than the limit allows.
func (c *Collection) tooFarBehind(last *Event, limits Limits) (slow []*Watcher) {
	end := last.after.place
	if !crosses(end.events-1, end.events, limits.Behind/8) &&
		!crosses(end.bytes-uint64(last.size), end.bytes, limits.Bytes/8) {
		return nil
	}
	for key := range c.watchers.Range {
		if w := key.(*Watcher); w.tooFarBehind(end, limits) {
			slow = append(slow, w)
		}
	}
	return slow
}

// crosses says whether one of the numbers above from, up to to, is a multiple of step. A
// step of 0 counts as 1.
func crosses(from, to uint64, step int) bool {
	s := uint64(max(1, step))
	return from/s != to/s
}
