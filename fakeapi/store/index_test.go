package store

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// An index behaves like a sorted map, and a snapshot of it like a copy.
func TestIndexIsASortedMapAndSnapshotsAreCopies(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	idx, model := newIndex(), map[string]Object{}
	steps := []struct{ n, keys, removals int }{
		{2500, 2000, 2}, // grows beyond a block, and splits
		{3000, 2000, 8}, // shrinks
		{500, 10, 5},    // lives with few keys
	}
	for _, phase := range steps {
		for range phase.n {
			key := fmt.Sprintf("ns-%d/web-%d", r.IntN(3), r.IntN(phase.keys))
			switch {
			case model[key] != nil && r.IntN(10) < phase.removals:
				require.Same(t, model[key], idx.remove(key))
				delete(model, key)
			default:
				o := &thing{key: key}
				require.True(t, model[key] == idx.set(o), "set returns what was there")
				model[key] = o
			}
			require.True(t, model[key] == idx.get(key), "get returns what is there")
			if r.IntN(25) == 0 {
				require.NoError(t, idx.check())
			}
			if r.IntN(800) == 0 {
				requireOrder(t, idx, model, key)
				requireApart(t, r, idx, model)
			}
		}
	}
	for key := range model { // in any order, until nothing is left
		idx.remove(key)
		delete(model, key)
		if len(model)%25 == 0 {
			require.NoError(t, idx.check())
		}
	}
	assert.Len(t, idx.blocks, 1)
	requireOrder(t, idx, model, "")
}

// requireOrder checks that from yields every key not below start, in order, and ends when the loop
// breaks, and that count counts the same keys.
func requireOrder(t *testing.T, idx *index, model map[string]Object, start string) {
	t.Helper()
	var want, got []string
	for _, k := range slices.Sorted(maps.Keys(model)) {
		if k >= start {
			want = append(want, k)
		}
	}
	for o := range idx.from(start) {
		require.True(t, model[o.Key()] == o)
		got = append(got, o.Key())
	}
	require.Equal(t, want, got, "from %q", start)
	require.Equal(t, len(want), idx.count(start), "from %q", start)
	for o := range idx.from(start) {
		require.Equal(t, want[0], o.Key())
		break
	}
}

// requireApart checks that, of an index, a snapshot of it and a snapshot of that snapshot, changes
// to one do not show in the others.
func requireApart(t *testing.T, r *rand.Rand, idx *index, model map[string]Object) {
	t.Helper()
	one := idx.snapshot()
	two := one.snapshot()
	key := func() string { return fmt.Sprintf("ns-%d/web-%d", r.IntN(3), r.IntN(2500)) }
	for range 20 { // change the index and the first snapshot
		k, l := key(), key()
		idx.set(&thing{key: k})
		one.set(&thing{key: k})
		if one.get(l) != nil {
			one.remove(l)
		}
	}
	require.NoError(t, one.check())
	requireOrder(t, two, model, "")
	for k := range model { // undo the changes to x
		idx.set(model[k])
	}
	for _, o := range slices.Collect(idx.from("")) {
		if model[o.Key()] == nil {
			idx.remove(o.Key())
		}
	}
	requireOrder(t, idx, model, "")
	requireOrder(t, two, model, "")
}
