package indexer

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
)

// check returns an error if an index is not what its func makes of the items, nil if all are. Items
// that the func refuses are left out. Tests call it after every step; it takes the lock.
func (m *threadSafeMap[T]) check() error {
	m.mu.RLock()
	defer m.mu.RUnlock()
	want, _ := m.indices.rebuilt(m.items)
	for i, ix := range m.indices {
		if !reflect.DeepEqual(want[i].keys, ix.keys) {
			return fmt.Errorf("index %q holds %v, want %v", ix.name, ix.keys, want[i].keys)
		}
	}
	if !slices.IsSortedFunc(m.indices, byName) {
		return errors.New("the indices are not sorted")
	}
	return nil
}
