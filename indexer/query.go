package indexer

import (
	"fmt"

	"example.com/watchglass"
)

// Get returns the stored object that has the key of obj, and whether there is one. The error is a
// *watchglass.KeyError.
func (ix *Indexer) Get(obj watchglass.Object) (watchglass.Object, bool, error) {
	key, err := ix.keyFunc.KeyOf(obj)
	if err != nil {
		return nil, false, fmt.Errorf("indexer: get: %w", err)
	}
	return ix.GetByKey(key)
}

// GetByKey returns the object stored under key, and whether there is one. The error is always nil:
// the signature is client-go's, where a store may have to fetch the object.
func (ix *Indexer) GetByKey(key string) (watchglass.Object, bool, error) {
	obj, exists := ix.objects.get(key)
	return obj, exists, nil
}

// List returns all objects, in no order. The slice belongs to the caller; the objects are shared
// with all readers.
func (ix *Indexer) List() []watchglass.Object { return ix.objects.list() }

// ListKeys returns the keys of all objects, in no order. The slice belongs to the caller.
func (ix *Indexer) ListKeys() []string { return ix.objects.listKeys() }

// Len returns how many objects there are.
func (ix *Indexer) Len() int { return ix.objects.len() }

// ByIndex returns the objects that have the value in the index, in no order: none if no object has
// it. The error is [ErrNoIndex]. The slice belongs to the caller; the objects are shared with all
// readers.
func (ix *Indexer) ByIndex(indexName, value string) ([]watchglass.Object, error) {
	objects, err := ix.objects.byIndex(indexName, value)
	if err != nil {
		return nil, fmt.Errorf("indexer: by index: %w", err)
	}
	return objects, nil
}

// Index returns the objects that have at least one value in common with obj, each once, in no
// order: for example all objects in its namespace, or on its node. obj need not be stored. The
// error is [ErrNoIndex], or what the IndexFunc returned for obj.
func (ix *Indexer) Index(indexName string, obj watchglass.Object) ([]watchglass.Object, error) {
	objects, err := ix.objects.sharing(indexName, obj)
	if err != nil {
		return nil, fmt.Errorf("indexer: index: %w", err)
	}
	return objects, nil
}

// IndexKeys returns the keys of the objects that have the value in the index, sorted. The error is
// [ErrNoIndex]. The slice belongs to the caller.
func (ix *Indexer) IndexKeys(indexName, value string) ([]string, error) {
	keys, err := ix.objects.keysByIndex(indexName, value)
	if err != nil {
		return nil, fmt.Errorf("indexer: index keys: %w", err)
	}
	return keys, nil
}

// ListIndexFuncValues returns all values under which the index holds objects, sorted. If there is
// no such index, it returns none. The slice belongs to the caller.
func (ix *Indexer) ListIndexFuncValues(indexName string) []string {
	return ix.objects.indexValues(indexName)
}

// GetIndexers returns the IndexFunc of each index by name. The map belongs to the caller.
func (ix *Indexer) GetIndexers() Indexers {
	indexers := Indexers{}
	for name, indexFunc := range ix.objects.indexFuncs() {
		indexers[name] = indexFunc
	}
	return indexers
}
