// Package informer plugs the four stages together: it keeps a local copy of one collection of a
// Kubernetes API server, and tells any number of handlers what changes in it.
//
//	           ┌───────────────────────── [informer] ────────────────────────┐
//	fakeapi ~~▶│ reflector ──▶ deltafifo ──▶ process loop ──▶ indexer        │
//	  HTTP     │ list, watch   key → deltas       │           key → object   │
//	           │                                  └─────────▶ processor ─────│──▶ your handlers
//	           └─────────────────────────────────────────────────────────────┘
//
// The smallest use:
//
//	client, err := wire.NewClient[Pod](wire.ClientOptions{
//		URL: "http://127.0.0.1:8001/api/v1/pods",
//	})
//	...
//	pods := informer.NewSharedIndexInformer(informer.Options{ListerWatcher: client})
//	pods.AddEventHandler(processor.ResourceEventHandlerFuncs{
//		AddFunc: func(obj watchglass.Object, isInInitialList bool) { fmt.Println(obj.GetName()) },
//	}, informer.HandlerOptions{})
//	pods.Run(ctx) // blocks until ctx ends
//
// # What is promised
//
// Each handler is told, for each object, a history that could have happened: added, updated any
// number of times, deleted, perhaps added again. It is told one thing at a time. The cache is
// changed before a handler is told, so a handler that looks there finds the object as new as it was
// told, or newer. A handler that joins late is first told of everything that is in the cache, as
// adds. When nothing changes any more, the last that a handler was told of each object is what the
// cache holds.
//
// [SharedIndexInformer.Run] returns after everything it started has ended. It stops from the source
// to the end, so that every notification of a change in the cache still finds the handlers.
//
// # What is not promised
//
// Not every state is told: a relist shows only where things stand at that moment. (Events that wait
// in the queue under one key reach the cache in one go, but each still makes its own call.) What
// waits for a handler when it is removed or when Run ends is dropped, unless the handler asked for
// Drain; what is still queued then is not processed.
//
// Identity is the key, not the UID. If a relist closes the gap in which an object was deleted and
// created again, that arrives as one update; after a rewatch it arrives as delete and add. A
// deletion found by a relist carries a tombstone ([deltafifo.DeletedFinalStateUnknown]): the last
// state that was known, not the last there was.
//
// There is no order between handlers. There is none between different objects either, unless
// [Options.Queue] chooses the queue that keeps one.
//
// That the informer has synced means that the cache holds the first list. Whether a handler has
// been told all of it, its registration says.
//
// # Off the main path
//
// A program whose objects have a Go type uses [For], which returns the same informer with that type
// in its signatures: a [Handler] with a filter, a [Lister], an [Index]. [WaitForSync] waits for the
// first list, [SharedIndexInformer.WaitForVersion] for a write of the program's own. A [Factory]
// lets several controllers share their informers. Package workqueue, beside this one, holds what
// the handlers fill; package rvinformer is an informer without a cache, for mirrors.
//
// The objects are shared by all: a handler that changes one harms the others. In tests, a
// [MutationDetector] finds which handler does.
//
// # What a func of yours must not call
//
// Handlers, OnPanic, OnProcessError, WatchErrorHandler, Transform, and the traces of reflector and
// queue may call every method of the informer. (Not all may wait: a handler that waits for its own
// end waits for ever, and what runs on the way of an object must not wait for another object.) The
// others run under locks, and would wait for themselves in these:
//
//	KeyFunc, the indexer's trace   AddEventHandler
//	the processor's trace, where   AddEventHandler, RemoveEventHandler, ShutDownEventHandler
//	  it names the processor's lock
//	IndexFunc                      all methods but HasStarted, HasSynced, Synced, Ended, IsStopped,
//	                               Name and LastSyncResourceVersion
package informer
