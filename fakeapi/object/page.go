package object

import "example.com/watchglass/fakeapi/store"

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
	total := int64(state.Count(sel.Prefix(), start))
	if !sel.filters() {
		p.Docs = make([]*Document, 0, pageSize(total, limit))
	}
	for o := range state.All(sel.Prefix(), start) {
		d := o.(*Document)
		if !sel.Matches(d) {
			continue
		}
		if limit > 0 && int64(len(p.Docs)) == limit {
			// One more is enough to know that there is a next page.
			p.Next = p.Docs[limit-1].key
			break
		}
		p.Docs = append(p.Docs, d)
	}
	if p.Next != "" && !sel.filters() {
		p.Remaining = int(total - limit)
	}
	return p
}

// pageSize returns how many of total objects fit a limit (0: all).
func pageSize(total, limit int64) int64 {
	if limit == 0 {
		return total
	}
	return min(total, limit)
}

// Size returns about how many bytes the page's documents are.
func (p Page) Size() int {
	n := 0
	for _, d := range p.Docs {
		n += len(d.Raw)
	}
	return n
}
