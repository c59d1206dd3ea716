// Package wire carries lists and watches over HTTP: it sends the requests of a
// [reflector.Reflector] to a Kubernetes API server and turns the bytes that come back into lists
// and events.
//
//	fakeapi ~~▶ cluster ~~▶ [wire] ──▶ reflector ──▶ deltafifo ──▶ (process loop) ──▶ indexer
//	  HTTP       connections  bytes become events
//
// The smallest use:
//
//	client, err := wire.NewClient[Widget](wire.ClientOptions{URL: "http://…/widgets"})
//	r := reflector.New(reflector.Config{ListerWatcher: client, Store: store})
//
// How to reach a cluster, with its certificates and tokens, is in package cluster.
//
// # How it works
//
// Read the files in this order:
//
//   - client.go, request.go: what is asked for. What is a refusal is in package rest.
//   - scan.go, cut.go, frame.go: where a value ends. A stream of bytes becomes frames.
//   - ahead.go: frames are decoded on all cores, before the reflector asks for them.
//   - event.go, decode.go, status.go: a frame becomes an event. Only the object of an event that is
//     ADDED, MODIFIED or DELETED becomes a T; that of BOOKMARK becomes a head, and that of ERROR an
//     error.
//   - list.go, items.go: a list is a document whose items are decoded like frames.
//
// # What is promised
//
//   - Events are returned in the order of the stream. For an event that cannot be used, an error is
//     returned in its place, and the stream goes on. Any other error ends the stream, and nothing
//     after it is returned.
//   - The stream is read ahead of the reflector by a few batches. A batch is 32 KiB at most of
//     frames that arrived together, or one larger frame. When these are decoded and the store is
//     still busy, nothing more is read, so a slow store slows down its server.
//   - Undecoded bytes never take more memory than about three times [reflector.ObjectLimit] and a
//     few batches, whatever the server sends. An idle watch takes 64 KiB.
//   - An error says what was wrong with which value.
//   - Close, or the end of the context, ends a watch immediately: events that are ready are
//     dropped. When Close returns, all goroutines of the watch have ended.
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
// fields that it leaves out. If the metadata is all that it reads, MetadataOnly of [ClientOptions]
// has the server send nothing else.
package wire
