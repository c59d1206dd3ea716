package informer

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass"
	"example.com/watchglass/deltafifo"
	"example.com/watchglass/deltafifo/realfifo"
	"example.com/watchglass/indexer"
	"example.com/watchglass/processor"
)

// bench is an informer on a RealFIFO whose cache holds known@1 and other@1. It records the
// notifications, and what the cache holds when the first of them is made.
type bench struct {
	*SharedIndexInformer
	told    []string // the notifications
	seen    []string // in the cache when the first of them was made
	syncs   int      // how many of them were distributed as syncs
	keyless bool     // from now on, objects have no key
}

func newBench(t *testing.T) *bench {
	b := &bench{}
	b.SharedIndexInformer = NewSharedIndexInformer(Options{
		ListerWatcher: still{},
		Queue:         RealFIFO,
		Indexers:      indexer.Indexers{"picky": refuseBad},
		KeyFunc: func(obj watchglass.Object) (string, error) {
			if b.keyless && obj.GetName() != "known" {
				return "", errors.New("no key today")
			}
			return obj.GetName(), nil
		},
		Trace: Trace{Processor: &processor.Trace{
			Distributed: func(batch []processor.Notification, isSync bool) {
				for _, n := range batch {
					b.told = append(b.told, n.String())
					if isSync {
						b.syncs++
					}
				}
			},
		}},
	})
	require.NoError(t, b.indexer.Add(newThing("known", "1")))
	require.NoError(t, b.indexer.Add(newThing("other", "1")))
	gather := b.tell
	b.tell = func(n processor.Notification) {
		if b.seen == nil {
			b.seen = b.held()
		}
		gather(n)
	}
	return b
}

func (b *bench) held() (held []string) {
	for _, obj := range b.indexer.List() {
		held = append(held, obj.GetName()+"@"+obj.GetResourceVersion())
	}
	slices.Sort(held)
	return held
}

// processes lets the informer process a batch as its queue would deliver it.
func (b *bench) processes(initial bool, batch ...deltafifo.Delta) error {
	err := b.process(batch, initial)
	b.processor.Flush()
	return err
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
)

func TestWhatAnOrderedQueueDelivers(t *testing.T) {
	for _, c := range []struct {
		law     string
		initial bool
		batch   []deltafifo.Delta
		told    []string // the notifications
		seen    []string // in the cache when the first of them was made
		version string
	}{
		{"a list replaces the cache before any notification, and the notifications are the " +
			"differences: deletions first, as tombstones, then the list in its order", false,
			[]deltafifo.Delta{
				replacedAll("90", newThing("z", "3"), newThing("known", "2"), newThing("a", "4"))},
			[]string{"delete other @", "add z @3", "update known @1→@2", "add a @4"},
			[]string{"a@4", "known@2", "z@3"}, "90"},
		{"the adds of the initial list say so", true,
			[]deltafifo.Delta{
				replacedAll("90", newThing("known", "1"), newThing("other", "1"), newThing("a", "4"))},
			[]string{"update known @1→@1", "update other @1→@1", "add a @4 (initial)"},
			[]string{"a@4", "known@1", "other@1"}, "90"},
		{"an empty list deletes everything", false, []deltafifo.Delta{replacedAll("90")},
			[]string{"delete known @", "delete other @"}, []string{}, "90"},
		{"an object that is listed twice makes one notification, with the stored state", false,
			[]deltafifo.Delta{replacedAll("90", newThing("new", "1"), newThing("known", "2"),
				newThing("new", "2"), newThing("other", "1"))},
			[]string{"update known @1→@2", "add new @2", "update other @1→@1"},
			[]string{"known@2", "new@2", "other@1"}, "90"},
		{"a resync is an update of each object in the cache, by key", false, []deltafifo.Delta{syncAll},
			[]string{"update known @1→@1", "update other @1→@1"}, []string{"known@1", "other@1"}, ""},
		{"a bookmark moves the version and nothing else", false,
			[]deltafifo.Delta{
				{Type: realfifo.Bookmark, Object: realfifo.BookmarkInfo{ResourceVersion: "95"}}},
			nil, nil, "95"},
		{"a batch makes its notifications in its order, after all of it is in the cache; the cache " +
			"decides what is an add", false,
			[]deltafifo.Delta{added5, known6, gone8},
			[]string{"add new @5", "update known @1→@6", "delete new @8"},
			[]string{"known@6", "other@1"}, "8"},
		{"the deletion of an object that the cache does not hold makes no notification", false,
			[]deltafifo.Delta{never9, added5, gone8, gone8, never9},
			[]string{"add new @5", "delete new @8"}, []string{"known@1", "other@1"}, "9"},
	} {
		t.Run(c.law, func(t *testing.T) {
			b := newBench(t)
			require.NoError(t, b.processes(c.initial, c.batch...))
			assert.Equal(t, c.told, b.told)
			assert.ElementsMatch(t, c.seen, b.seen, "in the cache at the first notification")
			assert.Equal(t, c.version, b.LastStoreSyncResourceVersion())
		})
	}
}

