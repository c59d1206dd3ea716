// Package indexer is the cache that listers read: every object under its key, and indices that find
// objects by something else than their key. Deltas become state here.
//
//	reflector ──▶ deltafifo ──▶ (process loop) ──▶ [indexer]
//	                                    │           key → Object
//	                                    └────────▶ processor
//
// An index answers one question about objects: which namespace, which node, which labels? You give
// it the func that answers for one object, and the indexer keeps the answers for all of them, the
// other way round: from an answer to the objects that gave it.
//
//	ix := indexer.New(indexer.Options{Indexers: indexer.Indexers{
//		indexer.NamespaceIndex: indexer.MetaNamespaceIndexFunc,
//	}})
//	ix.Add(obj)
//	inShop, err := ix.ByIndex(indexer.NamespaceIndex, "shop")
//
// Reading order: store.go and indexer.go for what can be asked, threadsafemap.go for how a change
// is made, index.go for how one index follows it.
//
// # What is promised
//
// A change happens completely or not at all, and nobody sees half of it. All index values of a new
// object are computed before anything is touched, so an IndexFunc that fails or panics leaves the
// object, the key and every index as they were.
//
// An index is a pure function of the objects: at any time it holds what one would get by asking the
// IndexFunc of each object again. A value that no object has any more is forgotten.
//
// What is read is the very object that was stored, not a copy, in a slice that is the caller's own.
// Readers do not hold up each other. No method waits for anything but the lock.
//
// # What is not promised
//
// Order. Lists of objects come in no order at all, and in another one each time.
//
// Protection. Objects are shared with all readers. Who changes one in place changes it for
// everybody, behind the back of the indices, which then find it under a value that it no longer has
// and not under the one it has. See [Store.Update].
package indexer
