// Package resource describes the types of objects that the server serves: their names, what
// clients may do with them, and in which version their objects are stored.
//
// Smallest use:
//
//	widgets := &resource.Type{Resource: resource.Resource{Group: "workshop.example.dev",
//		Version: "v1", Plural: "widgets", Kind: "Widget"}}
//	widgets.QualifiedName() // "widgets.workshop.example.dev"
//
// A Resource is what a user of the server writes down. A Type is a Resource as it is served:
// it also has what follows from a CustomResourceDefinition, and the type of the version in which
// its objects are stored.
//
// # What it promises
//
// A Resource that Validate accepts has unambiguous paths. A Type is immutable once it is
// served: all requests share it.
//
// # What it does not promise
//
// It stores nothing, and it knows no documents: objects are decoded JSON.
package resource
