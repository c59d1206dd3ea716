// Package reflector keeps a local store up to date with a collection on a Kubernetes API server: it
// lists, then watches, and recovers when either fails. It is the first stage of the pipe:
//
//	fakeapi ~~▶ [reflector] ──▶ deltafifo ──▶ (process loop) ──▶ indexer, processor ──▶ handlers
//	  HTTP       list, watch
//
// The smallest use:
//
//	widgets, err := client.New[Widget](client.Options{URL: "http://…/widgets"})
//	r := reflector.New(reflector.Config{ListerWatcher: widgets, Store: store})
//	r.Run(ctx) // until ctx ends
//
// # How it works
//
// A list gives the collection at one version. A watch from that version gives every change since,
// for as long as the stream lasts; the next watch begins at the last version that the store has
// reached. Another list is needed only when that fails, for example because the server no longer
// knows that version. By default the list is streamed: a watch begins with the whole collection,
// marks the end of it and goes on with the changes.
//
// A table of states and outcomes makes every decision about what to do next. What happens after a
// 410 in the middle of a stream, for example, is in three files:
//
//   - watch.go: events reads the stream, gets the 410 as an error, and returns it.
//   - outcome.go: classify makes the outcome expired of it.
//   - machine.go: the row {watching, expired, backOff, fetch} leads to a pause, then to another
//     streaming list or, with [Options.ListFirst], to a list.
//
// Each file builds on those before it in this list:
//
//   - types.go, errors.go: what the package talks to, and what can go wrong
//   - machine.go, outcome.go: the states, the table, and how an error becomes an outcome
//   - backoff.go, trace.go, options.go, stats.go: what can be chosen and seen
//   - reflector.go: what a reflector holds and remembers
//   - pages.go, list.go: the list
//   - session.go, watch.go: the watch
//   - watchlist.go: the streaming list, which is a watch that begins with a list
//   - resync.go, run.go: the two goroutines
//
// A [ListerWatcher] sends the requests and receives the answers. The one for HTTP is in package
// client, below this one.
//
// # What is promised
//
//   - Events reach the store in the order of the stream, one at a time. After the context has ended
//     neither an event nor a list reaches it.
//   - The store has been given everything up to the version that
//     [Reflector.LastSyncResourceVersion] returns. That version is never ahead of the store.
//   - When a watch that lasted a second ends or its connection breaks, the next one is opened
//     immediately, without a list. After a shorter watch there is a pause first, unless the server
//     ended it in an orderly way and it brought a newer version. If it brought no event at all, the
//     pause is followed by a list. (Errors that the server sends inside the stream, 410 for
//     example, have rows of their own in the table.)
//   - Pauses begin at 0.8 s and double up to 30 s, and each is stretched at random to at most its
//     double. They begin at 0.8 s again after a watch that lasted long enough, see [Backoff]. Ten
//     pauses are as long as the server says in Retry-After, and a second if it closes a connection
//     instead of answering.
//   - When the store refuses an event, a list follows after such a pause.
//   - Every error is passed to [Config.WatchErrorHandler] and [Trace.Failed], whether or not it
//     ended a list or a watch. [Reflector.Stats] counts them.
//   - Run returns when everything it started has ended.
//
// # What is not promised
//
//   - That every state of an object is seen. Between two lists, or two watches with a list in
//     between, an object may have been created and deleted.
//   - That every deletion arrives as an event. If a list covers it, the object is only missing from
//     that list, and the store has to notice.
//   - That versions only grow. The reflector records the version that the server sends, even an
//     older one, and then calls [Trace.VersionWentBack].
package reflector
