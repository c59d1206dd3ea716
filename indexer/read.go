package indexer

import (
	"fmt"
	"maps"
	"slices"

	"example.com/watchglass"
)

// GetByKey returns the object stored under key, and whether there is one. The error is always nil:
// the signature is client-go's, where a store may have to fetch the object.
func (ix *Indexer) GetByKey(key string) (watchglass.Object, bool, error) {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	obj, exists := ix.items[key]
	return obj, exists, nil
}

// List returns all objects, in no order. The slice belongs to the caller; the objects are shared
// with all readers.
func (ix *Indexer) List() []watchglass.Object {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	return slices.AppendSeq(make([]watchglass.Object, 0, len(ix.items)), maps.Values(ix.items))
}

// ListKeys returns the keys of all objects, in no order. The slice belongs to the caller.
func (ix *Indexer) ListKeys() []string {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	return slices.AppendSeq(make([]string, 0, len(ix.items)), maps.Keys(ix.items))
}

// Len returns how many objects there are.
func (ix *Indexer) Len() int {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	return len(ix.items)
}

// ByIndex returns the objects that have the value in the index, in no order: none if no object has
// it. The error is [ErrNoIndex]. The slice belongs to the caller; the objects are shared with all
// readers.
//
// It leaves out a key without an object. An index holds such a key only if an object was changed in
// place before it was deleted, because the key was then removed from the wrong value. A nil in the
// result would crash a reader that did nothing wrong.
func (ix *Indexer) ByIndex(indexName, value string) ([]watchglass.Object, error) {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	x := ix.indices.find(indexName)
	if x == nil {
		return nil, fmt.Errorf("indexer: by index: %w: %q", ErrNoIndex, indexName)
	}
	found := make([]watchglass.Object, 0, len(x.keys[value]))
	for key := range x.keys[value] {
		if obj, exists := ix.items[key]; exists {
			found = append(found, obj)
		}
	}
	return found, nil
}

// ListIndexFuncValues returns all values under which the index holds objects, sorted. If there is
// no such index, it returns none. The slice belongs to the caller.
func (ix *Indexer) ListIndexFuncValues(indexName string) []string {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	x := ix.indices.find(indexName)
	if x == nil {
		return nil
	}
	return slices.Sorted(maps.Keys(x.keys))
}
