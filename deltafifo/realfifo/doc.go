// Package realfifo is the ordered sibling of package deltafifo: a queue of deltas in the order in
// which they arrived. client-go's informers have run on a queue of this kind since Kubernetes 1.33.
// Read package deltafifo first. A reader who wants to know how an informer works needs only that.
//
//	reflector ──▶ [realfifo] ──▶ (process loop) ──▶ indexer
//	              delta, delta, …         └────────▶ processor
//
// Each event is one delta, at the end of the queue. A list is one delta too, [ReplacedAll], and so
// is a resync, [SyncAll], and a version without an event, [Bookmark]:
//
//	q := realfifo.New(realfifo.Options{})
//	q.Replace(list, "100")                      // producer: what a list returned
//	q.Update(obj)                               // producer: what a watch says
//	q.PopBatch(func(batch deltafifo.Deltas, initial bool) error { … }) // consumer
//
// # Why there are two
//
// DeltaFIFO is a queue of keys. If web-1 is queued, a new event for it is processed before an older
// event for web-2. The cache then holds a mixture that never existed on the server, and no version
// can be named of which the cache is the state. Here the cache passes through the states of the
// server one by one, and "the cache has reached version 117" has a meaning. See
// https://github.com/kubernetes/enhancements/issues/5647.
//
// The second reason is what DeltaFIFO must know. To find the deletions in a list it compares the
// list with the consumer's cache and with its own content, and it can do so only while nothing is
// between the two: its lock is held while the consumer works. Here the comparison is made by the
// consumer, when the list's turn comes. By then all that came before is in the cache, so the cache
// alone is enough. The queue needs no known objects, and the producer goes on while the consumer
// works.
//
// The price: an object that changes ten times while it waits is ten deltas in ten places, and the
// consumer has to know three more types of delta.
//
// # What is promised
//
// Order. Deltas come out in the order in which they were queued. Nothing is merged, dropped or
// moved. A deletion is queued even if the object was never seen: whether it says anything new, only
// the cache can tell.
//
// Atomic lists. A list is queued whole or not at all: if one object has no key, or the transform
// refuses one, Replace fails and nothing has changed.
//
// Ownership. Objects are shared and must not be modified; only Options.Transform may. The queue
// keeps the slice that Replace is given. PopBatch lends its batch until the process func returns.
//
// Blocking. Pop and PopBatch wait for deltas. All other methods wait only for a lock, which is free
// while the process func runs, unless 2000 deltas or more wait behind it. Then the lock is held,
// and the producer waits. Otherwise a producer that is always faster would fill the memory.
//
// # What is not promised
//
// Resource versions are not compared, so an object goes back in time if the producer sends an older
// state. A queue that is not popped grows with the number of events.
//
// client-go's RealFIFO has three modes: lists as one delta per object or as one delta, and with the
// second the lock held or free while the consumer works. Here there is only the last, which is the
// default there. The first has to know the consumer's cache again, as DeltaFIFO does.
package realfifo
