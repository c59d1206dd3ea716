package informer

import (
	"cmp"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass"
	"example.com/watchglass/deltafifo"
	"example.com/watchglass/indexer"
	"example.com/watchglass/processor"
)

// process lets an informer that holds known@1 process deltas, and returns the notifications and
// what the cache then holds.
func process(t *testing.T, initial bool, deltas ...deltafifo.Delta) (
	told, cache []string, err error,
) {
	s := NewSharedIndexInformer(Options{
		ListerWatcher: still{},
		Indexers:      indexer.Indexers{"picky": refuseBad},
		Trace: Trace{Processor: &processor.Trace{
			Distributed: func(batch []processor.Notification, _ bool) {
				for _, n := range batch {
					told = append(told, n.String())
				}
			},
		}},
	})
	require.NoError(t, s.indexer.Add(newThing("known", "1")))
	tell := s.tell
	s.tell = func(n processor.Notification) {
		obj := cmp.Or(n.New, n.Old)
		held, _, _ := s.indexer.GetByKey(obj.GetName())
		assert.Equal(t, n.New, held, "the cache holds what a handler is called with")
		tell(n)
	}
	err = s.processDeltas(deltas, initial)
	s.processor.Flush()
	for _, obj := range s.indexer.List() {
		cache = append(cache, obj.GetName()+"@"+obj.GetResourceVersion())
	}
	return told, cache, err
}

// refuseBad is an IndexFunc that refuses the version "bad". Its error is a KeyError, as that of an
// index by the owner's key may be: it must not be taken for that of the object itself.
func refuseBad(obj watchglass.Object) ([]string, error) {
	if obj.GetResourceVersion() == "bad" {
		return nil, &watchglass.KeyError{Obj: obj, Err: errors.New("not this one")}
	}
	return nil, nil
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
		{"a resync of an object that was deleted meanwhile is an add", false,
			deltafifo.Deltas{{Type: deltafifo.Sync, Object: newThing("new", "1")}},
			[]string{"add new @1"}, []string{"known@1", "new@1"}},
		{"a deletion makes a notification even if the cache does not hold the object", false,
			deltafifo.Deltas{{Type: deltafifo.Deleted, Object: newThing("new", "2")}},
			[]string{"delete new @2"}, []string{"known@1"}},
		{"a tombstone is passed on unchanged, and removes its object", false,
			deltafifo.Deltas{{Type: deltafifo.Deleted, Object: tombstone}},
			[]string{"delete known @"}, nil},
		{"deleted and added again while both wait in the queue is a deletion and an add", false,
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
	assert.Empty(t, cache, "the deletion behind a refused update is processed")
}

// Some errors of a process func mean something to the queue. An error of an index func must not,
// even if it wraps one of these.
func TestTheErrorsOfAnIndexFuncMeanNothingToTheQueue(t *testing.T) {
	for law, refusal := range map[string]error{
		"the key is not queued again":   deltafifo.ErrRequeue{Err: errors.New("later")},
		"the process loop does not end": fmt.Errorf("my own queue: %w", deltafifo.ErrClosed),
	} {
		t.Run(law, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
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
		})
	}
}

// An object that has lost its key is the only one that is not stored.
func TestAnObjectWithoutAKeyMakesNoNotification(t *testing.T) {
	keyless := false
	s := NewSharedIndexInformer(Options{
		ListerWatcher: still{},
		KeyFunc: func(obj watchglass.Object) (string, error) {
			if keyless {
				return "", errors.New("no key today")
			}
			return obj.GetName(), nil
		},
		Trace: Trace{Processor: &processor.Trace{
			Distributed: func(batch []processor.Notification, _ bool) { t.Error("distributed:", batch) },
		}},
	})
	keyless = true
	assert.ErrorContains(t, s.processDeltas(add(newThing("web-1", "1")), false), "no key today")
	s.processor.Flush()
	assert.Empty(t, s.GetIndexer().ListKeys())
}

func TestNoHandlerJoinsWhileADeltaIsProcessed(t *testing.T) {
	for _, queue := range []QueueKind{DeltaFIFO, RealFIFO} {
		s := NewSharedIndexInformer(Options{ListerWatcher: still{}, Queue: queue})
		told := false
		s.tell = func(processor.Notification) {
			told = true
			assert.False(t, s.blockDeltas.TryLock(), "the lock is held during the notifications")
		}
		s.ordered.Tell = s.tell
		require.NoError(t, s.process(add(newThing("web-1", "1")), false))
		assert.True(t, told)
		assert.True(t, s.blockDeltas.TryLock(), "the lock is free afterwards")
	}
}
