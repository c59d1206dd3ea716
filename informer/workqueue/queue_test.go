package workqueue

import (
	"context"
	"fmt"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
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

func TestShutDownHandsOutWhatIsQueued(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := New[string]()
		q.Add("a")
		q.Add("b")
		a := get(t, q)
		q.Add("a")
		q.ShutDown()
		assert.True(t, q.ShuttingDown())
		q.Add("c")
		q.Done(a)
		q.check(t)
		assert.Equal(t, "b", get(t, q), "what was queued is still handed out")
		assert.Equal(t, "a", get(t, q), "what was added while a worker had it is looked at again")
		for range 3 { // however many workers call Get
			_, down := q.Get()
			assert.True(t, down, "a queue that is shut down and empty says so")
		}
	})
}

func TestShutDownWakesEveryWorker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := New[string]()
		var workers sync.WaitGroup
		for range 3 {
			workers.Go(func() {
				_, down := q.Get()
				assert.True(t, down)
			})
			workers.Go(func() {
				for range q.All(t.Context()) {
					t.Error("there is nothing to work on")
				}
			})
		}
		synctest.Wait()
		q.ShutDown()
		workers.Wait() // or the bubble reports a deadlock
	})
}

func TestADrainWaitsForWhatIsQueuedAndForTheWorkers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := New[string]()
		q.Add("a")
		q.Add("b")
		a := get(t, q)
		drained := 0
		var mu sync.Mutex
		for range 3 {
			go func() {
				q.ShutDownWithDrain()
				mu.Lock()
				defer mu.Unlock()
				drained++
			}()
		}
		synctest.Wait()
		q.Done(a)
		synctest.Wait()
		assert.Zero(t, drained, "an item is still queued")
		b := get(t, q)
		synctest.Wait()
		assert.Zero(t, drained, "a worker still has an item")
		q.Add(b)
		q.Done(b)
		synctest.Wait()
		assert.Equal(t, 3, drained, "every goroutine that waits for the drain is woken")
	})
}

// The worker may have read a state from before the Add, so the item is looked at once more.
func TestADrainWaitsForWhatWasAddedWhileAWorkerHadIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := New[string]()
		q.Add("a")
		a := get(t, q)
		q.Add(a)
		drained := make(chan struct{})
		go func() {
			q.ShutDownWithDrain()
			close(drained)
		}()
		for range 2 {
			synctest.Wait()
			select {
			case <-drained:
				t.Fatal("the drain has returned although a worker has an item")
			default:
			}
			q.Done(a)
			if q.Len() > 0 {
				assert.Equal(t, a, get(t, q), "what was dirty is queued again, and drained")
			}
		}
		<-drained
	})
}

func TestADrainOfAnIdleQueueReturnsAtOnce(t *testing.T) {
	q := New[string]()
	q.ShutDownWithDrain()
	assert.True(t, q.ShuttingDown())
}

func TestShutDownReleasesADrain(t *testing.T) {
	for _, first := range []string{"drain", "shut down"} {
		synctest.Test(t, func(t *testing.T) {
			q := New[string]()
			q.Add("a")
			if first == "shut down" {
				q.ShutDown()
			}
			released := false
			go func() {
				q.ShutDownWithDrain()
				released = true
			}()
			synctest.Wait()
			assert.Equal(t, first == "shut down", released, first)
			q.ShutDown()
			synctest.Wait()
			assert.True(t, released, "%s first: ShutDown ends a drain that has no workers", first)
		})
	}
}

func TestAllCallsDone(t *testing.T) {
	q := New[string]()
	q.Add("a")
	q.Add("b")
	for item := range q.All(t.Context()) {
		assert.Equal(t, "a", item)
		break
	}
	q.check(t)
	assert.Equal(t, 0, q.Stats().Processing, "Done is called if the body leaves the loop")
	assert.PanicsWithValue(t, "bad", func() {
		for range q.All(t.Context()) {
			panic("bad")
		}
	})
	assert.Equal(t, 0, q.Stats().Processing, "Done is called if the body panics")
}

func TestAllEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := New[string]()
		ctx, cancel := context.WithCancel(t.Context())
		go q.Get() // waits longest, so a Signal would wake this goroutine and none of the workers
		synctest.Wait()
		var workers sync.WaitGroup
		for range 3 {
			workers.Go(func() {
				for range q.All(ctx) {
					t.Error("there was nothing to work on")
				}
			})
		}
		synctest.Wait()
		cancel()
		workers.Wait()
		q.Add("taken by Get")
		synctest.Wait()
		q.Add("a")
		for range q.All(ctx) {
			t.Error("what is queued stays when the context has ended")
		}
		assert.Equal(t, 1, q.Len())
	})
}

// The Signal for an item may wake a worker whose context has ended. Another worker must then get
// the item.
func TestAnItemIsNotLostWithTheWorkerThatWasWokenForIt(t *testing.T) {
	for seed := range 200 {
		synctest.Test(t, func(t *testing.T) {
			q := New[int]()
			ctx, cancel := context.WithCancel(t.Context())
			got := make(chan int, 1)
			for range 4 {
				go func() {
					for range q.All(ctx) {
						got <- seed
					}
				}()
			}
			go func() {
				if item, down := q.Get(); !down {
					got <- item
				}
			}()
			synctest.Wait()
			go cancel()
			go q.Add(seed)
			synctest.Wait()
			assert.Equal(t, seed, <-got)
			q.ShutDown()
		})
	}
}

// ending is a context that is just being cancelled: Err returns an error already, and Done is not
// closed yet.
type ending struct {
	context.Context
	begun atomic.Bool
}

func (c *ending) Err() error {
	if c.begun.Load() {
		return context.Canceled
	}
	return c.Context.Err()
}

// The same law in a short moment: the worker has seen the error of its context, but the AfterFunc
// that wakes all workers has not been started. The worker ends so quickly that it never is.
func TestAWorkerThatEndsPassesItsWakeUpOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := New[string]()
		ctx := &ending{Context: t.Context()}
		var quick, other sync.WaitGroup
		quick.Go(func() {
			for item := range q.All(ctx) {
				t.Error("a worker whose context has ended gets", item)
			}
		})
		synctest.Wait() // Signal wakes the goroutine that waits longest: this worker
		var got string
		other.Go(func() { got, _ = q.Get() })
		synctest.Wait()
		ctx.begun.Store(true)
		q.Add("web-1")
		quick.Wait()
		synctest.Wait()
		assert.Equal(t, "web-1", got, "the item is with the worker that is left")
		q.ShutDown()
		other.Wait()
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

func TestTheRingShrinksAfterABurst(t *testing.T) {
	q := New[int]()
	q.Add(-1) // one item is always queued
	for i := range 100_000 {
		q.Add(i)
	}
	for range 100_000 {
		item, _ := q.Get()
		q.Done(item)
	}
	assert.LessOrEqual(t, len(q.order.slots), smallest, "slots after a burst, with one item left")
	assert.Equal(t, 1, q.Len())
}

func TestRing(t *testing.T) {
	for size := range 70 {
		var r ring[int]
		next := 0
		for i := range 3 * size {
			r.push(i)
			if i%3 == 2 {
				assert.Equal(t, next, r.pop())
				next++
			}
		}
		for ; next < 3*size; next++ {
			require.Equal(t, next, r.pop(), "first in, first out, with %d items", size)
		}
		assert.Zero(t, r.len())
	}
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
