package workqueue

import (
	"math"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
)

// waits asks a limiter n times.
func waits(l RateLimiter[string], item string, n int) (all []time.Duration) {
	for range n {
		all = append(all, l.When(item))
	}
	return all
}

const ms = time.Millisecond

func TestLimiters(t *testing.T) {
	for law, tt := range map[string]struct {
		limiter  RateLimiter[string]
		want     []time.Duration
		requeues int
	}{
		"exponential: twice as long each time, up to the maximum": {
			ExponentialFailure[string](ms, 5*ms),
			[]time.Duration{ms, 2 * ms, 4 * ms, 5 * ms, 5 * ms}, 5},
		"fast and slow: slow after n failures": {
			FastSlow[string](ms, time.Second, 2),
			[]time.Duration{ms, ms, time.Second, time.Second}, 4},
		"the longest of several counts, and each counts the failure": {
			MaxOf(FastSlow[string](3*ms, ms, 2), ExponentialFailure[string](ms, time.Hour)),
			[]time.Duration{3 * ms, 3 * ms, 4 * ms, 8 * ms}, 4},
		"a wait is never longer than the maximum": {
			WithMaxWait(ExponentialFailure[string](ms, time.Hour), 3*ms),
			[]time.Duration{ms, 2 * ms, 3 * ms, 3 * ms}, 4},
	} {
		t.Run(law, func(t *testing.T) {
			assert.Equal(t, tt.want, waits(tt.limiter, "a", len(tt.want)))
			assert.Equal(t, tt.requeues, tt.limiter.NumRequeues("a"), "failures remembered")
			assert.Equal(t, tt.want[:1], waits(tt.limiter, "b", 1), "each item has its own count")
			tt.limiter.Forget("a")
			assert.Zero(t, tt.limiter.NumRequeues("a"))
			assert.Equal(t, tt.want, waits(tt.limiter, "a", len(tt.want)), "Forget begins anew")
			tt.limiter.Forget("never seen")
		})
	}
}

func TestExponentialFailureDoesNotOverflow(t *testing.T) {
	l := ExponentialFailure[string](time.Second, 1000*time.Second)
	for i, wait := range waits(l, "a", 2000) {
		assert.Positive(t, wait, "after %d failures", i)
		assert.LessOrEqual(t, wait, 1000*time.Second)
	}
}

// A wait that overflowed would be negative, and the item would be retried immediately.
func TestWaitsThatNoDurationCanHold(t *testing.T) {
	const forever = time.Duration(math.MaxInt64)
	for i, wait := range waits(ExponentialFailure[string](1, forever), "a", 100) {
		assert.Positive(t, wait, "without a longest wait, after %d failures", i)
	}
	never := waits(ExponentialFailure[string](0, ms), "a", 2000)
	assert.Zero(t, slices.Min(never), "twice no wait is no wait, however often")
	assert.Zero(t, slices.Max(never), "twice no wait is no wait, however often")
	slow := waits(Bucket[string](1e-10, 1), "a", 2)
	assert.Zero(t, slow[0], "the burst of one item does not wait")
	assert.Greater(t, slow[1], forever-time.Hour, "the next item waits for as long as is possible")
	assert.Zero(t, slices.Max(waits(Bucket[string](10, math.MaxInt), "a", 1000)),
		"no item of a burst waits, however large the burst")
}

func TestBucket(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := Bucket[string](10, 3)
		assert.Equal(t, []time.Duration{0, 0, 0, 100 * ms, 200 * ms}, waits(l, "a", 5),
			"a burst of three, then ten a second, whichever the item")
		time.Sleep(50 * ms)
		assert.Equal(t, []time.Duration{250 * ms}, waits(l, "b", 1), "time that passes counts")
		time.Sleep(time.Hour)
		assert.Equal(t, []time.Duration{0, 0, 0, 100 * ms}, waits(l, "a", 4),
			"the burst is three, however long no item came")
		assert.Zero(t, l.NumRequeues("a"), "it does not distinguish items")
		l.Forget("a")
		assert.Equal(t, []time.Duration{200 * ms}, waits(l, "a", 1))
	})
}

func TestABucketThatIsNeverFilledIsRefused(t *testing.T) {
	for _, perSecond := range []float64{0, -1, math.NaN()} {
		assert.Panics(t, func() { Bucket[string](perSecond, 10) }, "%v items per second", perSecond)
	}
	assert.Panics(t, func() { Bucket[string](10, -1) }, "a negative burst")
	assert.Zero(t, Bucket[string](math.Inf(1), 0).When("a"), "with an infinite rate no item waits")
}

func TestDefaultController(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := DefaultController[string]()
		assert.Equal(t, []time.Duration{5 * ms, 10 * ms, 20 * ms}, waits(l, "a", 3))
		for range 97 {
			l.When("b")
		}
		assert.Equal(t, 100*ms, l.When("c"), "the burst of 100 is over: ten a second")
		assert.Equal(t, 1000*time.Second, waits(l, "d", 30)[29], "no longer than 1000 s")
	})
}

func TestLimitersAreSafeForManyGoroutines(t *testing.T) {
	l := MaxOf(DefaultController[string](), FastSlow[string](ms, ms, 1))
	var running sync.WaitGroup
	for range 8 {
		running.Go(func() {
			for range 100 {
				l.When("a")
				l.NumRequeues("a")
				l.Forget("b")
			}
		})
	}
	running.Wait()
	assert.Equal(t, 800, l.NumRequeues("a"))
}

func BenchmarkAddRateLimitedForget(b *testing.B) {
	q := NewRateLimiting(DefaultController[int]())
	defer q.ShutDown()
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		q.AddRateLimited(i % 100_000)
		q.Forget(i % 100_000)
	}
}

func BenchmarkAddAfter(b *testing.B) {
	q := NewDelaying[int]()
	defer q.ShutDown()
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		q.AddAfter(i%100_000, time.Hour+time.Duration(i*7919%100_000)*ms)
	}
}
