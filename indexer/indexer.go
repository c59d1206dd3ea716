package indexer

import (
	"fmt"

	"example.com/watchglass"
)

// Indexer is a [Store] that can be asked for objects by the values of its indices. All methods may
// be called from any goroutine.
//
// In what follows an unknown index is an error with [ErrNoIndex] inside, except where said
// otherwise.
type Indexer struct {
	Store
}

// New returns an empty indexer.
func New(o Options) *Indexer { return &Indexer{newStore(o)} }

// ByIndex returns the objects that have the value in the index, in no order. A value that no object
// has is no error. The slice is the caller's, the objects are everybody's.
func (ix *Indexer) ByIndex(indexName, value string) ([]watchglass.Object, error) {
	objects, err := ix.objects.byIndex(indexName, value)
	if err != nil {
		return nil, fmt.Errorf("indexer: by index: %w", err)
	}
	return objects, nil
}

// Index returns the objects that have at least one value in common with obj, each once, in no
// order: which objects are in its namespace, or on its node? obj need not be stored. It fails also
// if the IndexFunc has no answer for obj, with an [IndexError].
func (ix *Indexer) Index(indexName string, obj watchglass.Object) ([]watchglass.Object, error) {
	objects, err := ix.objects.sharing(indexName, obj)
	if err != nil {
		return nil, fmt.Errorf("indexer: index: %w", err)
	}
	return objects, nil
}

// IndexKeys returns the keys of the objects that have the value in the index, sorted. The slice is
// the caller's.
func (ix *Indexer) IndexKeys(indexName, value string) ([]string, error) {
	keys, err := ix.objects.keysByIndex(indexName, value)
	if err != nil {
		return nil, fmt.Errorf("indexer: index keys: %w", err)
	}
	return keys, nil
}

// ListIndexFuncValues returns all values that any object has in the index, sorted. An index that
// does not exist has no values, which is no error. The slice is the caller's.
func (ix *Indexer) ListIndexFuncValues(indexName string) []string {
	return ix.objects.indexValues(indexName)
}

// GetIndexers returns the funcs of all indices by name. The map is the caller's.
func (ix *Indexer) GetIndexers() Indexers {
	indexers := Indexers{}
	for name, valuesOf := range ix.objects.questions() {
		indexers[name] = valuesOf
	}
	return indexers
}

// AddIndexers adds indices over what is stored. It may be called at any time; the store is locked
// until all objects have been asked. It fails if one of the names exists, with [ErrIndexExists], or
// if one of the funcs has no answer for a stored object, with an [IndexError]; then none is added.
func (ix *Indexer) AddIndexers(indexers Indexers) error {
	if err := ix.objects.addIndices(newIndices[watchglass.Object](indexers)); err != nil {
		return fmt.Errorf("indexer: add indexers: %w", err)
	}
	return nil
}
