package informer

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass"
	"example.com/watchglass/deltafifo"
	"example.com/watchglass/indexer"
)

// process lets an informer that holds known@1 process deltas, and returns what the handlers would
// be told and what the cache then holds.
func process(t *testing.T, initial bool, deltas ...deltafifo.Delta) (
	told, cache []string, err error,
) {
	s := NewSharedIndexInformer(Options{ListerWatcher: still{}, Indexers: indexer.Indexers{
		"picky": func(_ []string, obj watchglass.Object) ([]string, error) {
			if obj.GetResourceVersion() == "bad" {
				return nil, errors.New("not this one")
			}
			return nil, nil
		},
	}})
	require.NoError(t, s.indexer.Add(newThing("known", "1")))
	err = s.processDeltas(deltas, initial)
	for _, n := range s.outbox.batch {
		told = append(told, n.String())
	}
	for _, obj := range s.indexer.List() {
		cache = append(cache, obj.GetName()+"@"+obj.GetResourceVersion())
	}
	return told, cache, err
}

func TestTheCacheDecides(t *testing.T) {
	tombstone := deltafifo.DeletedFinalStateUnknown{Key: "known", Obj: newThing("known", "1")}
	for _, c := range []struct {
		law     string
		initial bool
		deltas  deltafifo.Deltas
		told    []string
		cache   []string
	}{
		{"ADDED of what is known is an update: a new watch may repeat it", false,
			deltafifo.Deltas{{Type: deltafifo.Added, Object: newThing("known", "2")}},
			[]string{"update known @1→@2"}, []string{"known@2"}},
		{"MODIFIED of what is not known is an add: the event before it was lost", false,
			deltafifo.Deltas{{Type: deltafifo.Updated, Object: newThing("new", "2")}},
			[]string{"add new @2"}, []string{"known@1", "new@2"}},
		{"listed and known is an update, in the initial list too: a list may have failed before", true,
			deltafifo.Deltas{{Type: deltafifo.Replaced, Object: newThing("known", "1")}},
			[]string{"update known @1→@1"}, []string{"known@1"}},
		{"listed twice is an add and an update", true,
			deltafifo.Deltas{
				{Type: deltafifo.Replaced, Object: newThing("new", "1")},
				{Type: deltafifo.Replaced, Object: newThing("new", "2")},
			},
			[]string{"add new @1 (initial)", "update new @1→@2"}, []string{"known@1", "new@2"}},
		{"a resync of what has gone meanwhile is an add", false,
			deltafifo.Deltas{{Type: deltafifo.Sync, Object: newThing("new", "1")}},
			[]string{"add new @1"}, []string{"known@1", "new@1"}},
		{"a deletion is told even of what the cache does not know", false,
			deltafifo.Deltas{{Type: deltafifo.Deleted, Object: newThing("new", "2")}},
			[]string{"delete new @2"}, []string{"known@1"}},
		{"a tombstone is told as it is, and removes what it stands for", false,
			deltafifo.Deltas{{Type: deltafifo.Deleted, Object: tombstone}},
			[]string{"delete known @"}, nil},
		{"deleted and added anew before anybody looked is told as both", false,
			deltafifo.Deltas{
				{Type: deltafifo.Deleted, Object: newThing("known", "2")},
				{Type: deltafifo.Added, Object: newThing("known", "3")},
			},
			[]string{"delete known @2", "add known @3"}, []string{"known@3"}},
	} {
		t.Run(c.law, func(t *testing.T) {
			told, cache, err := process(t, c.initial, c.deltas...)
			require.NoError(t, err)
			assert.Equal(t, c.told, told)
			assert.ElementsMatch(t, c.cache, cache)
		})
	}
}

func TestARefusedObjectIsStoredAndTold(t *testing.T) {
	told, cache, err := process(t, false,
		deltafifo.Delta{Type: deltafifo.Updated, Object: newThing("known", "bad")},
		deltafifo.Delta{Type: deltafifo.Updated, Object: newThing("known", "4")},
		deltafifo.Delta{Type: deltafifo.Updated, Object: newThing("known", "bad")},
		deltafifo.Delta{Type: deltafifo.Deleted, Object: newThing("known", "6")})
	assert.ErrorContains(t, err, "not this one")
	assert.Equal(t, []string{"update known @1→@bad", "update known @bad→@4", "update known @4→@bad",
		"delete known @6"}, told, "an index that refuses an object hides no delta from the handlers")
	assert.Empty(t, cache, "a refused update does not swallow the deletion behind it")
}
