package fakeapi

import (
	"net/http"
	"slices"
	"strings"
)

// OpenAPI documents tell kubectl which fields there are and what a request may
// ask for. This server has no schemas: any object with metadata is fine, and the
// documents say so. They are there because kubectl refuses to create, apply,
// edit and explain without them.

// openapi answers below /openapi. It is false for paths that do not exist.
func (s *Server) openapi(w http.ResponseWriter, r *http.Request, parts []string) bool {
	switch path := strings.Join(parts, "/"); {
	case path == "v2":
		s.openapiV2(w, r)
	case path == "v3":
		s.answerTagged(w, r, encodeJSON(s.openapiIndex()))
	case len(parts) > 1 && parts[0] == "v3":
		return s.openapiV3(w, r, strings.TrimPrefix(path, "v3/"))
	default:
		return false
	}
	return true
}

// Media types of the document in version 2 as protobuf, in the spellings of
// older and newer clients. Old kubectls can read nothing else.
var protoV2 = []string{"com.github.proto-openapi.spec.v2@v1.0+protobuf",
	"com.github.proto-openapi.spec.v2.v1.0+protobuf"}

// openapiV2 answers /openapi/v2 in JSON or in protobuf.
func (s *Server) openapiV2(w http.ResponseWriter, r *http.Request) {
	switch negotiateOpenAPI(acceptOf(r)) {
	case "json":
		s.answerTagged(w, r, encodeJSON(s.swagger()))
	case "":
		w.WriteHeader(http.StatusNotAcceptable)
	default:
		// In the newer spelling: the older one is no valid media type, and even
		// the clients that ask for it stumble over it in an answer.
		w.Header().Set("Content-Type", "application/"+protoV2[1])
		_, _ = w.Write(s.swaggerProto()) // a client that has gone is no error of ours
	}
}

// negotiateOpenAPI chooses how to encode version 2 for an Accept header: json,
// one of protoV2, or nothing.
func negotiateOpenAPI(accept string) string {
	if accept == "" {
		return "json"
	}
	for _, w := range wishes(accept) {
		for _, sub := range append([]string{"json"}, protoV2...) {
			if w.takes("application", sub) {
				return sub
			}
		}
	}
	return ""
}

// openapiIndex lists the documents of version 3: one for each group and version.
// The hash makes clients notice when one changes.
func (s *Server) openapiIndex() any {
	paths := tree{}
	for _, r := range s.resources() {
		path := r.versionPath()
		hash := hashOf(encodeJSON(s.openapiDocument(path)))
		paths[path] = tree{"serverRelativeURL": "/openapi/v3/" + path + "?hash=" + hash}
	}
	return tree{"paths": paths}
}

// openapiV3 answers with the document of one group and version.
func (s *Server) openapiV3(w http.ResponseWriter, r *http.Request, path string) bool {
	known := slices.ContainsFunc(s.resources(), func(r *Resource) bool {
		return r.versionPath() == path
	})
	if known {
		s.answerTagged(w, r, encodeJSON(s.openapiDocument(path)))
	}
	return known
}

// openapiDocument is the document of the resources below a path.
func (s *Server) openapiDocument(path string) tree {
	paths, schemas := tree{}, tree{objectMetaSchema: metaSchema()}
	for _, r := range s.resources() {
		if r.versionPath() == path {
			r.addOperations(paths)
			schemas[r.schemaName()] = r.schema()
		}
	}
	return tree{"openapi": "3.0.0", "info": openapiInfo, "paths": paths,
		"components": tree{"schemas": schemas}}
}

var openapiInfo = tree{"title": "Kubernetes", "version": release}

// addOperations adds what one can do with the resource, at which paths.
func (r *Resource) addOperations(paths tree) {
	object := r.objectPath()
	if r.isReview() {
		paths[strings.TrimSuffix(object, "/{name}")] = tree{"post": r.operation("post")}
		return
	}
	if !r.Cluster {
		paths["/"+r.versionPath()+"/"+r.Plural] = tree{"get": r.operation("list")}
	}
	paths[strings.TrimSuffix(object, "/{name}")] = tree{"get": r.operation("list"),
		"post": r.operation("post"), "delete": r.operation("deletecollection")}
	paths[object] = tree{"get": r.operation("get"), "put": r.operation("put"),
		"patch": r.patchOperation(), "delete": r.operation("delete")}
}

// operation is one of the resource's. kubectl finds it by its kind, and finds
// out from the parameters whether the server knows of dry runs and checks fields
// itself.
func (r *Resource) operation(action string) tree {
	op := tree{"x-kubernetes-action": action, gvkExtension: r.gvk(),
		"responses": tree{"200": tree{"description": "OK"}}}
	if slices.Contains([]string{"post", "put", "patch"}, action) {
		parameters := []any{}
		for _, name := range patchParameters {
			parameters = append(parameters,
				tree{"name": name, "in": "query", "schema": tree{"type": "string"}})
		}
		op["parameters"] = parameters
	}
	return op
}

// patchOperation leaves strategic merge patches out, although built-in types
// take them: a kubectl that reads of them here computes patches from the schema,
// and ours does not know which lists are merged. Without it, kubectl goes by the
// types it was built with, which do.
func (r *Resource) patchOperation() tree {
	op := r.operation("patch")
	op["requestBody"] = tree{"content": tree{typeJSONPatch: tree{}, typeMergePatch: tree{}}}
	return op
}
