package indexer

import (
	"fmt"
	"maps"
	"slices"
)

// byIndex returns the items that have the value. The error is ErrNoIndex.
func (m *threadSafeMap[T]) byIndex(name, value string) ([]T, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	ix := m.indices.find(name)
	if ix == nil {
		return nil, noIndex(name)
	}
	return m.itemsOf(ix.keys[value]), nil
}

// sharing returns the items that have a value in common with item, which need not be stored. The
// error is ErrNoIndex, or what the index func returned for item.
func (m *threadSafeMap[T]) sharing(name string, item T) ([]T, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	ix := m.indices.find(name)
	if ix == nil {
		return nil, noIndex(name)
	}
	values, err := ix.indexFunc(nil, item)
	if err != nil {
		return nil, fmt.Errorf("index func of %q: %w", name, err)
	}
	if len(values) == 1 { // as in most indices; then no union is needed
		return m.itemsOf(ix.keys[values[0]]), nil
	}
	union := keySet{}
	for _, value := range values {
		maps.Copy(union, ix.keys[value])
	}
	return m.itemsOf(union), nil
}

// itemsOf is called with the lock held. It leaves out a key without an item. An index holds such a
// key only if an item was changed in place before it was deleted, because the key was then removed
// from the wrong value. A nil in the result would crash a reader that did nothing wrong.
func (m *threadSafeMap[T]) itemsOf(keys keySet) []T {
	items := make([]T, 0, len(keys))
	for key := range keys {
		if item, exists := m.items[key]; exists {
			items = append(items, item)
		}
	}
	return items
}

// keysByIndex returns the keys of the items that have the value, sorted. The error is ErrNoIndex.
func (m *threadSafeMap[T]) keysByIndex(name, value string) ([]string, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	ix := m.indices.find(name)
	if ix == nil {
		return nil, noIndex(name)
	}
	return slices.Sorted(maps.Keys(ix.keys[value])), nil
}

// indexValues returns all values that any item has, sorted, and none if there is no such index.
func (m *threadSafeMap[T]) indexValues(name string) []string {
	m.mu.RLock()
	defer m.mu.RUnlock()
	ix := m.indices.find(name)
	if ix == nil {
		return nil
	}
	return slices.Sorted(maps.Keys(ix.keys))
}
