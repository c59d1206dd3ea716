package process

import (
	_ "embed"
	"maps"
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
			law: "what the cache does not hold is added", why: "whatever the delta is called: a first list says Replaced",
			deltas: []Delta{{"Replaced", "web-1", "web-1@3"}},
			told:   []Notification{{Call: "OnAdd", New: "web-1@3"}},
			after:  Cache{"web-1": "web-1@3"},
		},
		{
			law: "what the cache holds is updated", why: "a new watch may show as ADDED what is known already, and a second OnAdd would be wrong",
			before: Cache{"web-1": "web-1@3"},
			deltas: []Delta{{"Added", "web-1", "web-1@5"}},
			told:   []Notification{{"OnUpdate", "web-1@3", "web-1@5", false}},
			after:  Cache{"web-1": "web-1@5"},
		},
		{
			law: "an Updated delta of an unknown object is an add", why: "its ADDED event may have come before the list that the cache began with",
			deltas: []Delta{{"Updated", "web-1", "web-1@4"}},
			told:   []Notification{{Call: "OnAdd", New: "web-1@4"}},
			after:  Cache{"web-1": "web-1@4"},
		},
		{
			law: "each delta is told, oldest first", why: "the queue keeps the deltas apart so that handlers are told of each",
			deltas: []Delta{{"Added", "web-1", "web-1@1"}, {"Updated", "web-1", "web-1@2"}, {"Updated", "web-1", "web-1@3"}},
			told: []Notification{
				{Call: "OnAdd", New: "web-1@1"}, {"OnUpdate", "web-1@1", "web-1@2", false}, {"OnUpdate", "web-1@2", "web-1@3", false},
			},
			after: Cache{"web-1": "web-1@3"},
		},
		{
			law: "a deletion is told with the state of the delta", why: "a DELETED event carries the final state, which is newer than what the cache has",
			before: Cache{"web-1": "web-1@3"},
			deltas: []Delta{{"Deleted", "web-1", "web-1@6"}},
			told:   []Notification{{Call: "OnDelete", Old: "web-1@6"}},
			after:  Cache{},
		},
		{
			law: "a deletion is told although the cache does not hold the object", why: "a handler may hold something for it that has to be cleaned up",
			deltas: []Delta{{"Deleted", "web-1", "web-1@6"}},
			told:   []Notification{{Call: "OnDelete", Old: "web-1@6"}},
			after:  Cache{},
		},
		{
			law: "delete and create are two calls, and the second is an add", why: "between them the cache did not hold the object",
			before: Cache{"web-1": "web-1@3"},
			deltas: []Delta{{"Deleted", "web-1", "web-1@4"}, {"Added", "web-1", "web-1@5"}},
			told:   []Notification{{Call: "OnDelete", Old: "web-1@4"}, {Call: "OnAdd", New: "web-1@5"}},
			after:  Cache{"web-1": "web-1@5"},
		},
		{
			law: "a resync is an update that changes nothing", why: "handlers that did not ask for a resync are not called",
			before: Cache{"web-1": "web-1@3"},
			deltas: []Delta{{"Sync", "web-1", "web-1@3"}},
			told:   []Notification{{"OnUpdate", "web-1@3", "web-1@3", true}},
			after:  Cache{"web-1": "web-1@3"},
		},
		{
			law: "a relist of what has not changed is as quiet as a resync", why: "the states are the same, and only they count",
			before: Cache{"web-1": "web-1@3"},
			deltas: []Delta{{"Replaced", "web-1", "web-1@3"}},
			told:   []Notification{{"OnUpdate", "web-1@3", "web-1@3", true}},
			after:  Cache{"web-1": "web-1@3"},
		},
	} {
		t.Run(c.law, func(t *testing.T) {
			cache := Cache{}
			maps.Copy(cache, c.before)
			told := cache.Process(c.deltas)
			if !slices.Equal(told, c.told) {
				t.Errorf("%s.\ncache %v, deltas %v\ntold %+v\nwant %+v", c.why, c.before, c.deltas, told, c.told)
			}
			if !maps.Equal(cache, c.after) {
				t.Errorf("%s.\ncache %v, deltas %v\nafter that the cache holds %v, want %v", c.why, c.before, c.deltas, cache, c.after)
			}
		})
	}
}
