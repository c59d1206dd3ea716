package deltafifo

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass"
	"example.com/watchglass/docs/tools/story"
)

// What is queued, merged, deleted and counted is in the stories and in the model. The laws here are
// promises about everything else.

func TestKeys(t *testing.T) {
	t.Run("an object without a key is refused by every method", func(t *testing.T) {
		q, nameless := New(Options{}), object("", "1")
		for method, err := range map[string]error{
			"add":                q.Add(nameless),
			"update":             q.Update(nameless),
			"delete":             q.Delete(nameless),
			"replace":            q.Replace([]watchglass.Object{nameless}, "1"),
			"add if not present": q.AddIfNotPresent(Deltas{{Added, nameless}}),
		} {
			var keyError *watchglass.KeyError
			require.ErrorAs(t, err, &keyError, method)
			assert.Same(t, nameless, keyError.Obj)
			assert.EqualError(t, err, "deltafifo: "+method+": "+keyError.Error())
		}
		assert.Zero(t, q.Len())
	})
	// A KeyFunc of one's own may read a field of its object without looking whether there is one.
	t.Run("no object and no deltas have no key, and no KeyFunc is asked for it", func(t *testing.T) {
		q := New(Options{KeyFunc: func(obj watchglass.Object) (string, error) {
			return obj.GetName(), nil
		}})
		for _, err := range []error{q.Add(nil), q.AddIfNotPresent(nil), q.AddIfNotPresent(Deltas{}),
			q.AddIfNotPresent(Deltas{{Type: Added}})} {
			var keyError *watchglass.KeyError
			require.ErrorAs(t, err, &keyError)
			assert.ErrorContains(t, err, "no key: no object")
		}
		assert.Zero(t, q.Len())
	})
	t.Run("namespace and name of a tombstone make its key again", func(t *testing.T) {
		for key, want := range map[string][2]string{
			"shop/web-1": {"shop", "web-1"}, "web-1": {"", "web-1"},
			// These are no keys of Kubernetes, but a key func may return them.
			"a/b/c": {"a", "b/c"}, "/web-1": {"", "/web-1"}, "shop/": {"", "shop/"}, "/": {"", "/"},
		} {
			gone := DeletedFinalStateUnknown{key, object("other", "5")}
			assert.Equal(t, want, [2]string{gone.GetNamespace(), gone.GetName()}, key)
			assert.Empty(t, gone.GetResourceVersion(), "the version of the deletion is not known")
			made, err := watchglass.MetaNamespaceKeyFunc(gone)
			require.NoError(t, err)
			assert.Equal(t, key, made)
		}
	})
}

func TestTransform(t *testing.T) {
	t.Run("each object of a list is transformed once", func(t *testing.T) {
		var seen []string
		q := New(Options{Transform: func(obj watchglass.Object) (watchglass.Object, error) {
			seen = append(seen, obj.GetName())
			return obj, nil
		}})
		require.NoError(t, q.Replace([]watchglass.Object{object("web-1", "1"), object("db-1", "2")}, "3"))
		assert.Equal(t, []string{"web-1", "db-1"}, seen)
	})
	t.Run("an object that a list shows and that cannot be used is not deleted", func(t *testing.T) {
		known := newKnown(at("web-1@1", "web-2@1", "web-3@1")...)
		q := New(Options{KnownObjects: known, Transform: picky})
		require.NoError(t, q.Update(object("web-2", "2")))
		list := []watchglass.Object{object("bad", "8"), unusable("web-1"), unusable("web-2")}
		err := q.Replace(list, "9")
		assert.EqualError(t, err, `deltafifo: replace: "bad" at version "8" cannot be used: `+
			"transform: refused\n"+
			`"web-1" at version "7" cannot be used: odd`+"\n"+
			`"web-2" at version "7" cannot be used: odd`)
		assert.Equal(t, []string{"web-2: Updated@2t", "web-3: Deleted@unknown(last seen @1)"}, lines(q))
	})
	t.Run("the deletion of an object that cannot be used has a tombstone", func(t *testing.T) {
		q := New(Options{KnownObjects: newKnown(at("web-1@1")...)})
		require.Error(t, q.Delete(unusable("web-1")))
		assert.NoError(t, q.Delete(unusable("web-9")), "it is not known")
		assert.Equal(t, []string{"web-1: Deleted@unknown(last seen @1)"}, lines(q))
	})
	t.Run("an object that a transform gives another key, or none, is refused", func(t *testing.T) {
		for want, name := range map[string]string{
			`the object has the key "x" now: want it unchanged`: "x",
			`no key for *watchglass.ObjectMeta (namespace "", name "", resourceVersion "1"): ` +
				`object has no name`: "",
		} {
			q := New(Options{Transform: func(obj watchglass.Object) (watchglass.Object, error) {
				obj.(*watchglass.ObjectMeta).Name = name // in place
				return obj, nil
			}})
			assert.EqualError(t, q.Add(object("web-1", "1")),
				`deltafifo: add: "web-1" at version "1" cannot be used: transform: `+want)
			assert.Zero(t, q.Len())
		}
	})
}

