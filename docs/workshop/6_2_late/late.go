// Package late is exercise 6.2 of the workshop: a handler that joins late, and misses nothing.
package late

import (
	"sync"
)

// A Handler is told of one change. initial says that the object was in the cache when the handler
// joined.
type Handler func(call, state string, initial bool)

// A Store is the cache. It does not lock.
type Store interface {
	// Set stores a state, and says whether the key was there before.
	Set(key, state string) (known bool)
	// States returns a new slice with all states, in any order.
	States() []string
}

// An Informer is a cache and its handlers. Handlers are called under the lock here, which keeps the
// exercise small: the real ones have a goroutine of their own each.
type Informer struct {
	Mu       sync.Locker // guards what follows: a *sync.Mutex
	Cache    Store
	Handlers []Handler
}

// Change stores a state under key and tells all handlers: OnAdd if the key is new, else OnUpdate.
func (i *Informer) Change(key, state string) {
	panic("TODO")
}

// Join adds a handler. The handler is told of everything that is in the cache, as OnAdd and
// initial, sorted by state, and then of every change that is made after that. It is told of each
// change exactly once, whatever other goroutines do at the same time.
func (i *Informer) Join(h Handler) {
	panic("TODO")
}
