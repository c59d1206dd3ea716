package fakeapi

import (
	"cmp"
	"crypto/sha512"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/resource"
	"example.com/watchglass/fakeapi/wire"
)

// kubectl reads OpenAPI documents before it creates, applies or edits, and fails
// without them. This server has schemas only for resources with a definition; the
// documents say that all other resources accept any fields. There are only documents
// of OpenAPI 3: kubectl 1.27 and later read those.

// openapi answers requests below /openapi. It returns false for unknown paths.
func (s *Server) openapi(w http.ResponseWriter, r *http.Request, parts []string) bool {
	if len(parts) == 0 || parts[0] != "v3" {
		return false
	}
	if path := strings.Join(parts[1:], "/"); path != "" {
		return s.openapiV3(w, r, path)
	}
	s.answerTagged(w, r, object.JSON(s.openapiIndex()))
	return true
}

// openapiIndex lists the documents: one for each group and version. From the hash in
// its URL clients see that a document has changed. A group may have many definitions,
// each with a large schema, so each document is made once and not for each resource.
func (s *Server) openapiIndex() any {
	paths := object.Tree{}
	for _, r := range s.registry.Catalog().Types() {
		path := versionPath(r)
		if paths[path] != nil {
			continue
		}
		hash := hashOf(object.JSON(s.openapiDocument(path)))
		paths[path] = object.Tree{"serverRelativeURL": "/openapi/v3/" + path + "?hash=" + hash}
	}
	return object.Tree{"paths": paths}
}

// openapiV3 answers with the document of one group and version. It returns false if
// there is none at this path.
func (s *Server) openapiV3(w http.ResponseWriter, r *http.Request, path string) bool {
	known := slices.ContainsFunc(s.registry.Catalog().Types(), func(r *resource.Type) bool {
		return versionPath(r) == path
	})
	if known {
		s.answerTagged(w, r, object.JSON(s.openapiDocument(path)))
	}
	return known
}

// openapiDocument returns the document of the resources below a path.
func (s *Server) openapiDocument(path string) object.Tree {
	paths, schemas := object.Tree{}, object.Tree{}
	for _, r := range s.registry.Catalog().Types() {
		if versionPath(r) == path {
			addOperations(r, paths)
			schemas[schemaName(r)] = schemaOf(r)
		}
	}
	return object.Tree{"openapi": "3.0.0", "info": object.Tree{"title": "Kubernetes",
		"version": release},
		"paths": paths, "components": object.Tree{"schemas": schemas}}
}

// addOperations adds the resource's paths, each with its operations.
func addOperations(r *resource.Type, paths object.Tree) {
	collection := collectionPath(r)
	if !r.Cluster {
		paths["/"+versionPath(r)+"/"+r.Plural] = object.Tree{"get": operation(r, "list")}
	}
	paths[collection] = object.Tree{"get": operation(r, "list"),
		"post": operation(r, "post"), "delete": operation(r, "deletecollection")}
	paths[collection+"/{name}"] = object.Tree{"get": operation(r, "get"), "put": operation(r, "put"),
		"patch": patchOperation(r), "delete": operation(r, "delete")}
}

// collectionPath returns the path at which the resource's objects are created.
func collectionPath(r *resource.Type) string {
	base := "/" + versionPath(r) + "/"
	if !r.Cluster {
		base += "namespaces/{namespace}/"
	}
	return base + r.Plural
}

const gvkExtension = "x-kubernetes-group-version-kind"

// operation describes one operation of the resource. kubectl finds it by its group,
// version and kind, and sees from the parameters whether the server supports dry runs
// and validates fields.
func operation(r *resource.Type, action string) object.Tree {
	op := object.Tree{"x-kubernetes-action": action, gvkExtension: r.GVK(),
		"responses": object.Tree{"200": object.Tree{"description": "OK"}}}
	if slices.Contains([]string{"post", "put", "patch"}, action) {
		parameters := []any{}
		for _, name := range []string{"dryRun", "fieldManager", "fieldValidation"} {
			parameters = append(parameters,
				object.Tree{"name": name, "in": "query", "schema": object.Tree{"type": "string"}})
		}
		op["parameters"] = parameters
	}
	return op
}

// patchOperation leaves strategic merge patches out, although built-in types accept
// them. If they were listed, kubectl would compute patches from our schema, which
// does not say which lists are merged. Since they are not listed, kubectl uses the
// types that are compiled into it, which say so.
func patchOperation(r *resource.Type) object.Tree {
	op := operation(r, "patch")
	op["requestBody"] = object.Tree{"content": object.Tree{typeJSONPatch: object.Tree{},
		typeMergePatch: object.Tree{}}}
	return op
}

// schemaOf returns the schema in the resource's definition. Without a definition it says that
// objects may have any fields, in the form that the real server uses for a custom
// resource without a schema.
func schemaOf(r *resource.Type) object.Tree {
	if r.Schema != nil {
		return definedSchema(r)
	}
	return object.Tree{"type": "object", "x-kubernetes-preserve-unknown-fields": true,
		gvkExtension: []resource.GVK{r.GVK()}}
}

// schemaName returns the name of the resource's schema: the group backwards, version
// and kind.
func schemaName(r *resource.Type) string {
	if group, _, _ := strings.Cut(r.Group, "."); r.Builtin() {
		return "io.k8s.api." + cmp.Or(group, "core") + "." + r.Version + "." + r.Kind
	}
	labels := strings.Split(r.Group, ".")
	slices.Reverse(labels)
	return strings.Join(labels, ".") + "." + r.Version + "." + r.Kind
}

// answerTagged answers with a document that clients cache. The answer has an ETag; a
// client that already has the same document gets 304 and no body.
func (s *Server) answerTagged(w http.ResponseWriter, r *http.Request, doc []byte) {
	tag := `"` + hashOf(doc) + `"`
	w.Header().Set("Etag", tag)
	if r.Header.Get("If-None-Match") == tag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	wire.Answer(w, r, http.StatusOK, doc)
}

// hashOf identifies a document.
func hashOf(doc []byte) string { return fmt.Sprintf("%X", sha512.Sum512(doc)) }

// definedSchema returns the schema in the resource's definition, completed by the fields
// that all objects have.
func definedSchema(r *resource.Type) object.Tree {
	properties := object.Tree{"apiVersion": object.Tree{"type": "string"},
		"kind": object.Tree{"type": "string"}}
	if own, ok := r.Schema["properties"].(object.Tree); ok {
		maps.Copy(properties, own)
	}
	properties["metadata"] = object.Tree{"type": "object"}
	schema := maps.Clone(r.Schema)
	schema["properties"] = properties
	schema[gvkExtension] = []resource.GVK{r.GVK()}
	return schema
}
