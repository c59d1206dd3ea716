package resource

import "slices"

// A View shows the stored objects of one type as objects of another: as a second version,
// which differs only in apiVersion, or with other fields (event.go). Clients read and write
// the view's form; the server stores, selects and compares the stored form.
type View struct {
	Stored *Type

	renamed bool              // some fields have other names: see rename
	fields  map[string]string // stored paths of the fields that selectors may name; nil: Select
}

// ViewOf returns a type that shows the objects of another one in a second version.
func ViewOf(stored *Type, r Resource) *Type {
	t := New(r)
	t.View = &View{Stored: stored}
	return t
}

// Shown returns a stored object as the type shows it. It may change o.
func (t *Type) Shown(o map[string]any) map[string]any {
	if t.View == nil {
		return o
	}
	if t.View.renamed {
		rename(o, 0, 1)
	}
	o["kind"], o["apiVersion"] = t.Kind, t.APIVersion()
	return o
}

// Kept returns an object of the type in the form in which it is stored. It may change o.
func (t *Type) Kept(o map[string]any) map[string]any {
	if t.View == nil {
		return o
	}
	if t.View.renamed {
		rename(o, 1, 0)
	}
	o["kind"], o["apiVersion"] = t.View.Stored.Kind, t.View.Stored.APIVersion()
	return o
}

// Columned returns the type whose columns and objects the tables of this type show: the
// stored one, if its fields have other names.
func (t *Type) Columned() *Type {
	if t.View != nil && t.View.renamed {
		return t.View.Stored
	}
	return t
}

// StoredSelect returns the index, in the stored type's Select, of the field that a selector
// calls path; negative if the field is not selectable.
func (t *Type) StoredSelect(path string) int {
	switch {
	case t.View == nil:
		return slices.Index(t.Select, "."+path)
	case t.View.fields != nil:
		return slices.Index(t.View.Stored.Select, t.View.fields[path])
	case slices.Contains(t.Select, "."+path):
		return slices.Index(t.View.Stored.Select, "."+path)
	}
	return -1
}
