package workqueue

import (
	"fmt"
	"math"
	"sync"
	"time"
)

// A RateLimiter says how long an item has to wait before it is tried again. All limiters of this
// package are safe for use by many goroutines.
type RateLimiter[T comparable] interface {
	// When returns how long the item has to wait, and counts one more failure of the item.
	When(item T) time.Duration
	// Forget forgets the failures of an item.
	Forget(item T)
	// NumRequeues returns how many failures of an item are remembered.
	NumRequeues(item T) int
}

// DefaultController returns the limiter of most controllers: each item waits 5 ms after its first
// failure and twice as long after each further one, up to 1000 s, and all items together are
// retried 10 times a second, after a first burst of 100.
func DefaultController[T comparable]() RateLimiter[T] {
	return MaxOf(
		ExponentialFailure[T](5*time.Millisecond, 1000*time.Second),
		Bucket[T](10, 100),
	)
}

// failures counts the failures of each item.
type failures[T comparable] struct {
	mu     sync.Mutex
	counts map[T]int // guarded by mu
}

// more counts one more failure of an item and returns how many there were before.
func (f *failures[T]) more(item T) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.counts == nil {
		f.counts = map[T]int{}
	}
	n := f.counts[item]
	f.counts[item] = n + 1
	return n
}

func (f *failures[T]) Forget(item T) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.counts, item)
}

func (f *failures[T]) NumRequeues(item T) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.counts[item]
}

// ExponentialFailure makes an item wait for base after its first failure and for twice as long
// after each further one, but never longer than most.
func ExponentialFailure[T comparable](base, most time.Duration) RateLimiter[T] {
	return &exponential[T]{base: base, most: most}
}

type exponential[T comparable] struct {
	failures[T]
	base, most time.Duration
}

func (l *exponential[T]) When(item T) time.Duration {
	// The product is a float64, which does not overflow where a Duration would. The exponent has a
	// limit because math.Pow must not return infinity: zero times infinity is not a number.
	return min(l.most, duration(float64(l.base)*math.Pow(2, float64(min(l.more(item), 1000)))))
}

// duration returns the longest Duration for more nanoseconds than a Duration can hold. A plain
// conversion of such a number could give a negative one.
func duration(nanoseconds float64) time.Duration {
	if nanoseconds >= math.MaxInt64 {
		return math.MaxInt64
	}
	return time.Duration(nanoseconds)
}

// Bucket limits all items together: perSecond items a second, after a first burst of items that do
// not wait. It does not distinguish items: Forget does nothing, NumRequeues is always 0, and an
// item that is added twice takes two turns, although the queue merges the two. Bucket panics if
// burst is negative, and if perSecond is not more than 0, because the first item would wait
// forever.
func Bucket[T comparable](perSecond float64, burst int) RateLimiter[T] {
	if !(perSecond > 0) { // true for NaN, too
		panic(fmt.Sprintf("workqueue: Bucket of %v items per second, want more than 0", perSecond))
	}
	if burst < 0 {
		panic(fmt.Sprintf("workqueue: Bucket with a burst of %d items, want 0 or more", burst))
	}
	interval := duration(float64(time.Second) / perSecond)
	return &bucket[T]{interval: interval, burst: duration(float64(burst) * float64(interval))}
}

// A bucket gives each item a turn, an interval after the turn of the item before. A turn may lie as
// much as burst in the past; an item with such a turn does not wait.
type bucket[T comparable] struct {
	interval, burst time.Duration

	mu   sync.Mutex
	turn time.Time // of the last item; guarded by mu
}

func (l *bucket[T]) When(T) time.Duration {
	now := time.Now()
	l.mu.Lock()
	defer l.mu.Unlock()
	if full := now.Add(-l.burst); l.turn.Before(full) {
		l.turn = full
	}
	l.turn = l.turn.Add(l.interval)
	return max(0, l.turn.Sub(now))
}

func (l *bucket[T]) Forget(T)          {}
func (l *bucket[T]) NumRequeues(T) int { return 0 }

// MaxOf returns a limiter that asks each of the given limiters and takes the longest wait. Each of
// them counts the failure, and NumRequeues is the highest of their counts.
func MaxOf[T comparable](limiters ...RateLimiter[T]) RateLimiter[T] { return maxOf[T](limiters) }

type maxOf[T comparable] []RateLimiter[T]

func (all maxOf[T]) When(item T) (longest time.Duration) {
	for _, l := range all {
		longest = max(longest, l.When(item))
	}
	return longest
}

func (all maxOf[T]) Forget(item T) {
	for _, l := range all {
		l.Forget(item)
	}
}

func (all maxOf[T]) NumRequeues(item T) (most int) {
	for _, l := range all {
		most = max(most, l.NumRequeues(item))
	}
	return most
}

// WithMaxWait returns a limiter whose waits are those of l, but never longer than most.
func WithMaxWait[T comparable](l RateLimiter[T], most time.Duration) RateLimiter[T] {
	return withMaxWait[T]{l, most}
}

type withMaxWait[T comparable] struct {
	RateLimiter[T]
	most time.Duration
}

func (l withMaxWait[T]) When(item T) time.Duration { return min(l.most, l.RateLimiter.When(item)) }
