// Package chaos is for tests. It has a [Checker] of what an informer promises to a handler, and its
// own test plays random scripts against a whole informer: writers, faults of the server and of the
// code around the informer, and handlers that join, leave and call back. See [TestChaos] in
// chaos_test.go, and run it with make chaos.
//
// The checker is a handler itself, and passes each call on. The promises:
//
//   - Per key, the calls have one order: add, update any number of times, delete, perhaps add
//     again; and each update begins at the version that the handler was told last.
//   - The handler is called once at a time, and never without an object.
//   - The cache is at least as new as what the handler is told. If it holds nothing, the object has
//     been deleted since, and it does not hold that version again before the handler is told of the
//     deletion.
//   - A registration has synced when the last add of the initial list has returned: it does not
//     sync during such an add, and no further one follows.
//   - After a registration has ended there are no calls, and it does not end during one.
//   - When nothing changes any more, the handler's last call for each key has the state that the
//     cache holds.
//
// Versions that are no numbers are not compared. If a server sends an older state after a newer
// one, the checker can report a broken promise although the informer has kept it.
package chaos
