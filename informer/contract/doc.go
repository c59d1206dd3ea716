// Package contract checks, in tests, that an informer keeps its promises to a handler. The checker
// is a handler itself. It passes each call on to yours:
//
//	c := contract.New(handler, pods.GetIndexer()) // and c.KeyFunc, if the informer has one
//	registration, err := pods.AddEventHandler(c, informer.HandlerOptions{})
//	c.Registered(registration)
//	...
//	err = c.Err()      // at any time: the promises that were broken so far
//	err = c.Settled()  // when nothing changes any more: do handler and cache agree, too?
//
// # What is checked
//
//   - Per key, the calls are a history that could have happened: add, update any number of times,
//     delete, perhaps add again; and each update begins at the version that the handler was told
//     last.
//   - The handler is called once at a time.
//   - The cache is at least as new as what the handler is told. If it holds nothing, the object has
//     been deleted since, and it does not hold that version again before the handler is told of the
//     deletion.
//   - A registration has synced when the last add of the initial list has returned: it does not
//     sync during such an add, and no further one follows.
//   - After a registration has ended there are no calls, and it does not end during one.
//   - When nothing changes any more, the handler's last call for each object has the state that the
//     cache holds.
//
// # What is not checked
//
// Whether the cache holds what the server holds: compare them in the test. A handler behind a
// filter sees a part of the objects only, and differs from the cache: put the checker before the
// filter.
//
// "At least as new" compares resourceVersions as numbers, as Kubernetes allows since 1.35. Versions
// that are no numbers are not compared. If a server sends an older state after a newer one, the
// checker can report a broken promise although the informer has kept it.
package contract
