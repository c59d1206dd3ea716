// Package reflector keeps a local store like a collection on a Kubernetes API server: it lists,
// then watches, and goes on when that fails. It is the first stage of the pipe, where bytes become
// events:
//
//	fakeapi ~~▶ [reflector] ──▶ deltafifo ──▶ (process loop) ──▶ indexer, processor ──▶ handlers
//	  HTTP       list, watch
//
// The smallest use:
//
//	client, err := wire.NewClient[Widget](wire.ClientOptions{URL: "http://…/widgets"})
//	r, err := reflector.New(reflector.Options{ListerWatcher: client, Store: store})
//	r.Run(ctx) // until ctx ends
//
// # How it works
//
// A list gives the collection at one version. A watch from that version gives every change since,
// for as long as the stream lasts; the next watch goes on where it ended. Only when the server no
// longer knows that version is there another list. What follows upon what is one table of states
// and outcomes, [Table], and nothing else decides it; [FormatTable] prints it, [FormatDiagram]
// draws it. The rest of the package finds out what the outcome was.
//
// How requests and answers travel is no business of this package: a [ListerWatcher] does that. The
// one that speaks HTTP is in package wire, below this one.
//
// # What is promised
//
//   - Events reach the store in the order of the stream, one at a time. While the store is busy
//     nothing is read.
//   - The recorded version never runs ahead of the store: what [Reflector.LastSyncResourceVersion]
//     returns, the store has been given.
//   - A stream that ends costs no list. One that ends by an error, or at once and empty, costs a
//     pause that grows from one second to a minute.
//   - Whatever the server sends, undecoded bytes never take more than about twice [ObjectLimit],
//     and the answer is an error that says what was wrong, a pause and another attempt.
//   - Every error reaches [Options.WatchErrorHandler] and [Trace.Failed], whatever comes of it.
//   - Run returns when everything it started has ended.
//
// # What is not promised
//
//   - That every state of an object is seen. Between two lists, or two watches with a list in
//     between, an object may have come and gone.
//   - That a deletion comes as an event: after a list it shows only as an absence. To notice it is
//     the store's business.
//   - That versions grow. What the server says is taken as it is; [Trace.VersionWentBack] tells.
//   - That an event which the store refuses comes again: see [Options.RelistOnStoreError].
package reflector
