package workqueue

import (
	"container/heap"
	"context"
	"time"
)

// A DelayingQueue is a [Queue] to which items can be added later. Make one with [NewDelaying].
//
//	AddAfter ──▶ waiting, by time ──(timer)──▶ queue ──▶ Get
//
// There is one timer, set to the time of the item that is due first, and no goroutine.
type DelayingQueue[T comparable] struct {
	Queue[T]

	// The fields below are guarded by Queue.mu, too. With one lock there is no lock order to keep.

	waiting delays[T]       // a heap, the earliest first
	delayed map[T]*delay[T] // those in waiting, by item
	timer   *time.Timer     // nil until the first AddAfter
	retries int             // how many calls of AddAfter there were
}

// A delay is an item that waits for its time.
type delay[T comparable] struct {
	item  T
	due   time.Time
	index int // in the heap
}

// NewDelaying returns an empty queue.
func NewDelaying[T comparable]() *DelayingQueue[T] {
	q := &DelayingQueue[T]{}
	q.init()
	return q
}

func (q *DelayingQueue[T]) init() {
	q.items, q.delayed = map[T]state{}, map[T]*delay[T]{}
}

// AddAfter adds an item when d has passed, or immediately if d is zero or negative. If an item has
// several delays, the one that ends first counts. An item that is queued already, or is queued in
// the meantime, is still added at the end of its delay. After ShutDown, AddAfter does nothing, and
// items whose delay has not ended are dropped.
func (q *DelayingQueue[T]) AddAfter(item T, d time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.down {
		return
	}
	q.retries++
	if d <= 0 {
		q.add(item)
		return
	}
	if q.schedule(item, time.Now().Add(d)) {
		q.set(d)
	}
}

// schedule inserts an item into the heap, or moves it forward if due is earlier than its old time.
// It reports whether the item has become the first, so that the timer must be set.
func (q *DelayingQueue[T]) schedule(item T, due time.Time) (first bool) {
	entry, known := q.delayed[item]
	switch {
	case !known:
		entry = &delay[T]{item: item, due: due}
		q.delayed[item] = entry
		heap.Push(&q.waiting, entry)
	case due.Before(entry.due):
		entry.due = due
		heap.Fix(&q.waiting, entry.index)
	default:
		return false
	}
	return entry.index == 0
}

// set makes the timer fire after d, when the first item is due.
func (q *DelayingQueue[T]) set(d time.Duration) {
	if q.timer == nil {
		q.timer = time.AfterFunc(d, q.release)
		return
	}
	q.timer.Reset(d)
}

// release adds all items whose time has come.
func (q *DelayingQueue[T]) release() {
	q.mu.Lock()
	defer q.mu.Unlock()
	now := time.Now()
	for len(q.waiting) > 0 && !q.waiting[0].due.After(now) {
		entry := heap.Pop(&q.waiting).(*delay[T])
		delete(q.delayed, entry.item)
		q.add(entry.item)
	}
	if len(q.waiting) > 0 {
		q.set(q.waiting[0].due.Sub(now))
	}
}

// ShutDown does what [Queue.ShutDown] does, and drops all delayed items.
func (q *DelayingQueue[T]) ShutDown() {
	q.dropDelayed()
	q.Queue.ShutDown()
}

// dropDelayed makes AddAfter do nothing, too: no item is delayed from here on.
func (q *DelayingQueue[T]) dropDelayed() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.close()
	q.waiting, q.delayed = nil, nil
	if q.timer != nil {
		q.timer.Stop() // it would keep the queue in memory until the longest delay is over
	}
}

// ShutDownWithDrain does what [Queue.ShutDownWithDrain] does, and drops all delayed items.
func (q *DelayingQueue[T]) ShutDownWithDrain(ctx context.Context) error {
	q.dropDelayed()
	return q.Queue.ShutDownWithDrain(ctx)
}

// delays is a heap.Interface.
type delays[T comparable] []*delay[T]

func (h delays[T]) Len() int           { return len(h) }
func (h delays[T]) Less(i, j int) bool { return h[i].due.Before(h[j].due) }

func (h delays[T]) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].index, h[j].index = i, j
}

func (h *delays[T]) Push(x any) {
	entry := x.(*delay[T])
	entry.index = len(*h)
	*h = append(*h, entry)
}

func (h *delays[T]) Pop() any {
	last := len(*h) - 1
	entry := (*h)[last]
	(*h)[last] = nil // or the array would keep it alive
	*h = (*h)[:last]
	return entry
}

// A RateLimitingQueue is a [DelayingQueue] that asks a [RateLimiter] how long an item has to wait.
// Make one with [NewRateLimiting].
type RateLimitingQueue[T comparable] struct {
	DelayingQueue[T]
	limiter RateLimiter[T]
}

// NewRateLimiting returns an empty queue. [DefaultController] is what controllers usually use. It
// panics if limiter is nil.
func NewRateLimiting[T comparable](limiter RateLimiter[T]) *RateLimitingQueue[T] {
	if limiter == nil {
		panic("workqueue: the limiter is nil")
	}
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
