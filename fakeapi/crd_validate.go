package fakeapi

import (
	"fmt"
	"slices"
	"strings"

	"example.com/watchglass/fakeapi/printer"
	"example.com/watchglass/fakeapi/selector"
	"example.com/watchglass/fakeapi/status"
)

// validateDefinition returns the field errors of a CustomResourceDefinition, in the
// order and in the words of the real server. Of a schema it checks only the type of
// the root.
func validateDefinition(name string, annotations map[string]string,
	d *definition) []status.FieldError {
	var errs []status.FieldError
	if name != d.name() {
		errs = append(errs, status.InvalidField("metadata.name", name,
			`must be spec.names.plural+"."+spec.group`))
	}
	errs = append(errs, d.validateGroup(annotations)...)
	errs = append(errs, d.validateScope()...)
	if d.PreserveUnknownFields {
		errs = append(errs, status.InvalidField("spec.preserveUnknownFields", true,
			"cannot set to true, "+
				"set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead"))
	}
	errs = append(errs, d.validateVersions()...)
	errs = append(errs, d.Names.validate()...)
	if s := d.Conversion.Strategy; s != "" && s != "None" && s != "Webhook" {
		errs = append(errs, status.UnsupportedField("spec.conversion.strategy", s, "None", "Webhook"))
	}
	return errs
}

const approvalAnnotation = "api-approved.kubernetes.io"

func (d *definition) validateGroup(annotations map[string]string) []status.FieldError {
	const field = "spec.group"
	why := selector.BadSubdomain(d.Group)
	switch {
	case d.Group == "":
		return []status.FieldError{status.RequiredField(field, "")}
	case why != "":
		return []status.FieldError{status.InvalidField(field, d.Group, why)}
	case !strings.Contains(d.Group, "."):
		return []status.FieldError{status.InvalidField(field, d.Group,
			"should be a domain with at least one dot")}
	case isProtected(d.Group) && annotations[approvalAnnotation] == "":
		return []status.FieldError{status.RequiredField("metadata.annotations["+approvalAnnotation+"]",
			`protected groups must have approval annotation "`+approvalAnnotation+`", see `+
				"https://github.com/kubernetes/enhancements/pull/1111")}
	}
	return nil
}

// isProtected reports whether a group belongs to the Kubernetes project.
func isProtected(group string) bool {
	return group == "k8s.io" || strings.HasSuffix(group, ".k8s.io") ||
		group == "kubernetes.io" || strings.HasSuffix(group, ".kubernetes.io")
}

func (d *definition) validateScope() []status.FieldError {
	switch d.Scope {
	case scopeCluster, scopeNamespaced:
		return nil
	case "":
		return []status.FieldError{status.RequiredField("spec.scope", "")}
	}
	return []status.FieldError{status.UnsupportedField("spec.scope", d.Scope, scopeCluster,
		scopeNamespaced)}
}

func (d *definition) validateVersions() []status.FieldError {
	var errs []status.FieldError
	var names []string
	stored, seen := 0, map[string]bool{}
	if n := len(d.Versions); n > maxNames {
		return []status.FieldError{status.TooManyField("spec.versions", n, maxNames)}
	}
	for i, v := range d.Versions {
		if len(errs) >= status.MaxErrors {
			break
		}
		errs = append(errs, v.validate(fmt.Sprintf("spec.versions[%d]", i))...)
		seen[v.Name] = true
		names = append(names, v.Name)
		if v.Storage {
			stored++
		}
	}
	if len(seen) < len(names) {
		errs = append(errs, status.InvalidField("spec.versions", names,
			"must contain unique version names"))
	}
	if stored != 1 && len(errs) < status.MaxErrors {
		errs = append(errs, status.InvalidField("spec.versions", names,
			"must have exactly one version marked as storage version"))
	}
	return errs
}

func (v *definitionVersion) validate(at string) []status.FieldError {
	errs := validateLabel(at+".name", v.Name)
	root := at + ".schema.openAPIV3Schema"
	switch kind, _ := v.Schema.OpenAPI["type"].(string); {
	case v.Schema.OpenAPI == nil:
		errs = append(errs, status.RequiredField(root, ""))
	case kind == "":
		errs = append(errs, status.RequiredField(root+".type", "must not be empty at the root"))
	case kind != "object":
		errs = append(errs, status.InvalidField(root+".type", kind, "must be object at the root"))
	}
	if s := v.Subresources.Scale; s != nil {
		at := at + ".subresources.scale."
		errs = append(errs, validateScalePath(at+"specReplicasPath", s.Spec, ".spec")...)
		errs = append(errs, validateScalePath(at+"statusReplicasPath", s.Status, ".status")...)
		if s.Selector != "" {
			errs = append(errs, validatePath(at+"labelSelectorPath", s.Selector)...)
		}
	}
	if n := len(v.Columns); n > maxNames {
		return append(errs, status.TooManyField(at+".additionalPrinterColumns", n, maxNames))
	}
	for i, c := range v.Columns {
		at := fmt.Sprintf("%s.additionalPrinterColumns[%d]", at, i)
		errs = append(errs, validateColumn(at, c.Name, c.Type, c.Path)...)
	}
	if n := len(v.Select); n > maxSelectable {
		return append(errs, status.TooManyField(at+".selectableFields", n, maxSelectable))
	}
	for i, f := range v.Select {
		at := fmt.Sprintf("%s.selectableFields[%d].jsonPath", at, i)
		if !strings.HasPrefix(f.Path, ".") || len(f.Path) < 2 {
			errs = append(errs, status.InvalidField(at, f.Path,
				"is an invalid path: expected [ or . but got: "+
					f.Path))
		}
	}
	return errs
}

