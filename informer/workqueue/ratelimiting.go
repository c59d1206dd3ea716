package workqueue

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

// AddRateLimited adds an item when the limiter says so. It counts as a failure of the item: the
// next time is later.
func (q *RateLimitingQueue[T]) AddRateLimited(item T) { q.AddAfter(item, q.limiter.When(item)) }

// Forget forgets the failures of an item: its next delay is the first one again. Call it when an
// item has succeeded, or is given up. It does not take back a delay that has begun.
func (q *RateLimitingQueue[T]) Forget(item T) { q.limiter.Forget(item) }

// NumRequeues is how many failures of an item the limiter remembers.
func (q *RateLimitingQueue[T]) NumRequeues(item T) int { return q.limiter.NumRequeues(item) }
