// Package object makes documents, and takes them apart: an object in the three forms that it
// has in the server.
//
//	bytes ──DecodeTree──▶ Tree ──(checks and changes)──▶ Tree ──New──▶ Document
//	                                                                   │
//	      a body         decoded JSON, one write's own                 bytes again, forever
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
// the write that made it, and the object within, are one piece of memory.
//
// Metadata that Decode returns has the types that the methods of Meta expect. Its rules, and
// the words of their errors, are those of a real server.
//
// Numbers keep their value: whole ones that fit are int64.
//
// # What it does not promise
//
// Of schemas it knows those of metadata and of the built-in types' well-known fields: the JSON
// types, and nothing about the values. It does not know how an object may change: see
// package registry.
package object
