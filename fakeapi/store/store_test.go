package store

import (
	"context"
	"fmt"
	"math"
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

// Resources come and go: a collection that is no longer used must not stay in memory with
// all of its history.
func TestTheStoreKeepsNoCollectionAlive(t *testing.T) {
	s := New(roomy, nil)
	c := s.NewCollection("passing")
	put(t, c, "a", "")
	c.WatchState(nil).Watcher.Close()
	gone, event := weak.Make(c), weak.Make(c.history.window[0])
	c = nil
	runtime.GC()
	assert.Nil(t, gone.Value(), "the collection")
	assert.Nil(t, event.Value(), "and its events")
	runtime.KeepAlive(s)
}

func TestAWriteThatBringsAnotherVersionIsAMistakeInTheProgram(t *testing.T) {
	c := newCollection(roomy)
	assert.PanicsWithValue(t, "store: x has version 7, expected 2", func() {
		_ = c.store.Update(func(tx *Tx) error { tx.Put(c, &thing{key: "x", version: 7}); return nil })
	})
	put(t, c, "y", "") // the lock was released
}

// The writers of a key take turns, so each is shown what the last one has made of the object, and
// one that gives up does not hold up the others.
func TestNoWriteOfAKeyIsLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCollection(roomy)
		var all sync.WaitGroup
		var written atomic.Int64
		longer := func(before Object) (func(*Tx), error) {
			text := "x"
			if o, ok := before.(*thing); ok {
				text += o.text
			}
			time.Sleep(rand.N(time.Second))
			return func(tx *Tx) { tx.Put(c, &thing{"a", tx.Next(), len(text), text}) }, nil
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
		assert.Len(t, c.Get("a").(*thing).text, int(written.Load()))
		assert.Greater(t, written.Load(), int64(100))
		assert.Less(t, written.Load(), int64(640), "some give up")
		assert.Empty(t, c.queues.byKey, "nothing is kept of a queue that has ended")
	})
}

// A watcher may be behind by the limit of events and an eighth of that, or by the limit of
// bytes and an eighth of that, before it is cut off. Events that were in the chain when it joined
// do not count. Only bytes count for readers of snapshots.
func TestAWatcherThatIsTooFarBehindIsCutOff(t *testing.T) {
	limits := roomy
	limits.Behind, limits.Bytes = 80, 100_000
	for _, c := range []struct {
		law             string
		size, backlog   int
		fine, far, hold int // how many events behind
	}{
		{"by events", 0, 100, 89, 91, 195 + 25},
		{"by bytes", 10_000 - overhead, 9, 10, 12, 12},
	} {
		t.Run(c.law, func(t *testing.T) {
			things := newCollection(limits)
			pad := strings.Repeat("x", c.size)
			for range c.backlog {
				put(t, things, "a", pad)
			}
			isSlow := func(w *Watcher) bool {
				select {
				case <-w.Slow():
					return true
				default:
					return false
				}
			}
			aborted, released := 0, 0
			from := func(abort func()) *Watcher {
				start, err := things.WatchFrom(1, abort)
				require.NoError(t, err)
				return start.Watcher
			}
			slow, keeps := from(func() { aborted++ }), from(nil)
			gone := from(func() { t.Error("aborted after Close") })
			gone.Close()
			gone.cutOff() // by a write that has found it before
			hold := things.Hold(func() { released++ })
			things.Hold(func() { t.Error("aborted after Close") }).Close()
			assert.Equal(t, 2, things.Watchers(), "readers of snapshots are no watchers")
			for n := 1; n <= c.hold; n++ {
				put(t, things, "a", pad)
				received(keeps)
				switch n {
				case c.fine:
					assert.False(t, isSlow(slow), "%d events behind", n)
					assert.False(t, isSlow(hold))
				case c.far:
					assert.True(t, isSlow(slow), "%d events behind", n)
					assert.Equal(t, c.far == c.hold, isSlow(hold), "%d events behind", n)
				}
			}
			assert.True(t, isSlow(hold), "%d events behind", c.hold)
			assert.False(t, isSlow(keeps), "a watcher that keeps up is not cut off")
			put(t, things, "a", pad)
			assert.Equal(t, []int{1, 1}, []int{aborted, released}, "abort is called, and only once")
		})
	}
}

// Nothing that watchers do takes the store's exclusive lock: while a reader holds the
// shared lock, watchers can join, read, ask how far behind they are, and leave.
func TestWatchersComeAndGoUnderTheSharedLock(t *testing.T) {
	c := newCollection(roomy)
	put(t, c, "a", "")
	c.store.mu.RLock()
	defer c.store.mu.RUnlock()
	c.WatchState(nil).Watcher.Close() // would wait for this test if it took the exclusive lock
	past, err := c.WatchFrom(1, nil)
	require.NoError(t, err)
	past.Watcher.Next()
	past.Watcher.Behind()
	past.Watcher.Close()
}

func TestWhatIsOverdue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHistory(1)
		for v := range uint64(6) {
			h.append(newEvent(Modified, &thing{version: v + 2}, &thing{size: 1000 - overhead}))
			time.Sleep(time.Minute)
		}
		now := time.Now() // the events are 6, 5, 4, 3, 2 and 1 minutes old, and 1,000 bytes each
		for _, c := range []struct {
			law    string
			want   int
			limits Limits
		}{
			{"all are few enough, young enough and small enough", 0, Limits{6, time.Hour, 6000, 1}},
			{"two too many", 2, Limits{4, time.Hour, 6000, 1}},
			{"three older than three minutes", 3, Limits{6, 3 * time.Minute, 6000, 1}},
			{"six thousand bytes, and one fewer allowed", 1, Limits{6, time.Hour, 5999, 1}},
			{"the strictest limit counts: the number", 4, Limits{2, 3 * time.Minute, 5000, 1}},
			{"the strictest limit counts: the age", 5, Limits{4, time.Minute, 5000, 1}},
			{"the strictest limit counts: the size", 5, Limits{4, 3 * time.Minute, 1999, 1}},
			{"all can be too old", 6, Limits{6, 0, 6000, 1}},
			{"even the newest can be too large", 6, Limits{6, time.Hour, 999, 1}},
		} {
			assert.Equal(t, c.want, h.overdue(c.limits, now), c.law)
		}
	})
}

// Starting a watch costs the same however many objects there are. The first write after
// it copies one block and the list of blocks, and no other object.
func TestAWatchOfManyObjectsStartsWithoutCopyingThem(t *testing.T) {
	cost := func(n int) (start, write, next uint64) {
		c := newCollection(roomy)
		start, write, next = math.MaxUint64, math.MaxUint64, math.MaxUint64
		for i := range n {
			put(t, c, fmt.Sprintf("web-%06d", i), "")
		}
		for range 3 { // other goroutines of the runtime may allocate, too
			start = min(start, allocated(func() { c.WatchState(nil).Watcher.Close() }))
			write = min(write, allocated(func() { put(t, c, "web-000001", "") }))
			next = min(next, allocated(func() { put(t, c, "web-000001", "") }))
		}
		return start, write, next
	}
	start, write, next := cost(100)
	startMany, writeMany, nextMany := cost(5_000)
	// A copy would take 80 KB at least.
	assert.LessOrEqual(t, startMany, start+16<<10, "bytes allocated by a start, of 5,000 objects")
	assert.LessOrEqual(t, writeMany, write+16*blockSize+16*5_000/blockSize,
		"bytes allocated by the write after it")
	assert.LessOrEqual(t, nextMany, next+512, "the next write copies nothing")
	assert.Less(t, next, write)
}

// allocated returns how many bytes f allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}
