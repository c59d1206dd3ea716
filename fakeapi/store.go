package fakeapi

import (
	"context"
	"sync"
	"time"
)

// A store is all collections under one lock and one sequence of versions, as
// etcd has it: every write of any resource takes the next number.
//
// Writes hold the lock while they decide, encode and commit, so they are
// linearizable, and a patch that names no version never needs a second attempt.
// Reads hold it while they collect pointers to documents; bytes are written to
// connections without it.
type store struct {
	limits struct {
		count  int           // events remembered per resource
		age    time.Duration // and for how long
		buffer uint64        // events a watcher may be behind
	}
	committed func(Change) // Trace.Committed; may be nil

	mu          sync.RWMutex
	version     uint64        // of the last write; the first write gets 2
	bell        chan struct{} // closed by the next commit; nil if nobody waits
	collections map[string]*collection
}

// firstVersion is that of an empty store. It is not 0, because 0 means "any
// version" in requests.
const firstVersion = 1

func newStore(o Options) *store {
	st := &store{version: firstVersion, collections: map[string]*collection{}}
	st.limits.count = o.HistoryCount
	st.limits.age = o.HistoryAge
	st.limits.buffer = uint64(o.WatchBuffer)
	st.committed = o.Trace.Committed
	return st
}

// A collection is the objects of one resource, in all namespaces.
type collection struct {
	resource *Resource
	store    *store

	// All below is guarded by store.mu.

	index    *index  // one slot for every key that is present or remembered
	history  history // every version in a slot but the oldest has its event here, or had
	watchers map[*watcher]struct{}
}

func (st *store) add(r *Resource) *collection {
	c := &collection{resource: r, store: st, index: newIndex(),
		history: newHistory(firstVersion), watchers: map[*watcher]struct{}{}}
	st.collections[r.QualifiedName()] = c
	return c
}

// current is the object a key holds now, nil if none. The lock is held.
func (c *collection) current(key string) *document {
	if s := c.index.get(key); s != nil {
		return s.present()
	}
	return nil
}

// commit makes doc, encoded at version store.version+1, the present state of its
// key and tells the watchers. prev is the state before, nil for added. The lock
// is held for writing.
func (c *collection) commit(kind eventType, doc, prev *document) {
	st := c.store
	st.version = doc.version
	v := version{at: doc.version, doc: doc}
	if kind == removed {
		v.doc = nil
	}
	if s := c.index.get(doc.key()); s != nil {
		s.versions = append(s.versions, v)
	} else {
		c.index.insert(&slot{key: doc.key(), versions: []version{v}})
	}
	if st.committed != nil { // before a watcher can send it, or the trace would tell it backwards
		st.committed(Change{string(kind), c.resource.QualifiedName(),
			doc.namespace, doc.name, doc.version})
	}
	e := newEvent(kind, doc, prev)
	e.at = time.Now()
	c.history.append(e)
	c.expire(e.at)
	c.cutOffSlow()
	if st.bell != nil {
		close(st.bell)
		st.bell = nil
	}
}

// expire forgets what the limits say is due. The lock is held for writing.
func (c *collection) expire(now time.Time) {
	n := c.history.overdue(c.store.limits.count, c.store.limits.age, now)
	c.forget(n)
}

// forget drops the n oldest events and the versions that only they explained.
func (c *collection) forget(n int) {
	for _, e := range c.history.drop(n) {
		key := e.doc.key()
		if s := c.index.get(key); s != nil && s.trim(c.history.forgotten) {
			c.index.remove(key)
		}
	}
}

// compact forgets all history of all resources: from now on only the present
// version, and later ones, can be read or watched from.
func (st *store) compact() {
	st.mu.Lock()
	defer st.mu.Unlock()
	for _, c := range st.collections {
		c.forget(len(c.history.window))
		c.history.forgotten = st.version
	}
}

// now is the version of the last write.
func (st *store) now() uint64 {
	st.mu.RLock()
	defer st.mu.RUnlock()
	return st.version
}

// patience is how long a request for a future version is kept waiting.
const patience = 3 * time.Second

// reach waits until the store has reached version v. It returns a *Status
// if that takes too long and ctx's error if the caller goes away.
func (st *store) reach(ctx context.Context, v uint64) error {
	late := time.NewTimer(patience)
	defer late.Stop()
	for {
		current, bell := st.listen(v)
		if bell == nil {
			return nil
		}
		select {
		case <-bell:
		case <-late.C:
			return tooLargeVersion(v, current)
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// listen is the current version and, if that is below v, a channel that the next
// commit closes.
func (st *store) listen(v uint64) (current uint64, bell <-chan struct{}) {
	st.mu.Lock()
	defer st.mu.Unlock()
	if st.version >= v {
		return st.version, nil
	}
	if st.bell == nil {
		st.bell = make(chan struct{})
	}
	return st.version, st.bell
}
