// Package stream serves one watch: it takes events from a watcher of the store and writes
// frames to a client, from the first to the last. Read package store first.
//
//	store.Watcher ──event──▶ Watch ──Frames──▶ bytes ──Sink──▶ writer ──▶ HTTP response
//	                          ▲ ▲
//	                     clock  ends: the client, a timeout, the server
//
// A frame is one line: {"type":"ADDED","object":{…}}. Which events the client sees, and how
// their objects look, is decided by the Frames that are handed in.
//
// Smallest use, in an http.Handler:
//
//	watch := stream.Watch{Collection: widgets, Version: 42, Frames: frames, Timeout: time.Minute}
//	end, clean := watch.Serve(r.Context(), w)
//
// # What it promises
//
// Nothing is lost: the client gets every event of its selection after Version, once and in
// order. The watch has its place in the chain of events before the client sees the headers, so
// that it gets every write that the client makes after that.
//
// A slow client delays only itself. Its unread events wait in the chain, not in a queue; if
// there are too many, the stream breaks off.
//
// A bookmark never overtakes an event. It is sent only if no event is waiting.
//
// A stream ends in bounded time, also with a client that does not read.
//
// # What it does not promise
//
// It knows no JSON, no resources, no verbs and no Status. Frames of one event are made once
// only if Frames shares them.
//
// # Reading order
//
//	watch.go   what is handed in, why a watch ends, what frames pass
//	stream.go  the start, the loop, the end; when a watch acts by itself
//	send.go    the initial state, events, bookmarks
//	writer.go  how frames reach the client, and several become few writes
//
// Then read the function watch in fakeapi/read.go, which connects a request to a Watch.
package stream
