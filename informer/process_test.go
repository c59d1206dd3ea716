package informer

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass"
	"example.com/watchglass/deltafifo"
	"example.com/watchglass/indexer"
	"example.com/watchglass/processor"
)

// bench is a cache, and the notifications that it has made.
type bench struct {
	*cache
	queue   QueueKind
	changes []processor.Notification
	told    []string
	seen    []string // in the cache at the first notification
}

// newBench returns a cache that holds these objects at version 1. The index refuses the
// version "bad". Its error is a KeyError, as that of an index by the
// owner's key may be: it must not be taken for that of the object itself.
func newBench(t *testing.T, queue QueueKind, held ...string) *bench {
	b := &bench{queue: queue}
	b.cache = newCache(Options{
		Indexers: indexer.Indexers{"picky": refuseBad},
	}, func(n processor.Notification) {
		if b.changes == nil {
			b.seen = b.held()
		}
		b.changes, b.told = append(b.changes, n), append(b.told, n.String())
		if queue == DeltaFIFO {
			now, _, _ := b.indexer.GetByKey(cmp.Or(n.New, n.Old).GetName())
			assert.Equal(t, n.New, now, "the cache holds what a handler is called with")
		}
	})
	for _, name := range held {
		require.NoError(t, b.indexer.Add(newThing(name, "1")))
	}
	return b
}

func refuseBad(obj watchglass.Object) ([]string, error) {
	if obj.GetResourceVersion() == "bad" {
		return nil, &watchglass.KeyError{Obj: obj, Err: errors.New("not this one")}
	}
	return nil, nil
}

func (b *bench) process(initial bool, deltas ...deltafifo.Delta) error {
	if b.queue == DeltaFIFO {
		return b.processDeltas(deltas, initial)
	}
	return b.processBatch(deltas, initial)
}

func (b *bench) held() (held []string) {
	for _, obj := range b.indexer.List() {
		held = append(held, obj.GetName()+"@"+obj.GetResourceVersion())
	}
	slices.Sort(held)
	return held
}

// processing is one call of the process func.
type processing struct {
	law    string
	events string // "Added web@1, Deleted db@2", "list web@1 db@2", "resync" or "bookmark 95"
	told   string // the notifications
	held   string // in the cache then
	err    string
}

func (p processing) play(t *testing.T, b *bench) {
	t.Run(p.law, func(t *testing.T) {
		events, initial := strings.CutPrefix(p.events, "initial: ")
		err := b.process(initial, deltas(events)...)
		assert.Equal(t, p.err == "", err == nil)
		assert.Contains(t, fmt.Sprint(err), p.err)
		assert.Equal(t, p.told, strings.Join(b.told, "; "))
		assert.Equal(t, p.held, strings.Join(b.held(), " "))
		if b.queue == RealFIFO {
			assert.True(t, b.told == nil || slices.Equal(b.held(), b.seen), "%q at the first", b.seen)
		}
	})
}

// object is web at version 1 for web@1.
func object(word string) watchglass.Object {
	name, version, _ := strings.Cut(word, "@")
	return newThing(name, version)
}

func deltas(events string) (all deltafifo.Deltas) {
	for event := range strings.SplitSeq(events, ", ") {
		words := strings.Fields(event)
		d := deltafifo.Delta{Type: deltafifo.DeltaType(words[0])}
		switch words[0] {
		case "list":
			var objects []watchglass.Object
			for _, word := range words[1:] {
				objects = append(objects, object(word))
			}
			d = relisted(objects...)
		case "resync":
			d = syncAll
		case "bookmark":
			d.Object = deltafifo.BookmarkInfo{ResourceVersion: words[1]}
		case "Tombstone":
			d.Type, d.Object = deltafifo.Deleted, deltafifo.DeletedFinalStateUnknown{Key: words[1]}
		default:
			d.Object = object(words[1])
		}
		all = append(all, d)
	}
	return all
}

func relisted(objects ...watchglass.Object) deltafifo.Delta {
	return deltafifo.Delta{Type: deltafifo.ReplacedAll,
		Object: deltafifo.ReplacedAllInfo{ResourceVersion: "90", Objects: objects}}
}

var syncAll = deltafifo.Delta{Type: deltafifo.SyncAll, Object: deltafifo.SyncAllInfo{}}

