package store

import (
	"fmt"
	"iter"
	"slices"
	"sort"
	"time"
)

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

// oldest returns the oldest version at which a read of the past, or a watch, can begin: both need
// only the events after it.
func (c *Collection) oldest() uint64 { return max(c.forgotten, c.store.compacted) }

// after yields the events of the collection that are remembered and come after a version.
func (c *Collection) after(version uint64) iter.Seq[*Event] {
	window := c.store.window
	from := sort.Search(len(window), func(i int) bool { return window[i].Version() > version })
	return func(yield func(*Event) bool) {
		for _, e := range window[from:] {
			if e.collection == c && !yield(e) {
				return
			}
		}
	}
}

// cursor returns where a watch from a version reads on. The collection must know the version.
func (c *Collection) cursor(version uint64) *link {
	for next := range c.after(version) {
		return next.before
	}
	return c.end
}

// History returns the events that the collection remembers, oldest first, and the oldest
// version from which a watch can start. The caller owns the slice and only reads the
// events. It is for diagnostics.
func (c *Collection) History() (oldest uint64, events []*Event) {
	c.store.mu.RLock()
	defer c.store.mu.RUnlock()
	return c.oldest(), slices.Collect(c.after(0))
}

// remember puts an event at the end of its collection's chain and of the window, and forgets what
// is too much then. The caller holds the store's lock.
func (s *Store) remember(e *Event) {
	c := e.collection
	e.at, e.place, e.before, e.after = time.Now(), s.place(c), c.end, newLink()
	c.events++
	s.bytes += uint64(e.size)
	s.window = append(s.window, e)
	c.end.next = e
	close(c.end.ready) // wakes all watchers there
	c.end = e.after
	s.forget(func(e *Event) bool { return s.bytes-e.place.bytes > uint64(s.limits.Bytes) })
	if s.expiry == nil && !s.closed {
		s.expiry = time.AfterFunc(s.limits.Age, s.expire)
	}
}

// place returns the place that the next event of a collection gets.
func (s *Store) place(c *Collection) place { return place{c.events, s.bytes} }

// forget forgets the oldest events as long as they are overdue. A watcher that has not passed them
// yet can still read them: its cursor keeps the rest of the chain alive.
func (s *Store) forget(overdue func(*Event) bool) {
	for len(s.window) > 0 && overdue(s.window[0]) {
		s.window[0].collection.forgotten = s.window[0].Version()
		s.window[0] = nil // otherwise the array would keep it alive
		s.window = s.window[1:]
	}
}

// expire forgets the events that are too old. It runs at most eight times in Limits.Age, so an
// event may get an eighth older than that.
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
