// Package rvinformer keeps a mirror of a collection up to date, for example a table in a database,
// without keeping the objects in memory. Per object it holds two strings: key and resourceVersion.
//
//	fakeapi ~~▶ reflector ──▶ deltafifo ──▶ [rvinformer] ──▶ your handler ──▶ your database
//	  HTTP      list, watch   key → deltas   key → version
//
// Use it if the content has its home elsewhere and one process follows many or large collections,
// as the synchronizers of multi-cluster search do: Clusterpedia's ResourceVersionInformer is the
// model. A program that reads the objects wants [example.com/watchglass/informer], which has a
// cache. The smallest use:
//
//	mirror, err := rvinformer.New(rvinformer.Options{
//		Reflector: reflector.Options{ListerWatcher: client, Name: "pods of cluster east"},
//		Handler:   rows,                 // writes to the database
//		Versions:  saved,                // what the database holds; nil for a first run
//	})
//	...
//	err = mirror.Run(ctx)                // blocks until ctx ends
//	save(mirror.Versions())              // at any time, also while it runs
//
// # What is promised
//
// A restart tells only the differences. The first list is compared with the saved versions: an
// object that the mirror holds in the same version is OnSync, one that is newer is OnUpdate, one
// that is missing was deleted meanwhile and is OnDelete, with a tombstone.
//
// A version is recorded after the handler has written its object. So [Informer.Versions] never
// holds what the mirror does not hold, and a crash costs at most a second call for an object. A
// handler that returns an error leaves the version as it was: the next event of the object, the
// next list or the next restart finds the mirror behind and tells again.
//
// States older than the recorded one are not told: after a list from an API server that lags
// behind, the mirror does not go back in time. Older means a smaller number, as Kubernetes allows
// to compare since 1.35. Versions that are empty or no numbers cannot be compared, and then the
// object is told as an update.
//
// # What is not promised
//
// Not every state is told, as in all informers. There is no resync: there are no objects to replay.
// If an object was deleted while the watch was down, its last state is not told; the key is all
// there is. And a list from a server that lags behind may miss an object which the mirror
// holds: that is told as a deletion, and the watch brings the object back.
//
// A cluster that was restored from a backup counts its versions from an earlier number. Start
// without saved versions then, and with an empty mirror: otherwise its objects look old.
package rvinformer
