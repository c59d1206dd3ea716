package fakeapi

import (
	"example.com/watchglass/fakeapi/resource"
	"example.com/watchglass/fakeapi/selector"
	"example.com/watchglass/fakeapi/store"
)

// A selection says which objects of a collection a request selects.
type selection struct {
	namespace string // "" is all
	labels    selector.Labels
	fields    selector.Fields
	resource  *resource.Type // fields are numbered by its Select; may be nil without fields
}

// matches says whether d is selected.
func (s *selection) matches(d *document) bool {
	return (s.namespace == "" || s.namespace == d.namespace) &&
		s.labels.Matches(d.labels) &&
		(len(s.fields) == 0 || s.fields.Matches(d.selectedAs(s.resource).field))
}

// filters says whether there is any selector. If so, a page does not count what
// remains, because that would mean looking at all the rest.
func (s *selection) filters() bool { return len(s.labels)+len(s.fields) > 0 }

// prefix is what the keys of the selection start with.
func (s *selection) prefix() string {
	if s.namespace == "" {
		return ""
	}
	return s.namespace + "/"
}

// A page is a piece of a collection at one version. The documents are shared.
type page struct {
	version   uint64
	docs      []*document
	next      string // the key after which to go on; empty: this is the end
	remaining int    // how many there are after the last; -1: not counted
}

// pageOf collects the selected objects of a snapshot from a key on, at most limit
// (0: all). No lock is held: selectors may take their time.
func pageOf(state store.Snapshot, sel *selection, start string, limit int64) page {
	p := page{version: state.Version, remaining: -1}
	total := int64(state.Count(sel.prefix(), start))
	if !sel.filters() {
		p.docs = make([]*document, 0, pageSize(total, limit))
	}
	for o := range state.All(sel.prefix(), start) {
		d := o.(*document)
		if !sel.matches(d) {
			continue
		}
		if limit > 0 && int64(len(p.docs)) == limit {
			// One more is enough to know that there is a next page.
			p.next = p.docs[limit-1].key
			break
		}
		p.docs = append(p.docs, d)
	}
	if p.next != "" && !sel.filters() {
		p.remaining = int(total - limit)
	}
	return p
}

// pageSize is how many of total objects fit a limit (0: all).
func pageSize(total, limit int64) int64 {
	if limit == 0 {
		return total
	}
	return min(total, limit)
}
