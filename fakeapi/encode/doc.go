// Package encode shows objects in the representations that clients want: the object itself,
// another version of it, its metadata only, or rows of a table; one by one, in lists, and as the
// frames of a watch.
//
// Smallest use:
//
//	enc := encode.New(widgets, "Table", "v1", "")
//	b := enc.Object(document)
//	enc.List(w, page, "")
//	watch.Frames = enc.Frames(selection)
//
// # What it promises
//
// The bytes of documents are passed on as they are stored, wherever the form is the stored one.
// Any other frame of an event is made once for all watchers that want the same form, and the
// frames that an event keeps are not much larger than the event. Rows of a table are made and
// written one by one.
//
// # What it does not promise
//
// It does not know which form a client accepts: see package wire.
package encode
