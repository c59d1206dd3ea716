// Package contract checks that an informer keeps its promises to a handler. It is for tests, and it
// stands between the informer and any handler:
//
//	c := contract.New(handler, pods.GetIndexer())
//	registration, err := pods.AddEventHandler(c, informer.HandlerOptions{})
//	c.Registered(registration)
//	...
//	err = c.Err()      // which promise was broken, at any time
//	err = c.Settled()  // when nothing changes any more: handler and cache agree as well
//
// # What is checked
//
//   - Per key, the calls are a history that could have happened: add, update any number of times,
//     delete, perhaps add again; and each update begins at the version that the handler was told
//     last.
//   - The handler is called once at a time.
//   - The cache is at least as new as what the handler is told. If it holds nothing, the object was
//     deleted since, and the handler is told of that before the cache can hold the same again.
//   - After a registration has synced there are no initial adds, and it does not sync during one:
//     it has synced when all are done.
//   - After a registration has ended there are no calls, and it does not end during one.
//   - When nothing changes any more, the handler was last told what the cache holds.
//
// # What is not checked
//
// Whether the cache holds what the server holds: compare them in the test. A handler that sees a
// part of the objects only, as behind a filter, is not in step with the cache: check before the
// filter.
//
// "At least as new" compares resourceVersions as numbers, as Kubernetes allows since 1.35. Versions
// that are no numbers are not compared. A server that sends an older state after a newer one breaks
// the promise itself.
package contract
