package fakeapi

import (
	"cmp"
	"crypto/sha512"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// OpenAPI documents tell kubectl what a request may ask for. This server has no
// schemas: any object with metadata is stored, and the documents say so. Without
// them kubectl refuses to create, apply and edit. There are only documents of
// version 3: kubectl 1.27 and later read those.

// openapi answers below /openapi. It is false for paths that do not exist.
func (s *Server) openapi(w http.ResponseWriter, r *http.Request, parts []string) bool {
	if len(parts) == 0 || parts[0] != "v3" {
		return false
	}
	if path := strings.Join(parts[1:], "/"); path != "" {
		return s.openapiV3(w, r, path)
	}
	s.answerTagged(w, r, encodeJSON(s.openapiIndex()))
	return true
}

// openapiIndex lists the documents: one for each group and version. The hash
// makes clients notice when one changes. A group may have many definitions, each with
// a large schema, so each document is made once and not for each of its resources.
func (s *Server) openapiIndex() any {
	paths := tree{}
	for _, r := range s.resources() {
		path := r.versionPath()
		if paths[path] != nil {
			continue
		}
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
	paths, schemas := tree{}, tree{}
	for _, r := range s.resources() {
		if r.versionPath() == path {
			r.addOperations(paths)
			schemas[r.schemaName()] = r.schema()
		}
	}
	return tree{"openapi": "3.0.0", "info": tree{"title": "Kubernetes", "version": release},
		"paths": paths, "components": tree{"schemas": schemas}}
}

// addOperations adds what one can do with the resource, at which paths.
func (r *Resource) addOperations(paths tree) {
	collection := r.collectionPath()
	if r.isReview() {
		paths[collection] = tree{"post": r.operation("post")}
		return
	}
	if !r.Cluster {
		paths["/"+r.versionPath()+"/"+r.Plural] = tree{"get": r.operation("list")}
	}
	paths[collection] = tree{"get": r.operation("list"),
		"post": r.operation("post"), "delete": r.operation("deletecollection")}
	paths[collection+"/{name}"] = tree{"get": r.operation("get"), "put": r.operation("put"),
		"patch": r.patchOperation(), "delete": r.operation("delete")}
}

// collectionPath is the path at which the resource's objects are created.
func (r *Resource) collectionPath() string {
	base := "/" + r.versionPath() + "/"
	if !r.Cluster {
		base += "namespaces/{namespace}/"
	}
	return base + r.Plural
}

const gvkExtension = "x-kubernetes-group-version-kind"

// operation is one of the resource's. kubectl finds it by its kind, and finds
// out from the parameters whether the server knows of dry runs and checks fields
// itself.
func (r *Resource) operation(action string) tree {
	op := tree{"x-kubernetes-action": action, gvkExtension: r.gvk(),
		"responses": tree{"200": tree{"description": "OK"}}}
	if slices.Contains([]string{"post", "put", "patch"}, action) {
		parameters := []any{}
		for _, name := range []string{"dryRun", "fieldManager", "fieldValidation"} {
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

// schema says that objects of the resource may have any fields, as the real
// server says of a custom resource whose definition has no schema.
func (r *Resource) schema() tree {
	if r.openAPI != nil {
		return r.definedSchema()
	}
	return tree{"type": "object", "x-kubernetes-preserve-unknown-fields": true,
		gvkExtension: []groupVersionKind{r.gvk()}}
}

// schemaName is the name of the resource's schema: the group backwards, version
// and kind.
func (r *Resource) schemaName() string {
	if group, _, _ := strings.Cut(r.Group, "."); r.Builtin() {
		return "io.k8s.api." + cmp.Or(group, "core") + "." + r.Version + "." + r.Kind
	}
	labels := strings.Split(r.Group, ".")
	slices.Reverse(labels)
	return strings.Join(labels, ".") + "." + r.Version + "." + r.Kind
}

// groupVersionKind is meta/v1 GroupVersionKind.
type groupVersionKind struct {
	Group   string `json:"group"`
	Version string `json:"version"`
	Kind    string `json:"kind"`
}

func (r *Resource) gvk() groupVersionKind { return groupVersionKind{r.Group, r.Version, r.Kind} }

// answerTagged answers with a document that clients keep and ask for again: with
// a tag, and with nothing if the client has that already.
func (s *Server) answerTagged(w http.ResponseWriter, r *http.Request, doc []byte) {
	tag := `"` + hashOf(doc) + `"`
	w.Header().Set("Etag", tag)
	if r.Header.Get("If-None-Match") == tag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	s.answer(w, r, http.StatusOK, doc)
}

// hashOf identifies a document.
func hashOf(doc []byte) string { return fmt.Sprintf("%X", sha512.Sum512(doc)) }
