package store

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
	"weak"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// One number bounds the history of all collections together, and without any further call it is
// empty after Limits.Age: objects that are deleted, and collections that come and go, do not stay
// in memory.
func TestMemoryIsFreedWithoutAFurtherWrite(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := New(Limits{Bytes: 100_000, Age: time.Minute, Behind: 1000}, nil)
		var gone []weak.Pointer[Collection]
		var first weak.Pointer[thing]
		for i := range 12 {
			c := s.NewCollection("passing")
			o := weak.Make(put(t, c, "a", 10_000))
			if i == 0 {
				first = o
			}
			put(t, c, "a", 10_000)
			remove(t, c, "a")
			gone = append(gone, weak.Make(c))
		}
		runtime.GC()
		assert.Nil(t, first.Value(), "too much has been written since")
		assert.NotNil(t, gone[11].Value(), "its events are in the history")
		time.Sleep(time.Minute)
		synctest.Wait()
		runtime.GC()
		for _, c := range gone {
			assert.Nil(t, c.Value(), "nobody has written since, or read")
		}
		runtime.KeepAlive(s)
	})
}

// A store that is closed starts nothing any more.
func TestAClosedStoreHasNoTimer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCollection(roomy)
		put(t, c, "a", 0)
		c.store.Close()
		put(t, c, "b", 0)
		time.Sleep(2 * roomy.Age)
		assert.Len(t, c.store.remembered(), 2)
		open := newCollection(roomy)
		open.store.Close()
		put(t, open, "a", 0)
		assert.Nil(t, open.store.expiry)
	})
}

func TestAWriteThatBringsAnotherVersionIsAMistakeInTheProgram(t *testing.T) {
	c := newCollection(roomy)
	assert.PanicsWithValue(t, "store: x has version 7, expected 2", func() {
		_ = c.store.Update(func(tx *Tx) error { tx.Put(c, &thing{key: "x", version: 7}); return nil })
	})
	put(t, c, "y", 0) // the lock was released
}

// Each writer of a key is shown what the last one has made of the object.
func TestNoWriteOfAKeyIsLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCollection(roomy)
		var all sync.WaitGroup
		var written atomic.Int64
		longer := func(before Object) (func(*Tx) error, error) {
			size := 1
			if before != nil {
				size += before.Size()
			}
			time.Sleep(rand.N(time.Second))
			return func(tx *Tx) error { tx.Put(c, &thing{"a", tx.Next(), size}); return nil }, nil
		}
		for range 64 {
			all.Go(func() {
				for range 10 {
					ctx, cancel := context.WithTimeout(t.Context(), rand.N(2*time.Minute))
					err := c.GuaranteedUpdate(ctx, "a", longer)
					if cancel(); err == nil {
						written.Add(1)
					} else {
						assert.ErrorIs(t, err, context.DeadlineExceeded)
					}
					time.Sleep(rand.N(time.Minute))
				}
			})
		}
		all.Wait()
		assert.Equal(t, int(written.Load()), c.Get("a").Size())
		assert.Greater(t, written.Load(), int64(100))
		assert.Less(t, written.Load(), int64(640), "some give up")
	})
}

func TestAnUpdateWithNothingToChangeOrWithAnErrorWritesNothing(t *testing.T) {
	c := newCollection(roomy)
	refused := errors.New("refused")
	commit := func(*Tx) error { t.Error("it is committed"); return nil }
	for _, answer := range []struct {
		commit func(*Tx) error
		err    error
	}{{nil, nil}, {nil, refused}, {commit, refused}} {
		assert.Equal(t, answer.err, c.GuaranteedUpdate(t.Context(), "a",
			func(Object) (func(*Tx) error, error) { return answer.commit, answer.err }))
	}
}

func TestWhatAnEventMeansToAWatcherOfSomeObjects(t *testing.T) {
	in, out := &thing{key: "in"}, &thing{key: "out"}
	for _, c := range []struct {
		kind          Type
		before, after Object
		want          Type
	}{
		{Added, nil, in, Added}, {Added, nil, out, ""},
		{Modified, in, in, Modified}, {Modified, in, out, Deleted},
		{Modified, out, in, Added}, {Modified, out, out, ""},
		{Deleted, in, in, Deleted}, {Deleted, out, out, ""},
	} {
		e := &Event{Type: c.kind, Before: c.before, Object: c.after}
		seen := e.Seen(func(o Object) bool { return o == in })
		assert.Equal(t, c.want, seen, "%s: %v, then %v", c.kind, c.before, c.after)
	}
}

// A snapshot that is read for long keeps alive what is replaced meanwhile, in any collection.
func TestAReaderOfASnapshotIsCutOffWhenTooMuchIsReplaced(t *testing.T) {
	limits := roomy
	limits.Bytes = 100_000
	c := newCollection(limits)
	other := c.store.NewCollection("others")
	put(t, c, "a", 0)
	put(t, other, "a", 10_000-overhead)
	aborted := 0
	_, watch := c.WatchState(func() { t.Error("a watch that has read everything is not slow") })
	defer watch.Close()
	_, gone := c.WatchState(func() { t.Error("aborted after Close") })
	gone.Close()
	gone.cutOff() // by a write that has found it before
	defer c.Pin(func() { aborted++ })()
	c.Pin(func() { t.Error("aborted after its end") })()
	assert.Equal(t, 1, c.Watchers(), "readers of snapshots are no watchers")
	for range 10 {
		put(t, other, "a", 10_000-overhead)
	}
	assert.Zero(t, aborted)
	for range 4 {
		put(t, other, "a", 10_000-overhead)
	}
	assert.Equal(t, 1, aborted, "once")
	put(t, c, "a", 0)
	put(t, c, "b", 0)
}