func TestTheCacheDecides(t *testing.T) {
	for _, p := range []processing{
		{"ADDED of what is known is an update: a new watch may repeat it",
			"Added known@2", "update known @1→@2", "known@2", ""},
		{"listed and known is an update, in the initial list too: a list may have failed before",
			"initial: Replaced known@1", "update known @1→@1", "known@1", ""},
		{"a resync of an object that was deleted meanwhile is an add",
			"Sync new@1", "add new @1", "known@1 new@1", ""},
		{"a deletion makes a notification even if the cache does not hold the object",
			"Deleted new@2", "delete new @2", "known@1", ""},
		{"a tombstone is passed on unchanged, and removes its object", "Tombstone known", "delete known @", "", ""},
		{"deleted and added again while both wait in the queue is a deletion and an add",
			"Deleted known@2, Added known@3", "delete known @2; add known @3", "known@3", ""},
		{"an index that refuses an object hides no delta behind it, nor itself, from the handlers",
			"Updated known@bad, Updated known@4, Updated known@bad, Deleted known@6",
			"update known @1→@bad; update known @bad→@4; update known @4→@bad; delete known @6",
			"", "not this one"},
		{"an object without a key makes no notification", "Added @5", "", "known@1", "object has no name"},
	} {
		p.play(t, newBench(t, DeltaFIFO, "known"))
	}
}

func TestWhatAnOrderedQueueDelivers(t *testing.T) {
	for _, p := range []processing{
		{"a list replaces the cache before any notification, and the notifications are the " +
			"differences: deletions first, as tombstones, then the list in its order",
			"list z@3 known@2 a@4", "delete other @; add z @3; update known @1→@2; add a @4",
			"a@4 known@2 z@3", ""},
		{"the adds of the initial list say so", "initial: list known@1 other@1 a@4",
			"update known @1→@1; update other @1→@1; add a @4 (initial)",
			"a@4 known@1 other@1", ""},
		{"an object that is listed twice makes one notification, with the stored state",
			"list new@1 known@2 new@2 other@1",
			"update known @1→@2; add new @2; update other @1→@1", "known@2 new@2 other@1", ""},
		{"a resync is an update of each object in the cache, by key",
			"resync", "update known @1→@1; update other @1→@1", "known@1 other@1", ""},
		{"a bookmark changes nothing", "bookmark 95", "", "known@1 other@1", ""},
		{"a batch makes its notifications in its order, after all of it is in the cache; the cache " +
			"decides what is an add", "initial: Added new@5, Added known@6, Deleted new@8",
			"add new @5 (initial); update known @1→@6; delete new @8", "known@6 other@1", ""},
		{"the deletion of an object that the cache does not hold makes no notification",
			"Deleted never@9, Added new@5, Deleted new@8, Deleted new@8, Deleted never@9",
			"add new @5; delete new @8", "known@1 other@1", ""},
		{"an object that an index refuses is stored and told, and is an error",
			"Added new@5, Updated other@bad, Added known@6",
			"add new @5; update other @1→@bad; update known @1→@6",
			"known@6 new@5 other@bad", "not this one"},
		{"an object without a key makes no notification, and the others do",
			"Added known@6, Added @5, Deleted @8", "update known @1→@6",
			"known@6 other@1", "object has no name"},
		{"a list with an object without a key changes nothing",
			"list known@2 @3", "", "known@1 other@1", `list at version "90": no key for`},
	} {
		p.play(t, newBench(t, RealFIFO, "known", "other"))
	}
}

func TestOrderedLaws(t *testing.T) {
	t.Run("a resync rewrites nothing, and a deletion that a list finds has what the cache held",
		func(t *testing.T) {
			b := newBench(t, RealFIFO, "known")
			known, _, _ := b.indexer.GetByKey("known")
			require.NoError(t, b.process(false, syncAll))
			assert.Same(t, known, b.changes[0].New)
			assert.Same(t, known, b.changes[0].Old)
			require.NoError(t, b.process(false, relisted()))
			assert.Equal(t, deltafifo.DeletedFinalStateUnknown{Key: "known", Obj: known}, b.changes[1].Old)
		})
	t.Run("a tombstone gets the state that the cache held, unless it has one of its own",
		func(t *testing.T) {
			b := newBench(t, RealFIFO, "known", "other")
			known, _, _ := b.indexer.GetByKey("known")
			own := deltafifo.DeletedFinalStateUnknown{Key: "other", Obj: newThing("other", "7")}
			require.NoError(t, b.process(false,
				deltafifo.Delta{Type: deltafifo.Deleted,
					Object: deltafifo.DeletedFinalStateUnknown{Key: "known"}},
				deltafifo.Delta{Type: deltafifo.Deleted, Object: own}))
			assert.Equal(t, deltafifo.DeletedFinalStateUnknown{Key: "known", Obj: known}, b.changes[0].Old)
			assert.Equal(t, own, b.changes[1].Old)
			assert.Empty(t, b.held())
		})
	t.Run("both are sorted by key: two runs of one story do not differ", func(t *testing.T) {
		b := newBench(t, RealFIFO, "f", "b", "e", "a", "d", "c")
		require.NoError(t, b.process(false, syncAll))
		require.NoError(t, b.process(false, relisted()))
		assert.Len(t, b.told, 12)
		assert.True(t, slices.IsSorted(b.told[:6]) && slices.IsSorted(b.told[6:]), "%q", b.told)
	})
}

