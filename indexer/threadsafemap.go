package indexer

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"sync"
)

// threadSafeMap holds items under their keys, and indices over them. It does not know what the
// items are, nor where the keys come from.
//
// Every change is made in two steps: first it is computed what will change in each index, which may
// fail or panic; then all of it is changed, which can't. An order the other way round would leave
// an item that some indices know and others do not.
type threadSafeMap[T any] struct {
	// mu guards all that follows: held for writing by what changes anything, and for reading by the
	// rest. It is one lock for the items and all indices, which makes a change visible as a whole.
	mu sync.RWMutex
	// items holds each item under its key.
	items map[string]T
	// indices hold each item's key under each of its values, and nothing else.
	indices indices[T]
}

func newThreadSafeMap[T any](ixs indices[T]) *threadSafeMap[T] {
	return &threadSafeMap[T]{items: map[string]T{}, indices: ixs}
}

// enoughMoves is for how many indices a change is planned without an allocation.
const enoughMoves = 4

// set stores item under key and returns what was there before. The error is an *IndexError, and
// then nothing has changed.
func (m *threadSafeMap[T]) set(key string, item T) (before state[T], err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	before = m.at(key)
	var buf [enoughMoves]move[T]
	moves, err := m.indices.plan(buf[:0], key, before, state[T]{item, true})
	if err != nil {
		return before, err
	}
	m.items[key] = item
	for _, move := range moves {
		move.apply(key)
	}
	return before, nil
}

// remove deletes what is under key, if there is anything, and returns it. It fails as set does:
// where the item can't say under which values it was found, it would be found there for good.
func (m *threadSafeMap[T]) remove(key string) (before state[T], err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	before = m.at(key)
	var buf [enoughMoves]move[T]
	moves, err := m.indices.plan(buf[:0], key, before, state[T]{})
	if err != nil {
		return before, err
	}
	delete(m.items, key)
	for _, move := range moves {
		move.apply(key)
	}
	return before, nil
}

// at is called with the lock held.
func (m *threadSafeMap[T]) at(key string) state[T] {
	item, exists := m.items[key]
	return state[T]{item, exists}
}

// replace makes items the whole content. It keeps the map. The error is an *IndexError, and then
// nothing has changed.
func (m *threadSafeMap[T]) replace(items map[string]T) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	fresh, err := m.indices.rebuilt(items)
	if err != nil {
		return err
	}
	m.items, m.indices = items, fresh
	return nil
}

// addIndices adds indices over what is there. It fails if one of the names is taken, or with an
// *IndexError, and then adds none of them.
func (m *threadSafeMap[T]) addIndices(more indices[T]) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, ix := range more {
		if m.indices.find(ix.name) != nil {
			return fmt.Errorf("%w: %q", ErrIndexExists, ix.name)
		}
	}
	fresh, err := more.rebuilt(m.items)
	if err != nil {
		return err
	}
	m.indices = m.indices.merge(fresh)
	return nil
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

// questions returns the indices' funcs by their names.
func (m *threadSafeMap[T]) questions() map[string]func(T) ([]string, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	questions := make(map[string]func(T) ([]string, error), len(m.indices))
	for _, ix := range m.indices {
		questions[ix.name] = ix.valuesOf
	}
	return questions
}

// check returns an error if an index is not what the items say, nil if all are. Tests call it after
// every step; it takes the lock.
func (m *threadSafeMap[T]) check() error {
	m.mu.RLock()
	defer m.mu.RUnlock()
	want, err := m.indices.rebuilt(m.items)
	if err != nil {
		return fmt.Errorf("an item is stored that can't be indexed: %w", err)
	}
	for i, ix := range m.indices {
		if !reflect.DeepEqual(want[i].keys, ix.keys) {
			return fmt.Errorf("index %q holds %v, its items say %v", ix.name, ix.keys, want[i].keys)
		}
	}
	if !slices.IsSortedFunc(m.indices, byName) {
		return errors.New("the indices are not sorted")
	}
	return nil
}
