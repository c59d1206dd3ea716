package workqueue

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
	"weak"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/docs/tools/story"
)

const ms = time.Millisecond

// law tries to break a promise in a bubble of its own. A deadlock breaks it, too.
func law(t *testing.T, promise string, try func(t *testing.T, q *Queue[string])) {
	story.Bubble(t, promise, func(t *testing.T) { try(t, New[string]()) })
}

func TestWorkers(t *testing.T) {
	law(t, "no item is with two workers, and each is looked at after its last change",
		func(t *testing.T, _ *Queue[string]) {
			q := NewRateLimiting(DefaultController[int]())
			var busy, seen, added [8]atomic.Int64
			var working, adding sync.WaitGroup
			for range 6 {
				working.Go(func() {
					for item := range q.All(t.Context()) {
						assert.EqualValues(t, 1, busy[item].Add(1), "item %d is with two workers", item)
						seen[item].Store(added[item].Load())
						runtime.Gosched()
						busy[item].Add(-1)
						q.limiter.When(item)
					}
					assert.True(t, q.ShuttingDown(), "a worker that was woken in vain has ended")
				})
			}
			for range 3 {
				adding.Go(func() {
					for i := range 400 {
						added[i%8].Add(1)
						q.Add(i % 8)
						q.NumRequeues(i % 8)
						q.Forget(i%8 + 8)
					}
				})
			}
			adding.Wait()
			synctest.Wait() // now all workers wait
			require.NoError(t, q.ShutDownWithDrain(t.Context()))
			working.Wait()
			for item := range seen {
				assert.EqualValues(t, 150, seen[item].Load())
			}
		})
	law(t, "All calls Done, also if the loop body leaves the loop or panics",
		func(t *testing.T, q *Queue[string]) {
			q.Add("a")
			q.Add("b")
			for range q.All(t.Context()) {
				break
			}
			assert.Panics(t, func() {
				for range q.All(t.Context()) {
					panic("bad")
				}
			})
			assert.Equal(t, Stats{Adds: 2}, q.Stats())
		})
	law(t, "All ends with its context, and what is queued stays; or with the queue",
		func(t *testing.T, q *Queue[string]) {
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(time.Hour, cancel)
			q.All(ctx)(nil)
			q.Add("a")
			q.All(ctx)(nil)
			assert.Equal(t, 1, q.Len())
			q.ShutDown()
			q.Add("b")
			for item := range q.All(t.Context()) {
				assert.Equal(t, "a", item)
			}
		})
}

func TestDrains(t *testing.T) {
	law(t, "ShutDown ends the drains that wait, which say what is left; another drain ends none",
		func(t *testing.T, _ *Queue[string]) {
			q, ended := NewDelaying[string](), make(chan error, 2)
			q.Add("a")
			q.Add("b")
			q.Get()
			for range cap(ended) {
				go func() { ended <- q.ShutDownWithDrain(t.Context()) }()
				synctest.Wait()
			}
			require.Empty(t, ended)
			q.ShutDown()
			for range cap(ended) {
				err := <-ended
				assert.ErrorIs(t, err, ErrShutDown)
				assert.EqualError(t, err, "workqueue: drain ended with 1 items queued and 1 being "+
					"worked on: ShutDown was called")
			}
			go func() { ended <- q.ShutDownWithDrain(t.Context()) }()
			synctest.Wait()
			require.Empty(t, ended, "a drain that begins later waits")
			q.Done("a")
			q.Get()
			q.Done("b")
			assert.NoError(t, <-ended)
		})
}

func TestAQueueThatWasShutDownCanBeFreedAlthoughAnItemWaitedForItsTime(t *testing.T) {
	q := NewDelaying[string]()
	q.AddAfter("web-1", time.Hour)
	q.ShutDown()
	queue := weak.Make(q)
	for i := 0; i < 100 && queue.Value() != nil; i++ {
		runtime.GC()
	}
	assert.Nil(t, queue.Value())
}

