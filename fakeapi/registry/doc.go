// Package registry holds the collections of objects and the rules by which objects change. The
// verbs over HTTP and the Go API both write through it.
//
// Smallest use:
//
//	reg, err := registry.New(store, resource.Defaults(), false)
//	widgets := reg.Catalog().Named("widgets")
//	d, err := widgets.Create(tree, false)
//	_, gone, err := widgets.Remove(ctx, registry.Removal{Namespace: "default", Name: "web-1"})
//
// # One write
//
//	Create, Update, Remove   what is asked for
//	  └─▶ write          store.GuaranteedUpdate, and afterwards what follows from it
//	        ├─▶ compute  decode, validate, complete, decide: without a lock, on a snapshot
//	        └─▶ commit   stamp the version, put or remove: under the store's lock
//
// # Reading order
//
//	catalog.go      which resources are served at a moment, and the objects of one resource
//	registry.go     all of them: what a write sets off, and what an object depends on
//	create.go, update.go, remove.go
//	definition.go   a CustomResourceDefinition puts its resource into the catalog
//	terminating.go  namespaces and definitions are deleted together with their content
//
// # What it promises
//
// A write is decided on the state that it replaces. Its answer, its events and its refusals are
// those of a real server. What it sets off is done when it returns: the content of a deleted
// namespace or definition is deleted, a new resource is served.
// Errors are *status.Status, or the context's.
//
// # What it does not promise
//
// No HTTP, no encodings: documents come out as they are stored. No garbage collection: the
// dependents of a deleted owner stay. A definition that wants the name of another one is refused,
// and stays refused when the name becomes free, until it is written again.
package registry
