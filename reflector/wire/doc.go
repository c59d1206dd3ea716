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
// How to reach a cluster, with its certificates and tokens, is in package cluster.
//
// [Client] sends the requests, [FrameReader] cuts a watch into frames, [DecodeEvent] makes an event
// of each frame, and [DecodeList] reads a list. ahead.go decodes frames on several goroutines,
// before the reflector asks for them.
//
// # What is promised
//
//   - Events are returned in the order of the stream. For an event that cannot be used, an error is
//     returned in its place, and the stream goes on. Any other error ends the stream, and nothing
//     after it is returned.
//   - The stream is read ahead of the reflector by a few batches. A batch is 32 KiB at most of
//     frames that arrived together, or one larger frame. When these are decoded and the store is
//     still busy, nothing more is read, so a slow store slows down its server.
//   - Undecoded bytes never take more memory than about twice [reflector.ObjectLimit] and a few
//     batches, whatever the server sends.
//   - An error says what was wrong with which value.
//   - Close, or the end of the context, ends a watch immediately: events that are ready are
//     dropped. When Close returns, all goroutines of the watch have ended.
//   - A panic in the UnmarshalJSON of an object continues in the caller of Next or List. The watch
//     or list ends with it.
//
// # What is not promised
//
//   - That field names which differ only in case are told apart: a T is decoded as by
//     encoding/json, so of "color" and "Color" the last one counts. A [watchglass.Unstructured]
//     keeps both.
//   - That the number of items of a list is limited: a list has as many as the server sends.
//
// # Which T
//
// Nearly all the time goes into decoding, and what was decoded is what a cache holds. T need not
// have all the fields of the resource: those it leaves out are skipped. Measured by BenchmarkT with
// a Pod of 2.4 KB, against a struct with all its fields:
//
//	T                                   CPU    allocated   held by a cache
//	metadata and two fields             0.5    0.25        0.27
//	name, namespace, version and two    0.4    0.02        0.02
//	watchglass.Unstructured             1.5    4.2         2.7
//
// So declare the fields that the program reads, and no others. Nothing else saves an informer as
// much time and memory. Such a T is for reading: an update that is made from it would delete the
// fields that it leaves out.
//
// # Why a watch is not enough
//
// [WatchFrom] is a watch that survives reconnects. It is for programs that need the next change of
// an object that they know already: wait until this Pod is ready, follow this Job to its end. It is
// no replacement for a reflector, because a watch from a version says what changed and not what is
// there:
//
//   - It needs a version to begin with, so there has been a list before it.
//   - When the server compacts that version, the loop ends. Only another list can show what was
//     created and changed in the meantime, and only a comparison with what was known before finds
//     the deletions. The reflector lists, and the queue compares.
//   - It keeps no objects: a program that asks "what is there now?" needs a cache.
package wire
