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
// Bytes take this way: [Client] sends the requests, [FrameReader] cuts a watch into frames,
// [DecodeEvent] makes an event of each frame, [DecodeList] reads a list.
//
// # What is promised
//
//   - A watch has no goroutine. Bytes are read when the reflector asks for the next event, so a
//     slow store slows down its server, and no buffer in between fills up.
//   - Whatever the server sends, undecoded bytes never take more than about twice
//     [reflector.ObjectLimit], and the error says what was wrong with which value.
package wire
