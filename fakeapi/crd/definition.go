package crd

import (
	"cmp"
	"slices"
	"strings"

	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/resource"
	"example.com/watchglass/fakeapi/status"
)

// A Definition is the spec of a CustomResourceDefinition.
type Definition struct {
	Group      string    `json:"group"`
	Names      Names     `json:"names"`
	Scope      string    `json:"scope"`
	Versions   []version `json:"versions"`
	Conversion struct {
		Strategy string `json:"strategy"`
	} `json:"conversion"`
	PreserveUnknownFields bool `json:"preserveUnknownFields"`
}

// Names are the names of the resource.
type Names struct {
	Plural     string   `json:"plural"`
	Singular   string   `json:"singular,omitempty"`
	ShortNames []string `json:"shortNames,omitempty"`
	Kind       string   `json:"kind"`
	ListKind   string   `json:"listKind,omitempty"`
	Categories []string `json:"categories,omitempty"`
}

// A version is one version of the resource. Each has its own schema,
// subresources and columns.
type version struct {
	Name    string `json:"name"`
	Served  bool   `json:"served"`
	Storage bool   `json:"storage"`
	Schema  struct {
		OpenAPI object.Tree `json:"openAPIV3Schema"`
	} `json:"schema"`
	Subresources struct {
		Status *struct{}            `json:"status"`
		Scale  *resource.ScalePaths `json:"scale"`
	} `json:"subresources"`
	Columns []resource.Column `json:"additionalPrinterColumns"`
	Select  []struct {
		Path string `json:"jsonPath"`
	} `json:"selectableFields"`
}

// The fields that a definition is decoded from, and others that typed clients decode.
var (
	texts      = object.ListOf{Of: object.String}
	anyObject  = object.Record{object.Others: nil}
	namesShape = object.Record{"plural": object.String, "singular": object.String,
		"shortNames": texts, "kind": object.String, "listKind": object.String, "categories": texts}
	versionShape = object.Record{"name": object.String, "served": object.Bool, "storage": object.Bool,
		"deprecated": object.Bool, "deprecationWarning": object.String,
		"schema": object.Record{"openAPIV3Schema": anyObject},
		"subresources": object.Record{"status": anyObject, "scale": object.Record{
			"specReplicasPath": object.String, "statusReplicasPath": object.String,
			"labelSelectorPath": object.String}},
		"additionalPrinterColumns": object.ListOf{Of: object.Record{"name": object.String,
			"type": object.String, "format": object.String, "description": object.String,
			"priority": object.Int32, "jsonPath": object.String}},
		"selectableFields": object.ListOf{Of: object.Record{"jsonPath": object.String}}}
	specShape = object.Record{"group": object.String, "names": namesShape, "scope": object.String,
		"versions": object.ListOf{Of: versionShape}, "preserveUnknownFields": object.Bool,
		"conversion": object.Record{"strategy": object.String, "webhook": anyObject}}
	statusShape = object.Record{"acceptedNames": namesShape, "conditions": object.ListOf{
		Of: object.Record{"type": object.String, "status": object.String}}}
)

// Read decodes the spec of a CustomResourceDefinition. The error is a *status.Status.
func Read(t object.Tree) (*Definition, error) {
	d := &Definition{}
	if t["spec"] == nil {
		return d, nil
	}
	if err := specShape.Into("spec", t["spec"], d); err != nil {
		return nil, status.BadRequest("CustomResourceDefinition in version \"v1\" cannot be handled as "+
			"a CustomResourceDefinition: %v", err)
	}
	return d, nil
}

// Name returns the name that a CustomResourceDefinition has to have.
func (d *Definition) Name() string { return d.Names.Plural + "." + d.Group }

// storageVersion returns the version in which objects are stored.
func (d *Definition) storageVersion() string {
	i := slices.IndexFunc(d.Versions, func(v version) bool { return v.Storage })
	if i < 0 {
		return ""
	}
	return d.Versions[i].Name
}

// Types returns the resources that the definition describes, under its accepted
// names, and which of them are served. The first is the version in which objects are
// stored, the others are views of it. storedAs is the version of the objects that
// exist already, empty if the resource is new. Objects are never converted, so they
// stay in that version even if the definition names another storage version later.
func (d *Definition) Types(names Names, storedAs string) (all []*resource.Type, served []bool) {
	storedAs = cmp.Or(storedAs, d.storageVersion())
	at := slices.IndexFunc(d.Versions, func(v version) bool { return v.Name == storedAs })
	version := d.Versions[max(0, at)] // the first one, if the stored one has been dropped
	stored := d.describe(names, version)
	stored.Version = storedAs
	all, served = append(all, stored), append(served, at >= 0 && version.Served)
	for i, v := range d.Versions {
		if i == at || !v.Served {
			continue
		}
		r := d.describe(names, v)
		r.View = &resource.View{Stored: stored}
		all, served = append(all, r), append(served, true)
		for _, path := range r.Select { // stored documents keep the fields of all versions
			if !slices.Contains(stored.Select, path) {
				stored.Select = append(stored.Select, path)
			}
		}
	}
	return all, served
}

// describe returns one version of the definition's resource.
func (d *Definition) describe(names Names, v version) *resource.Type {
	r := &resource.Type{Defined: true, Schema: v.Schema.OpenAPI, Ageless: len(v.Columns) > 0}
	r.Resource = resource.Resource{Group: d.Group, Version: v.Name, Plural: names.Plural,
		Kind: names.Kind, Cluster: d.Scope == scopeCluster, Status: v.Subresources.Status != nil,
		Singular: names.Singular, ShortNames: names.ShortNames, Categories: names.Categories,
		Columns: v.Columns, Scale: v.Subresources.Scale}
	for _, f := range v.Select {
		r.Select = append(r.Select, f.Path)
	}
	return r
}

// The scopes of a definition.
const (
	scopeCluster    = "Cluster"
	scopeNamespaced = "Namespaced"
)

// Complete fills in the defaults of a definition.
func Complete(t object.Tree) {
	spec, ok := t["spec"].(object.Tree)
	if !ok {
		return
	}
	names, _ := spec["names"].(object.Tree)
	if kind, _ := names["kind"].(string); kind != "" {
		object.SetDefault(names, "singular", strings.ToLower(kind))
		object.SetDefault(names, "listKind", kind+"List")
	}
	object.SetDefault(spec, "conversion", object.Tree{})
	if conversion, ok := spec["conversion"].(object.Tree); ok {
		object.SetDefault(conversion, "strategy", "None")
	}
}
