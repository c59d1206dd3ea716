package fakeapi

import (
	"fmt"

	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/registry"
	"example.com/watchglass/fakeapi/store"
)

// check verifies a collection's history: the oldest state that it still has, with all
// later events applied, must be the present state.
func check(c *registry.Collection) error {
	oldest, events := c.Objects.History()
	past, err := c.Objects.SnapshotAt(oldest)
	if err != nil {
		return fmt.Errorf("the oldest version in the history cannot be read: %w", err)
	}
	state := map[string]*object.Document{}
	for o := range past.All("", "") {
		state[o.Key()] = o.(*object.Document)
	}
	for _, e := range events {
		d := e.Object.(*object.Document)
		if before, _ := e.Before.(*object.Document); state[d.Key()] != before {
			return fmt.Errorf("event %d: Before is not the state before it", e.Version())
		}
		state[d.Key()] = d
		if e.Type == store.Deleted {
			delete(state, d.Key())
		}
	}
	// The documents of that state are those of the collection, and have the right bytes.
	for o := range c.Objects.Snapshot().All("", "") {
		d := o.(*object.Document)
		m := object.MetaOf(d.Tree())
		switch {
		case state[d.Key()] != d:
			return fmt.Errorf("%s@%d is present, but no event made it", d.Key(), d.Version())
		case m.Text("resourceVersion") != fmt.Sprint(d.Version()),
			object.Key(m.Text("namespace"), m.Text("name")) != d.Key():
			return fmt.Errorf("%s@%d holds %s", d.Key(), d.Version(), d.Raw)
		}
		delete(state, d.Key())
	}
	if len(state) > 0 {
		return fmt.Errorf("the events made %v, but the collection does not have them", state)
	}
	return nil
}
