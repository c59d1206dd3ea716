package chaos

import (
	"errors"
	"fmt"
	"sync"

	"example.com/watchglass"
	"example.com/watchglass/indexer"
	"example.com/watchglass/processor"
)

// Registration says whether the handler has synced and ended. *processor.Registration has these
// methods.
type Registration interface {
	HasSynced() bool
	Ended() <-chan struct{}
}

// maxBroken is how many broken promises are remembered. Later ones are mostly consequences.
const maxBroken = 10

// Checker is a handler that checks each call and passes it on. Make one with [NewChecker]. All
// methods may be called from any goroutine. The package doc lists what it checks.
type Checker struct {
	next  processor.ResourceEventHandler // nil: none
	cache *indexer.Indexer

	mu           sync.Mutex
	registration Registration                 // nil until Registered
	busy         bool                         // a call is under way
	told         map[string]watchglass.Object // by key: what exists, as far as the handler knows
	absent       map[string]bool              // by key: the cache held nothing during a call
	broken       []error
}

// NewChecker returns a checker that passes its calls on to handler, unless it is nil, and compares
// them with cache.
func NewChecker(handler processor.ResourceEventHandler, cache *indexer.Indexer) *Checker {
	return &Checker{
		next:   handler,
		cache:  cache,
		told:   map[string]watchglass.Object{},
		absent: map[string]bool{},
	}
}

// Registered gives the checker the handler's registration. Call it as soon as AddEventHandler has
// returned. The checks of syncing and ending need it; earlier calls are checked without them.
func (c *Checker) Registered(r Registration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.registration = r
}

// Err returns the promises that were broken so far, at most ten, joined; nil if there are none.
func (c *Checker) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return errors.Join(c.broken...)
}

// Settled returns what Err returns, joined with each difference between handler and cache. Call it
// when nothing changes any more. Do not call it for a handler that was removed: the notifications
// that waited for it may have been dropped.
func (c *Checker) Settled() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.compare(c.cache.List())
	return errors.Join(c.broken...)
}

// OnAdd checks an add and passes it on.
func (c *Checker) OnAdd(obj watchglass.Object, isInInitialList bool) {
	defer c.begin()()
	if c.got("an add", obj) {
		c.added(obj, isInInitialList)
		if isInInitialList {
			defer c.notSynced(obj)
		}
	}
	if c.next != nil {
		c.next.OnAdd(obj, isInInitialList)
	}
}

// OnUpdate checks an update and passes it on.
func (c *Checker) OnUpdate(oldObj, newObj watchglass.Object) {
	defer c.begin()()
	if c.got("an update", oldObj, newObj) {
		c.updated(oldObj, newObj)
	}
	if c.next != nil {
		c.next.OnUpdate(oldObj, newObj)
	}
}

// OnDelete checks a deletion and passes it on.
func (c *Checker) OnDelete(obj watchglass.Object) {
	defer c.begin()()
	if c.got("a deletion", obj) {
		c.deleted(obj)
	}
	if c.next != nil {
		c.next.OnDelete(obj)
	}
}

// begin checks what holds for every call. The func that it returns ends the call.
func (c *Checker) begin() (end func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.busy {
		c.breaks("the handler is called while another call is under way")
	}
	c.busy = true
	if c.hasEnded() {
		c.breaks("the handler is called after its registration has ended")
	}
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.busy = false
		if c.hasEnded() {
			c.breaks("the registration has ended while a call was under way")
		}
	}
}

// hasSynced is called with c.mu held.
func (c *Checker) hasSynced() bool { return c.registration != nil && c.registration.HasSynced() }

// hasEnded is called with c.mu held.
func (c *Checker) hasEnded() bool {
	if c.registration == nil {
		return false
	}
	select {
	case <-c.registration.Ended():
		return true
	default:
		return false
	}
}

// breaks notes a broken promise. It is called with c.mu held.
func (c *Checker) breaks(format string, args ...any) {
	if len(c.broken) < maxBroken {
		c.broken = append(c.broken, fmt.Errorf(format, args...))
	}
}
