package store

import (
	"sync"
	"sync/atomic"
)

// A Watcher is one reader of a collection's chain of events. It has no queue, only
// a cursor. One goroutine at a time may call Next; Close ends the watcher.
type Watcher struct {
	collection *Collection
	cursor     atomic.Pointer[link] // to the next event, read by writes; nil for a pinned snapshot
	joined     place                // where its collection was then

	end   sync.Once // the first cutOff or Close; later ones only wait for it
	abort func()    // called when it is cut off
}

// WatchFrom starts a watch of all events after a version. The caller has to close it. The version
// may be one that is not reached yet: then the watch gets all events from now on, and its reader
// has to ignore those up to the version. The error is a *TooOldError.
//
// abort is called, by any goroutine and at most once, if the watcher is cut off because it is too
// far behind. It has to make the watcher's goroutine stop waiting for the client, and close the
// watcher.
func (c *Collection) WatchFrom(version uint64, abort func()) (*Watcher, error) {
	c.store.mu.RLock()
	defer c.store.mu.RUnlock()
	if err := c.knows(version); err != nil {
		return nil, err
	}
	return c.join(c.cursor(version), abort), nil
}

// WatchState returns the present state, and a watch of all events after it: see WatchFrom.
func (c *Collection) WatchState(abort func()) (Snapshot, *Watcher) {
	c.store.mu.RLock()
	defer c.store.mu.RUnlock()
	return c.snapshot(), c.join(c.end, abort)
}

// Pin registers a caller that is about to read a snapshot and may take long. The snapshot keeps all
// states alive that are replaced meanwhile. If more than Limits.Bytes are replaced, abort is
// called, as for a slow watcher: see WatchFrom. So all snapshots together keep little more alive
// than the history does. The caller has to call unpin.
func (c *Collection) Pin(abort func()) (unpin func()) {
	c.store.mu.RLock()
	defer c.store.mu.RUnlock()
	return c.join(nil, abort).Close
}

// join registers a watcher with a cursor. The caller holds the store's lock, shared: many watches
// can start at the same time, and none waits for another.
func (c *Collection) join(cursor *link, abort func()) *Watcher {
	w := &Watcher{collection: c, joined: c.store.place(c), abort: abort}
	w.cursor.Store(cursor)
	c.store.watchers.Store(w, nil)
	return w
}

// Ready returns a channel that is closed when there is an event for Next to return. It is
// another channel after each Next.
func (w *Watcher) Ready() <-chan struct{} { return w.cursor.Load().ready }

// Next moves the cursor to the next event and returns that event, nil if there is none
// yet. It does not block.
func (w *Watcher) Next() *Event {
	e := w.cursor.Load().event()
	if e != nil {
		w.cursor.Store(e.after)
	}
	return e
}

// Behind returns how many events Next would return now, one after the other, and the
// store's version. If there are no such events, the watcher knows everything up to that
// version, which may be beyond its last event: other collections are written to, too.
func (w *Watcher) Behind() (events int, version uint64) {
	c := w.collection
	c.store.mu.RLock()
	defer c.store.mu.RUnlock()
	if e := w.cursor.Load().event(); e != nil {
		events = int(c.events - e.place.events)
	}
	return events, c.store.version
}

// Close ends the watcher: after it has returned, abort is not called any more. It waits
// for a call of abort that is running. It may be called again.
func (w *Watcher) Close() {
	w.collection.store.watchers.Delete(w)
	w.end.Do(func() {})
}

// cutOff ends a watcher that is too far behind.
func (w *Watcher) cutOff() {
	w.end.Do(w.abort)
}

// tooFarBehind says whether the watcher keeps too much alive. Events that were in the chain when it
// joined do not count, and neither does the last one: however large that is, a watcher that has
// passed all others is up to date. A pinned snapshot keeps no events, only bytes.
func (w *Watcher) tooFarBehind(last *Event, limits Limits) bool {
	from := w.joined
	if cursor := w.cursor.Load(); cursor != nil {
		unread := cursor.event()
		if unread == nil {
			return false
		}
		if unread.place.events >= from.events {
			from = unread.place
		}
		if w.collection.events-from.events > uint64(limits.Behind) {
			return true
		}
	}
	return last.place.bytes > from.bytes+uint64(limits.Bytes)
}

// Watchers returns how many watches of the collection are open.
func (c *Collection) Watchers() (n int) {
	for key := range c.store.watchers.Range {
		if w := key.(*Watcher); w.collection == c && w.cursor.Load() != nil {
			n++
		}
	}
	return n
}

// tooFarBehind returns the watchers to cut off after the last event. To keep writes cheap with
// thousands of watchers, it checks them only each time an eighth of a limit has been written. So a
// watcher may get an eighth further behind than the limit allows.
func (s *Store) tooFarBehind(last *Event) (slow []*Watcher) {
	step := uint64(max(1, min(s.limits.Bytes, s.limits.Behind*overhead)/8))
	if last.place.bytes/step == s.bytes/step {
		return nil
	}
	for key := range s.watchers.Range {
		if w := key.(*Watcher); w.tooFarBehind(last, s.limits) {
			slow = append(slow, w)
		}
	}
	return slow
}
