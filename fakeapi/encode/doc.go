// Package encode makes what clients are shown: objects, in the form that the client wants, and the
// documents that say which objects there are.
//
// Smallest use:
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
// The bytes of documents and schemas are passed on as they are stored, with what else a client is
// to see around them, in parts: the frame of a write is made once for all watches, and nothing is
// copied. The cells of a table are made for the request that asks, object by object.
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
