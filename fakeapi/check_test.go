package fakeapi

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// check recomputes what an index promises about itself.
func (x *index) check() error {
	last, n := "", 0
	for i, b := range x.blocks {
		if len(b) == 0 || len(b) > blockSize {
			return fmt.Errorf("block %d holds %d slots", i, len(b))
		}
		for _, s := range b {
			if n > 0 && s.key <= last {
				return fmt.Errorf("%q comes after %q", s.key, last)
			}
			if x.byKey[s.key] != s {
				return fmt.Errorf("%q is in a block and not by key", s.key)
			}
			last, n = s.key, n+1
		}
	}
	if n != len(x.byKey) {
		return fmt.Errorf("%d slots in blocks, %d by key", n, len(x.byKey))
	}
	return nil
}

// check recomputes what a collection promises about its slots and its history.
// The store's lock is held.
func (c *collection) check() error {
	if err := c.index.check(); err != nil {
		return err
	}
	h := c.history
	for _, s := range c.index.byKey {
		if len(s.versions) == 0 {
			return fmt.Errorf("%q has no version", s.key)
		}
		for i, v := range s.versions {
			switch {
			case v.doc != nil && (v.doc.key() != s.key || v.doc.version != v.at):
				return fmt.Errorf("%q holds %s@%d", s.key, v.doc.key(), v.doc.version)
			case i > 0 && v.at <= s.versions[i-1].at:
				return fmt.Errorf("%q: version %d after %d", s.key, v.at, s.versions[i-1].at)
			case i > 0 && v.at <= h.forgotten:
				return fmt.Errorf("%q remembers %d though %d is forgotten", s.key, v.at, h.forgotten)
			}
		}
		if len(s.versions) == 1 && s.present() == nil && s.versions[0].at <= h.forgotten {
			return fmt.Errorf("%q holds nothing but a forgotten deletion", s.key)
		}
	}
	for i, e := range h.window {
		switch {
		case e.version <= h.forgotten:
			return fmt.Errorf("event %d is remembered and forgotten", e.version)
		case i > 0 && (h.window[i-1].next != e || e.seq != h.window[i-1].seq+1):
			return fmt.Errorf("event %d is not linked to the one before", e.version)
		}
	}
	if n := len(h.window); n > 0 && h.window[n-1] != h.tail {
		return fmt.Errorf("the last event remembered is not the end of the chain")
	}
	return nil
}

// The index against what it is meant to be: a sorted map.
func TestIndexIsASortedMap(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	x, model := newIndex(), map[string]*slot{}
	steps := []struct{ n, keys, removals int }{
		{3000, 2500, 2}, // grows beyond a block, and splits
		{6000, 2500, 8}, // shrinks
		{500, 10, 5},    // lives with few keys
	}
	for _, phase := range steps {
		for range phase.n {
			key := fmt.Sprintf("ns-%d/web-%d", r.IntN(3), r.IntN(phase.keys))
			switch {
			case model[key] == nil && r.IntN(10) >= phase.removals:
				s := &slot{key: key}
				x.insert(s)
				model[key] = s
			case model[key] != nil && r.IntN(10) < phase.removals:
				x.remove(key)
				delete(model, key)
			}
			require.Same(t, model[key], x.get(key))
			require.NoError(t, x.check())
			if r.IntN(100) == 0 {
				requireOrder(t, x, model, key)
			}
		}
	}
	for key := range model { // in any order, until nothing is left
		x.remove(key)
		delete(model, key)
		require.NoError(t, x.check())
	}
	assert.Empty(t, x.blocks)
	requireOrder(t, x, model, "")
}

// requireOrder: from yields every key not below start, in order, and stops when
// told to.
func requireOrder(t *testing.T, x *index, model map[string]*slot, start string) {
	t.Helper()
	var want, got []string
	for _, k := range slices.Sorted(maps.Keys(model)) {
		if k >= start {
			want = append(want, k)
		}
	}
	for s := range x.from(start) {
		got = append(got, s.key)
	}
	require.Equal(t, want, got, "from %q", start)
	for s := range x.from(start) {
		require.Equal(t, want[0], s.key)
		break
	}
}

// A slot is the states of one key: what is asked for is the newest state not
// above a version.
func TestASlotShowsEachVersionItsState(t *testing.T) {
	a, b := &document{name: "a", version: 5}, &document{name: "a", version: 9}
	s := &slot{key: "a", versions: []version{{5, a}, {7, nil}, {9, b}}}
	for v, want := range map[uint64]*document{4: nil, 5: a, 6: a, 7: nil, 8: nil, 9: b, 10: b,
		present: b} {
		assert.Same(t, want, s.at(v), "at %d", v)
	}
	assert.False(t, s.trim(6), "6 still shows what was there at 5")
	assert.Same(t, a, s.at(6))
	assert.False(t, s.trim(8), "8 shows that it is gone")
	assert.Len(t, s.versions, 2)
	assert.Nil(t, s.at(8))
	assert.False(t, s.trim(20), "what is there is never forgotten")
	assert.Same(t, b, s.present())

	gone := &slot{key: "a", versions: []version{{5, a}, {7, nil}}}
	assert.False(t, gone.trim(6), "6 still shows it")
	assert.True(t, gone.trim(7), "an old deletion is nothing to remember")
}

// Every write leaves a collection in order, and what is remembered readable: the
// state at each version is what it was when that version was the present.
func TestACollectionRemembersItsStates(t *testing.T) {
	bubble(t, Options{HistoryCount: 40}, func(t *testing.T, s *Server) {
		r := rand.New(rand.NewPCG(3, 4))
		c := s.store.collections["widgets.workshop.example.dev"]
		states := map[uint64][]string{} // what was there, by version
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
			s.store.mu.Lock()
			require.NoError(t, c.check(), "after step %d", i)
			forgotten, now := c.history.forgotten, s.store.version
			states[now] = listed(c.collect(present, &selection{}, "", 0))
			s.store.mu.Unlock()
			for v, want := range states {
				p, ok := c.readPast(v, &selection{}, "", 0)
				require.Equal(t, v >= forgotten, ok, "version %d, forgotten %d", v, forgotten)
				if ok {
					require.Equal(t, want, listed(p), "at %d", v)
				}
			}
		}
	})
}

func listed(p page) []string {
	var all []string
	for _, d := range p.docs {
		all = append(all, fmt.Sprintf("%s@%d", d.key(), d.version))
	}
	return all
}
