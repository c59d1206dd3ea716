package encode

import (
	"cmp"
	"crypto/sha512"
	"fmt"
	"slices"
	"strings"

	"example.com/watchglass/fakeapi/object"
)

// kubectl reads OpenAPI documents before it creates, applies or edits, and fails
// without them. This server has schemas only for resources with a definition; the
// documents say that all other resources accept any fields. There are only documents
// of OpenAPI 3: kubectl 1.27 and later read those.

// openAPIPrefix begins the paths of these documents.
const openAPIPrefix = "openapi/v3/"

// openAPIIndex lists the OpenAPI documents: one for each group and version. From the hash in
// its URL clients see that a document has changed.
func (d *Documents) openAPIIndex() any {
	paths := tree{}
	for path, document := range d.makers {
		if of, ok := strings.CutPrefix(path, openAPIPrefix); ok {
			hash := sha512.New()
			for _, part := range document() {
				hash.Write(part)
			}
			paths[of] = tree{"serverRelativeURL": fmt.Sprintf("/%s?hash=%X", path, hash.Sum(nil))}
		}
	}
	return tree{"paths": paths}
}

// openAPI returns the document about the types of one version. The schemas in it are the bytes that
// the types have, because there may be many megabytes of them.
func openAPI(types []*object.Type) (document [][]byte) {
	add := func(text string) { document = append(document, []byte(text)) }
	paths := tree{}
	open := `{"components":{"schemas":{`
	for _, typ := range types {
		paths[objectPath(typ)] = tree{"patch": patchOperation(typ)}
		add(fmt.Sprintf("%s%q:", open, schemaName(typ)))
		document = append(document, schemaOf(typ))
		open = ","
	}
	add(`}},"info":{"title":"Kubernetes","version":"` + release + `"},"openapi":"3.0.0","paths":`)
	return append(document, object.JSON(paths), []byte("}"))
}

// objectPath returns the path of the type's objects.
func objectPath(typ *object.Type) string {
	namespace := "/namespaces/{namespace}"
	if typ.Cluster {
		namespace = ""
	}
	return "/" + versionPath(typ) + namespace + "/" + typ.Plural + "/{name}"
}

// patchOperation describes PATCH, the only operation that kubectl looks for. It finds it by its
// group, version and kind, and sees from the parameters whether the server supports dry runs and
// validates fields.
//
// Strategic merge patches are left out, although built-in types accept them. If they were listed,
// kubectl would compute patches from our schema, which does not say which lists are merged. Since
// they are not listed, kubectl uses the types that are compiled into it, which say so.
func patchOperation(typ *object.Type) tree {
	var parameters []tree
	for _, name := range []string{"dryRun", "fieldManager", "fieldValidation"} {
		parameters = append(parameters,
			tree{"name": name, "in": "query", "schema": tree{"type": "string"}})
	}
	return tree{"x-kubernetes-action": "patch", object.GVKExtension: typ.GVK(),
		"parameters": parameters,
		"requestBody": tree{"content": tree{object.MediaJSONPatch: tree{},
			object.MediaMergePatch: tree{}}},
		"responses": tree{"200": tree{"description": "OK"}}}
}

// schemaOf returns the schema in the resource's definition. Without a definition it says that
// objects may have any fields, in the form that the real server uses for a custom resource without
// a schema.
func schemaOf(typ *object.Type) []byte {
	if typ.Schema != nil {
		return typ.Schema
	}
	return object.JSON(tree{"type": "object", "x-kubernetes-preserve-unknown-fields": true,
		object.GVKExtension: []object.GVK{typ.GVK()}})
}

// schemaName returns the name of the resource's schema: the group backwards, version and kind.
func schemaName(typ *object.Type) string {
	if group, _, _ := strings.Cut(typ.Group, "."); typ.Builtin() {
		return "io.k8s.api." + cmp.Or(group, "core") + "." + typ.Version + "." + typ.Kind
	}
	labels := strings.Split(typ.Group, ".")
	slices.Reverse(labels)
	return strings.Join(labels, ".") + "." + typ.Version + "." + typ.Kind
}
