// Package discovery makes the documents in which clients find out what a server serves: groups,
// versions, resources with their verbs, and OpenAPI.
//
// Smallest use:
//
//	documents := discovery.Of(types)
//	doc := documents.At([]string{"apis", "apps", "v1"}, request.Host) // an APIResourceList
//
// # What it promises
//
// The fields of a document are in the order in which a real server writes them. kubectl can get,
// create, apply, patch and edit with these documents.
//
// # What it does not promise
//
// No aggregated discovery and no OpenAPI 2. A type without a definition has no schema: its
// objects may have any fields.
package discovery