func TestWhatWasHandedOutIsNotKeptAlive(t *testing.T) {
	q := New[*int]()
	q.Add(new(1))
	q.Add(new(2))
	first := q.order[:1]
	q.Get()
	assert.Nil(t, first[0])
	assert.Equal(t, 1, q.Len(), "the array is still used")
}

// waits asks a limiter n times.
func waits(l RateLimiter[string], item string, n int) (all []time.Duration) {
	for range n {
		all = append(all, l.When(item))
	}
	return all
}

func TestLimiters(t *testing.T) {
	t.Run("the longest of several waits counts, up to a maximum, and each limiter counts the failure",
		func(t *testing.T) {
			l := MaxOf(WithMaxWait(ExponentialFailure[string](ms, time.Hour), 4*ms),
				ExponentialFailure[string](3*ms, 3*ms), Bucket[string](1e9, 1))
			for range 2 {
				assert.Equal(t, []time.Duration{3 * ms, 3 * ms, 4 * ms, 4 * ms}, waits(l, "a", 4))
				assert.Equal(t, 4, l.NumRequeues("a"), "failures remembered")
				l.Forget("a")
				assert.Zero(t, l.NumRequeues("a"))
			}
		})
	// A negative wait would retry the item immediately.
	t.Run("a wait that no Duration can hold is the longest one", func(t *testing.T) {
		const forever = time.Duration(math.MaxInt64)
		assert.Positive(t, slices.Min(waits(ExponentialFailure[string](1, forever), "a", 2000)))
		none := waits(ExponentialFailure[string](0, ms), "a", 2000)
		assert.Equal(t, []time.Duration{0}, slices.Compact(none), "twice none is none")
		slow := waits(Bucket[string](1e-10, 1), "a", 2)
		assert.Zero(t, slow[0], "the burst of one item does not wait")
		assert.Greater(t, slow[1], forever-time.Hour)
		assert.Zero(t, slices.Max(waits(Bucket[string](10, math.MaxInt), "a", 1000)))
	})
	t.Run("a queue without a limiter, and a bucket that is never filled, panic", func(t *testing.T) {
		assert.PanicsWithValue(t, "workqueue: the limiter is nil",
			func() { NewRateLimiting[string](nil) })
		for perSecond, burst := range map[float64]int{0: 10, -1: 10, math.NaN(): 10, 10: -1} {
			assert.Panics(t, func() { Bucket[string](perSecond, burst) }, "%v, %d", perSecond, burst)
		}
	})
	law(t, "a bucket lets a burst pass, and then so many a second, whichever the item",
		func(t *testing.T, _ *Queue[string]) {
			l := DefaultController[string]()
			assert.Equal(t, []time.Duration{5 * ms, 10 * ms, 20 * ms}, waits(l, "a", 3))
			waits(l, "b", 97)
			assert.Equal(t, 100*ms, l.When("c"), "the burst of 100 is over: ten a second")
			time.Sleep(50 * ms)
			assert.Equal(t, 150*ms, l.When("d"), "time that passes counts")
			assert.Equal(t, 1000*time.Second, waits(l, "e", 30)[29], "no longer than 1000 s")
			time.Sleep(time.Hour)
			waits(l, "f", 100)
			assert.Equal(t, 100*ms, l.When("g"), "the burst is 100, however long no item came")
		})
}

// Idle workers all wake up for one item.
func BenchmarkAddGetDone(b *testing.B) {
	for _, workers := range []int{1, 16} {
		b.Run(fmt.Sprintf("workers=%d", workers), func(b *testing.B) {
			q, done := New[int](), make(chan struct{})
			for range workers {
				go q.All(b.Context())(func(int) bool { done <- struct{}{}; return true })
			}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				q.Add(i % 1000)
				<-done
			}
			q.ShutDown()
		})
	}
}
