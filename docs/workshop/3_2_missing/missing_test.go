package missing

import (
	_ "embed"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"example.com/watchglass/docs/workshop/exercise"
)

//go:embed missing.go
var source string

func TestTombstones(t *testing.T) {
	exercise.Start(t, "missing.go", source)
	for _, c := range []struct {
		law, why      string
		listed        []string
		queued, known map[string]string
		want          []Tombstone
	}{
		{
			law:    "what is listed exists",
			why:    "web-1 is in the list, so it was not deleted, whatever queue and cache hold",
			listed: []string{"web-1"}, known: map[string]string{"web-1": "web-1@3"},
		},
		{
			law:    "what is known and not listed was deleted",
			why:    "the watch broke while web-2 was deleted; only its absence from the list shows it",
			listed: []string{"web-1"},
			known:  map[string]string{"web-1": "web-1@3", "web-2": "web-2@4"},
			want:   []Tombstone{{"web-2", "web-2@4"}},
		},
		{
			law: "what waits in the queue can be missing, too",
			why: "web-2 was added and deleted before it ever reached the cache, and its Added delta " +
				"still waits",
			queued: map[string]string{"web-2": "web-2@5"},
			want:   []Tombstone{{"web-2", "web-2@5"}},
		},
		{
			law: "the queued state is the newer one",
			why: "version 10 waits in the queue and version 9 is in the cache: the last state is the " +
				"one at 10",
			queued: map[string]string{"web-2": "web-2@10"},
			known:  map[string]string{"web-2": "web-2@9"},
			want:   []Tombstone{{"web-2", "web-2@10"}},
		},
		{
			law:   "an empty list deletes everything, in the order of the keys",
			why:   "a list of nothing says that nothing exists; two runs must conclude it in the same order",
			known: map[string]string{"web-2": "web-2@4", "web-1": "web-1@3", "db-2": "db-2@5", "db-1": "db-1@2"},
			want:  []Tombstone{{"db-1", "db-1@2"}, {"db-2", "db-2@5"}, {"web-1", "web-1@3"}, {"web-2", "web-2@4"}},
		},
	} {
		t.Run(c.law, func(t *testing.T) {
			listed, queued, known := slices.Clone(c.listed), maps.Clone(c.queued), maps.Clone(c.known)
			got := Tombstones(listed, queued, known)
			if !slices.Equal(got, c.want) {
				t.Errorf("%s.\nlisted %v, queued %v, known %v\ngot  %v\nwant %v",
					c.why, c.listed, c.queued, c.known, got, c.want)
			}
			if !slices.Equal(listed, c.listed) || !maps.Equal(queued, c.queued) ||
				!maps.Equal(known, c.known) {
				t.Errorf("queue and cache change when the consumer processes the tombstones, and not before: "+
					"others read them.\n"+
					"before: listed %v, queued %v, known %v\nafter:  listed %v, queued %v, known %v",
					c.listed, c.queued, c.known, listed, queued, known)
			}
		})
	}
}

type step struct{ where, key string }

// One object after another enters list, queue or cache. The model looks everything up, key by key.
// One key is the beginning of another, and web-10@9 sorts before web-1@9.
func TestAnyListQueueAndCache(t *testing.T) {
	exercise.Start(t, "missing.go", source)
	keys := []string{"db-1", "web-1", "web-10", "web-2"}
	exercise.Compare(t, "a tombstone for each key that is queued or known and not listed, sorted; "+
		"lists come in any order",
		func(dice *rand.Rand) step {
			return step{[]string{"listed", "queued", "known"}[dice.IntN(3)], keys[dice.IntN(len(keys))]}
		}, func(steps []step) (rows []exercise.Row) {
			listed, queued, known := []string{}, map[string]string{}, map[string]string{}
			for _, s := range steps {
				switch s.where {
				case "listed":
					if !slices.Contains(listed, s.key) {
						listed = append(listed, s.key)
					}
				case "queued":
					queued[s.key] = s.key + "@10"
				case "known":
					known[s.key] = s.key + "@9"
				}
				var want []Tombstone
				for _, key := range keys {
					if state, found := queued[key]; found && !slices.Contains(listed, key) {
						want = append(want, Tombstone{key, state})
					} else if state, found := known[key]; found && !slices.Contains(listed, key) {
						want = append(want, Tombstone{key, state})
					}
				}
				given, q, k := slices.Clone(listed), maps.Clone(queued), maps.Clone(known)
				row := exercise.Row{Step: s.where + " " + s.key, Got: fmt.Sprint(Tombstones(given, q, k)),
					Want: fmt.Sprint(want)}
				if !slices.Equal(given, listed) || !maps.Equal(q, queued) || !maps.Equal(k, known) {
					row.Got += fmt.Sprintf(", and changed what it was given: listed %v, queued %v, known %v",
						given, q, k)
				}
				rows = append(rows, row)
			}
			return rows
		})
}
