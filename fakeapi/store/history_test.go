package store

import (
	"fmt"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// cursor is where a watch from a version starts to read.
func TestWhereAWatchStarts(t *testing.T) {
	h := newHistory(3)
	for _, v := range []uint64{5, 6, 9} {
		h.append(newEvent(Modified, &thing{version: v}, &thing{version: v - 1}))
	}
	next := func(v uint64) uint64 {
		e := h.cursor(v)
		select {
		case <-e.ready:
			return e.next.Version()
		default:
			return 0
		}
	}
	for v, want := range map[uint64]uint64{3: 5, 4: 5, 5: 6, 6: 9, 7: 9, 8: 9, 9: 0, 10: 0} {
		assert.Equal(t, want, next(v), "the first event after %d", v)
	}
	before := h.window[0].place
	h.drop(1)
	assert.Equal(t, uint64(5), h.forgotten)
	assert.Equal(t, uint64(6), next(5), "a watch from the last forgotten event gets the next one")
	assert.Equal(t, before, h.cursor(5).place, "its cursor has the place of the forgotten event")
	h.drop(2)
	assert.Same(t, h.tail, h.cursor(9), "with an empty window, a watch waits at the end of the chain")
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
			{"four thousand bytes allowed", 2, Limits{6, time.Hour, 4000, 1}},
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

// A few large objects must not stay in memory because a limit counts events.
func TestHistoryIsBoundedInBytes(t *testing.T) {
	limits := roomy
	limits.Bytes = 10_000
	c := newCollection(limits)
	for range 200 {
		put(t, c, "web-1", string(make([]byte, 1000)))
		kept := 0
		for _, e := range c.history.window {
			kept += e.size
		}
		require.LessOrEqual(t, kept, limits.Bytes, "bytes remembered after version %d", c.store.Version())
	}
	assert.Len(t, c.history.window, 10_000/(1000+overhead), "as many as fit")
	_, err := c.SnapshotAt(c.history.forgotten - 1)
	assert.Equal(t, &TooOldError{c.history.forgotten - 1, c.history.forgotten}, err)
}

// The cost of a write does not depend on the length of the history: one object is
// updated again and again, with 100 events remembered and with 10,000.
func TestAWriteCostsTheSameWithALongHistory(t *testing.T) {
	limits := roomy
	limits.Events = 10_000
	c := newCollection(limits)
	cost := func(upTo uint64) (allocations float64) {
		for c.store.Version() < upTo {
			put(t, c, "web-1", "")
		}
		return testing.AllocsPerRun(100, func() { put(t, c, "web-1", "") })
	}
	few := cost(100)
	many := cost(9_000)
	full := cost(12_000)
	assert.Equal(t, few, many, "allocations of a write, with 100 and with 9,000 events remembered")
	assert.Equal(t, few, full, "allocations of a write that forgets an event, with a full history")
}

// Starting a watch costs the same however many objects there are. The first write after
// it copies one block and the list of blocks, and no other object.
func TestAWatchOfManyObjectsStartsWithoutCopyingThem(t *testing.T) {
	cost := func(n int) (start, write uint64) {
		c := newCollection(roomy)
		for i := range n {
			put(t, c, fmt.Sprintf("web-%06d", i), "")
		}
		w := c.WatchState(nil).Watcher
		defer w.Close()
		start = allocated(func() { c.WatchState(nil).Watcher.Close() })
		write = allocated(func() { put(t, c, "web-000001", "") })
		return start, write
	}
	start, write := cost(100)
	startMany, writeMany := cost(50_000)
	// A copy would take 400 KB at least. Other goroutines of the runtime may allocate a little.
	assert.LessOrEqual(t, startMany, start+16<<10, "bytes allocated by a start, of 50,000 objects")
	assert.LessOrEqual(t, writeMany, write+16*blockSize+16*50_000/blockSize,
		"bytes allocated by the write after it")
}

// allocated is how many bytes f allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}
