package fakeapi

import (
	"fmt"
	"slices"

	"example.com/watchglass/fakeapi/resource"
)

// Two selectable fields need no entry in Resource.Select. The others are numbered by
// their index there. Their values are stored with each document, so that a list with a
// field selector need not decode every document.
const (
	fieldName      = -1
	fieldNamespace = -2
)

// field is the value of the field with a number, as selectable returns it.
func (d *document) field(i int) string {
	switch i {
	case fieldName:
		return d.name
	case fieldNamespace:
		return d.namespace
	}
	return d.fields[i]
}

// selectedAs is the document with the values of r's selectable fields. It has them
// already, unless its CustomResourceDefinition has changed since it was written.
func (d *document) selectedAs(r *resource.Type) *document {
	if d.resource == r || slices.Equal(d.resource.Select, r.Select) {
		return d
	}
	c := *d
	c.fields = selectFields(r, d.tree())
	return &c
}

// selectable returns the function that finds the number of the field that a path in a
// selector names.
func selectable(r *resource.Type) func(path string) (int, error) {
	return func(path string) (int, error) {
		switch path {
		case "metadata.name":
			return fieldName, nil
		case "metadata.namespace":
			if !r.Cluster || !r.Builtin() {
				return fieldNamespace, nil
			}
		}
		if i := r.StoredSelect(path); i >= 0 {
			return i, nil
		}
		return 0, fmt.Errorf("field label not supported: %.256s", path)
	}
}
