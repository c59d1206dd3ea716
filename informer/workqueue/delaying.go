package workqueue

import (
	"container/heap"
	"time"
)

// A DelayingQueue is a [Queue] to which items can be added later. Make one with [NewDelaying].
//
//	AddAfter ──▶ waiting, by time ──(timer)──▶ queue ──▶ Get
//
// There is one timer, set to the time of the item that is due first, and no goroutine.
type DelayingQueue[T comparable] struct {
	Queue[T]

	// The rest is guarded by Queue.mu, too: one lock, so there is no order to keep.

	waiting delays[T]       // a heap, the earliest first
	delayed map[T]*delay[T] // those in waiting, by item
	timer   *time.Timer     // nil until the first AddAfter
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
	q.Queue.init()
	q.delayed = map[T]*delay[T]{}
}

// AddAfter adds an item when d has passed, or at once if d is not positive. Of several delays of
// one item the one that ends first counts. That an item is queued already, or becomes so in the
// meantime, changes nothing: it is added when its time has come. After ShutDown, AddAfter does
// nothing, and what still waits is dropped.
func (q *DelayingQueue[T]) AddAfter(item T, d time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.down {
		return
	}
	q.stats.retries++
	if d <= 0 {
		q.add(item)
		return
	}
	if q.wait(item, time.Now().Add(d)) {
		q.set(d)
	}
}

// wait enters an item, or brings it forward. It reports whether the item has become the first.
func (q *DelayingQueue[T]) wait(item T, due time.Time) (first bool) {
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

// set sets the timer to what is due first.
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
	if q.down { // by the method of the embedded Queue
		return
	}
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

// ShutDown is that of [Queue], and drops what waits for its time.
func (q *DelayingQueue[T]) ShutDown() {
	q.stop()
	q.Queue.ShutDown()
}

// ShutDownWithDrain is that of [Queue], and drops what waits for its time.
func (q *DelayingQueue[T]) ShutDownWithDrain() {
	q.stop()
	q.Queue.ShutDownWithDrain()
}

// stop shuts down and stops the timer. A release that is on its way finds nothing.
func (q *DelayingQueue[T]) stop() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.shutDown()
	q.waiting, q.delayed = nil, nil
	if q.timer != nil {
		q.timer.Stop()
	}
}

// Stats returns the numbers of the queue.
func (q *DelayingQueue[T]) Stats() Stats {
	q.mu.Lock()
	defer q.mu.Unlock()
	s := q.numbers()
	s.Delayed = len(q.waiting)
	return s
}

// delays is a heap.Interface.
type delays[T comparable] []*delay[T]

// Len implements heap.Interface.
func (h delays[T]) Len() int { return len(h) }

// Less implements heap.Interface.
func (h delays[T]) Less(i, j int) bool { return h[i].due.Before(h[j].due) }

// Swap implements heap.Interface.
func (h delays[T]) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].index, h[j].index = i, j
}

// Push implements heap.Interface.
func (h *delays[T]) Push(x any) {
	entry := x.(*delay[T])
	entry.index = len(*h)
	*h = append(*h, entry)
}

// Pop implements heap.Interface.
func (h *delays[T]) Pop() any {
	last := len(*h) - 1
	entry := (*h)[last]
	(*h)[last] = nil // or the array would keep it alive
	*h = (*h)[:last]
	return entry
}
