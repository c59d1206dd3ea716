// Package rvinformer keeps a mirror of a collection up to date, for example a table in a database,
// without keeping the objects in memory. Per object it holds two strings: key and resourceVersion.
//
//	fakeapi ~~▶ reflector ──▶ deltafifo ──▶ [rvinformer] ──▶ your handler ──▶ your database
//	  HTTP      list, watch   key → deltas   key → version
//
// Use it if the objects are stored elsewhere and one process follows many or large collections, as
// in a search over many clusters. It is modelled on Clusterpedia's ResourceVersionInformer. A
// program that reads the objects itself needs [example.com/watchglass/informer], which has a cache.
// The smallest use:
//
//	mirror := rvinformer.New(rvinformer.Options{
//		ListerWatcher: client, Name: "pods of cluster east",
//		Handler:   rows,                 // writes to the database
//		Versions:  rows.Versions(),      // what the database holds: select key, version from pods
//	})
//	...
//	err = mirror.Run(ctx)                // blocks until ctx ends
//
// # What is promised
//
// After a restart, only the differences are written again. The first list is compared with the
// saved versions. OnAdd is called for an object that the mirror does not hold, OnUpdate for a newer
// one, and OnSync for one of the same version. An object that the list lacks was deleted in the
// meantime: OnDelete is called with a tombstone.
//
// A version is recorded after the handler has written its object. During the call, and after a call
// that returned an error, the recorded version is empty: the write may have been committed although
// its answer was lost, so the mirror may hold the object or not. The next event of the object, the
// next list or the next restart makes another call: OnAdd, or OnDelete if the object is gone. So
// OnAdd must accept that there is a row already, and OnDelete that there is none.
//
// What is saved of [Informer.Versions], at any time, never claims that the mirror holds what it
// does not hold. But a row that was written after the versions were saved is missing in them. If
// the program crashes then, and the object is deleted before it starts again, the row stays
// forever. Save the version in the row itself, in the same transaction, and read the rows at start.
//
// The handler is not called with a state that is older than the recorded one: a list from an API
// server that lags behind does not set the mirror back. A state is older if its resourceVersion is
// the smaller number; Kubernetes allows this comparison since 1.35. If one of the versions is not
// a number, they cannot be compared, and OnUpdate is called.
//
// # What is not promised
//
// As with all informers, the handler is not called for every state. There is no resync, because
// there are no objects to replay. If an object was deleted while the watch was down, the handler
// gets its key and not its last state. And a list from a server that lags behind may lack an object
// which the mirror holds: then OnDelete is called, and the watch adds the object again.
//
// A cluster that was restored from a backup goes on with smaller resourceVersions than before.
// Start with an empty mirror and without saved versions then: otherwise new states look old.
package rvinformer