// Some errors of a process func mean something to the queue. An error of an index func must not,
// even if it wraps one of these.
func TestTheErrorsOfAnIndexFuncMeanNothingToTheQueue(t *testing.T) {
	for name, refusal := range map[string]error{
		"the key is not queued again":   deltafifo.ErrRequeue{Err: errors.New("later")},
		"the process loop does not end": fmt.Errorf("my own queue: %w", deltafifo.ErrClosed),
	} {
		law(t, name, func(t *testing.T) {
			calls := 0
			var reported []error
			s := NewSharedIndexInformer(Options{
				ListerWatcher: still{newThing("web-1", "1"), newThing("web-2", "1")},
				Indexers: indexer.Indexers{"x": func(_ watchglass.Object) ([]string, error) {
					if calls++; calls > 10 { // ends an endless loop, so that the law fails
						return nil, nil
					}
					return nil, refusal
				}},
				OnProcessError: func(err error) { reported = append(reported, err) },
			})
			defer start(t, s)()
			assert.Equal(t, 2, calls, "each object is indexed once")
			assert.Len(t, reported, 2, "each refusal is reported")
			assert.Equal(t, 2, s.Stats().ProcessErrors, "and counted")
			assert.ErrorIs(t, errors.Join(reported...), refusal, "the error is reported unchanged")
			assert.Len(t, s.GetIndexer().ListKeys(), 2)
			assert.True(t, s.HasSynced())
		})
	}
}

func TestNoHandlerJoinsWhileADeltaIsProcessed(t *testing.T) {
	for _, queue := range []QueueKind{DeltaFIFO, RealFIFO} {
		s := NewSharedIndexInformer(Options{ListerWatcher: still{}, Queue: queue})
		told := false
		s.tell = func(processor.Notification) {
			told = true
			assert.False(t, s.blockDeltas.TryLock(), "the lock is held during the notifications")
		}
		require.NoError(t, s.process(add(newThing("web-1", "1")), false))
		assert.True(t, told)
		assert.True(t, s.blockDeltas.TryLock(), "the lock is free afterwards")
	}
}

func TestAHandlerThatJoinsGetsEachObjectOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := NewSharedIndexInformer(Options{ListerWatcher: still{}})
		first, second := added{}, added{}
		first.join(t, s)
		// web-1 is in the cache, and its notification is gathered and not flushed yet.
		require.NoError(t, s.processDeltas(add(newThing("web-1", "1")), false))
		second.join(t, s)
		start(t, s)()
		assert.Equal(t, added{"web-1": 1}, first, "the handler that was there before")
		assert.Equal(t, added{"web-1": 1}, second, "the handler that joined before the flush")
	})
}

func TestASyncedHandlerHasGotTheLastObject(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var s *SharedIndexInformer
		s = NewSharedIndexInformer(Options{ListerWatcher: still{}, Trace: Trace{
			Processor: &processor.Trace{Distributed: func([]processor.Notification, bool, []string) {
				assert.True(t, s.HasSynced(), "a registration may sync now, and the informer has not")
			}},
		}})
		r := added{}.join(t, s)
		require.NoError(t, s.processDeltas(add(newThing("web-1", "1")), true))
		s.firstListProcessed() // while the notification of web-1 is gathered and not flushed
		assert.False(t, r.HasSynced(), "synced before its handler was called with the initial list")
	})
}

func TestNotificationsAreDistributedInBatches(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var collection still
		for i := range 2*128 + 10 {
			collection = append(collection, newThing(fmt.Sprint("web-", i), "1"))
		}
		var sizes []int
		s := NewSharedIndexInformer(Options{ListerWatcher: collection, Trace: Trace{
			Processor: &processor.Trace{
				Distributed: func(batch []processor.Notification, _ bool, _ []string) {
					sizes = append(sizes, len(batch))
				},
			},
		}})
		added{}.join(t, s)
		start(t, s)()
		assert.Equal(t, []int{128, 128, 10}, sizes,
			"a first list is distributed in as few batches as possible")
	})
}

// Otherwise an object would be missed that is processed after the cache was copied for the handler
// and before the handler is registered.
func TestNoDeltaIsProcessedWhileAHandlerJoins(t *testing.T) {
	var s *SharedIndexInformer
	joined := false
	s = NewSharedIndexInformer(Options{
		ListerWatcher: still{},
		Trace: Trace{Processor: &processor.Trace{ListenerAdded: func(string, []watchglass.Object) {
			joined = true
			assert.False(t, s.blockDeltas.TryLock(), "a delta may be processed now")
		}}},
	})
	added{}.join(t, s)
	assert.True(t, joined)
}
