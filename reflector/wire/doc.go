// Package wire carries lists and watches over HTTP: it sends the requests of a
// [reflector.Reflector] to a Kubernetes API server and turns the bytes that come back into lists
// and events.
//
//	fakeapi ~~▶ [wire] ──▶ reflector ──▶ deltafifo ──▶ (process loop) ──▶ indexer, processor
//	  HTTP      bytes become events
//
// The smallest use:
//
//	client, err := wire.NewClient[Widget](wire.ClientOptions{URL: "http://…/widgets"})
//	r, err := reflector.New(reflector.Options{ListerWatcher: client, Store: store})
//
// A cluster whose kubeconfig was printed as JSON (kubectl config view --raw -o json):
//
//	cluster, err := wire.LoadKubeconfig("config.json", "")
//	client, err := wire.NewClient[Widget](cluster.Collection("/apis/…/widgets"))
//
// Bytes take this way: [Client] sends the requests, [FrameReader] cuts a watch into frames,
// [DecodeEvent] makes an event of each frame, [DecodeList] reads a list.
//
// # What is promised
//
//   - A watch has no goroutine. Bytes are read when the reflector asks for the next event, so a
//     slow store slows down its server, and no buffer in between fills up.
//   - Whatever the server sends, undecoded bytes never take more than about twice
//     [reflector.ObjectLimit], and the error says what was wrong with which value.
//
// # Why a watch is not enough
//
// [WatchFrom] is a watch that survives reconnects. It is for programs that need the next change of
// something they know already: wait until this Pod is ready, follow this Job to its end. It is no
// replacement for a reflector, because a watch from a version says what changed and not what is
// there:
//
//   - It needs a version to begin with, so there has been a list before it.
//   - When that version is compacted away, the loop ends. Only another list can tell what was
//     created, changed and deleted in the meantime, and only a comparison with what was known
//     before finds the deletions. The reflector lists, and the queue compares.
//   - It keeps nothing: every program that asks "what is there now?" needs a cache behind it.
package wire
