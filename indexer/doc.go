// Package indexer is the cache that listers read: it holds every object under its key, and indices
// that find objects by other values. Deltas become state here.
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
// Reading order: indexer.go for the lock and what it guards, indices.go for what an index is,
// write.go for what changes the cache, diff.go for how the indices follow, transaction.go for
// several changes in one step, read.go for what asks.
//
// # What is promised
//
// An index is a pure function of the objects: it always holds what the IndexFunc would return if it
// were called for each stored object again. Values that no object has are removed.
//
// An index never keeps an object out of the cache. If an IndexFunc refuses an object with an error,
// the object is stored all the same. It is missing in that one index until an update that the
// IndexFunc accepts, and the write returns an [IndexError] that names the index and the key.
//
// Readers see a change completely or not at all: object and indices change under one lock. If an
// IndexFunc panics, the objects and every index are as they were before the write, and the lock is
// free. (In a Transaction, the writes before it are kept.)
//
// Reads return the stored objects, not copies, and slices that belong to the caller. No method
// waits for anything but the lock. Readers hold it together, until a writer waits for it: then new
// readers wait as well, for the writer and for those that were there before it.
//
// # What is not promised
//
// Order. Lists of objects are in no particular order, and the order differs from call to call.
//
// Protection. Objects are shared with all readers. A caller that changes a stored object in place
// changes it for every reader, and the indices do not notice: they still find the object under its
// old value and do not find it under its new one. See [Indexer.Update].
package indexer
