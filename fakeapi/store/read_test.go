package store

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

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
