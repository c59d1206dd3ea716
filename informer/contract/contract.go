package contract

import (
	"errors"
	"fmt"
	"sync"

	"example.com/watchglass"
)

// Handler is what the checker passes all calls on to. It is processor.ResourceEventHandler.
type Handler interface {
	OnAdd(obj watchglass.Object, isInInitialList bool)
	OnUpdate(oldObj, newObj watchglass.Object)
	OnDelete(obj watchglass.Object)
}

// Cache is what the checker reads. The informer's indexer has these methods.
type Cache interface {
	// GetByKey returns the object under the key, and whether there is one.
	GetByKey(key string) (watchglass.Object, bool, error)
	// List returns all objects, in any order.
	List() []watchglass.Object
}

// Registration is what the checker asks about the handler. *processor.Registration has these
// methods.
type Registration interface {
	HasSynced() bool
	Ended() <-chan struct{}
}

// maxBroken bounds how many broken promises are remembered. The first ones tell the most.
const maxBroken = 10

// Checker is a handler that checks each call and passes it on. Make one with [New]. All methods may
// be called from any goroutine.
type Checker struct {
	next  Handler // nil: none
	cache Cache   // nil: not checked

	mu           sync.Mutex
	registration Registration                 // nil until Registered
	busy         bool                         // a call is under way
	told         map[string]watchglass.Object // by key: what exists, as far as the handler knows
	absent       map[string]bool              // by key: told, and the cache held nothing then
	broken       []error
}

// New returns a checker before a handler. A nil handler means that calls are only checked; a nil
// cache, that what is told is not compared with one.
func New(handler Handler, cache Cache) *Checker {
	return &Checker{
		next:   handler,
		cache:  cache,
		told:   map[string]watchglass.Object{},
		absent: map[string]bool{},
	}
}

// Registered tells the checker its registration. The first calls may come before, as the handler
// can be called before AddEventHandler has returned; they are checked without.
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

// Settled returns the same as Err, and whether handler and cache agree. Call it when nothing
// changes any more, and not for a handler that was removed: what waited for that may have been
// dropped.
func (c *Checker) Settled() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.cache != nil {
		c.compare(c.cache.List())
	}
	return errors.Join(c.broken...)
}

// OnAdd checks an add and passes it on.
func (c *Checker) OnAdd(obj watchglass.Object, isInInitialList bool) {
	defer c.begin()()
	c.added(obj, isInInitialList)
	if isInInitialList {
		defer c.notSynced(obj)
	}
	if c.next != nil {
		c.next.OnAdd(obj, isInInitialList)
	}
}

// OnUpdate checks an update and passes it on.
func (c *Checker) OnUpdate(oldObj, newObj watchglass.Object) {
	defer c.begin()()
	c.updated(oldObj, newObj)
	if c.next != nil {
		c.next.OnUpdate(oldObj, newObj)
	}
}

// OnDelete checks a deletion and passes it on.
func (c *Checker) OnDelete(obj watchglass.Object) {
	defer c.begin()()
	c.deleted(obj)
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
