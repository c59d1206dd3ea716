package indexer

import (
	"cmp"
	"fmt"
	"sync"

	"example.com/watchglass"
)

// Options are the settings of an indexer. The zero value works.
type Options struct {
	// KeyFunc computes the key under which an object is stored. Delete calls it too, and the object
	// may then be a tombstone, which a func of your own has to handle. Nil means
	// watchglass.MetaNamespaceKeyFunc, which handles tombstones.
	KeyFunc watchglass.KeyFunc
	// Indexers are the first indices. Nil means none; [Indexer.AddIndexers] can add more.
	Indexers Indexers
	// Trace is called with every change. Nil means that nothing is traced.
	Trace *Trace
}

// Indexer is the cache: it holds objects under their keys and finds them by the values of its
// indices. Make one with [New]. All methods may be called from any goroutine.
type Indexer struct {
	keyFunc watchglass.KeyFunc // nil: MetaNamespaceKeyFunc
	trace   *Trace             // not nil

	// mu guards all that follows. Changes hold it for writing, reads for reading. It is one lock
	// for the objects and all indices, so that readers see a change in all of them or in none.
	mu sync.RWMutex
	// items holds each object under its key.
	items map[string]watchglass.Object
	// indices hold each object's key under each of its values, and nothing else.
	indices indices
}

// New returns an empty indexer. It panics if an IndexFunc is nil.
func New(o Options) *Indexer {
	return &Indexer{
		keyFunc: o.KeyFunc,
		trace:   cmp.Or(o.Trace, &Trace{}),
		items:   map[string]watchglass.Object{},
		indices: newIndices(o.Indexers),
	}
}

// AddIndexers adds indices and fills them with the stored objects. It may be called at any time; it
// locks the indexer until it has called every new IndexFunc for every object. If one of the names
// exists it returns [ErrIndexExists] and adds none. Objects that a new IndexFunc refuses are left
// out of that index, as in a write: the indices are added, and the error is an [IndexError]. It
// panics if an IndexFunc is nil.
func (ix *Indexer) AddIndexers(indexers Indexers) error {
	added := newIndices(indexers)
	ix.mu.Lock()
	defer ix.mu.Unlock()
	for _, x := range added {
		if ix.indices.find(x.name) != nil {
			return failed("add indexers", fmt.Errorf("%w: %q", ErrIndexExists, x.name))
		}
	}
	filled, err := added.rebuilt(ix.items)
	ix.indices = ix.indices.merge(filled)
	return failed("add indexers", err)
}

// GetIndexers returns the IndexFunc of each index by name. The map belongs to the caller.
func (ix *Indexer) GetIndexers() Indexers {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	indexers := Indexers{}
	for _, x := range ix.indices {
		indexers[x.name] = x.indexFunc
	}
	return indexers
}
