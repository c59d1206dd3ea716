// Package object has what a request is about: the types of objects, an object in the three forms
// that it has in the server, and what selects or changes one.
//
//	bytes ──Decode──▶ Tree ──(checks and changes)──▶ Tree ──New──▶ Document
//	                                                               │
//	     a body      decoded JSON, one write's own                 bytes again, forever
//
// Smallest use:
//
//	tree, warnings, err := object.Decode(widgets, body, object.StrictWarn)
//	object.MetaOf(tree)["name"] = "web-1"
//	d, err := object.New(widgets, tree, 42, store.Added)
//	d.Raw // {"apiVersion":"workshop.example.dev/v1","kind":"Widget","metadata":{…},…}
//
// A Tree exists only while one write is computed. A Document is what the store keeps, lists
// and watches send, and many goroutines share.
//
// # What it promises
//
// A Document never changes after it is committed, and its bytes are never copied: the frame of
// the write that made it, the object within, and its labels are one piece of memory.
//
// Metadata that Decode returns has the types that the methods of Meta expect. Numbers keep their
// value: whole ones that fit are int64.
//
// Selectors and patches only compute. A parsed selector is immutable. A patch alters the present
// value and the change, and parts of both become parts of the result, so that a large value is in
// memory once: see Copy.
//
// A patch is bounded. A JSON patch has at most 10,000 operations, its copies at most 3 MiB, and the
// lists in which it inserts or removes elements at most 100,000,000 elements together; a strategic
// merge patch names at most 100 list elements once more. Others get a *LimitError.
//
// # What it does not promise
//
// Of schemas it knows those of metadata and of the built-in types' well-known fields: the JSON
// types, and nothing about the values. How an object may change is for package registry to say.
//
// # Reading order
//
//	resource.go, type.go          what is served; resources.json has what is served by default
//	tree.go, decode.go, fit.go    bytes become a Tree
//	meta.go, names.go, validate.go
//	document.go                   a Tree becomes a Document
//	turns.go                      one request at a time has Trees
//	selector_*.go, selection.go   which Documents a request is about
//	patch_*.go                    the three kinds of patches
package object
