package store

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// An Object is one version of one object. It never changes: a write replaces it by
// another one. The store, its history and all readers share it.
type Object interface {
	Key() string     // unique in its collection; reads are in order of keys, bytewise
	Version() uint64 // of the write that made it
	Size() int       // in bytes, for Limits.Bytes
}

// A Store holds collections of objects under one lock and one sequence of versions.
// Many goroutines may use it at the same time.
type Store struct {
	limits    Limits
	committed func(*Collection, *Event) // may be nil

	mu        sync.RWMutex
	version   uint64        // of the last write
	advance   chan struct{} // closed by the next write; nil if no request waits for it
	window    []*Event      // what is remembered of all collections, oldest first
	bytes     uint64        // of all events that there ever were
	compacted uint64        // everything up to this version is forgotten
	expiry    *time.Timer   // calls expire; nil if there is nothing to forget
	closed    bool          // there must not be another timer

	watchers sync.Map // each Watcher is a key: they come and go under the shared lock
}

// Limits say how much history is remembered of all collections together. All must be positive.
type Limits struct {
	Bytes int           // of replaced and deleted states, and 512 more for each event
	Age   time.Duration // no events that are more than an eighth older than this

	// Behind is how many events a watcher may be behind the end of the chain before it
	// is cut off. A watcher that is more than Bytes behind is cut off, too, and so is the
	// reader of a snapshot: see Pin.
	Behind int
}

// firstVersion is the version of an empty store; the first write gets the next one. It
// is not 0, because 0 means "any version" in requests.
const firstVersion = 1

// New makes an empty store. committed, if not nil, is called for each event in
// order of versions, before any watcher can see the event. The store is locked
// then: committed must neither block nor call the store.
func New(limits Limits, committed func(*Collection, *Event)) *Store {
	return &Store{limits: limits, committed: committed, version: firstVersion}
}

// A Collection holds the objects of one resource, in all namespaces.
type Collection struct {
	name  string
	store *Store

	// These are guarded by store.mu.
	index     index  // what every key holds now
	end       *link  // of the chain: to the next write
	events    uint64 // how many there were
	forgotten uint64 // the version of the last event that is forgotten
}

// NewCollection makes an empty collection, whose history begins at the present version. The store
// refers to it only from its events: a collection that is no longer used is garbage when they are
// forgotten. The name is for the caller's messages and traces.
func (s *Store) NewCollection(name string) *Collection {
	return &Collection{name: name, store: s, end: newLink(), forgotten: s.Version()}
}

// Seed puts an object into the collection without an event, as if it had existed from the
// start. Its version must not be above that of the store. Call it only before the
// collection is read or watched.
func (c *Collection) Seed(o Object) {
	c.store.mu.Lock()
	defer c.store.mu.Unlock()
	c.index.set(o)
}

// Name returns the name given to NewCollection.
func (c *Collection) Name() string { return c.name }

// Store returns the store that the collection is in.
func (c *Collection) Store() *Store { return c.store }

// Version returns the version of the last write.
func (s *Store) Version() uint64 {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.version
}

// Update calls write while nothing else reads or writes, and returns the error that write
// returns. There is no other way to write. All other requests wait meanwhile, so write
// must be short: work that takes time belongs before Update. There is no rollback. A
// write that may fail has to find that out before its first Put or Remove.
func (s *Store) Update(write func(*Tx) error) error {
	tx := &Tx{store: s}
	defer func() {
		for _, w := range tx.slow {
			w.cutOff() // after the lock is released: it may wait for a connection
		}
	}()
	s.mu.Lock()
	defer s.mu.Unlock()
	return write(tx)
}

// A Tx is a store that is locked for writing. It must not be used after the
// function that Update gave it to has returned.
type Tx struct {
	store *Store
	slow  []*Watcher // found to be too far behind
}

// Next returns the version that the object of the next Put or Remove must have.
func (tx *Tx) Next() uint64 { return tx.store.version + 1 }

// Get returns the object under a key, nil if there is none.
func (tx *Tx) Get(c *Collection, key string) Object { return c.index.objects.get(key) }

// Put puts o under its key. It panics if o's version is not Next.
func (tx *Tx) Put(c *Collection, o Object) {
	before := c.index.set(o)
	kind := Modified
	if before == nil {
		kind = Added
	}
	tx.commit(c, newEvent(kind, o, before))
}

// Remove deletes the object under last's key. There must be one. Watchers are shown last
// as the last state of the object. Remove panics if last's version is not Next.
func (tx *Tx) Remove(c *Collection, last Object) {
	tx.commit(c, newEvent(Deleted, last, c.index.remove(last.Key())))
}

// commit takes the next version for an event and appends it to the chain.
func (tx *Tx) commit(c *Collection, e *Event) {
	s := tx.store
	if e.Version() != tx.Next() {
		panic(fmt.Sprintf("store: %s has version %d, expected %d",
			e.Object.Key(), e.Version(), tx.Next()))
	}
	s.version = e.Version()
	if s.committed != nil {
		s.committed(c, e)
	}
	e.collection = c
	s.remember(e)
	tx.slow = append(tx.slow, s.tooFarBehind(e)...)
	if s.advance != nil {
		close(s.advance)
		s.advance = nil
	}
}

// GuaranteedUpdate changes the object under one key. However long it takes to work out the change,
// nothing waits for it.
//
//	compute   what should become of the object?               no lock, as much work as it takes
//	commit    take the new state, if the object is the same   exclusive lock
//
// compute receives the object under the key, nil if there is none, and returns a function that
// commits the new state in an Update, nil if there is nothing to change. If another write has
// changed the object meanwhile, compute is called again, with the new object. Its error and that of
// commit end the update and are returned. If ctx is done before that, the error is ctx's.
func (c *Collection) GuaranteedUpdate(ctx context.Context, key string,
	compute func(before Object) (commit func(*Tx) error, err error)) error {
	for ctx.Err() == nil {
		before := c.Get(key)
		commit, err := compute(before)
		if err != nil || commit == nil {
			return err
		}
		changed := false
		err = c.store.Update(func(tx *Tx) error {
			if changed = tx.Get(c, key) != before; changed {
				return nil
			}
			return commit(tx)
		})
		if !changed {
			return err
		}
	}
	return ctx.Err()
}

// A FutureError says that a version has not been reached.
type FutureError struct{ Version, Newest uint64 }

// Error implements error.
func (e *FutureError) Error() string {
	return fmt.Sprintf("store: version %d is in the future, the newest is %d", e.Version, e.Newest)
}

// Wait blocks until the store has reached a version. It returns a *FutureError
// if that takes longer than patience, and ctx's error if that is done first.
func (s *Store) Wait(ctx context.Context, version uint64, patience time.Duration) error {
	if s.Version() >= version { // as nearly always, and under the shared lock
		return nil
	}
	late := time.After(patience)
	for {
		newest, advance := s.next()
		if newest >= version {
			return nil
		}
		select {
		case <-advance:
		case <-late:
			return &FutureError{version, newest}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// next returns the present version, and a channel that the next write closes.
func (s *Store) next() (newest uint64, advance <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.advance == nil {
		s.advance = make(chan struct{})
	}
	return s.version, s.advance
}
