package indexer

import (
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
// error is ErrNoIndex or an *IndexError.
func (m *threadSafeMap[T]) sharing(name string, item T) ([]T, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	ix := m.indices.find(name)
	if ix == nil {
		return nil, noIndex(name)
	}
	values, err := ix.values("", state[T]{item, true})
	if err != nil {
		return nil, err
	}
	if len(values) == 1 { // as with most indices: no need for a union
		return m.itemsOf(ix.keys[values[0]]), nil
	}
	union := keySet{}
	for _, value := range values {
		maps.Copy(union, ix.keys[value])
	}
	return m.itemsOf(union), nil
}

// itemsOf is called with the lock held. A key without an item is left out. There is one only where
// an item was changed in place before it was deleted, so that it was looked for under the wrong
// value; a nil among the results would crash a reader who has no part in that.
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
