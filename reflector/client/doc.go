// Package client is how a program talks to a Kubernetes API server about one collection: it lists
// and watches it for a [reflector.Reflector], and reads and writes its objects one by one. It turns
// the bytes that come back into lists, events, objects and refusals.
//
//	fakeapi ~~▶ cluster ~~▶ [client] ──▶ reflector ──▶ deltafifo ──▶ (process loop) ──▶ indexer
//	  HTTP       connections  bytes become events
//
// The smallest use for an informer:
//
//	widgets, err := client.New[Widget](client.Options{URL: "http://…/widgets"})
//	r := reflector.New(reflector.Config{ListerWatcher: widgets, Store: store})
//
// and for what is written because of it:
//
//	written, err := widgets.UpdateStatus(ctx, widget)
//	switch {
//	case client.IsConflict(err): // the server holds a newer state: read it, and try again
//	case client.IsNotFound(err): // the widget was deleted
//	}
//
// How to reach a cluster, with its certificates and tokens, is in package cluster.
//
// # How it works
//
// Read the files in this order:
//
//   - client.go, request.go, listwatch.go: what is asked for. refusal.go: what is a refusal.
//   - scan.go, cut.go, frame.go: where a value ends. A stream of bytes becomes frames.
//   - batch.go: the frames that have arrived are decoded together, on all cores.
//   - event.go, decode.go, status.go: a frame becomes an event. Only the object of an event that is
//     ADDED, MODIFIED or DELETED becomes a T; that of BOOKMARK becomes a head, and that of ERROR an
//     error.
//   - list.go, items.go: a list is a document whose items are decoded like frames.
//
// An informer needs no more. The other files are for programs that use a client themselves:
//
//   - object.go, do.go: one object is read or written. A [Resource] makes the path of a URL.
//   - retrywatch.go: [RetryWatch] follows objects that a program knows already, without a cache.
//
// The funcs IsConflict, IsNotFound and IsAlreadyExists are those of apimachinery's package errors
// (apierrors). The others of that package are in package reflector, which needs them itself:
// [reflector.IsExpired] and [reflector.SuggestsClientDelay], which says what Retry-After says.
//
// # What is promised
//
//   - Events are returned in the order of the stream. For an event that cannot be used, an error is
//     returned in its place, and the stream goes on. Any other error ends the stream, and nothing
//     after it is returned.
//   - Everything is done while a call of Next or List runs: no goroutine outlives it. When Next
//     needs bytes, it takes all frames that have arrived, up to 256 KiB, and decodes them. Until
//     these events are used nothing more is read, so a slow store slows down its server.
//   - Undecoded bytes never take more memory than about twice [reflector.ObjectLimit], whatever the
//     server sends. An idle watch takes 64 KiB, a busy one 256.
//   - Close, or the end of the context, ends a watch immediately: events that are ready are
//     dropped. A Next that decodes returns after the object that it is at.
//   - If the UnmarshalJSON of a T panics, or ends its goroutine, that happens to the caller of Next
//     or List.
//   - An error says what was wrong with which value. A refusal is a [*reflector.StatusError], also
//     if a proxy has sent it; its text is short, whatever was sent.
//
// # What is not promised
//
//   - That a write that failed was not carried out. If the error is no *reflector.StatusError, the
//     server may have done what was asked, and the answer was lost. Nothing is sent a second time.
//     So what follows a failed write must begin by reading what is there.
//   - That field names which differ only in case are told apart: a T is decoded as by
//     encoding/json, so of "color" and "Color" the last one counts. A [watchglass.Unstructured]
//     keeps both.
//   - That the number of items of a list is limited: a list has as many as the server sends.
//   - That a [RetryWatch] replaces a reflector: it says what changed, and not what is there.
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
// fields that it leaves out, so write with Patch. If the metadata is all that it reads,
// MetadataOnly of [Options] has the server send nothing else.
package client
