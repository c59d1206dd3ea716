package object

import (
	"fmt"
	"slices"

	"example.com/watchglass/fakeapi/resource"
	"example.com/watchglass/fakeapi/selector"
)

// Two selectable fields need no entry in Resource.Select. The others are numbered by
// their index there. Their values are stored with each document, so that a list with a
// field selector need not decode every document.
const (
	FieldName      = -1
	fieldNamespace = -2
)

// field returns the value of the field with a number, as selectable returns it.
func (d *Document) field(i int) string {
	switch i {
	case FieldName:
		return d.Name
	case fieldNamespace:
		return d.Namespace
	}
	return d.fields[i]
}

// selectedAs returns the document with the values of a type's selectable fields. It has them
// already, unless its CustomResourceDefinition has changed since it was written.
func (d *Document) selectedAs(typ *resource.Type) *Document {
	if d.resource == typ || slices.Equal(d.resource.Select, typ.Select) {
		return d
	}
	c := *d
	c.fields = selectFields(typ, d.Tree())
	return &c
}

// Selectable returns the function that finds the number of the field that a path in a
// selector names.
func Selectable(typ *resource.Type) func(path string) (int, error) {
	return func(path string) (int, error) {
		switch path {
		case "metadata.name":
			return FieldName, nil
		case "metadata.namespace":
			if !typ.Cluster || !typ.Builtin() {
				return fieldNamespace, nil
			}
		}
		if i := typ.StoredSelect(path); i >= 0 {
			return i, nil
		}
		return 0, fmt.Errorf("field label not supported: %.256s", path)
	}
}

// A Selection says which objects of a collection a request selects.
type Selection struct {
	Namespace string // "" is all
	Labels    selector.Labels
	Fields    selector.Fields
	Type      *resource.Type // fields are numbered by its Select; may be nil without fields
}

// Matches says whether d is selected.
func (s *Selection) Matches(d *Document) bool {
	return (s.Namespace == "" || s.Namespace == d.Namespace) &&
		s.Labels.Matches(d.labels) &&
		(len(s.Fields) == 0 || s.Fields.Matches(d.selectedAs(s.Type).field))
}

// filters says whether there is any selector. If so, a page does not count what
// remains, because that would mean looking at all the rest.
func (s *Selection) filters() bool { return len(s.Labels)+len(s.Fields) > 0 }

// Prefix returns what the keys of the selection start with.
func (s *Selection) Prefix() string {
	if s.Namespace == "" {
		return ""
	}
	return s.Namespace + "/"
}
