package registry

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/status"
)

// validateDefinition adds the field errors of a CustomResourceDefinition. was is the definition
// before the write, nil for a new one.
func validateDefinition(errs *status.FieldErrors, was, t object.Tree) {
	d := readDefinition(t)
	d.validate(errs, object.MetaOf(t))
	if was != nil {
		d.checkImmutable(errs, readDefinition(was))
	}
}

// validate adds the errors that stop people who write their first definition. Of a schema it checks
// only the type of the root.
func (d *definition) validate(errs *status.FieldErrors, m object.Meta) {
	if name := m.Text("name"); name != d.name() {
		errs.Invalid("metadata.name", name, `must be spec.names.plural+"."+spec.group`)
	}
	d.validateGroup(errs)
	if d.Scope == "" {
		errs.Required("spec.scope", "")
	} else if d.Scope != scopeCluster && d.Scope != scopeNamespaced {
		errs.Unsupported("spec.scope", d.Scope, scopeCluster, scopeNamespaced)
	}
	if len(d.Versions) == 1 {
		d.Versions[0].validate(errs, "spec.versions[0]")
	} else {
		errs.Invalid("spec.versions", len(d.Versions), "must have exactly one version: "+
			"this server does not convert objects")
	}
	d.Names.validate(errs)
}

func (d *definition) validateGroup(errs *status.FieldErrors) {
	const field = "spec.group"
	why := object.BadSubdomain(d.Group)
	switch {
	case d.Group == "":
		errs.Required(field, "")
	case why != "":
		errs.Invalid(field, d.Group, why)
	case !strings.Contains(d.Group, "."):
		errs.Invalid(field, d.Group, "should be a domain with at least one dot")
	}
}

func (v *definitionVersion) validate(errs *status.FieldErrors, at string) {
	if !isDNSLabel(v.Name) {
		errs.Invalid(at+".name", v.Name, mustBeDNSLabel)
	}
	if !v.Served || !v.Storage {
		errs.Required(at, "must be served and marked as storage version")
	}
	root := at + ".schema.openAPIV3Schema"
	var schema struct{ Type any }
	_ = json.Unmarshal(v.Schema.OpenAPI, &schema) // no object: no type
	switch kind, _ := schema.Type.(string); {
	case v.Schema.OpenAPI == nil:
		errs.Required(root, "")
	case kind == "":
		errs.Required(root+".type", "must not be empty at the root")
	case kind != "object":
		errs.Invalid(root+".type", kind, "must be object at the root")
	}
	if s := v.Subresources.Scale; s != nil {
		s.Validate(errs, at+".subresources.scale")
	}
	v.validateColumns(errs, at+".additionalPrinterColumns")
	v.validateSelect(errs, at+".selectableFields")
}

// maxColumns is how many columns a definition may have. The real server has no such limit, but each
// column is a cell of every row.
const maxColumns = 32

// validateColumns also refuses a path that this server cannot show. A real server accepts it and
// then shows no columns at all.
func (v *definitionVersion) validateColumns(errs *status.FieldErrors, field string) {
	if n := len(v.Columns); n > maxColumns {
		errs.Invalid(field, n, fmt.Sprintf("must have at most %d columns", maxColumns))
		return
	}
	for i, c := range v.Columns {
		at := fmt.Sprintf("%s[%d]", field, i)
		if c.Name == "" {
			errs.Required(at+".name", "")
		}
		if !slices.Contains(columnTypes, c.Type) {
			errs.Invalid(at+".type", c.Type, "must be one of "+strings.Join(columnTypes, ","))
		}
		_, err := object.ParsePath(c.Path)
		if !validatePath(errs, at+".jsonPath", c.Path) && err != nil {
			errs.Invalid(at+".jsonPath", c.Path, err.Error())
		}
	}
}

var columnTypes = []string{"boolean", "date", "integer", "number", "string"}

// maxSelect is how many fields of a resource selectors may name, as in the real server: their
// values are kept with each object.
const maxSelect = 8

func (v *definitionVersion) validateSelect(errs *status.FieldErrors, field string) {
	there := map[string]bool{}
	for i, f := range v.Select {
		at := fmt.Sprintf("%s[%d].jsonPath", field, i)
		validatePath(errs, at, f.Path)
		switch {
		case there[f.Path]:
			errs.Duplicate(at, f.Path)
		case f.Path == ".metadata" || strings.HasPrefix(f.Path, ".metadata."):
			errs.Invalid(at, f.Path, "must not point to fields in metadata")
		}
		there[f.Path] = true
	}
	if len(there) > maxSelect {
		errs.TooMany(field, len(there), maxSelect)
	}
}

// validatePath adds the error in a path, and reports whether there is one.
func validatePath(errs *status.FieldErrors, field, path string) (wrong bool) {
	switch {
	case !strings.HasPrefix(path, ".") || len(path) < 2:
		errs.Invalid(field, path, "must be a path such as .spec.replicas")
	case len(path) > object.MaxPath:
		errs.TooLong(field, object.MaxPath)
	default:
		return false
	}
	return true
}

const mustBeDNSLabel = "a DNS-1035 label must consist of lower case alphanumeric characters or " +
	"'-', start with a letter, and end with an alphanumeric character, as 'my-name' does"

// isDNSLabel reports whether a name may become part of a path or of a host name.
func isDNSLabel(name string) bool { return object.BadLabel(name) == "" && name[0] >= 'a' }

func (n *definitionNames) validate(errs *status.FieldErrors) {
	const at, mixed = "spec.names.", "may have mixed case, but should otherwise match: "
	for _, f := range []struct{ field, name, why string }{{"plural", n.Plural, ""},
		{"singular", n.Singular, ""}, {"kind", n.Kind, mixed}, {"listKind", n.ListKind, mixed}} {
		if f.name == "" {
			errs.Required(at+f.field, "")
		} else if !isDNSLabel(f.name) && (f.why == "" || !isDNSLabel(strings.ToLower(f.name))) {
			errs.Invalid(at+f.field, f.name, f.why+mustBeDNSLabel)
		}
	}
	if n.Kind != "" && n.Kind == n.ListKind {
		errs.Invalid(at+"listKind", n.ListKind, "kind and listKind may not be the same")
	}
}

// checkImmutable adds an error for each immutable field that an update changes.
func (d *definition) checkImmutable(errs *status.FieldErrors, was *definition) {
	fields := [][3]string{ // group and plural are in the name
		{"spec.scope", d.Scope, was.Scope}, {"spec.names.kind", d.Names.Kind, was.Names.Kind}}
	if len(d.Versions) == 1 { // objects are stored in it
		fields = append(fields,
			[3]string{"spec.versions[0].name", d.Versions[0].Name, was.Versions[0].Name})
	}
	for _, f := range fields {
		if f[1] != f[2] {
			errs.Invalid(f[0], f[1], "field is immutable")
		}
	}
}
