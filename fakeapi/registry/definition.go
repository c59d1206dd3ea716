package registry

import (
	"encoding/json"
	"maps"
	"strings"

	"example.com/watchglass/fakeapi/object"
)

// A definition is the spec of a CustomResourceDefinition.
type definition struct {
	Group    string              `json:"group"`
	Names    definitionNames     `json:"names"`
	Scope    string              `json:"scope"`
	Versions []definitionVersion `json:"versions"`
}

// definitionNames are what clients may call the resource.
type definitionNames struct {
	Plural     string   `json:"plural"`
	Singular   string   `json:"singular,omitempty"`
	ShortNames []string `json:"shortNames,omitempty"`
	Kind       string   `json:"kind"`
	ListKind   string   `json:"listKind,omitempty"`
	Categories []string `json:"categories,omitempty"`
}

// A definitionVersion is the version of the resource, with its schema, subresources and columns. A
// real server takes several and converts objects between them; this one converts none, so there is
// only one.
type definitionVersion struct {
	Name    string `json:"name"`
	Served  bool   `json:"served"`
	Storage bool   `json:"storage"`
	Schema  struct {
		OpenAPI json.RawMessage `json:"openAPIV3Schema"`
	} `json:"schema"`
	Subresources struct {
		Status *struct{}          `json:"status"`
		Scale  *object.ScalePaths `json:"scale"`
	} `json:"subresources"`
	Columns []object.Column `json:"additionalPrinterColumns"`
	Select  []struct {
		Path string `json:"jsonPath"`
	} `json:"selectableFields"`
}

// readDefinition decodes the spec of a CustomResourceDefinition.
func readDefinition(t object.Tree) *definition {
	d := &definition{}
	_ = json.Unmarshal(object.JSON(t["spec"]), d) // its fields have the right types: see object.Fit
	return d
}

// name returns the name that a CustomResourceDefinition has to have.
func (d *definition) name() string { return d.Names.Plural + "." + d.Group }

// typeUnder returns the type that a valid definition describes, under its accepted names.
func (d *definition) typeUnder(names definitionNames) *object.Type {
	v := d.Versions[0]
	typ := &object.Type{Defined: true}
	typ.Resource = object.Resource{Group: d.Group, Version: v.Name, Plural: names.Plural,
		Kind: names.Kind, Cluster: d.Scope == scopeCluster, Status: v.Subresources.Status != nil,
		Singular: names.Singular, ShortNames: names.ShortNames, Categories: names.Categories,
		Columns: v.Columns, Scale: v.Subresources.Scale}
	for _, f := range v.Select {
		typ.Select = append(typ.Select, f.Path)
	}
	typ.Schema = v.published(typ.GVK())
	return typ
}

// published returns the schema as clients are shown it: completed by the fields that all objects
// have, and by the type.
func (v *definitionVersion) published(gvk object.GVK) []byte {
	fields, own := map[string]json.RawMessage{}, map[string]json.RawMessage{}
	_ = json.Unmarshal(v.Schema.OpenAPI, &fields)  // an object: see validate
	_ = json.Unmarshal(fields["properties"], &own) // there may be none
	text := json.RawMessage(`{"type":"string"}`)
	properties := map[string]json.RawMessage{"apiVersion": text, "kind": text}
	maps.Copy(properties, own)
	properties["metadata"] = json.RawMessage(`{"type":"object"}`)
	fields["properties"] = object.JSON(properties)
	fields[object.GVKExtension] = object.JSON([]object.GVK{gvk})
	return object.JSON(fields)
}

const (
	scopeCluster    = "Cluster"
	scopeNamespaced = "Namespaced"
)

// completeDefinition fills in the names that a definition leaves out.
func completeDefinition(t object.Tree) {
	if kind := object.At[string](t, ".spec.names.kind"); kind != "" {
		names := object.At[object.Tree](t, ".spec.names")
		object.SetDefault(names, "singular", strings.ToLower(kind))
		object.SetDefault(names, "listKind", kind+"List")
	}
}
