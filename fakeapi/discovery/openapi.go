package discovery

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"example.com/watchglass/fakeapi/patch"
	"example.com/watchglass/fakeapi/resource"
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
	for path := range d.makers {
		if of, ok := strings.CutPrefix(path, openAPIPrefix); ok {
			doc, _ := d.At(path)
			paths[of] = tree{"serverRelativeURL": "/" + path + "?hash=" + doc.Tag}
		}
	}
	return tree{"paths": paths}
}

// openAPI returns the document about the types of one version.
func openAPI(types []*resource.Type) any {
	paths, schemas := tree{}, tree{}
	for _, typ := range types {
		addOperations(typ, paths)
		schemas[schemaName(typ)] = schemaOf(typ)
	}
	return tree{"openapi": "3.0.0", "info": tree{"title": "Kubernetes", "version": release},
		"paths": paths, "components": tree{"schemas": schemas}}
}

// addOperations adds the resource's paths, each with its operations.
func addOperations(typ *resource.Type, paths tree) {
	version := "/" + versionPath(typ)
	collection := version + "/" + typ.Plural // where objects are created
	if !typ.Cluster {
		paths[collection] = tree{"get": operation(typ, "list")}
		collection = version + "/namespaces/{namespace}/" + typ.Plural
	}
	paths[collection] = tree{"get": operation(typ, "list"),
		"post": operation(typ, "post"), "delete": operation(typ, "deletecollection")}
	paths[collection+"/{name}"] = tree{"get": operation(typ, "get"), "put": operation(typ, "put"),
		"patch": patchOperation(typ), "delete": operation(typ, "delete")}
}

const gvkExtension = "x-kubernetes-group-version-kind"

// operation describes one operation of the resource. kubectl finds it by its group, version and
// kind, and sees from the parameters whether the server supports dry runs and validates fields.
func operation(typ *resource.Type, action string) tree {
	op := tree{"x-kubernetes-action": action, gvkExtension: typ.GVK(),
		"responses": tree{"200": tree{"description": "OK"}}}
	if slices.Contains([]string{"post", "put", "patch"}, action) {
		op["parameters"] = []tree{parameter("dryRun"), parameter("fieldManager"),
			parameter("fieldValidation")}
	}
	return op
}

func parameter(name string) tree {
	return tree{"name": name, "in": "query", "schema": tree{"type": "string"}}
}

// patchOperation leaves strategic merge patches out, although built-in types accept
// them. If they were listed, kubectl would compute patches from our schema, which
// does not say which lists are merged. Since they are not listed, kubectl uses the
// types that are compiled into it, which say so.
func patchOperation(typ *resource.Type) tree {
	op := operation(typ, "patch")
	op["requestBody"] = tree{"content": tree{patch.MediaJSON: tree{}, patch.MediaMerge: tree{}}}
	return op
}

// schemaOf returns the schema in the resource's definition, completed by the fields that all
// objects have. Without a definition it says that objects may have any fields, in the form that
// the real server uses for a custom resource without a schema.
func schemaOf(typ *resource.Type) tree {
	gvk := []resource.GVK{typ.GVK()}
	if typ.Schema == nil {
		return tree{"type": "object", "x-kubernetes-preserve-unknown-fields": true, gvkExtension: gvk}
	}
	properties := tree{"apiVersion": tree{"type": "string"}, "kind": tree{"type": "string"}}
	if own, ok := typ.Schema["properties"].(tree); ok {
		maps.Copy(properties, own)
	}
	properties["metadata"] = tree{"type": "object"}
	schema := maps.Clone(typ.Schema)
	schema["properties"], schema[gvkExtension] = properties, gvk
	return schema
}

// schemaName returns the name of the resource's schema: the group backwards, version and kind.
func schemaName(typ *resource.Type) string {
	if group, _, _ := strings.Cut(typ.Group, "."); typ.Builtin() {
		return "io.k8s.api." + cmp.Or(group, "core") + "." + typ.Version + "." + typ.Kind
	}
	labels := strings.Split(typ.Group, ".")
	slices.Reverse(labels)
	return strings.Join(labels, ".") + "." + typ.Version + "." + typ.Kind
}
