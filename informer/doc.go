// Package informer plugs the four stages together: it keeps a local copy of one collection of a
// Kubernetes API server, and calls any number of handlers for each change of it.
//
//	           ┌───────────────────────── [informer] ────────────────────────┐
//	fakeapi ~~▶│ reflector ──▶ deltafifo ──▶ process loop ──▶ indexer        │
//	  HTTP     │ list, watch   key → deltas       │           key → object   │
//	           │                                  └─────────▶ processor ─────│──▶ your handlers
//	           └─────────────────────────────────────────────────────────────┘
//
// The smallest use:
//
//	collection, err := client.New[Pod](client.Options{
//		URL: "http://127.0.0.1:8001/api/v1/pods",
//	})
//	...
//	pods := informer.NewSharedIndexInformer(informer.Options{ListerWatcher: collection})
//	pods.AddEventHandler(processor.ResourceEventHandlerFuncs{
//		AddFunc: func(obj watchglass.Object, isInInitialList bool) { fmt.Println(obj.GetName()) },
//	}, processor.HandlerOptions{})
//	pods.Run(ctx) // blocks until ctx ends
//
// # What is promised
//
// The calls of a handler have, for each key, one order: added, updated any number of times,
// deleted, perhaps added again. After a relist, an update may bring another UID. A handler is
// called once at a time. The cache is changed before the handlers are called, so a handler that
// reads the cache finds the state that it was called with, or a newer one. A handler that joins
// late is first called with everything that is in the cache, as adds. When nothing changes any
// more, a handler's last call for each key has the state that the cache holds.
//
// [SharedIndexInformer.Run] returns after everything it started has ended. It removes the handlers
// last, when the cache no longer changes.
//
// # What is not promised
//
// A handler does not get every state: a relist shows only the state at that moment. (Events that
// wait in the queue under one key reach the cache in one go, but each still makes its own call.)
// Notifications that wait for a handler when it is removed or when Run ends are dropped, unless the
// handler has the option Drain. Deltas that are still queued when Run ends are not processed.
//
// Identity is the key, not the UID. If a relist closes the gap in which an object was deleted and
// created again, that arrives as one update; after a rewatch it arrives as delete and add. A
// deletion found by a relist carries a tombstone ([deltafifo.DeletedFinalStateUnknown]): the last
// state that was known, not the last there was.
//
// There is no order between handlers. There is none between different objects either, unless
// [Options.Queue] chooses the queue that keeps one.
//
// When the informer has synced, the cache holds the first list. When the registration of a handler
// has synced, the handler has been called with all of it.
//
// # Off the main path
//
// A program whose objects have a Go type uses [For], which returns the same informer with that type
// in its signatures: a [Handler] with a filter, a [Lister], an [Index]. [WaitForSync] waits for the
// first list, [SharedIndexInformer.WaitFor] for a write of the program's own.
//
// Package factory lets several controllers share their informers. Package workqueue has the queue
// that handlers fill and workers empty. Package rvinformer is an informer without a cache, for
// mirrors.
//
// Cache and handlers share the objects: a handler that changes one changes it for all. In tests, a
// detector of package mutation finds the handler that does.
//
// # Where names of client-go are
//
//	WaitForCacheSync, WaitForNamedCacheSync     WaitForSync
//	NewSharedInformer, NewSharedIndexInformer   NewSharedIndexInformer, For
//	NewSharedInformerFactory, InformerFor       New and Of of package factory
//	SetTransform, SetWatchErrorHandler          Options.Transform, Options.WatchErrorHandler
//	AddEventHandlerWithResyncPeriod             processor.HandlerOptions.ResyncPeriod
//	FilteringResourceEventHandler               Handler.Filter, Handler.Selector
//	DeletedFinalStateUnknown, tombstone         Deletion.FinalStateUnknown
//	GetStore, GetIndexer, ByIndex               Informer.Lister, GetIndexer, Informer.Index
//	Pods(namespace).Get(name)                   Lister.Namespace(namespace).Get(name)
//	labels.Parse, labels.SelectorFromSet        ParseSelector, SelectorFromMap
//	EnqueueRequestForOwner                      OnKeys
//
// # What a func of yours must not call
//
// An IndexFunc, and the traces of indexer and processor, run under locks: of the informer's methods
// they may call only HasStarted, HasSynced, Synced, Ended, IsStopped, Name and
// LastSyncResourceVersion. All other funcs may call every method. But a handler that waits for its
// own end waits forever, and so does a func that waits, while an object is processed, for another.
package informer