func TestAResyncRewritesNothing(t *testing.T) {
	b := newBench(t)
	before := b.indexer.List()
	writes := 0
	b.tell = func(n processor.Notification) {
		assert.Same(t, n.Old, n.New, "old and new are one object, and not copies")
		writes++
	}
	require.NoError(t, b.processes(false, syncAll))
	assert.Equal(t, 2, writes)
	for _, obj := range before {
		held, _, _ := b.indexer.GetByKey(obj.GetName())
		assert.Same(t, obj, held)
	}
	b = newBench(t)
	require.NoError(t, b.processes(false, syncAll))
	assert.Equal(t, 2, b.syncs, "a resync goes to the handlers that are due for one")
}

// The tombstone of an object has the object that the cache held.
func TestADeletionFoundByAListHasTheLastKnownState(t *testing.T) {
	b := newBench(t)
	known, _, _ := b.indexer.GetByKey("known")
	var gone watchglass.Object
	b.tell = func(n processor.Notification) {
		if n.Kind == processor.Delete {
			gone = n.Old
		}
	}
	require.NoError(t, b.processes(false, replacedAll("90", newThing("other", "1"))))
	tombstone, ok := gone.(deltafifo.DeletedFinalStateUnknown)
	require.True(t, ok, "%T", gone)
	assert.Equal(t, "known", tombstone.Key)
	assert.Same(t, known, tombstone.Obj)
}

func TestPartOfABatchFails(t *testing.T) {
	t.Run("an object that an index refuses is stored and reported with an error", func(t *testing.T) {
		b := newBench(t)
		err := b.processes(false, added5, bad7, known6)
		assert.ErrorContains(t, err, "not this one")
		assert.Equal(t, []string{"add new @5", "update other @1→@bad", "update known @1→@6"}, b.told)
		assert.Equal(t, []string{"known@6", "new@5", "other@bad"}, b.held())
	})
	t.Run("so is one of a list", func(t *testing.T) {
		b := newBench(t)
		err := b.processes(false, replacedAll("90", newThing("a", "bad"), newThing("known", "2")))
		assert.ErrorContains(t, err, "not this one")
		assert.Equal(t, []string{"delete other @", "add a @bad", "update known @1→@2"}, b.told)
		assert.Equal(t, []string{"a@bad", "known@2"}, b.held())
		assert.Equal(t, "90", b.LastStoreSyncResourceVersion())
	})
	t.Run("an object without a key makes no notification, and the others do", func(t *testing.T) {
		b := newBench(t)
		b.keyless = true
		err := b.processes(false, known6, added5, gone8)
		assert.ErrorContains(t, err, "no key today")
		assert.Equal(t, []string{"update known @1→@6"}, b.told)
		assert.Equal(t, "6", b.LastStoreSyncResourceVersion(), "of what has reached the cache")
	})
	t.Run("a list with an object without a key changes nothing", func(t *testing.T) {
		b := newBench(t)
		b.keyless = true
		err := b.processes(false, replacedAll("90", newThing("known", "2"), newThing("new", "3")))
		assert.ErrorContains(t, err, "no key today")
		assert.Empty(t, b.told)
		assert.Equal(t, []string{"known@1", "other@1"}, b.held())
		assert.Empty(t, b.LastStoreSyncResourceVersion())
	})
}

// Otherwise a handler that joins while a batch is processed would miss a part of it, or get it
// twice.
func TestNoBatchIsProcessedWhileAHandlerJoins(t *testing.T) {
	b := newBench(t)
	b.tell = func(processor.Notification) {
		assert.False(t, b.blockDeltas.TryLock(), "the lock is held during all notifications")
	}
	for _, d := range []deltafifo.Delta{replacedAll("90", newThing("a", "2")), added5, syncAll} {
		require.NoError(t, b.processes(false, d))
	}
	assert.True(t, b.blockDeltas.TryLock(), "the lock is free after the batch")
}

// No order is promised among deletions, but two runs of one story must not differ.
func TestDeletionsFoundByAListAreSorted(t *testing.T) {
	b := newBench(t)
	want := []string{"delete known @", "delete other @"}
	for i := range 8 {
		require.NoError(t, b.indexer.Add(newThing(fmt.Sprint("web-", i), "1")))
		want = append(want, fmt.Sprintf("delete web-%d @", i))
	}
	require.NoError(t, b.processes(false, replacedAll("90")))
	assert.Equal(t, want, b.told)
}

// In a running informer: batches reach the process loop, and the reflector goes on meanwhile.
func TestTheLoopTakesBatches(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var batches []int
		s := NewSharedIndexInformer(Options{
			ListerWatcher: still{newThing("web-1", "1")}, Queue: RealFIFO,
			Trace: Trace{RealFIFO: &realfifo.Trace{
				Popped: func(d deltafifo.Deltas, _ bool) { batches = append(batches, len(d)) },
			}},
		})
		defer start(t, s)()
		assert.True(t, s.HasSynced())
		assert.Equal(t, "1", s.LastStoreSyncResourceVersion())
		s.blockDeltas.Lock() // the process loop takes the first event, and waits
		for i := range 50 {
			require.NoError(t, s.queue.Add(newThing(fmt.Sprint("new-", i), fmt.Sprint(i+2))))
		}
		s.blockDeltas.Unlock()
		synctest.Wait()
		assert.Equal(t, "51", s.LastStoreSyncResourceVersion())
		assert.Len(t, s.GetIndexer().ListKeys(), 51)
		assert.Less(t, len(batches), 50, "events that wait are processed together: %v", batches)
	})
}
