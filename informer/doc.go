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
//	client, err := reflector.NewClient[Pod](reflector.ClientOptions{
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
// changed before a handler is told, so a handler that looks finds the object as new as it was told,
// or newer. A handler that joins late is first told of everything that is in the cache, as adds.
//
// [SharedIndexInformer.Run] returns after everything it started has ended, in the order of the
// pipe, so that nothing is told to nobody.
//
// # What is not promised
//
// Not every state in between is told: a relist shows only where things stand now, and events that
// wait in the queue under one key reach the cache together. The last state is always told. Identity
// is the key, not the UID: an object deleted and created again while nobody watched is told as an
// update. A deletion found by a relist carries a tombstone ([deltafifo.DeletedFinalStateUnknown]):
// the last state that was known, not the last there was. There is no order between handlers, nor,
// in this queue, between different objects. That the informer has synced means that the cache
// holds the first list; that a handler has been told all of it, its registration knows.
package informer
