package workqueue

import (
	"fmt"
	"runtime"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// check recomputes the invariants of a queue.
func (q *Queue[T]) check(t testing.TB) {
	t.Helper()
	q.mu.Lock()
	defer q.mu.Unlock()
	queued := map[T]bool{}
	for i := range q.order.count {
		item := q.order.slots[(q.order.first+i)&(len(q.order.slots)-1)]
		assert.False(t, queued[item], "%v is in the order twice", item)
		queued[item] = true
		assert.Equal(t, dirty, q.items[item], "%v is in the order, so it is dirty and nothing "+
			"else", item)
	}
	working := 0
	for item, is := range q.items {
		assert.NotZero(t, is, "%v is neither dirty nor processing, and still in the map", item)
		if is&processing != 0 {
			working++
		} else {
			assert.True(t, queued[item], "%v is dirty, no worker has it, and it is not queued", item)
		}
	}
	assert.Equal(t, q.processing, working, "items that workers have")
}

func get(t testing.TB, q *Queue[string]) string {
	t.Helper()
	item, down := q.Get()
	require.False(t, down, "the queue has an item")
	return item
}

func TestAnItemIsQueuedOnce(t *testing.T) {
	q := New[string]()
	q.Add("a")
	q.Add("b")
	q.Add("a")
	q.check(t)
	assert.Equal(t, 2, q.Len(), "an item that is dirty already is not queued again")
	assert.Equal(t, "a", get(t, q), "items come out in the order in which they went in")
	assert.Equal(t, "b", get(t, q))
	assert.Zero(t, q.Len())
}

func TestAnItemThatIsBeingWorkedOnIsQueuedByDone(t *testing.T) {
	q := New[string]()
	q.Add("a")
	a := get(t, q)
	q.Add("a")
	q.Add("a")
	q.Add("b")
	q.check(t)
	assert.Equal(t, 1, q.Len(), "no second worker gets the item while the first has it")
	q.Done(a)
	q.check(t)
	assert.Equal(t, "b", get(t, q), "the item is queued again behind the others")
	assert.Equal(t, "a", get(t, q))
	q.Done("a")
	q.Done("b")
	q.check(t)
	assert.Zero(t, q.Len(), "several Adds in the meantime are one more run")
}

func TestDoneForAnItemThatNoWorkerHasDoesNothing(t *testing.T) {
	q := New[string]()
	q.Done("x")
	q.Add("a")
	q.Done("a")
	q.check(t)
	assert.Equal(t, "a", get(t, q), "an item that is only queued stays queued")
}

func TestGetWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := New[string]()
		var got []string
		go func() { got = append(got, get(t, q)) }()
		synctest.Wait()
		assert.Empty(t, got)
		q.Add("a")
		synctest.Wait()
		assert.Equal(t, []string{"a"}, got)
	})
}

// Many producers and workers: no item is with two workers at the same time, and none is lost.
func TestNoTwoWorkersHaveTheSameItem(t *testing.T) {
	const items, workers, rounds = 8, 6, 400
	q := New[int]()
	var mu sync.Mutex
	busy, seen, added := map[int]bool{}, map[int]int{}, map[int]int{}
	var working, adding sync.WaitGroup
	for range workers {
		working.Go(func() {
			for item := range q.All(t.Context()) {
				mu.Lock()
				assert.False(t, busy[item], "item %d is with two workers", item)
				busy[item] = true
				seen[item] = added[item]
				mu.Unlock()
				runtime.Gosched()
				mu.Lock()
				busy[item] = false
				mu.Unlock()
			}
		})
	}
	for range 3 {
		adding.Go(func() {
			for i := range rounds {
				mu.Lock()
				added[i%items]++
				mu.Unlock()
				q.Add(i % items)
			}
		})
	}
	adding.Wait()
	q.ShutDownWithDrain()
	working.Wait()
	q.check(t)
	assert.Equal(t, added, seen, "each item was looked at after its last change")
}

// The queue does not keep an item alive that it has handed out.
func TestWhatWasHandedOutCanBeFreed(t *testing.T) {
	type large [1 << 10]byte // an allocation of its own, unlike small ones without pointers
	q := New[*large]()
	freed := make(chan struct{})
	func() {
		item := new(large)
		runtime.AddCleanup(item, func(ch chan struct{}) { close(ch) }, freed)
		q.Add(item)
		q.Add(new(large))
		got, _ := q.Get()
		q.Done(got)
	}()
	for range 100 {
		runtime.GC()
		select {
		case <-freed:
			assert.Equal(t, 1, q.Len())
			return
		default:
			runtime.Gosched()
		}
	}
	t.Error("the queue keeps an item alive that it has handed out")
}

func TestStats(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := New[string]()
		q.Measure()
		q.Add("a")
		q.Add("b")
		q.Add("a")
		time.Sleep(time.Second)
		a := get(t, q)
		time.Sleep(2 * time.Second)
		b := get(t, q)
		q.Add(b)
		time.Sleep(4 * time.Second)
		assert.Equal(t, Stats{Processing: 2, Adds: 3, Waited: 4 * time.Second,
			Longest: 6 * time.Second, Pending: 10 * time.Second}, q.Stats())
		q.Done(a)
		q.Done(b)
		assert.Equal(t, Stats{Queued: 1, Adds: 3, Done: 2, Waited: 4 * time.Second,
			Worked: 10 * time.Second}, q.Stats())
		time.Sleep(time.Second)
		get(t, q)
		assert.Equal(t, 9*time.Second, q.Stats().Waited,
			"what was added while a worker had it has waited since then")
		assert.Empty(t, q.stats.addedAt, "the time of an Add is dropped by the Get")
	})
}

func TestWithoutMeasureTheClockIsNotRead(t *testing.T) {
	q := New[string]()
	q.Add("a")
	q.Done(get(t, q))
	assert.Equal(t, Stats{Adds: 1, Done: 1}, q.Stats())
}

func BenchmarkAddGetDone(b *testing.B) {
	keys := make([]string, 1000)
	for i := range keys {
		keys[i] = fmt.Sprint("shop/web-", i)
	}
	for _, measured := range []bool{false, true} {
		b.Run("measured="+strconv.FormatBool(measured), func(b *testing.B) {
			q := New[string]()
			if measured {
				q.Measure()
			}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				q.Add(keys[i%len(keys)])
				key, _ := q.Get()
				q.Done(key)
			}
		})
	}
}
