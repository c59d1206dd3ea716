// Package discovery makes the documents in which clients find out what a server serves: groups,
// versions, resources with their verbs, and OpenAPI.
//
// Smallest use:
//
//	documents := discovery.Of(types)
//	document, ok := documents.At("apis/apps/v1", "") // an APIResourceList
//
// # What it promises
//
// kubectl can get, create, apply, patch and edit with these documents. Each is made
// anew for each request, and none is kept.
//
// # What it does not promise
//
// No aggregated discovery and no OpenAPI 2. A type without a definition has no schema: its
// objects may have any fields.
package discovery
