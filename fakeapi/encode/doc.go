// Package encode shows objects in the representations that clients want: the object itself,
// another version of it, its metadata only, or rows of a table; one by one, in lists, and as the
// frames of a watch.
//
// Smallest use:
//
//	enc := encode.New(widgets, "Table", "", limiter)
//	b := enc.Object(document)
//	enc.List(w, page, "")
//	watch.Frames = enc.Frames(selection)
//
// # What it promises
//
// The bytes of documents are passed on as they are stored, wherever the client wants the object
// itself: the frame of a write is made once for all watches. Anything else is made for the request
// that asks, object by object.
//
// # What it does not promise
//
// It does not know what a client accepts: see package wire.
package encode
