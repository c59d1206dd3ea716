// Package registry holds the collections of objects, and the rules by which objects are read and
// change. The verbs over HTTP and the Go API both write through it.
//
// Smallest use:
//
//	reg, err := registry.New(store, object.DefaultResources(), false)
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
//	catalog.go       which resources are served at a moment, and the objects of one resource
//	registry.go      all of them: what a write sets off, and what an object depends on
//	create.go, update.go, remove.go
//	options_*.go     the parameters of a request: what a list reads, how a write is carried out
//	defaults.go      what clients leave out; defaults.txt is its table
//	definition*.go   what a CustomResourceDefinition means; serving.go puts it into the catalog
//	terminating.go   namespaces and definitions are deleted together with their content
//	garbage.go       the dependents of deleted owners are deleted, if that is wanted
//
// # What it promises
//
// A write is decided on the state that it replaces. Its answer, its events and its refusals are
// those of a real server. What it sets off is done when it returns: the content of a deleted
// namespace or definition is deleted, a new resource is served. Errors are *status.Status, or the
// context's.
//
// A value that a client has sent stays, unless it is null or an empty string. A default applies
// only where the object around it exists: a container has no probe by default.
//
// # What it does not promise
//
// No HTTP, no encodings: documents come out as they are stored. No garbage collection, unless
// CollectGarbage runs. A definition has one version, and its schema is not enforced.
// One that wants the name of another is refused, and stays refused when the name becomes free,
// until it is written again. A continue token is not secret and not signed, but it never leads out
// of the selection.
package registry
