package indexer

import (
	"fmt"
	"maps"
	"slices"
	"sync"
)

// threadSafeMap holds items under their keys, and indices over them. The items may be of any type,
// and the caller computes the keys.
//
// A change calls user code, the index funcs, before it touches anything. Otherwise an index func
// that panics would leave an item that some indices know and others do not.
type threadSafeMap[T any] struct {
	// mu guards all that follows. Changes hold it for writing, reads for reading. It is one lock
	// for the items and all indices, so that readers see a change in all of them or in none.
	mu sync.RWMutex
	// items holds each item under its key.
	items map[string]T
	// indices hold each item's key under each of its values, and nothing else.
	indices indices[T]
}

func newThreadSafeMap[T any](ixs indices[T]) *threadSafeMap[T] {
	return &threadSafeMap[T]{items: map[string]T{}, indices: ixs}
}

// set stores item under key and returns what was there before. The error holds an *IndexError for
// each index that leaves the item out; it is stored all the same.
func (m *threadSafeMap[T]) set(key string, item T) (before state[T], err error) {
	m.inOneStep(func() { before, err = m.setLocked(key, item) })
	return before, err
}

func (m *threadSafeMap[T]) setLocked(key string, item T) (before state[T], err error) {
	before = m.at(key)
	err = m.updateIndices(key, before, state[T]{item, true})
	m.items[key] = item
	return before, err
}

// remove deletes what is under key, if there is anything, and returns it. No index can refuse that,
// because no new item is indexed.
func (m *threadSafeMap[T]) remove(key string) (before state[T]) {
	m.inOneStep(func() { before = m.removeLocked(key) })
	return before
}

func (m *threadSafeMap[T]) removeLocked(key string) (before state[T]) {
	before = m.at(key)
	_ = m.updateIndices(key, before, state[T]{})
	delete(m.items, key)
	return before
}

// inOneStep holds the lock while it calls change: readers see all of the change or none.
func (m *threadSafeMap[T]) inOneStep(change func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	change()
}

// at is called with the lock held.
func (m *threadSafeMap[T]) at(key string) state[T] {
	item, exists := m.items[key]
	return state[T]{item, exists}
}

// replace makes items the whole content. It keeps the map. The error is as in rebuilt.
func (m *threadSafeMap[T]) replace(items map[string]T) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	fresh, err := m.indices.rebuilt(items)
	m.items, m.indices = items, fresh
	return err
}

// addIndices adds indices over what is there. If one of the names is taken it returns
// ErrIndexExists and adds none of them; other errors are as in rebuilt.
func (m *threadSafeMap[T]) addIndices(more indices[T]) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, ix := range more {
		if m.indices.find(ix.name) != nil {
			return fmt.Errorf("%w: %q", ErrIndexExists, ix.name)
		}
	}
	fresh, err := more.rebuilt(m.items)
	m.indices = m.indices.merge(fresh)
	return err
}

func (m *threadSafeMap[T]) get(key string) (T, bool) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	item, exists := m.items[key]
	return item, exists
}

func (m *threadSafeMap[T]) len() int {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return len(m.items)
}

func (m *threadSafeMap[T]) list() []T {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return slices.AppendSeq(make([]T, 0, len(m.items)), maps.Values(m.items))
}

func (m *threadSafeMap[T]) listKeys() []string {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return slices.AppendSeq(make([]string, 0, len(m.items)), maps.Keys(m.items))
}

// indexFuncs returns the funcs of all indices by name.
func (m *threadSafeMap[T]) indexFuncs() map[string]func([]string, T) ([]string, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	funcs := make(map[string]func([]string, T) ([]string, error), len(m.indices))
	for _, ix := range m.indices {
		funcs[ix.name] = ix.indexFunc
	}
	return funcs
}
