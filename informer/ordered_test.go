package informer_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass"
	"example.com/watchglass/deltafifo"
	"example.com/watchglass/deltafifo/realfifo"
	"example.com/watchglass/indexer"
	"example.com/watchglass/informer/ordered"
	"example.com/watchglass/processor"
)

// thing is an object with nothing but an identity.
type thing struct{ watchglass.ObjectMeta }

func newThing(name, version string) *thing {
	return &thing{watchglass.ObjectMeta{Name: name, ResourceVersion: version}}
}

// bench is a cache that holds known@1 and other@1. It records the notifications, and what the cache
// holds when the first of them is made.
type bench struct {
	ordered.Cache
	changes []processor.Notification
	seen    []string
	keyless bool // from now on, no object but known has a key
}

func newBench(t *testing.T) *bench {
	b := &bench{}
	b.KeyFunc = deltafifo.DeletionHandlingKeyFunc(func(obj watchglass.Object) (string, error) {
		if b.keyless && obj.GetName() != "known" {
			return "", errors.New("no key today")
		}
		return obj.GetName(), nil
	})
	b.Tell = func(n processor.Notification) {
		if b.changes == nil {
			b.seen = b.held()
		}
		b.changes = append(b.changes, n)
	}
	b.Indexer = indexer.New(indexer.Options{
		KeyFunc: b.KeyFunc,
		Indexers: indexer.Indexers{"picky": func(obj watchglass.Object) ([]string, error) {
			if obj.GetResourceVersion() == "bad" { // a KeyError, as an index by owner may return
				return nil, &watchglass.KeyError{Obj: obj, Err: errors.New("not this one")}
			}
			return nil, nil
		}},
	})
	for _, name := range []string{"known", "other"} {
		require.NoError(t, b.Indexer.Add(newThing(name, "1")))
	}
	return b
}

func (b *bench) told() (told []string) {
	for _, n := range b.changes {
		told = append(told, n.String())
	}
	return told
}

func (b *bench) held() (held []string) {
	for _, obj := range b.Indexer.List() {
		held = append(held, obj.GetName()+"@"+obj.GetResourceVersion())
	}
	slices.Sort(held)
	return held
}

func replacedAll(version string, objs ...watchglass.Object) deltafifo.Delta {
	return deltafifo.Delta{Type: realfifo.ReplacedAll,
		Object: realfifo.ReplacedAllInfo{ResourceVersion: version, Objects: objs}}
}

var (
	syncAll = deltafifo.Delta{Type: realfifo.SyncAll, Object: realfifo.SyncAllInfo{}}
	added5  = deltafifo.Delta{Type: deltafifo.Added, Object: newThing("new", "5")}
	known6  = deltafifo.Delta{Type: deltafifo.Added, Object: newThing("known", "6")}
	bad7    = deltafifo.Delta{Type: deltafifo.Updated, Object: newThing("other", "bad")}
	gone8   = deltafifo.Delta{Type: deltafifo.Deleted, Object: newThing("new", "8")}
	never9  = deltafifo.Delta{Type: deltafifo.Deleted, Object: newThing("never", "9")}
	noRV    = deltafifo.Delta{Type: deltafifo.Updated, Object: newThing("known", "")}
)

func TestWhatAnOrderedQueueDelivers(t *testing.T) {
	for _, c := range []struct {
		law     string
		initial bool
		batch   deltafifo.Deltas
		told    []string // the notifications
		seen    []string // in the cache when the first of them was made
		version string
	}{
		{"a list replaces the cache before any notification, and the notifications are the " +
			"differences: deletions first, as tombstones, then the list in its order", false,
			deltafifo.Deltas{
				replacedAll("90", newThing("z", "3"), newThing("known", "2"), newThing("a", "4"))},
			[]string{"delete other @", "add z @3", "update known @1→@2", "add a @4"},
			[]string{"a@4", "known@2", "z@3"}, "90"},
		{"the adds of the initial list say so", true,
			deltafifo.Deltas{
				replacedAll("90", newThing("known", "1"), newThing("other", "1"), newThing("a", "4"))},
			[]string{"update known @1→@1", "update other @1→@1", "add a @4 (initial)"},
			[]string{"a@4", "known@1", "other@1"}, "90"},
		{"an empty list deletes everything", false, deltafifo.Deltas{replacedAll("90")},
			[]string{"delete known @", "delete other @"}, nil, "90"},
		{"an object that is listed twice makes one notification, with the stored state", false,
			deltafifo.Deltas{replacedAll("90", newThing("new", "1"), newThing("known", "2"),
				newThing("new", "2"), newThing("other", "1"))},
			[]string{"update known @1→@2", "add new @2", "update other @1→@1"},
			[]string{"known@2", "new@2", "other@1"}, "90"},
		{"a resync is an update of each object in the cache, by key", false, deltafifo.Deltas{syncAll},
			[]string{"update known @1→@1", "update other @1→@1"}, []string{"known@1", "other@1"}, ""},
		{"a bookmark moves the version and nothing else", false,
			deltafifo.Deltas{
				{Type: realfifo.Bookmark, Object: realfifo.BookmarkInfo{ResourceVersion: "95"}}},
			nil, nil, "95"},
		{"a batch makes its notifications in its order, after all of it is in the cache; the cache " +
			"decides what is an add", true,
			deltafifo.Deltas{added5, known6, gone8},
			[]string{"add new @5 (initial)", "update known @1→@6", "delete new @8"},
			[]string{"known@6", "other@1"}, "8"},
		{"the deletion of an object that the cache does not hold makes no notification", false,
			deltafifo.Deltas{never9, added5, gone8, gone8, never9},
			[]string{"add new @5", "delete new @8"}, []string{"known@1", "other@1"}, "9"},
		{"an object without a version does not move the version", false, deltafifo.Deltas{added5, noRV},
			[]string{"add new @5", "update known @1→@"}, []string{"known@", "new@5", "other@1"}, "5"},
	} {
		t.Run(c.law, func(t *testing.T) {
			b := newBench(t)
			require.NoError(t, b.Process(c.batch, c.initial))
			assert.Equal(t, c.told, b.told())
			assert.Equal(t, c.seen, b.seen, "in the cache at the first notification")
			assert.Equal(t, c.version, b.Version())
		})
	}
}

