package contract

import (
	"errors"
	"fmt"
	"sync"

	"example.com/watchglass"
)

// Handler is the handler to which the checker passes all calls on. A
// processor.ResourceEventHandler has these methods.
type Handler interface {
	OnAdd(obj watchglass.Object, isInInitialList bool)
	OnUpdate(oldObj, newObj watchglass.Object)
	OnDelete(obj watchglass.Object)
}

// Cache is the cache that the checker reads. The informer's indexer has these methods.
type Cache interface {
	// GetByKey returns the object under the key, and whether there is one.
	GetByKey(key string) (watchglass.Object, bool, error)
	// List returns all objects, in any order.
	List() []watchglass.Object
}

// Registration says whether the handler has synced and ended. *processor.Registration has these
// methods.
type Registration interface {
	HasSynced() bool
	Ended() <-chan struct{}
}

// maxBroken is how many broken promises are remembered. Later ones are mostly consequences.
const maxBroken = 10

// Checker is a handler that checks each call and passes it on. Make one with [New]. All methods may
// be called from any goroutine.
type Checker struct {
	// KeyFunc is that of the informer. Set it before the first call. Nil:
	// [watchglass.MetaNamespaceKeyFunc].
	KeyFunc watchglass.KeyFunc

	next  Handler // nil: none
	cache Cache   // nil: not checked

	mu           sync.Mutex
	registration Registration                 // nil until Registered
	busy         bool                         // a call is under way
	told         map[string]watchglass.Object // by key: what exists, as far as the handler knows
	absent       map[string]bool              // by key: the cache held nothing during a call
	broken       []error
}

// New returns a checker that passes its calls on to handler and compares them with cache. If
// handler is nil, calls are only checked. If cache is nil, calls are not compared with a cache.
func New(handler Handler, cache Cache) *Checker {
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
