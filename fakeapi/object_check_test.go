package fakeapi

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

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
	return checkState(state, c.Objects.Snapshot())
}

// checkState compares a state with a snapshot, and the documents in it with their
// own bytes.
func checkState(state map[string]*object.Document, now store.Snapshot) error {
	for o := range now.All("", "") {
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

// After every write a collection is consistent, and every version in its history can be
// read: the state at each is the one that was present at that version.
func TestACollectionRemembersItsStates(t *testing.T) {
	t.Parallel()
	bubble(t, Options{HistoryCount: 40}, func(t *testing.T, s *Server) {
		r := rand.New(rand.NewPCG(3, 4))
		c := widgets(t, s)
		states := map[uint64][]string{} // the present state, by version
		for i := range 600 {
			name := fmt.Sprintf("web-%d", r.IntN(12))
			switch r.IntN(8) {
			case 0, 1, 2:
				_, _ = s.Create("widgets", widget(name, "red"))
			case 3, 4:
				_, _ = s.Update("widgets", widget(name, fmt.Sprint("c", i)))
			case 5, 6:
				_ = s.Delete("widgets", "default", name)
			case 7:
				if i%50 == 0 {
					s.Compact()
				}
			}
			require.NoError(t, check(c), "after step %d", i)
			forgotten, _ := c.Objects.History()
			now := c.Objects.Snapshot()
			states[now.Version] = listed(now)
			for v, want := range states {
				past, err := c.Objects.SnapshotAt(v)
				require.Equal(t, v >= forgotten, err == nil, "version %d, forgotten %d", v, forgotten)
				if err == nil {
					require.Equal(t, want, listed(past), "at %d", v)
				}
			}
		}
	})
}

func listed(state store.Snapshot) []string {
	var all []string
	for o := range state.All("", "") {
		all = append(all, fmt.Sprintf("%s@%d", o.Key(), o.Version()))
	}
	return slices.Clip(all)
}
