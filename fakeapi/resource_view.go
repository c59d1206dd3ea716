package fakeapi

import "slices"

// A view shows the stored objects of one resource as objects of another: as a second
// version, which differs only in apiVersion, or with other fields (resource_events.go).
// Clients read and write the view's form; the server stores, selects and compares the
// stored form.
type view struct {
	stored *Resource
	show   func(tree) tree   // from the stored form, which it may change; nil: as it is
	keep   func(tree) tree   // the reverse of show, which may change its argument, too; nil: as it is
	fields map[string]string // stored paths of the fields that selectors may name; nil: Select
}

// shown is a stored object as r shows it. It may change t.
func (r *Resource) shown(t tree) tree {
	if r.view == nil {
		return t
	}
	if r.view.show != nil {
		t = r.view.show(t)
	}
	t["kind"], t["apiVersion"] = r.Kind, r.APIVersion()
	return t
}

// kept is an object of r in the form in which it is stored. It may change t.
func (r *Resource) kept(t tree) tree {
	if r.view == nil {
		return t
	}
	if r.view.keep != nil {
		t = r.view.keep(t)
	}
	t["kind"], t["apiVersion"] = r.view.stored.Kind, r.view.stored.APIVersion()
	return t
}

// show is a document as r shows it.
func (r *Resource) show(d *document) []byte {
	if r.view == nil {
		return d.raw
	}
	b, _, err := encodeTree(r, r.shown(d.tree()))
	if err != nil {
		panic(err) // it has been encoded before
	}
	return b
}

// storedSelect is the index, in the stored resource's Select, of the field that a
// selector calls path; negative if the field is not selectable.
func (r *Resource) storedSelect(path string) int {
	switch {
	case r.view == nil:
		return slices.Index(r.Select, "."+path)
	case r.view.fields != nil:
		return slices.Index(r.view.stored.Select, r.view.fields[path])
	case slices.Contains(r.Select, "."+path):
		return slices.Index(r.view.stored.Select, "."+path)
	}
	return -1
}
