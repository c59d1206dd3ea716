package fakeapi

import (
	"strings"
	"time"

	"example.com/watchglass/fakeapi/selector"
)

// A selection is which objects of a collection a request is about.
type selection struct {
	namespace string // "" is all
	labels    selector.Labels
	fields    selector.Fields
}

// matches says whether d is selected.
func (s *selection) matches(d *document) bool {
	return (s.namespace == "" || s.namespace == d.namespace) &&
		s.labels.Matches(d.labels) && s.fields.Matches(d.field)
}

// filters says whether there is any selector. If so, a page does not count what
// remains: nobody knows how much of it would match.
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

// present is version "now" in collect: above all that are there.
const present = ^uint64(0)

// read collects the selected objects as they were at version at (or present),
// from start on, at most limit (0: all).
func (c *collection) read(at uint64, sel *selection, start string, limit int64) page {
	c.store.mu.RLock()
	defer c.store.mu.RUnlock()
	return c.collect(at, sel, start, limit)
}

// readPast is read for a version in the past; ok is false if it is forgotten.
func (c *collection) readPast(
	at uint64, sel *selection, start string, limit int64) (p page, ok bool) {
	c.store.mu.Lock() // for expire
	defer c.store.mu.Unlock()
	c.expire(time.Now())
	if at < c.history.forgotten {
		return page{}, false
	}
	return c.collect(at, sel, start, limit), true
}

// collect is read with the lock held.
func (c *collection) collect(at uint64, sel *selection, start string, limit int64) page {
	p := page{version: min(at, c.store.version), remaining: -1}
	prefix := sel.prefix()
	full := false
	for s := range c.index.from(max(start, prefix)) {
		if !strings.HasPrefix(s.key, prefix) {
			break
		}
		d := s.at(at)
		if d == nil || !sel.matches(d) {
			continue
		}
		if full {
			p.remaining++
			if sel.filters() {
				break // one more is enough to know that there is a next page
			}
			continue
		}
		p.docs = append(p.docs, d)
		if limit > 0 && int64(len(p.docs)) == limit {
			full, p.remaining = true, 0
		}
	}
	if p.remaining > 0 {
		p.next = p.docs[len(p.docs)-1].key()
	}
	if p.remaining <= 0 || sel.filters() {
		p.remaining = -1
	}
	return p
}
