package fakeapi

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"example.com/watchglass/fakeapi/status"
)

// A CustomResourceDefinition makes the server serve another resource: the object
// is stored like any other, and the same write puts its resource into the catalog
// (crd_serve.go). The files of this topic:
//
//	crd.go           decodes a definition, and derives the resources that it describes
//	crd_validate.go  validates it
//	crd_status.go    decides which of its names are accepted: status.conditions
//	crd_serve.go     serves its resources, changes and removes them

const definitionsName = "customresourcedefinitions.apiextensions.k8s.io"

// A definition is the spec of a CustomResourceDefinition.
type definition struct {
	Group      string              `json:"group"`
	Names      definedNames        `json:"names"`
	Scope      string              `json:"scope"`
	Versions   []definitionVersion `json:"versions"`
	Conversion struct {
		Strategy string `json:"strategy"`
	} `json:"conversion"`
	PreserveUnknownFields bool `json:"preserveUnknownFields"`
}

// definedNames are the names of the resource.
type definedNames struct {
	Plural     string   `json:"plural"`
	Singular   string   `json:"singular,omitempty"`
	ShortNames []string `json:"shortNames,omitempty"`
	Kind       string   `json:"kind"`
	ListKind   string   `json:"listKind,omitempty"`
	Categories []string `json:"categories,omitempty"`
}

// A definitionVersion is one version of the resource. Each has its own schema,
// subresources and columns.
type definitionVersion struct {
	Name    string `json:"name"`
	Served  bool   `json:"served"`
	Storage bool   `json:"storage"`
	Schema  struct {
		OpenAPI tree `json:"openAPIV3Schema"`
	} `json:"schema"`
	Subresources struct {
		Status *struct{}   `json:"status"`
		Scale  *ScalePaths `json:"scale"`
	} `json:"subresources"`
	Columns []Column `json:"additionalPrinterColumns"`
	Select  []struct {
		Path string `json:"jsonPath"`
	} `json:"selectableFields"`
}

// readDefinition decodes the spec of a CustomResourceDefinition. The error is a *status.Status.
func readDefinition(t tree) (*definition, error) {
	d := &definition{}
	if t["spec"] == nil {
		return d, nil
	}
	err := json.Unmarshal(encodeJSON(t["spec"]), d)
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		err = fmt.Errorf("json: cannot unmarshal %s into field spec.%s", wrong.Value, wrong.Field)
	}
	if err != nil {
		return nil,
			status.BadRequest("CustomResourceDefinition in version \"v1\" cannot be handled as a "+
				"CustomResourceDefinition: %v", err)
	}
	return d, nil
}

// name is the name that a CustomResourceDefinition has to have.
func (d *definition) name() string { return d.Names.Plural + "." + d.Group }

// storageVersion is the version in which objects are stored.
func (d *definition) storageVersion() string {
	i := slices.IndexFunc(d.Versions, func(v definitionVersion) bool { return v.Storage })
	if i < 0 {
		return ""
	}
	return d.Versions[i].Name
}

// resources returns the resources that the definition describes, under its accepted
// names, and which of them are served. The first is the version in which objects are
// stored, the others are views of it. storedAs is the version of the objects that
// exist already, empty if the resource is new. Objects are never converted, so they
// stay in that version even if the definition names another storage version later.
func (d *definition) resources(names definedNames, storedAs string) (all []*Resource,
	served []bool) {
	if storedAs == "" {
		storedAs = d.storageVersion()
	}
	byName := func(v definitionVersion) bool { return v.Name == storedAs }
	i := slices.IndexFunc(d.Versions, byName)
	if i < 0 { // a version that has been dropped
		stored := *d.resource(names, d.Versions[0])
		stored.Version = storedAs
		all, served = append(all, &stored), append(served, false)
	} else {
		all = append(all, d.resource(names, d.Versions[i]))
		served = append(served, d.Versions[i].Served)
	}
	known := map[string]bool{}
	for _, path := range all[0].Select {
		known[path] = true
	}
	for j, v := range d.Versions {
		if j == i || !v.Served {
			continue
		}
		r := d.resource(names, v)
		r.view = &view{stored: all[0]}
		all, served = append(all, r), append(served, true)
		for _, path := range r.Select { // stored documents keep the fields of all versions
			if !known[path] {
				known[path] = true
				all[0].Select = append(all[0].Select, path)
			}
		}
	}
	return all, served
}

// resource is one version of the definition's resource.
func (d *definition) resource(names definedNames, v definitionVersion) *Resource {
	r := &Resource{Group: d.Group, Version: v.Name, Plural: names.Plural, Kind: names.Kind,
		Cluster: d.Scope == scopeCluster, Status: v.Subresources.Status != nil,
		Singular: names.Singular, ShortNames: names.ShortNames, Categories: names.Categories,
		Columns: v.Columns, Scale: v.Subresources.Scale,
		defined: true, openAPI: v.Schema.OpenAPI}
	for _, f := range v.Select {
		r.Select = append(r.Select, f.Path)
	}
	r.ageless = len(r.Columns) > 0
	return r
}

// The scopes of a definition.
const (
	scopeCluster    = "Cluster"
	scopeNamespaced = "Namespaced"
)

// completeDefinition fills in the defaults of a definition.
func completeDefinition(t tree) {
	spec, ok := t["spec"].(tree)
	if !ok {
		return
	}
	for _, p := range []preset{
		{".names.singular", func(names tree) any { return derived(names, strings.ToLower, "") }},
		{".names.listKind", func(names tree) any { return derived(names, strings.Clone, "List") }},
		{".conversion", tree{}},
		{".conversion.strategy", "None"},
	} {
		p.fill(spec, p.path[1:])
	}
}

// derived is a name made of the kind; nil if there is no kind.
func derived(names tree, change func(string) string, suffix string) any {
	if kind, _ := names["kind"].(string); kind != "" {
		return change(kind) + suffix
	}
	return nil
}
