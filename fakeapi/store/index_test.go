package store

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
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

// The model: after every step, each version that is remembered shows what was there when
// it was the present, and a watch from it gets all later events.
func TestEveryVersionRememberedIsWhatItWas(t *testing.T) {
	limits := roomy
	limits.Events, limits.Bytes = 40, 40*overhead+2_000
	c := newCollection(limits)
	other := c.store.NewCollection("others")
	r := rand.New(rand.NewPCG(3, 4))
	states := map[uint64][]string{}
	var log []string // every event of c, by version
	logged := map[uint64]int{}
	var open []Start
	for i := range 250 {
		key, text := fmt.Sprintf("web-%02d", r.IntN(12)), strings.Repeat("x", r.IntN(300))
		switch there := c.Get(key); {
		case r.IntN(6) == 0:
			put(t, other, key, "")
		case i%50 == 49:
			require.NoError(t, c.store.Update(func(tx *Tx) error { tx.Compact(c); return nil }))
			oldest, events := c.History()
			require.Equal(t, c.store.Version(), oldest, "a watch can start here, no earlier")
			require.Empty(t, events)
		case there != nil && r.IntN(3) == 0:
			remove(t, c, key)
			log = append(log, fmt.Sprintf("DELETED %s@%d", key, c.store.Version()))
		case there != nil:
			log = append(log, fmt.Sprintf("MODIFIED %s@%d", key, put(t, c, key, text).version))
		default:
			log = append(log, fmt.Sprintf("ADDED %s@%d", key, put(t, c, key, text).version))
		}
		require.NoError(t, c.check(), "after step %d", i)
		now := c.WatchState(nil)
		states[now.Version], logged[now.Version] = listed(*now.State), len(log)
		open = append(open, now)
		for v, want := range states { // the present, and an eighth of the past, in any order
			if r.IntN(8) > 0 && v < now.Version {
				continue
			}
			past, err := c.SnapshotAt(v)
			start, watchErr := c.WatchFrom(v, nil)
			require.Equal(t, v >= c.history.forgotten, err == nil, "version %d: %v", v, err)
			require.Equal(t, err, watchErr, "reads and watches go equally far back")
			if err != nil {
				require.Equal(t, &TooOldError{v, c.history.forgotten}, err)
				continue
			}
			require.Equal(t, Start{Version: v, Watcher: start.Watcher}, start)
			require.Equal(t, v, past.Version)
			require.Equal(t, want, listed(past), "at %d", v)
			missed := append([]string{}, log[logged[v]:]...)
			behind, newest := start.Watcher.Behind()
			require.Equal(t, len(missed), behind, "after %d", v)
			require.Equal(t, c.store.Version(), newest)
			require.Equal(t, missed, received(start.Watcher), "after %d", v)
			start.Watcher.Close()
		}
	}
	require.Equal(t, len(open), c.Watchers())
	for _, start := range open { // forgotten events count: these watchers still get them
		behind, _ := start.Watcher.Behind()
		require.Equal(t, len(log)-logged[start.Version], behind)
		require.Equal(t, states[start.Version], listed(*start.State), "a snapshot never changes")
		require.Equal(t, append([]string{}, log[logged[start.Version]:]...), received(start.Watcher))
		start.Watcher.Close()
	}
	require.Zero(t, c.Watchers())
}

// A prefix and a start bound what All yields, and Count agrees.
func TestPrefixesAndStarts(t *testing.T) {
	c := newCollection(roomy)
	for key := range strings.FieldsSeq("a n/a n/b n/c n0 na/x m/z ä ö \xfe\xff \xff \xffa") {
		put(t, c, key, "")
	}
	for _, q := range []struct {
		prefix, start string
		want          string
	}{
		{"", "", "a m/z n/a n/b n/c n0 na/x ä ö \xfe\xff \xff \xffa"},
		{"m", "", "m/z"}, // there are keys after those with the prefix
		{"n/", "", "n/a n/b n/c"},
		{"n/", "n/b", "n/b n/c"},
		{"n/", "n/b\x00", "n/c"},
		{"n/", "z", ""},
		{"n/", "a", "n/a n/b n/c"},
		{"x/", "", ""},
		{"ä", "", "ä"}, // prefixes are bytes, not characters
		{"\xc3", "", "ä ö"},
		{"\xfe\xff", "", "\xfe\xff"},
		{"\xff", "", "\xff \xffa"},
		{"", "n0", "n0 na/x ä ö \xfe\xff \xff \xffa"},
	} {
		var got []string
		for o := range c.Snapshot().All(q.prefix, q.start) {
			got = append(got, o.Key())
		}
		assert.Equal(t, q.want, strings.Join(got, " "), "prefix %q from %q", q.prefix, q.start)
		assert.Equal(t, len(got), c.Snapshot().Count(q.prefix, q.start), "%q from %q", q.prefix, q.start)
	}
	assert.Zero(t, newCollection(roomy).Snapshot().Count("n/", ""), "an empty collection has no objects")
}
