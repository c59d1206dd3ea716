// Package encode makes what clients are shown: objects, in the form that the client wants, and the
// documents that say which objects there are.
//
// Smallest use:
//
//	enc := encode.New(widgets, "Table", "", limiter)
//	b := enc.Object(document)
//	enc.List(w, page, "")
//	watch.Frames = enc.Frames(selection)
//
//	document, ok := encode.NewDocuments(types).At("apis/apps/v1", "") // an APIResourceList
//
// # What it promises
//
// The bytes of documents are passed on as they are stored, wherever the client wants the object
// itself: the frame of a write is made once for all watches. Anything else is made for the request
// that asks, object by object.
//
// In a table, what is missing is an empty cell, and a cell has at most 1 KiB of text. Ages are
// measured with the clock of package time.
//
// kubectl can get, create, apply, patch and edit with the discovery documents.
//
// # What it does not promise
//
// It does not know what a client accepts: see package wire. The columns of built-in types are those
// that people look for, and not all that a real server has. There is no aggregated discovery and no
// OpenAPI 2. A type without a definition has no schema: its objects may have any fields.
//
// # Reading order
//
//	encoder.go, frames.go         one object, one frame of a watch
//	table.go, column.go           what kubectl get asks for; printer.go has the built-in columns
//	discovery.go, openapi.go
package encode