// An event may be larger than the whole history. It is the last that such watchers have not passed.
func TestAnEventLargerThanTheHistoryReachesWatchersThatAreUpToDate(t *testing.T) {
	c := newCollection(Limits{Bytes: 1, Age: time.Hour, Behind: 1000})
	put(t, c, "a", 10_000)
	slow := 0
	_, current := c.WatchState(func() { t.Error("it has passed all events but the last") })
	defer current.Close()
	_, behind := c.WatchState(func() { slow++ })
	defer behind.Close()
	for range 3 {
		large := put(t, c, "a", 10_000)
		assert.Equal(t, large, current.Next().Object)
	}
	assert.Equal(t, 1, slow, "it has not passed the one before the last either")
}

// A watcher joins, and then the events of another collection fill the history. The watcher need not
// read them.
func TestAWatcherIsNotBehindByWhatHappenedElsewhereBeforeItsFirstEvent(t *testing.T) {
	limits := roomy
	limits.Bytes = 100_000
	c := newCollection(limits)
	other := c.store.NewCollection("others")
	_, watch := c.WatchState(func() { t.Error("it is one small event behind") })
	defer watch.Close()
	for range 4 {
		put(t, other, "a", 60_000)
	}
	put(t, c, "a", 0)
	put(t, other, "a", 0)
}

func TestAHistoryOfExactlySoManyBytesIsKept(t *testing.T) {
	limits := roomy
	limits.Bytes = 2 * overhead
	c := newCollection(limits)
	put(t, c, "a", 0)
	put(t, c, "b", 0)
	assert.Len(t, c.store.remembered(), 2)
	put(t, c, "c", 0)
	assert.Len(t, c.store.remembered(), 2)
}

// Nothing that watchers do takes the store's exclusive lock: while a reader holds the
// shared lock, watchers can join, read, ask how far behind they are, and leave.
func TestWatchersComeAndGoUnderTheSharedLock(t *testing.T) {
	c := newCollection(roomy)
	put(t, c, "a", 0)
	c.store.mu.RLock()
	defer c.store.mu.RUnlock()
	_, now := c.WatchState(func() {}) // would wait for this test if it took the exclusive lock
	now.Close()
	past, err := c.WatchFrom(1, func() {})
	require.NoError(t, err)
	past.Next()
	past.Behind()
	past.Close()
}

// A snapshot costs the same however many objects there are. The first write after it copies the
// list of them.
func TestOnlyTheFirstWriteAfterASnapshotCopies(t *testing.T) {
	c := newCollection(roomy)
	for i := range 5_000 {
		put(t, c, fmt.Sprintf("web-%06d", i), 0)
	}
	write := func() { put(t, c, "web-000001", 0) }
	assert.Less(t, testing.AllocsPerRun(100, func() { c.Snapshot() }), 1.0)
	c.Snapshot()
	before := c.index.objects
	write()
	assert.NotSame(t, &before[0], &c.index.objects[0])
	before = c.index.objects
	write()
	assert.Same(t, &before[0], &c.index.objects[0], "nobody has a snapshot of it")
	for prefix, want := range map[string]bool{"": true, "web-0049": true, "web-1": false, "a": false} {
		assert.Equal(t, want, c.Holds(prefix), "keys that start with %q", prefix)
	}
	write()
	assert.Same(t, &before[0], &c.index.objects[0], "to ask whether there are objects is no snapshot")
}

func TestWaitEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCollection(roomy)
		time.AfterFunc(2*time.Second, func() { put(t, c, "a", 0) })
		begin := time.Now()
		assert.NoError(t, c.store.Wait(t.Context(), 1, 0), "the version is reached")
		assert.NoError(t, c.store.Wait(t.Context(), 2, time.Minute))
		assert.Equal(t, 2*time.Second, time.Since(begin), "with the write that reaches it")
		assert.Equal(t, &FutureError{3, 2}, c.store.Wait(t.Context(), 3, time.Second))
		assert.Equal(t, 3*time.Second, time.Since(begin), "when it takes too long")
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		assert.Equal(t, context.DeadlineExceeded, c.store.Wait(ctx, 3, time.Minute))
	})
}

// A prefix and a start bound what All yields, and Count agrees.
func TestPrefixesAndStarts(t *testing.T) {
	c := newCollection(roomy)
	for key := range strings.FieldsSeq("a n/a n/b n/c n0 na/x m/z ä ö \xfe\xff \xff \xffa") {
		put(t, c, key, 0)
	}
	for _, q := range []struct {
		prefix, start string
		want          string
	}{
		{"", "", "a m/z n/a n/b n/c n0 na/x ä ö \xfe\xff \xff \xffa"},
		{"m", "", "m/z"}, // there are keys after those with the prefix
		{"n/", "", "n/a n/b n/c"},
		{"n/", "n/b", "n/b n/c"},
		{"n/", "n/b\x00", "n/c"},
		{"n/", "z", ""},
		{"n/", "a", "n/a n/b n/c"},
		{"x/", "", ""},
		{"\xff", "", "\xff \xffa"},
		{"", "n0", "n0 na/x ä ö \xfe\xff \xff \xffa"},
	} {
		var got []string
		for o := range c.Snapshot().All(q.prefix, q.start) {
			got = append(got, o.Key())
		}
		assert.Equal(t, q.want, strings.Join(got, " "), "prefix %q from %q", q.prefix, q.start)
		assert.Equal(t, len(got), c.Snapshot().Count(q.prefix, q.start), "%q from %q", q.prefix, q.start)
	}
}
