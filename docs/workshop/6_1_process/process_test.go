package process

import (
	_ "embed"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"example.com/watchglass/docs/workshop/exercise"
)

//go:embed process.go
var source string

func TestProcess(t *testing.T) {
	exercise.Start(t, "process.go", source)
	for _, c := range []struct {
		law, why string
		before   Cache
		deltas   []Delta
		told     []Notification
		after    Cache
	}{
		{
			law:    "what the cache does not hold is added",
			why:    "whatever the delta is called: a first list says Replaced",
			deltas: []Delta{{"Replaced", "web-1", "web-1@3"}},
			told:   []Notification{{Call: "OnAdd", New: "web-1@3"}},
			after:  Cache{"web-1": "web-1@3"},
		},
		{
			law:    "what the cache holds is updated",
			why:    "a new watch may show as ADDED what is known already, and a second OnAdd would be wrong",
			before: Cache{"web-1": "web-1@3"},
			deltas: []Delta{{"Added", "web-1", "web-1@5"}},
			told:   []Notification{{"OnUpdate", "web-1@3", "web-1@5", false}},
			after:  Cache{"web-1": "web-1@5"},
		},
		{
			law:    "an Updated delta of an unknown object is an add",
			why:    "its ADDED event may have come before the list that the cache began with",
			deltas: []Delta{{"Updated", "web-1", "web-1@4"}},
			told:   []Notification{{Call: "OnAdd", New: "web-1@4"}},
			after:  Cache{"web-1": "web-1@4"},
		},
		{
			law:    "each delta is told, oldest first",
			why:    "the queue keeps the deltas apart so that handlers are told of each",
			deltas: []Delta{{"Added", "web-1", "web-1@1"}, {"Updated", "web-1", "web-1@2"}, {"Updated", "web-1", "web-1@3"}},
			told: []Notification{
				{Call: "OnAdd", New: "web-1@1"}, {"OnUpdate", "web-1@1", "web-1@2", false}, {"OnUpdate", "web-1@2", "web-1@3", false},
			},
			after: Cache{"web-1": "web-1@3"},
		},
		{
			law:    "a deletion is told with the state of the delta",
			why:    "a DELETED event carries the final state, which is newer than what the cache has",
			before: Cache{"web-1": "web-1@3"},
			deltas: []Delta{{"Deleted", "web-1", "web-1@6"}},
			told:   []Notification{{Call: "OnDelete", Old: "web-1@6"}},
			after:  Cache{},
		},
		{
			law:    "a deletion is told although the cache does not hold the object",
			why:    "a handler may hold something for it that has to be cleaned up",
			deltas: []Delta{{"Deleted", "web-1", "web-1@6"}},
			told:   []Notification{{Call: "OnDelete", Old: "web-1@6"}},
			after:  Cache{},
		},
		{
			law:    "delete and create are two calls, and the second is an add",
			why:    "between them the cache did not hold the object",
			before: Cache{"web-1": "web-1@3"},
			deltas: []Delta{{"Deleted", "web-1", "web-1@4"}, {"Added", "web-1", "web-1@5"}},
			told:   []Notification{{Call: "OnDelete", Old: "web-1@4"}, {Call: "OnAdd", New: "web-1@5"}},
			after:  Cache{"web-1": "web-1@5"},
		},
		{
			law:    "a resync is an update that changes nothing",
			why:    "handlers that did not ask for a resync are not called",
			before: Cache{"web-1": "web-1@3"},
			deltas: []Delta{{"Sync", "web-1", "web-1@3"}},
			told:   []Notification{{"OnUpdate", "web-1@3", "web-1@3", true}},
			after:  Cache{"web-1": "web-1@3"},
		},
		{
			law:    "a Sync with another state is an update like any other",
			why:    "only the states say whether something has changed",
			before: Cache{"web-1": "web-1@3"},
			deltas: []Delta{{"Sync", "web-1", "web-1@4"}},
			told:   []Notification{{"OnUpdate", "web-1@3", "web-1@4", false}},
			after:  Cache{"web-1": "web-1@4"},
		},
	} {
		t.Run(c.law, func(t *testing.T) {
			cache := Cache{}
			maps.Copy(cache, c.before)
			told := cache.Process(c.deltas)
			if !slices.Equal(told, c.told) {
				t.Errorf("%s.\ncache %v, deltas %v\ntold %+v\nwant %+v", c.why, c.before, c.deltas, told,
					c.told)
			}
			if !maps.Equal(cache, c.after) {
				t.Errorf("%s.\ncache %v, deltas %v\nafter that the cache holds %v, want %v", c.why, c.before,
					c.deltas, cache, c.after)
			}
		})
	}
}

// The model is a handler that keeps a map of its own from what it is told.
func TestAHandlerCanFollowTheCache(t *testing.T) {
	exercise.Start(t, "process.go", source)
	exercise.Compare(t, "a handler that does what it is told holds what the cache holds, and is "+
		"told of each delta once",
		func(dice *rand.Rand) Delta {
			return Delta{[]string{"Added", "Updated", "Replaced", "Sync", "Deleted"}[dice.IntN(5)],
				[]string{"a", "b"}[dice.IntN(2)], fmt.Sprint("@", dice.IntN(3))}
		}, func(deltas []Delta) (rows []exercise.Row) {
			cache, own := Cache{}, map[string]string{}
			var batch []Delta // those of one key in a row
			var step string
			var wants []Notification
			for i, d := range deltas {
				old, held := own[d.Key]
				want := Notification{"OnUpdate", old, d.State, old == d.State}
				own[d.Key] = d.State
				if !held {
					want = Notification{Call: "OnAdd", New: d.State}
				}
				if d.Type == "Deleted" {
					delete(own, d.Key)
					want = Notification{Call: "OnDelete", Old: d.State}
				}
				batch, wants, step = append(batch, d), append(wants, want), step+d.Type+" "+d.Key+d.State+" "
				if i+1 < len(deltas) && deltas[i+1].Key == d.Key {
					rows = append(rows, exercise.Row{})
					continue
				}
				told := cache.Process(batch)
				rows = append(rows, exercise.Row{Step: step,
					Got:  fmt.Sprintf("told %+v, cache %v", told, cache),
					Want: fmt.Sprintf("told %+v, cache %v", wants, own)})
				batch, wants, step = nil, nil, ""
			}
			return rows
		})
}