// maxSelectable is how many fields a version may be selected by, as in the real server.
const maxSelectable = 8

// maxNames is how many versions a definition may have, how many columns a version, and
// how many short names and categories there may be. The real server has no such limit,
// but each version is a resource, and each column a cell of every row.
const maxNames = 100

func validateColumn(at, name, kind, path string) []status.FieldError {
	kinds := []string{"boolean", "date", "integer", "number", "string"}
	must := "must be one of " + strings.Join(kinds, ",")
	var errs []status.FieldError
	if name == "" {
		errs = append(errs, status.RequiredField(at+".name", ""))
	}
	switch {
	case kind == "":
		errs = append(errs, status.RequiredField(at+".type", must))
	case !slices.Contains(kinds, kind):
		errs = append(errs, status.InvalidField(at+".type", kind, must))
	}
	return append(errs, validatePath(at+".JSONPath", path)...)
}

// validatePath checks the path of a value in an object.
func validatePath(field, path string) []status.FieldError {
	if path == "" {
		return []status.FieldError{status.RequiredField(field, "")}
	}
	if _, err := printer.ParsePath(path); err != nil || !strings.HasPrefix(path, ".") {
		return []status.FieldError{status.InvalidField(field, path,
			"must be a simple json path starting with .")}
	}
	return nil
}

// validateScalePath checks a path that has to be below .spec or .status.
func validateScalePath(field, path, below string) []status.FieldError {
	errs := validatePath(field, path)
	if len(errs) == 0 && !strings.HasPrefix(path, below+".") {
		errs = append(errs, status.InvalidField(field, path, "should be a json path under "+below))
	}
	return errs
}

// mustBeDNSLabel is the real server's wording, which clients show to people.
const mustBeDNSLabel = "a DNS-1035 label must consist of lower case alphanumeric characters or " +
	"'-', start with an alphabetic character, and end with an alphanumeric character (e.g. " +
	"'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')"

// validateLabel checks a name that becomes part of a path or of a host name.
func validateLabel(field, name string) []status.FieldError {
	if selector.BadLabel(name) != "" || name[0] < 'a' {
		return []status.FieldError{status.InvalidField(field, name, mustBeDNSLabel)}
	}
	return nil
}

func (n *definedNames) validate() []status.FieldError {
	const at = "spec.names."
	var errs []status.FieldError
	for _, f := range []struct {
		field, name string
		mixed       bool // capital letters are allowed
	}{
		{"plural", n.Plural, false}, {"singular", n.Singular, false},
		{"kind", n.Kind, true}, {"listKind", n.ListKind, true},
	} {
		errs = append(errs, validateName(at+f.field, f.name, f.mixed)...)
	}
	if n.Kind != "" && n.Kind == n.ListKind {
		errs = append(errs, status.InvalidField(at+"listKind", n.ListKind,
			"kind and listKind may not be the same"))
	}
	errs = append(errs, validateLabelList(at+"shortNames", n.ShortNames)...)
	return append(errs, validateLabelList(at+"categories", n.Categories)...)
}

func validateLabelList(field string, names []string) (errs []status.FieldError) {
	if n := len(names); n > maxNames {
		return []status.FieldError{status.TooManyField(field, n, maxNames)}
	}
	for i, name := range names {
		errs = append(errs, validateLabel(fmt.Sprintf("%s[%d]", field, i), name)...)
	}
	return errs
}

func validateName(field, name string, mixed bool) []status.FieldError {
	switch {
	case name == "":
		return []status.FieldError{status.RequiredField(field, "")}
	case !mixed:
		return validateLabel(field, name)
	case len(validateLabel(field, strings.ToLower(name))) > 0:
		return []status.FieldError{status.InvalidField(field, name,
			"may have mixed case, but should otherwise match: "+mustBeDNSLabel)}
	}
	return nil
}

// changedNames returns an error for each immutable field that an update changes.
func (d *definition) changedNames(was *definition) []status.FieldError {
	var errs []status.FieldError
	for _, f := range [][3]string{
		{"spec.group", d.Group, was.Group},
		{"spec.names.plural", d.Names.Plural, was.Names.Plural},
		{"spec.scope", d.Scope, was.Scope},
		{"spec.names.kind", d.Names.Kind, was.Names.Kind},
	} {
		if f[1] != f[2] {
			errs = append(errs, status.InvalidField(f[0], f[1], "field is immutable"))
		}
	}
	return errs
}
