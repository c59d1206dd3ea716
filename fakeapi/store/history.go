package store

import (
	"fmt"
	"slices"
	"sort"
	"time"
)

// A history is what is remembered of a collection, and the end of the chain to which new events
// are appended. The store's lock guards it.
//
//	(forgotten) ──start──▶ window[0] ──▶ window[1] ──▶ … ──end──▶
type history struct {
	window []*Event // oldest first
	start  *link    // to the oldest
	end    *link    // to the next write
	events uint64   // how many there were since the collection was made

	// forgotten is the version up to which events are forgotten. A read of the past, or
	// a watch, can still begin at this version: both need only the events after it.
	forgotten uint64
}

// newHistory returns the history of a collection that is made at a version.
func newHistory(version uint64) history {
	end := &link{ready: make(chan struct{})}
	return history{start: end, end: end, forgotten: version}
}

// append puts an event at the end of the chain and wakes all watchers there.
func (h *history) append(e *Event) {
	last := h.end
	e.after = &link{ready: make(chan struct{})}
	h.window = append(h.window, e)
	h.events++
	h.end = e.after
	last.next = e
	close(last.ready)
}

// dropOldest forgets the oldest event. A watcher that has not passed it yet can still read it: its
// cursor keeps the rest of the chain alive.
func (h *history) dropOldest() {
	e := h.window[0]
	h.forgotten, h.start = e.Version(), e.after
	h.window[0] = nil // otherwise the array would keep it alive
	h.window = h.window[1:]
}

// search returns the position in the window of the first event after a version.
func (h *history) search(version uint64) int {
	return sort.Search(len(h.window), func(i int) bool { return h.window[i].Version() > version })
}

// cursor returns where a watch from a version reads on. The history must know the version.
func (h *history) cursor(version uint64) *link {
	if n := h.search(version); n > 0 {
		return h.window[n-1].after
	}
	return h.start
}

// A TooOldError says that some of the events after Version are forgotten. Oldest is the
// oldest version after which all events are remembered.
type TooOldError struct{ Version, Oldest uint64 }

// Error implements error.
func (e *TooOldError) Error() string {
	return fmt.Sprintf("store: version %d is too old, the oldest is %d", e.Version, e.Oldest)
}

// knows returns nil if all events of the collection after a version are remembered, a *TooOldError
// otherwise.
func (c *Collection) knows(version uint64) error {
	if oldest := c.oldest(); version < oldest {
		return &TooOldError{version, oldest}
	}
	return nil
}

func (c *Collection) oldest() uint64 { return max(c.history.forgotten, c.store.compacted) }

// History returns the events that the collection remembers, oldest first, and the oldest
// version from which a watch can start. The caller owns the slice and only reads the
// events. It is for diagnostics.
func (c *Collection) History() (oldest uint64, events []*Event) {
	c.store.mu.RLock()
	defer c.store.mu.RUnlock()
	return c.oldest(), slices.Clone(c.history.window)
}

// remember puts an event at the ends of both windows, its collection's and the store's, and
// forgets what is too much then. The caller holds the store's lock.
func (s *Store) remember(e *Event) {
	e.at, e.place = time.Now(), s.place(e.collection)
	s.bytes += uint64(e.size)
	s.window = append(s.window, e)
	e.collection.history.append(e)
	s.forget(func(e *Event) bool { return s.bytes-e.place.bytes > uint64(s.limits.Bytes) })
	if s.expiry == nil && !s.closed {
		s.expiry = time.AfterFunc(s.limits.Age, s.expire)
	}
}

// place returns the place that the next event of a collection gets.
func (s *Store) place(c *Collection) place { return place{c.history.events, s.bytes} }

// forget forgets the oldest events as long as they are overdue.
func (s *Store) forget(overdue func(*Event) bool) {
	for len(s.window) > 0 && overdue(s.window[0]) {
		s.window[0].collection.history.dropOldest()
		s.window[0] = nil // otherwise the array would keep it alive
		s.window = s.window[1:]
	}
}

// expire forgets the events that are too old. It runs at most eight times in Limits.Age, so an event
// may get an eighth older than that.
func (s *Store) expire() {
	s.mu.Lock()
	defer s.mu.Unlock()
	now, age := time.Now(), s.limits.Age
	s.forget(func(e *Event) bool { return now.Sub(e.at) >= age })
	if s.expiry = nil; len(s.window) > 0 && !s.closed {
		s.expiry = time.AfterFunc(max(age-now.Sub(s.window[0].at), age/8), s.expire)
	}
}

// Compact forgets all history: from now on, reads of the past and new watches can begin only at the
// present version or a later one. Open watches continue.
func (s *Store) Compact() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.forget(func(*Event) bool { return true })
	s.compacted = s.version
}

// Close stops the timer that forgets what is too old. The store can still be used.
func (s *Store) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed = true; s.expiry != nil {
		s.expiry.Stop()
	}
}
