package fakeapi

import (
	"fmt"
	"slices"
)

// Two fields can be selected by in every resource. The others are what a Resource
// selects, by their index there: a server without schemas cannot look into every
// document for every list.
const (
	fieldName      = -1
	fieldNamespace = -2
)

// field is the value that field selectors compare.
func (d *document) field(i int) string {
	switch i {
	case fieldName:
		return d.name
	case fieldNamespace:
		return d.namespace
	}
	return d.fields[i]
}

// selectedAs is the document with the fields that may be selected by in r. They are
// at hand, unless a CustomResourceDefinition has been changed since it was written.
func (d *document) selectedAs(r *Resource) *document {
	if d.resource == r || slices.Equal(d.resource.Select, r.Select) {
		return d
	}
	c := *d
	c.fields = selectFields(r, d.tree())
	return &c
}

// selectable is the number of the field that a path in a selector names.
func (r *Resource) selectable(path string) (int, error) {
	switch path {
	case "metadata.name":
		return fieldName, nil
	case "metadata.namespace":
		if !r.Cluster || !r.Builtin() {
			return fieldNamespace, nil
		}
	}
	if i := r.storedSelect(path); i >= 0 {
		return i, nil
	}
	return 0, fmt.Errorf("field label not supported: %.256s", path)
}
