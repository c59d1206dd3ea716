// Package reflector keeps a local store like a collection on a Kubernetes API server: it lists,
// then watches, and recovers when either fails. It is the first stage of the pipe:
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
// longer knows that version is there another list. By default the list is streamed: a watch that
// begins with the whole collection, marks its end and goes on as a watch.
//
// A table of states and outcomes, in machine.go, decides what is done next, and nothing else does.
// To find out what happens after a 410, for example, read three files:
//
//   - machine.go: the states, the outcomes and the two tables. A watch that is Expired leads to a
//     pause and then back to the list.
//   - outcome.go: how an error becomes one of the outcomes, for example a 410 becomes Expired.
//   - watch.go: the watch itself, and where its errors come from.
//
// How requests and answers travel is left to a [ListerWatcher]. The one that speaks HTTP is in
// package wire, below this one.
//
// # What is promised
//
//   - Events reach the store in the order of the stream, one at a time, and none reaches it after
//     the context has ended.
//   - The recorded version never runs ahead of the store: up to the version that
//     [Reflector.LastSyncResourceVersion] returns, the store has been given everything.
//   - A stream that has lasted a second costs neither a list nor a pause when it ends, in order or
//     not. One that is over sooner costs a pause, unless it ended in order and brought a newer
//     version; and a list as well, if it brought nothing. (What the server says inside the stream,
//     a 410 for example, is another matter: see the table.)
//   - Pauses begin at 0.8 s and double up to 30 s, and each is stretched at random to at most its
//     double. They are short again after a watch that was of use.
//   - A store that refuses an event gets a list, after such a pause.
//   - Every error reaches [Options.WatchErrorHandler] and [Trace.Failed], whatever comes of it, and
//     [Reflector.Stats] counts what came of it.
//   - Run returns when everything it started has ended.
//
// # What is not promised
//
//   - That every state of an object is seen. Between two lists, or two watches with a list in
//     between, an object may have come and gone.
//   - That a deletion comes as an event: after a list it shows only as an absence, which the store
//     has to notice.
//   - That versions grow. What the server says is taken as it is; [Trace.VersionWentBack] tells.
//   - That an event which the store refuses comes again, with [Options.IgnoreStoreErrors].
package reflector
