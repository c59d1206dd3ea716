package workqueue

import "time"

// A RateLimitingQueue is a [DelayingQueue] that asks a [RateLimiter] how long an item has to wait.
// Make one with [NewRateLimiting].
type RateLimitingQueue[T comparable] struct {
	DelayingQueue[T]
	limiter RateLimiter[T]
}

// NewRateLimiting returns an empty queue. [DefaultController] is what controllers usually use.
func NewRateLimiting[T comparable](limiter RateLimiter[T]) *RateLimitingQueue[T] {
	q := &RateLimitingQueue[T]{limiter: limiter}
	q.init()
	return q
}

// AddRateLimited adds an item after the delay that the limiter returns. The limiter counts this as
// a failure of the item, so the next delay is usually longer.
func (q *RateLimitingQueue[T]) AddRateLimited(item T) { q.AddAfter(item, q.limiter.When(item)) }

// AddRateLimitedAfter does what AddRateLimited does, and does not add the item before d has passed.
// It is for a failure whose error says how long to wait, as a server does by Retry-After: an
// earlier attempt would be refused again.
func (q *RateLimitingQueue[T]) AddRateLimitedAfter(item T, d time.Duration) {
	q.AddAfter(item, max(d, q.limiter.When(item)))
}

// Forget forgets the failures of an item: its next delay is the first one again. Call it when an
// item has succeeded, or when the worker gives it up. It does not cancel a delay that has begun.
func (q *RateLimitingQueue[T]) Forget(item T) { q.limiter.Forget(item) }

// NumRequeues returns how many failures of an item the limiter remembers.
func (q *RateLimitingQueue[T]) NumRequeues(item T) int { return q.limiter.NumRequeues(item) }
