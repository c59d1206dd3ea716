package fakeapi

import (
	"fmt"
	"sync"
	"sync/atomic"
)

// A watcher is one reader of a collection's chain of events. It has no queue:
// only a position, which the collection looks at now and then to find those that
// have fallen too far behind.
type watcher struct {
	seq   atomic.Uint64 // position in the chain: seq of the last event passed
	since uint64        // end of the chain when it joined; set once, by join

	slow  chan struct{} // closed when the watcher is cut off
	once  sync.Once
	abort func() // makes a write that blocks fail; called at most once
}

// cutOff ends the watcher for being slow.
func (w *watcher) cutOff() {
	w.once.Do(func() {
		close(w.slow)
		w.abort()
	})
}

// behind is how many events there are to the end of the chain that the watcher
// has not passed. What was there when it joined is not its fault and not counted.
func (w *watcher) behind(end uint64) uint64 { return end - max(w.seq.Load(), w.since) }

// passed notes that the watcher has dealt with an event.
func (w *watcher) passed(e *event) { w.seq.Store(e.seq) }

// A start is where a watch begins.
type start struct {
	cursor  *event      // the watcher goes on after this one
	initial []*document // what it is sent first, if it asked for that
	version uint64      // events up to here are known to it
}

// join registers a watcher and finds its start: the events after version from,
// or, with initial, the present state and the events after that. It returns a
// *Status if from is forgotten.
func (c *collection) join(w *watcher, from uint64, initial bool, sel *selection) (start, error) {
	c.store.mu.Lock()
	defer c.store.mu.Unlock()
	st := start{version: from}
	switch {
	case initial:
		st.cursor, st.version = c.history.tail, c.store.version
		st.initial = c.collect(present, sel, "", 0).docs
	case from < c.history.forgotten:
		return st, expired(fmt.Sprintf("too old resource version: %d (%d)",
			from, c.history.forgotten))
	default:
		st.cursor = c.history.after(from)
	}
	w.passed(st.cursor)
	w.since = c.history.tail.seq
	c.watchers[w] = struct{}{}
	return st, nil
}

// leave is the end of a watcher's registration: after it, cutOff is not called.
func (c *collection) leave(w *watcher) {
	c.store.mu.Lock()
	defer c.store.mu.Unlock()
	delete(c.watchers, w)
}

// upToDate says whether e is the newest event, and the version that a watcher
// which has passed it therefore knows everything up to.
func (c *collection) upToDate(e *event) (version uint64, ok bool) {
	c.store.mu.RLock()
	defer c.store.mu.RUnlock()
	// A watch from the past may start at an event of its own (history.after):
	// the position counts, not the pointer.
	return c.store.version, e.seq == c.history.tail.seq
}

// cutOffSlow ends the watchers that are too far behind. To keep writes cheap
// with thousands of watchers it looks only once in a while, so a watcher may get
// an eighth further behind than it is allowed. The lock is held for writing.
func (c *collection) cutOffSlow() {
	end := c.history.tail.seq
	if end%max(1, c.store.limits.buffer/8) != 0 {
		return
	}
	for w := range c.watchers {
		if w.behind(end) > c.store.limits.buffer {
			w.cutOff()
		}
	}
}
