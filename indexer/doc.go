// Package indexer is the cache that listers read: every object under its key, and indices that find
// objects by something else than their key. Deltas become state here.
//
//	reflector ──▶ deltafifo ──▶ (process loop) ──▶ [indexer]
//	                                    │           key → Object
//	                                    └────────▶ processor
//
// An index finds objects by a value: by their namespace, by the node they run on, by a label. You
// give it an [IndexFunc] that returns the values of one object. The indexer calls it whenever an
// object is stored or removed, and keeps, for each value, the keys of the objects that have it.
//
//	ix := indexer.New(indexer.Options{Indexers: indexer.Indexers{
//		indexer.NamespaceIndex: indexer.MetaNamespaceIndexFunc,
//	}})
//	ix.Add(obj)
//	inShop, err := ix.ByIndex(indexer.NamespaceIndex, "shop")
//
// Reading order: indexer.go for what changes the cache and query.go for what reads it,
// threadsafemap.go for the lock, updateindices.go for how the indices follow a change.
//
// # What is promised
//
// An index is a pure function of the objects: at any time it holds what one would get by calling
// the IndexFunc for each stored object again. Values that no object has are removed.
//
// The object counts, not the index. An object that an IndexFunc refuses with an error is stored all
// the same. It is missing in that one index until an update that the IndexFunc accepts, and the
// write returns an [IndexError] that names the index and the key.
//
// Readers see a change completely or not at all: object and indices change under one lock. An
// IndexFunc that panics leaves the objects and every index as they were, and the lock free. (In a
// Transaction, as the write before left them.)
//
// Reads return the object that was stored, not a copy, in a slice that belongs to the caller.
// Readers do not wait for each other. No method waits for anything but the lock.
//
// # What is not promised
//
// Order. Lists of objects are in no order, and in another one each time.
//
// Protection. Objects are shared with all readers. A caller that changes a stored object in place
// changes it for every reader, and the indices do not notice: they still find the object under its
// old value and do not find it under its new one. See [Indexer.Update].
package indexer
