package object

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"example.com/watchglass/fakeapi/status"
	"example.com/watchglass/fakeapi/store"
)

// Two selectable fields need no entry in Resource.Select. The others are numbered by
// their index there. Their values are stored with each document, so that a list with a
// field selector need not decode every document.
const (
	FieldName      = -1
	fieldNamespace = -2
)

// valueIn returns the function that returns the value of a field by its number.
func (s *Selection) valueIn(d *Document) func(i int) string {
	var values []string // of the fields that have a number
	return func(i int) string {
		switch i {
		case FieldName:
			return d.Name
		case fieldNamespace:
			return d.Namespace
		}
		if values == nil {
			values = s.valuesOf(d)
		}
		return values[i]
	}
}

// valuesOf decodes a document that was written before its definition got other selectable fields.
func (s *Selection) valuesOf(d *Document) []string {
	if d.typ == s.Type || slices.Equal(d.typ.Select, s.Type.Select) {
		return d.values
	}
	var values []string
	s.Turns.Decode(d, func(t Tree) { values = selectFields(s.Type, t) })
	return values
}

// selectFields returns the values of the fields that field selectors may name. A missing
// field is the empty string: spec.nodeName= finds unscheduled pods. An object or a list is
// the empty string, too: no selector can match it, and the copies of the selectable fields
// must not make a document many times larger.
func selectFields(typ *Type, t Tree) []string {
	values := make([]string, len(typ.Select))
	for i, path := range typ.Select {
		switch v := Lookup(t, path).(type) {
		case string, bool, int64, float64:
			values[i] = fmt.Sprint(v)
		}
	}
	return values
}

// Selectable returns the function that finds the number of the field that a path in a
// selector names.
func Selectable(typ *Type) func(path string) (int, error) {
	return func(path string) (int, error) {
		switch path {
		case "metadata.name":
			return FieldName, nil
		case "metadata.namespace":
			if !typ.Cluster || !typ.Builtin() {
				return fieldNamespace, nil
			}
		}
		if i := slices.Index(typ.Select, "."+path); i >= 0 {
			return i, nil
		}
		return 0, fmt.Errorf("field label not supported: %.256s", path)
	}
}

// A Selection says which objects of a collection a request selects.
type Selection struct {
	Namespace string // "" is all
	Labels    LabelSelector
	Fields    FieldSelector
	Type      *Type  // fields are numbered by its Select; may be nil without fields
	Turns     *Turns // of those that decode documents, for fields that are not stored
}

// Matches says whether d is selected.
func (s *Selection) Matches(d *Document) bool {
	return (s.Namespace == "" || s.Namespace == d.Namespace) &&
		s.Labels.Matches(d.Raw[d.labels:d.labelsEnd]) &&
		(len(s.Fields) == 0 || s.Fields.Matches(s.valueIn(d)))
}

// Prefix returns what the keys of the selection start with.
func (s *Selection) Prefix() string { return KeysIn(s.Namespace) }

// A Page is a piece of a collection at one version. The documents are shared.
type Page struct {
	Version   uint64
	Docs      []*Document
	Next      string // the key after which to go on; empty: this is the end
	Remaining int    // how many there are after the last; -1: not counted
}

// PageOf collects the selected objects of a snapshot from a key on, at most limit
// (0: all). No lock is held: selectors may take their time.
func PageOf(state store.Snapshot, sel *Selection, start string, limit int64) Page {
	p := Page{Version: state.Version, Remaining: -1}
	total, filtered := int64(state.Count(sel.Prefix(), start)), len(sel.Labels)+len(sel.Fields) > 0
	if !filtered {
		p.Docs = make([]*Document, 0, min(total, cmp.Or(limit, total)))
	}
	for o := range state.All(sel.Prefix(), start) {
		d := o.(*Document)
		if !sel.Matches(d) {
			continue
		}
		if limit > 0 && int64(len(p.Docs)) == limit {
			// One more is enough to know that there is a next page.
			p.Next = p.Docs[limit-1].key
			if !filtered { // or else counting would mean looking at all the rest
				p.Remaining = int(total - limit)
			}
			break
		}
		p.Docs = append(p.Docs, d)
	}
	return p
}

// Refusal turns an error of the store into a *status.Status. Other errors stay as they are.
func Refusal(err error) error {
	if old, ok := errors.AsType[*store.TooOldError](err); ok {
		return status.Expired(fmt.Sprintf("too old resource version: %d (%d)", old.Version, old.Oldest))
	}
	if future, ok := errors.AsType[*store.FutureError](err); ok {
		return status.TooLargeVersion(future.Version, future.Newest)
	}
	return err
}
