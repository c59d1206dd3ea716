package store

import (
	"cmp"
	"iter"
	"slices"
	"sort"
	"strings"
	"sync/atomic"
)

// sorted are objects in order of their keys.
type sorted []Object

// find returns the position of the object under a key, or where it would be.
func (s sorted) find(key string) (at int, found bool) {
	return slices.BinarySearchFunc(s, key, func(o Object, key string) int {
		return cmp.Compare(o.Key(), key)
	})
}

// get returns the object under a key, nil if there is none.
func (s sorted) get(key string) Object {
	if at, found := s.find(key); found {
		return s[at]
	}
	return nil
}

// An index is what a collection holds now. Snapshots share its objects, and a write then copies
// them first: the snapshots of the real watch cache are copy-on-write as well. Changing an index
// needs an exclusive lock, reading it a shared one.
type index struct {
	objects sorted
	// shared says that a snapshot has the same array. It is atomic, because taking a snapshot sets
	// it under the shared lock only.
	shared atomic.Bool
}

// snapshot returns the objects as they are now.
func (x *index) snapshot() sorted {
	x.shared.Store(true)
	return x.objects
}

// own makes the array one that no snapshot has.
func (x *index) own() {
	if x.shared.Swap(false) {
		x.objects = slices.Clone(x.objects)
	}
}

// set puts o under its key, and returns the object that was there before, nil if there was none.
func (x *index) set(o Object) (before Object) {
	x.own()
	at, found := x.objects.find(o.Key())
	if found {
		before, x.objects[at] = x.objects[at], o
		return before
	}
	x.objects = slices.Insert(x.objects, at, o)
	return nil
}

// remove deletes the object under a key and returns it. There must be one.
func (x *index) remove(key string) (before Object) {
	x.own()
	at, _ := x.objects.find(key)
	before = x.objects[at]
	x.objects = slices.Delete(x.objects, at, at+1)
	return before
}

// Get returns the object under a key, nil if there is none.
func (c *Collection) Get(key string) Object {
	c.store.mu.RLock()
	defer c.store.mu.RUnlock()
	return c.index.objects.get(key)
}

// Holds says whether there is an object whose key starts with prefix. In contrast to a snapshot, it
// does not make the next write copy the list of objects.
func (c *Collection) Holds(prefix string) bool {
	c.store.mu.RLock()
	defer c.store.mu.RUnlock()
	at, _ := c.index.objects.find(prefix)
	return at < len(c.index.objects) && strings.HasPrefix(c.index.objects[at].Key(), prefix)
}

// A Snapshot is a collection as it was at one version. It never changes, and it is read
// without a lock while writes go on. Many goroutines may read it at the same time.
type Snapshot struct {
	Version uint64
	objects sorted
}

// Snapshot returns the collection as it is now, in constant time.
func (c *Collection) Snapshot() Snapshot {
	c.store.mu.RLock()
	defer c.store.mu.RUnlock()
	return c.snapshot()
}

// snapshot does what Snapshot does, for a caller that holds the store's lock.
func (c *Collection) snapshot() Snapshot { return Snapshot{c.store.version, c.index.snapshot()} }

// SnapshotAt returns the collection as it was at a version that the store has reached,
// or a *TooOldError if the history does not reach back to it.
//
// The past is the present with the later events undone. The lock is held only while these two are
// taken.
func (c *Collection) SnapshotAt(version uint64) (Snapshot, error) {
	now, later, err := c.presentAndEventsAfter(version)
	if err != nil || len(later) == 0 {
		return Snapshot{version, now.objects}, err
	}
	was := map[string]Object{} // at the version, under the keys that were written later; nil: nothing
	for _, e := range slices.Backward(later) {
		was[e.Object.Key()] = e.Before
	}
	past := make(sorted, 0, len(now.objects))
	for _, o := range now.objects {
		if _, changed := was[o.Key()]; !changed {
			past = append(past, o)
		}
	}
	for _, o := range was {
		if o != nil {
			past = append(past, o)
		}
	}
	slices.SortFunc(past, func(a, b Object) int { return cmp.Compare(a.Key(), b.Key()) })
	return Snapshot{version, past}, nil
}

// presentAndEventsAfter returns what SnapshotAt works on.
func (c *Collection) presentAndEventsAfter(version uint64) (Snapshot, []*Event, error) {
	c.store.mu.RLock()
	defer c.store.mu.RUnlock()
	if err := c.knows(version); err != nil {
		return Snapshot{}, nil, err
	}
	return c.snapshot(), slices.Collect(c.after(version)), nil
}

// All yields the objects whose keys start with prefix and are not below start, in
// order of their keys.
func (s Snapshot) All(prefix, start string) iter.Seq[Object] {
	return slices.Values(s.between(prefix, start))
}

// Count returns how many objects All yields.
func (s Snapshot) Count(prefix, start string) int { return len(s.between(prefix, start)) }

// between returns the objects whose keys start with prefix and are not below start.
func (s Snapshot) between(prefix, start string) sorted {
	from, _ := s.objects.find(max(start, prefix))
	rest := s.objects[from:]
	return rest[:sort.Search(len(rest), func(i int) bool {
		return !strings.HasPrefix(rest[i].Key(), prefix) // after the first such key all are such
	})]
}
