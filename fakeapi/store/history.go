package store

import (
	"fmt"
	"slices"
	"sort"
	"time"
)

// A history is the window of events that a collection remembers, and the end of
// the chain to which new events are appended. The store's lock guards it.
//
//	(forgotten) ──start──▶ window[0] ──▶ window[1] ──▶ … ──end──▶
type history struct {
	window []*Event // oldest first
	start  *link    // to the oldest
	end    *link    // to the next write

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
	e.at = time.Now()
	e.after = &link{place: last.place.plus(e), ready: make(chan struct{})}
	h.window = append(h.window, e)
	h.end = e.after
	last.next = e
	close(last.ready)
}

// linkTo returns the link to window[n], or the end of the chain for the length of the window.
func (h *history) linkTo(n int) *link {
	if n == 0 {
		return h.start
	}
	return h.window[n-1].after
}

// History returns the events that the collection remembers, oldest first, and the oldest
// version from which a watch can start. The caller owns the slice and only reads the
// events. It is for diagnostics.
func (c *Collection) History() (oldest uint64, events []*Event) {
	c.store.mu.RLock()
	defer c.store.mu.RUnlock()
	return c.history.forgotten, slices.Clone(c.history.window)
}

// overdue returns how many of the oldest events are beyond one of the limits.
func (h *history) overdue(limits Limits, now time.Time) int {
	n := max(0, len(h.window)-limits.Events)
	for n < len(h.window) && (now.Sub(h.window[n].at) > limits.Age || h.bytesFrom(n) > limits.Bytes) {
		n++
	}
	return n
}

// bytesFrom returns the size of the events from window[n] on.
func (h *history) bytesFrom(n int) int {
	return int(h.end.place.bytes - h.linkTo(n).place.bytes)
}

// drop forgets the n oldest events. A watcher that has not passed them yet can still
// read them: its cursor keeps the rest of the chain alive.
func (h *history) drop(n int) {
	if n == 0 {
		return
	}
	h.forgotten, h.start = h.window[n-1].Version(), h.linkTo(n)
	clear(h.window[:n]) // otherwise the array would keep them alive
	h.window = h.window[n:]
}

// A TooOldError says that some of the events after Version are forgotten. Oldest is the
// oldest version after which all events are remembered.
type TooOldError struct{ Version, Oldest uint64 }

// Error implements error.
func (e *TooOldError) Error() string {
	return fmt.Sprintf("store: version %d is too old, the oldest is %d", e.Version, e.Oldest)
}

// knows returns nil if all events after a version are remembered, a *TooOldError otherwise.
func (h *history) knows(version uint64) error {
	if version < h.forgotten {
		return &TooOldError{version, h.forgotten}
	}
	return nil
}

// search returns the position in the window of the first event after a version.
func (h *history) search(version uint64) int {
	return sort.Search(len(h.window), func(i int) bool { return h.window[i].Version() > version })
}

// cursor returns where a watch from a version reads on. The history must know the version.
func (h *history) cursor(version uint64) *link { return h.linkTo(h.search(version)) }
