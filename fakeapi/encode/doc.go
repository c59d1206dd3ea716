// Package encode makes what the server sends: objects, in the form that the client asks for, and
// the documents that say which objects there are.
//
// The smallest use:
//
//	enc := encode.New(widgets, "Table", "", turns)
//	parts := enc.Object(document, document.Version())
//	enc.List(w, page, "")
//	watch.Frames = enc.Frames(selection)
//
//	document, ok := encode.NewDocuments(types).At("apis/apps/v1", "") // an APIResourceList
//
// # What it promises
//
// The bytes of documents and schemas are sent as they are stored. What comes before and after them
// are other parts of the answer, so nothing is copied. The frame of a write is made once for all
// watches. The cells of a table are made for each request, object by object.
//
// In a table, a missing value is an empty cell, and a cell has at most 1 KiB of text. Ages are
// measured with the clock of package time.
//
// kubectl can get, create, apply, patch and edit with the discovery documents.
//
// # What it does not promise
//
// It does not know what a client accepts: see package wire. Built-in types have the columns that
// are used most, and not all those of a real server. There is no aggregated discovery and no
// OpenAPI 2. A type without a definition has no schema: its objects may have any fields.
//
// # Reading order
//
//	encoder.go, frames.go         one object, one frame of a watch
//	table.go, column.go           what kubectl get asks for; printer.go has the built-in columns
//	discovery.go, openapi.go
package encode
