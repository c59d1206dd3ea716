// Package deltafifo is the queue between the reflector and the process loop. It collects, under
// each object's key, the list of things that happened to the object since the consumer last took
// it: events become deltas.
//
//	reflector ──▶ [deltafifo] ──▶ (process loop) ──▶ indexer
//	              key → Deltas            └────────▶ processor
//
// It is a queue of keys, not of events. The first event of an object puts its key at the end of the
// queue; events that come while the key waits are added to the key's [Deltas]; [DeltaFIFO.Pop]
// takes the first key together with all its deltas:
//
//	q := deltafifo.New(deltafifo.Options{KnownObjects: store})
//	q.Replace(list, "100")                      // producer: what a list returned
//	q.Update(obj)                               // producer: what a watch reports
//	q.Pop(func(d deltafifo.Deltas, initial bool) error { … }) // consumer
//
// Reading order: delta.go and tombstone.go for the types, deltafifo.go for the two fields that
// matter most (items and queue), enqueue.go and pop.go for the way in and out, replace.go for what
// makes this queue special: a list contains no deletions, and the queue finds them. The files that
// begin with realfifo are a second queue, [RealFIFO], which keeps the order of all events.
//
// # What is promised
//
// Order. Deltas of one key come out oldest first. Keys come out in the order in which each was
// first queued; a later event for a queued key does not move it.
//
// Completeness, per object. No event is dropped between two Pops of its key, with three exceptions.
// A second deletion in a row is merged into the first. The deletion of an object that is neither
// queued nor known is ignored. [DeltaFIFO.Add] and [DeltaFIFO.Update] refuse an unusable object.
//
// Deletions are found. After [DeltaFIFO.Replace] the newest delta of every object that is queued or
// known but not in the list is a [Deleted] delta. Its object is a [DeletedFinalStateUnknown] if the
// watch has not reported the deletion with the object's last state.
//
// Ownership. Objects are shared and must not be modified; only Options.Transform may, since it is
// the first to see them. The [Deltas] that Pop hands out belong to the consumer.
//
// Blocking. Only Pop waits for events, on a condition variable. It runs its process func with the
// queue's lock held, so that Replace and Resync never run between "no longer queued" and "in the
// store". [DeltaFIFO.Pop] says what that costs.
//
// # What is not promised
//
// Order between objects. If web-2 is already queued, a new event for web-2 can come out before an
// older event for web-1: each key keeps the place of its first pending event.
//
// Versions in order. Resource versions are never compared or parsed: if the producer sends an older
// state after a newer one, the consumer gets them in that order.
//
// Bounded memory. A queue that is not popped grows with the number of events.
package deltafifo