func TestATransformThatReturnsANilPointerReturnsNoObject(t *testing.T) {
	transform := func(watchglass.Object) (watchglass.Object, error) {
		return (*watchglass.ObjectMeta)(nil), nil
	}
	for _, q := range []interface{ Add(watchglass.Object) error }{
		New(Options{Transform: transform}), NewRealFIFO(RealFIFOOptions{Transform: transform}),
	} {
		assert.ErrorContains(t, q.Add(object("web-1", "1")), "transform: no key: no object")
	}
}

func unusable(name string) watchglass.Object {
	return &watchglass.Unusable{Name: name, ResourceVersion: "7", Err: errors.New("odd")}
}

func TestADeltaIsShownByItsTypeAndTheVersionOfItsObject(t *testing.T) {
	gone := Delta{Deleted, DeletedFinalStateUnknown{Key: "web-1"}}
	assert.Equal(t, "[Added@1 Deleted@unknown Sync@none]",
		fmt.Sprint(Deltas{{Added, object("web-1", "1")}, gone, {Type: Sync}}))
	assert.Nil(t, Deltas{}.Newest())
}

func TestTheTraceCountsTheObjectsOfAListAndTheDeletionsThatItShows(t *testing.T) {
	var told string
	q := New(Options{KnownObjects: newKnown(at("db-1@1")...), Trace: &Trace{
		Replaced: func(version string, objects, deletions int, _ State) {
			told = fmt.Sprint(version, " ", objects, " ", deletions)
		},
	}})
	require.NoError(t, q.Add(object("web-1", "1")))
	require.NoError(t, q.Replace(at("web-2@3", "web-3@3", "web-4@3"), "90"))
	assert.Equal(t, "90 3 2", told)
}

func TestPop(t *testing.T) {
	t.Run("the lock is held while a process func runs: nothing falls between queue and store",
		func(t *testing.T) {
			q := New(Options{})
			require.NoError(t, q.Add(object("web-1", "1")))
			_, err := q.Pop(func(Deltas, bool) error {
				assert.False(t, q.mu.TryLock(), "a Replace could run now")
				return nil
			})
			require.NoError(t, err)
		})
	t.Run("a process func may requeue without a reason", func(t *testing.T) {
		assert.Contains(t, ErrRequeue{}.Error(), "put its deltas back")
		assert.EqualError(t, ErrRequeue{errRefused}, "refused")
		assert.ErrorIs(t, ErrRequeue{errRefused}, errRefused)
	})
	// A bubble settles when every goroutine is blocked, and waiting for a sync.Mutex does not count.
	// So this law also shows that a Pop that waits has released the lock.
	const law = "a key that is queued wakes one Pop that waits, and closing wakes all"
	story.Bubble(t, law, func(t *testing.T) {
		q, popped := New(Options{}), make(chan error, 5)
		for range cap(popped) {
			go func() {
				_, err := q.Pop(discard)
				popped <- err
			}()
		}
		for n := range 3 {
			synctest.Wait()
			require.Len(t, popped, n)
			require.NoError(t, q.Add(object(fmt.Sprint("web-", n), "1")))
		}
		synctest.Wait()
		q.Close()
		synctest.Wait()
		assert.Len(t, popped, cap(popped))
	})
	t.Run("all methods may be called at the same time", func(t *testing.T) {
		q, web1 := New(Options{KnownObjects: newKnown(at("db-1@1")...)}), object("web-1", "1")
		require.NoError(t, q.Replace(manyObjects(100), "1"))
		var callers sync.WaitGroup
		for _, call := range []func(){
			func() { _ = q.Add(web1) }, func() { _ = q.Delete(web1) }, func() { _ = q.Resync() },
			func() { _ = q.Replace(at("web-2@2"), "2") }, func() { q.HasSynced() }, q.Close,
			func() { _ = q.AddIfNotPresent(Deltas{{Added, web1}}) }, func() { _, _ = q.Pop(discard) },
		} {
			callers.Go(func() {
				for range 50 {
					call()
				}
			})
		}
		callers.Wait()
		require.NoError(t, q.check())
	})
}

func TestMemory(t *testing.T) {
	t.Run("an add and its pop allocate the Deltas and nothing else", func(t *testing.T) {
		q, obj := New(Options{}), object("web-1", "1")
		assert.InDelta(t, 1, testing.AllocsPerRun(1000, func() {
			_ = q.Add(obj)
			_, _ = q.Pop(discard)
		}), 0)
	})
	t.Run("map and queue have room for a list, and do not grow", func(t *testing.T) {
		const size = 2 * manyItems // so that the room is given back, and made again for the relist
		list := manyObjects(size)
		allocs := testing.AllocsPerRun(10, func() {
			q := New(Options{})
			for range 2 {
				_ = q.Replace(list, "1")
				popAll(q)
			}
		})
		assert.Less(t, allocs-2*size, 60.0, "allocations beside the Deltas")
	})
	// A program cannot read how much memory a map has, so this law reads mostItems.
	t.Run("a map that has held many keys is replaced when it is empty", func(t *testing.T) {
		q := New(Options{})
		for _, size := range []int{manyItems, manyItems, manyItems - 1} { // a first list and two relists
			require.NoError(t, q.Replace(manyObjects(size), "1"))
			require.Equal(t, size, q.mostItems)
			require.Equal(t, size, popAll(q), "nothing is lost with a map")
			assert.Equal(t, size%manyItems, q.mostItems, "after %d keys", size)
			assert.Equal(t, size == manyItems, q.queue == nil, "the array of the queue goes with it")
		}
	})
}