func TestPartOfABatchFails(t *testing.T) {
	for _, c := range []struct {
		law     string
		keyless bool
		batch   deltafifo.Deltas
		err     string
		told    []string
		held    []string
		version string
	}{
		{"an object that an index refuses is stored and told, and is an error", false,
			deltafifo.Deltas{added5, bad7, known6}, "not this one",
			[]string{"add new @5", "update other @1→@bad", "update known @1→@6"},
			[]string{"known@6", "new@5", "other@bad"}, "6"},
		{"so is one of a list", false,
			deltafifo.Deltas{replacedAll("90", newThing("a", "bad"), newThing("known", "2"))},
			"not this one",
			[]string{"delete other @", "add a @bad", "update known @1→@2"},
			[]string{"a@bad", "known@2"}, "90"},
		{"an object without a key makes no notification, and the others do", true,
			deltafifo.Deltas{known6, added5, gone8}, "no key today",
			[]string{"update known @1→@6"}, []string{"known@6", "other@1"}, "6"},
		{"a list with an object without a key changes nothing", true,
			deltafifo.Deltas{replacedAll("90", newThing("known", "2"), newThing("new", "3"))},
			`list at version "90": no key for`, nil, []string{"known@1", "other@1"}, ""},
	} {
		t.Run(c.law, func(t *testing.T) {
			b := newBench(t)
			b.keyless = c.keyless
			assert.ErrorContains(t, b.Process(c.batch, false), c.err)
			assert.Equal(t, c.told, b.told())
			assert.Equal(t, c.held, b.held())
			assert.Equal(t, c.version, b.Version())
		})
	}
}

func TestOrderedLaws(t *testing.T) {
	t.Run("a resync rewrites nothing: old, new and the cache's are one object", func(t *testing.T) {
		b := newBench(t)
		before := map[string]watchglass.Object{}
		for _, obj := range b.Indexer.List() {
			before[obj.GetName()] = obj
		}
		require.NoError(t, b.Process(deltafifo.Deltas{syncAll}, false))
		for _, n := range b.changes {
			held, _, _ := b.Indexer.GetByKey(n.New.GetName())
			assert.Same(t, held, before[n.New.GetName()])
			assert.Same(t, held, n.New)
			assert.Same(t, held, n.Old)
		}
	})
	t.Run("the deletion that a list finds has the key and the object that the cache held",
		func(t *testing.T) {
			b := newBench(t)
			known, _, _ := b.Indexer.GetByKey("known")
			require.NoError(t, b.Process(deltafifo.Deltas{replacedAll("90", newThing("other", "1"))}, false))
			assert.Equal(t, deltafifo.DeletedFinalStateUnknown{Key: "known", Obj: known}, b.changes[0].Old)
		})
	t.Run("resyncs and deletions that a list finds are sorted: two runs of one story do not differ",
		func(t *testing.T) {
			b := newBench(t)
			for i := range 8 {
				require.NoError(t, b.Indexer.Add(newThing(fmt.Sprint("web-", i), "1")))
			}
			require.NoError(t, b.Process(deltafifo.Deltas{syncAll}, false))
			require.NoError(t, b.Process(deltafifo.Deltas{replacedAll("90")}, false))
			told := b.told()
			assert.Len(t, told, 20)
			assert.True(t, slices.IsSorted(told[:10]), "%v", told[:10])
			assert.True(t, slices.IsSorted(told[10:]), "%v", told[10:])
		})
}
