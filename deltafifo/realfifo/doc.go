// Package realfifo is the ordered sibling of package deltafifo: a queue of deltas in the order in
// which they arrived. client-go's informers have run on a queue of this kind since Kubernetes 1.33.
// Read package deltafifo first. To understand how an informer works, that is enough.
//
//	reflector ──▶ [realfifo] ──▶ (process loop) ──▶ indexer
//	              delta, delta, …         └────────▶ processor
//
// Each event becomes one delta at the end of the queue. So does a list ([ReplacedAll]), a resync
// ([SyncAll]) and a version without an event ([Bookmark]):
//
//	q := realfifo.New(realfifo.Options{})
//	q.Replace(list, "100")                      // producer: what a list returned
//	q.Update(obj)                               // producer: what a watch reports
//	q.PopBatch(func(batch deltafifo.Deltas, initial bool) error { … }) // consumer
//
// # Why there are two
//
// The first reason is order. DeltaFIFO is a queue of keys. If web-1 is queued, a new event for it
// is processed before an older event for web-2. The cache then holds a mixture that never existed
// on the server, so it is not the state at any version. Here the cache passes through the states of
// the server one by one, and "the cache has reached version 117" has a meaning. See
// https://github.com/kubernetes/enhancements/issues/5647.
//
// The second reason is what DeltaFIFO must know. To find the deletions that a list shows, it
// compares the list with the consumer's cache and with its own content. It can do so only while no
// delta is between the two, so its lock is held while the consumer works. Here the consumer makes
// the comparison, when it processes the list. By then all that came before the list is in the
// cache, so the cache alone is enough. The queue needs no known objects, and the producer goes on
// while the consumer works.
//
// The price: an object that changes ten times while it waits is ten deltas in ten places, and the
// consumer has to know three more types of delta.
//
// # What is promised
//
// Order. Deltas come out in the order in which they were queued. Nothing is merged, dropped or
// moved. A deletion is queued even if the object was never seen: only the consumer's cache shows
// whether the deletion is news.
//
// Atomic lists. A list is queued whole or not at all: if one object has no key, or the transform
// refuses one, Replace fails and nothing has changed.
//
// Every state is seen. A batch of PopBatch holds each object at most once. So a consumer that
// applies a batch to its cache in one step still shows its readers every state of every object.
//
// Ownership. Objects are shared and must not be modified; only Options.Transform may. The queue
// keeps the slice that Replace is given. The process func of PopBatch must not keep its batch.
//
// Blocking. Pop and PopBatch wait for deltas, and for the process func of another Pop. All other
// methods wait only for a lock, which is free while a process func runs.
//
// # What is not promised
//
// Versions in order. The queue does not look for the larger of two resource versions: if the
// producer sends an older state after a newer one, the consumer gets them in that order.
//
// Bounded memory. A queue grows with the events for which its consumer has had no time. client-go
// holds the lock during a batch behind which 2000 deltas or more wait, so that the producer waits.
//
// Other keys than watchglass.MetaNamespaceKeyFunc makes, and the other modes of client-go's
// RealFIFO. It has three: a list becomes one delta per object, for which the queue has to know the
// consumer's cache, as DeltaFIFO does; or a list becomes one delta, and the lock is held while the
// consumer works; or it becomes one delta, and the lock is free. Here there is only the last mode,
// which is client-go's default.
package realfifo
