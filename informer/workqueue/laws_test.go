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
)

const ms = time.Millisecond

// law tries to break a promise in a bubble of its own. A deadlock breaks it, too.
func law(t *testing.T, promise string, try func(t *testing.T, q *Queue[string])) {
	t.Run(promise, func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) { try(t, New[string]()) })
	})
}

func TestWorkers(t *testing.T) {
	t.Run("no item is with two workers, and each is looked at after its last change", func(t *testing.T) {
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
			})
		}
		for range 3 {
			adding.Go(func() {
				for i := range 400 {
					added[i%8].Add(1)
					q.Add(i % 8)
					q.Len()
					q.NumRequeues(i % 8)
					q.Forget(i%8 + 8)
				}
			})
		}
		adding.Wait()
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
			assert.Equal(t, Stats{Adds: 2, Done: 2}, q.Stats())
		})
	law(t, "All ends with its context, and what is queued stays", func(t *testing.T, q *Queue[string]) {
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
		q.Add("for Get")
		synctest.Wait()
		q.Add("a")
		for range q.All(ctx) {
			t.Error("the context has ended")
		}
		assert.Equal(t, 1, q.Len())
	})
	law(t, "an item is not lost with the worker that was woken for it and ends",
		func(t *testing.T, q *Queue[string]) {
			var ends atomic.Bool // and Done is not closed yet
			ending := slow{t.Context(), func() error {
				if ends.Load() {
					return context.Canceled
				}
				return nil
			}}
			go q.All(ending)(nil)
			synctest.Wait() // a Signal wakes the goroutine that waits longest: this worker
			got := make(chan string, 1)
			go func() {
				item, _ := q.Get()
				got <- item
			}()
			synctest.Wait()
			ends.Store(true)
			q.Add("web-1")
			assert.Equal(t, "web-1", <-got)
		})
	law(t, "the end of a context is not missed between looking and waiting",
		func(t *testing.T, q *Queue[string]) {
			ctx, cancel := context.WithCancel(t.Context())
			ending := slow{ctx, func() error {
				err := ctx.Err()
				cancel()
				for range 1000 {
					runtime.Gosched() // the AfterFunc runs, as far as it can
				}
				return err
			}}
			q.Add("web-1")
			assert.ErrorIs(t, q.ShutDownWithDrain(ending), context.Canceled)
		})
	law(t, "ShutDown wakes every worker", func(t *testing.T, q *Queue[string]) {
		var workers sync.WaitGroup
		for range 3 {
			workers.Go(func() { q.Get() })
		}
		synctest.Wait()
		q.ShutDown()
		workers.Wait()
	})
}

// slow is a context in the moment in which it ends.
type slow struct {
	context.Context
	err func() error
}

func (c slow) Err() error { return c.err() }

// The program of the package doc: ten items, and two workers that need a second for each.
func TestAProgramStops(t *testing.T) {
	stop := func(promise string, limit, takes time.Duration, left string) {
		law(t, promise, func(t *testing.T, q *Queue[string]) {
			working, giveUp := context.WithCancel(t.Context())
			var workers sync.WaitGroup
			defer workers.Wait()
			for i := range 10 {
				q.Add(fmt.Sprint(i))
			}
			for range 2 {
				workers.Go(func() {
					for range q.All(working) {
						time.Sleep(time.Second)
					}
				})
			}
			began := time.Now()
			time.AfterFunc(limit, giveUp)
			if err := q.ShutDownWithDrain(working); left != "" || err != nil {
				assert.EqualError(t, err, "workqueue: drain ended with "+left+": context canceled")
			}
			assert.Equal(t, takes, time.Since(began))
		})
	}
	stop("when its workers have finished what is queued", time.Minute, 5*time.Second, "")
	stop("when its workers give up, and says what is left", 3500*ms, 3500*ms,
		"2 items queued and 2 being worked on")
}

func TestAQueueThatWasShutDown(t *testing.T) {
	law(t, "adds nothing when a delay ends, also if the embedded Queue was shut down",
		func(t *testing.T, _ *Queue[string]) {
			q := NewDelaying[string]()
			q.AddAfter("web-1", time.Hour)
			q.Queue.ShutDown()
			time.Sleep(time.Hour)
			synctest.Wait()
			assert.Zero(t, q.Len())
		})
	// A timer that was not stopped would keep the queue until the longest delay is over.
	queue := func() weak.Pointer[DelayingQueue[string]] {
		q := NewDelaying[string]()
		q.AddAfter("web-1", time.Hour)
		q.ShutDown()
		return weak.Make(q)
	}()
	for range 100 {
		if runtime.GC(); queue.Value() == nil {
			return
		}
	}
	t.Error("a queue that was shut down is kept alive")
}

