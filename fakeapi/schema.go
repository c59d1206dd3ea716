package fakeapi

import (
	"cmp"
	"slices"
	"strings"
)

const (
	objectMetaSchema = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"
	preserveUnknown  = "x-kubernetes-preserve-unknown-fields"
	gvkExtension     = "x-kubernetes-group-version-kind"
)

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

// description says what kubectl explain has to say.
func (r *Resource) description() string {
	return r.Kind + " is served without a schema: fields that are not listed are kept as well."
}

// schema is what is known of the resource's objects: that they have metadata,
// and the fields that columns and field selectors name.
func (r *Resource) schema() tree {
	properties := tree{
		"apiVersion": described("string", "The group and the version of the object's type."),
		"kind":       described("string", "The object's type."),
		"metadata": tree{"description": "What all objects have.",
			"allOf": []any{tree{"$ref": "#/components/schemas/" + objectMetaSchema}}},
	}
	if r.Status {
		properties["spec"] = anyObject("What is wanted.")
		properties["status"] = anyObject("What is: written by controllers, at /status.")
	}
	for _, path := range r.Select {
		addProperty(properties, path, "string", "A field that field selectors may name.")
	}
	for _, c := range r.Columns {
		addProperty(properties, c.Path, c.kind(), "Shown as "+c.Name+".")
	}
	return tree{"type": "object", "description": r.description(), "properties": properties,
		preserveUnknown: true, gvkExtension: []groupVersionKind{r.gvk()}}
}

// addProperty adds the property at a path such as .spec.color, unless there is
// one.
func addProperty(properties tree, path, kind, description string) {
	keys := strings.Split(strings.TrimPrefix(path, "."), ".")
	for _, key := range keys[:len(keys)-1] {
		o, ok := properties[key].(tree)
		if !ok {
			o = anyObject("")
			properties[key] = o
		}
		if o["properties"] == nil {
			o["properties"] = tree{}
		}
		if properties, ok = o["properties"].(tree); !ok {
			return
		}
	}
	last := keys[len(keys)-1]
	if properties[last] != nil {
		return
	}
	if kind == "date" {
		kind = "string"
	}
	properties[last] = described(kind, description)
}

func described(kind, description string) tree {
	return tree{"type": kind, "description": description}
}

// anyObject is an object with whatever fields.
func anyObject(description string) tree {
	return tree{"type": "object", "description": description, preserveUnknown: true}
}

// metaSchema is the schema of metadata.
func metaSchema() tree {
	labels := func(description string) tree {
		return tree{"type": "object", "description": description,
			"additionalProperties": tree{"type": "string"}}
	}
	return tree{"type": "object", "description": "What all objects have.", "properties": tree{
		"name":              described("string", "The name, unique within a namespace."),
		"generateName":      described("string", "A prefix, for a name made up by the server."),
		"namespace":         described("string", "The namespace the object is in."),
		"uid":               described("string", "Made by the server, never used again."),
		"resourceVersion":   described("string", "Made by the server: which write the object is from."),
		"generation":        described("integer", "Counts changes of what is wanted."),
		"creationTimestamp": described("string", "When the object was created."),
		"deletionTimestamp": described("string", "When the object was to be deleted."),
		"labels":            labels("What selectors select by."),
		"annotations":       labels("What tools note."),
		"finalizers": tree{"type": "array", "items": tree{"type": "string"},
			"description": "Who has to agree before the object is gone."},
		"ownerReferences": tree{"type": "array", "items": anyObject(""),
			"description": "The objects on which this one depends."},
	}}
}
