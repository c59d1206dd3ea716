// Package workqueue holds the keys that a controller still has to work on. A handler of an informer
// adds the key of what has changed and returns; workers take keys out and reconcile:
//
//	informer ──▶ handler ──Add──▶ [workqueue] ──▶ workers ──▶ API server
//	                                  ▲              │
//	                                  └─AddRateLimited (failed: again later)
//
// The smallest use:
//
//	q := workqueue.NewRateLimiting(workqueue.DefaultController[string]())
//	informer.OnKey[*Pod](q.Add)           // the handler
//	workqueue.Run(ctx, q, 2, reconcile)   // two workers, until ctx ends
//
// [Run] is a loop over [Queue.All] in each worker. It queues a key whose reconcile has failed for
// another attempt, later each time. [RunAndDrain] is for a program that is to finish what is queued
// before it stops.
//
// Let the workers write to the API server, and not the handler. A handler that waits for the server
// delays all its later notifications. It has no second attempt, because each notification comes
// once. And it works on every state of an object, where the latest state would be enough.
//
// # What is promised
//
//   - An item is in the queue at most once, however often it was added: a thousand changes of one
//     object are one key, and one reconcile of its latest state.
//   - No two workers have the same item at the same time. An item that is added while it is being
//     worked on is queued again when the worker is done with it, once.
//   - Items come out in the order in which they went in.
//   - Only Get, All and ShutDownWithDrain block, and none of the types starts a goroutine of
//     its own. Delays use package time, so a test in a testing/synctest bubble need not wait.
//
// # What is not promised
//
//   - That the queue is bounded. It grows with the number of different keys, which the cluster
//     bounds.
//   - That an item waits for its delay. AddAfter and AddRateLimited only make sure that it is added
//     when the delay ends. An Add in the meantime queues it immediately, and at the end of the
//     delay it is added once more. Forget resets the count of failures; it cancels no delay.
//
// The names and the behaviour are those of client-go's util/workqueue, with three differences.
// ShutDownWithDrain waits for what is queued as well as for what is being worked on, until its
// context ends; as in client-go, a ShutDown ends it, too. If several goroutines wait in it, all of
// them return. And delayed items need no goroutine and no heartbeat.
package workqueue