func TestMeasure(t *testing.T) {
	law(t, "times are from Add to Get, and from Get to Done", func(t *testing.T, q *Queue[string]) {
		q.Measure()
		q.Add("a")
		q.Add("b")
		time.Sleep(time.Second)
		a, _ := q.Get()
		time.Sleep(2 * time.Second)
		b, _ := q.Get()
		q.Add(b)
		time.Sleep(4 * time.Second)
		assert.Equal(t, Stats{Processing: 2, Adds: 3, Waited: 4 * time.Second,
			Longest: 6 * time.Second, Pending: 10 * time.Second}, q.Stats())
		q.Done(a)
		q.Done(b)
		time.Sleep(time.Second)
		_, _ = q.Get() // b, which has waited since it was added
		assert.Equal(t, Stats{Processing: 1, Adds: 3, Done: 2, Waited: 9 * time.Second,
			Worked: 10 * time.Second}, q.Stats())
		assert.Empty(t, q.stats.addedAt, "the time of an Add is dropped by the Get")
	})
}

// waits asks a limiter n times.
func waits(l RateLimiter[string], item string, n int) (all []time.Duration) {
	for range n {
		all = append(all, l.When(item))
	}
	return all
}

func TestLimiters(t *testing.T) {
	exponential := func() RateLimiter[string] { return ExponentialFailure[string](ms, 5*ms) }
	for promise, c := range map[string]struct {
		limiter RateLimiter[string]
		want    []time.Duration
	}{
		"exponential: twice as long each time, up to the maximum": {
			exponential(), []time.Duration{ms, 2 * ms, 4 * ms, 5 * ms, 5 * ms}},
		"the longest of several counts, and each counts the failure": {
			MaxOf(ExponentialFailure[string](3*ms, 3*ms), exponential()),
			[]time.Duration{3 * ms, 3 * ms, 4 * ms, 5 * ms}},
		"a wait is never longer than the maximum": {
			WithMaxWait(exponential(), 3*ms), []time.Duration{ms, 2 * ms, 3 * ms, 3 * ms}},
	} {
		t.Run(promise, func(t *testing.T) {
			assert.Equal(t, c.want, waits(c.limiter, "a", len(c.want)))
			assert.Equal(t, len(c.want), c.limiter.NumRequeues("a"), "failures remembered")
			assert.Equal(t, c.want[:1], waits(c.limiter, "b", 1), "each item has its own count")
			c.limiter.Forget("a")
			assert.Zero(t, c.limiter.NumRequeues("a"))
			assert.Equal(t, c.want, waits(c.limiter, "a", len(c.want)), "Forget begins anew")
		})
	}
	t.Run("a wait that no Duration can hold is the longest one, and twice none is none",
		func(t *testing.T) { // a negative wait would retry the item immediately
			const forever = time.Duration(math.MaxInt64)
			assert.Positive(t, slices.Min(waits(ExponentialFailure[string](1, forever), "a", 2000)))
			none := waits(ExponentialFailure[string](0, ms), "a", 2000)
			assert.Equal(t, []time.Duration{0}, slices.Compact(none))
			slow := waits(Bucket[string](1e-10, 1), "a", 2)
			assert.Zero(t, slow[0], "the burst of one item does not wait")
			assert.Greater(t, slow[1], forever-time.Hour)
			assert.Zero(t, slices.Max(waits(Bucket[string](10, math.MaxInt), "a", 1000)))
		})
	t.Run("a bucket that is never filled is refused", func(t *testing.T) {
		for _, perSecond := range []float64{0, -1, math.NaN()} {
			assert.Panics(t, func() { Bucket[string](perSecond, 10) }, "%v items", perSecond)
		}
		assert.Panics(t, func() { Bucket[string](10, -1) }, "a negative burst")
	})
	t.Run("a bucket lets a burst pass, and then so many a second, whichever the item",
		func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := DefaultController[string]()
				assert.Equal(t, []time.Duration{5 * ms, 10 * ms, 20 * ms}, waits(l, "a", 3))
				assert.Equal(t, 3, l.NumRequeues("a"), "the bucket counts no failures")
				waits(l, "b", 97)
				assert.Equal(t, 100*ms, l.When("c"), "the burst of 100 is over: ten a second")
				time.Sleep(50 * ms)
				assert.Equal(t, 150*ms, l.When("d"), "time that passes counts")
				assert.Equal(t, 1000*time.Second, waits(l, "e", 30)[29], "no longer than 1000 s")
				time.Sleep(time.Hour)
				waits(l, "f", 100)
				assert.Equal(t, 100*ms, l.When("g"), "the burst is 100, however long no item came")
			})
		})
}

func BenchmarkAddGetDone(b *testing.B) {
	q := NewRateLimiting(DefaultController[int]())
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		q.Add(i % 1000)
		item, _ := q.Get()
		q.Done(item)
	}
}
