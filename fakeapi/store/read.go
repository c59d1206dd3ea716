package store

import (
	"iter"
	"slices"
	"strings"
	"time"
)

// Get returns the object under a key, nil if there is none.
func (c *Collection) Get(key string) Object {
	c.store.mu.RLock()
	defer c.store.mu.RUnlock()
	return c.objects.get(key)
}

// A Snapshot is a collection as it was at one version. It never changes, and it is read
// without a lock while writes go on. Many goroutines may read it at the same time.
type Snapshot struct {
	Version uint64
	objects *index
}

// Snapshot returns the collection as it is now, in constant time.
func (c *Collection) Snapshot() Snapshot {
	c.store.mu.RLock()
	defer c.store.mu.RUnlock()
	return c.snapshot()
}

// snapshot does what Snapshot does, for a caller that holds the store's lock.
func (c *Collection) snapshot() Snapshot { return Snapshot{c.store.version, c.objects.snapshot()} }

// SnapshotAt returns the collection as it was at a version that the store has reached,
// or a *TooOldError if the history does not reach back to it.
//
// The past is the present with the later events undone, newest first. The lock is held
// only while these two are taken; the work is done on a private copy.
func (c *Collection) SnapshotAt(version uint64) (Snapshot, error) {
	now, later, err := c.presentAndEventsAfter(version)
	if err != nil {
		return Snapshot{}, err
	}
	for _, e := range slices.Backward(later) {
		if e.Before == nil {
			now.objects.remove(e.Object.Key())
		} else {
			now.objects.set(e.Before)
		}
	}
	return Snapshot{version, now.objects}, nil
}

// presentAndEventsAfter returns what SnapshotAt works on. Only this function and commit check
// the age of the history.
func (c *Collection) presentAndEventsAfter(version uint64) (Snapshot, []*Event, error) {
	c.store.mu.Lock() // exclusively, for drop
	defer c.store.mu.Unlock()
	c.history.drop(c.history.overdue(c.store.limits, time.Now()))
	if err := c.history.knows(version); err != nil {
		return Snapshot{}, nil, err
	}
	later := c.history.window[c.history.search(version):]
	return c.snapshot(), slices.Clone(later), nil
}

// All yields the objects whose keys start with prefix and are not below start, in
// order of their keys.
func (s Snapshot) All(prefix, start string) iter.Seq[Object] {
	return func(yield func(Object) bool) {
		for o := range s.objects.from(max(start, prefix)) {
			if !strings.HasPrefix(o.Key(), prefix) || !yield(o) {
				return
			}
		}
	}
}

// Count returns how many objects All yields, without visiting each of them.
func (s Snapshot) Count(prefix, start string) int {
	n := s.objects.count(max(start, prefix))
	for last := len(prefix) - 1; last >= 0; last-- {
		if next := prefix[last] + 1; next > 0 { // 0: it was the largest byte
			above := prefix[:last] + string([]byte{next}) // above all keys with the prefix
			return n - s.objects.count(max(start, above))
		}
	}
	return n
}
