package informer

import (
	"context"
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
	"example.com/watchglass/reflector"
)

// process lets an informer that holds known@1 process deltas, and returns what the handlers would
// be told and what the cache then holds.
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
	err = s.processDeltas(deltas, initial)
	s.processor.Flush()
	for _, obj := range s.indexer.List() {
		cache = append(cache, obj.GetName()+"@"+obj.GetResourceVersion())
	}
	return told, cache, err
}

// refuseBad is an IndexFunc that refuses the version "bad". Its error is a KeyError, as that of an
// index by the owner's key may be: it must not be taken for that of the object itself.
func refuseBad(values []string, obj watchglass.Object) ([]string, error) {
	if obj.GetResourceVersion() == "bad" {
		return nil, &watchglass.KeyError{Obj: obj, Err: errors.New("not this one")}
	}
	return values, nil
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
		{"deleted and added again while both wait in the queue is told as both", false,
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

// unlisted is a collection whose list never comes back.
type unlisted struct{ still }

func (unlisted) List(ctx context.Context, _ reflector.ListOptions) (*reflector.List, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

// A burst leaves an update that an index refuses and the deletion together in the queue. There is
// no list, because that would find the deletions, too.
func TestARefusedUpdateDoesNotSwallowTheDeletion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var told []error
		s := NewSharedIndexInformer(Options{
			ListerWatcher:  unlisted{},
			Indexers:       indexer.Indexers{"picky": refuseBad},
			OnProcessError: func(err error) { told = append(told, err) },
		})
		deleted := map[string]int{}
		_, err := s.AddEventHandler(processor.ResourceEventHandlerFuncs{
			DeleteFunc: func(obj watchglass.Object) { deleted[obj.GetName()]++ },
		}, HandlerOptions{})
		require.NoError(t, err)
		for i := range 50 {
			name := fmt.Sprint("web-", i)
			require.NoError(t, s.indexer.Add(newThing(name, "1")))
			require.NoError(t, s.queue.Update(newThing(name, "bad")))
			require.NoError(t, s.queue.Delete(newThing(name, "3")))
		}
		defer start(t, s)()
		assert.Empty(t, s.GetIndexer().ListKeys(), "all fifty are deleted from the cache")
		assert.Len(t, deleted, 50, "the handler is told of all fifty deletions")
		assert.Len(t, told, 50, "each refusal is told")
		assert.Equal(t, 50, s.Stats().ProcessErrors, "each refusal is counted")
	})
}

// The queue understands some errors of a process func. What an index func returns is none of these,
// whatever it wraps.
func TestTheErrorsOfAnIndexFuncMeanNothingToTheQueue(t *testing.T) {
	for law, refusal := range map[string]error{
		"the key is not queued again, for ever": deltafifo.ErrRequeue{Err: errors.New("later")},
		"the process loop does not end":         fmt.Errorf("my own queue: %w", deltafifo.ErrClosed),
	} {
		t.Run(law, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				calls := 0
				var told []error
				s := NewSharedIndexInformer(Options{
					ListerWatcher: still{newThing("web-1", "1"), newThing("web-2", "1")},
					Indexers: indexer.Indexers{"x": func(v []string, _ watchglass.Object) ([]string, error) {
						if calls++; calls > 10 { // a law that does not end would not fail
							return v, nil
						}
						return nil, refusal
					}},
					OnProcessError: func(err error) { told = append(told, err) },
				})
				defer start(t, s)()
				assert.Equal(t, 2, calls, "each object is indexed once")
				assert.Len(t, told, 2, "each refusal is told")
				assert.ErrorIs(t, errors.Join(told...), refusal, "it is told as it is")
				assert.Len(t, s.GetIndexer().ListKeys(), 2)
				assert.True(t, s.HasSynced())
			})
		})
	}
}

// An object that has lost its key is the only one that is not stored.
func TestAnObjectWithoutAKeyIsNotTold(t *testing.T) {
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
			Distributed: func(batch []processor.Notification, _ bool) { t.Error("told:", batch) },
		}},
	})
	keyless = true
	assert.ErrorContains(t, s.processDeltas(add(newThing("web-1", "1")), false), "no key today")
	s.processor.Flush()
	assert.Empty(t, s.GetIndexer().ListKeys())
}

func TestWhatIsASync(t *testing.T) {
	one, other := newThing("web-1", "1"), newThing("web-1", "2")
	for _, c := range []struct {
		law  string
		n    processor.Notification
		want bool
	}{
		{"an update to the same version is one", processor.UpdateNotification(one, one), true},
		{"an update to another version is none", processor.UpdateNotification(one, other), false},
		{"an update without versions is one: they are equal",
			processor.UpdateNotification(newThing("web-1", ""), newThing("web-1", "")), true},
		{"an add is none", processor.AddNotification(one, true), false},
		{"a deletion is none", processor.DeleteNotification(one), false},
	} {
		assert.Equal(t, c.want, isSync(c.n), c.law)
	}
}
