package workqueue

import (
	"context"
	"fmt"
	"iter"
	"sync"
)

// A Queue hands out items in the order in which they were added, each to one worker at a time.
// Make one with [New]. It is safe for use by many goroutines.
type Queue[T comparable] struct {
	mu    sync.Mutex
	added sync.Cond // an item was queued, or the queue is shutting down
	idle  sync.Cond // nothing is being worked on

	// All below is guarded by mu.

	// items are those that are queued or being worked on. An item is in order if and only if it is
	// dirty and not processing; an item that is neither is not in the map.
	items      map[T]state
	order      ring[T]
	processing int  // how many items are being worked on
	down       bool // one of the shutdowns was called: Add does nothing
	stats      stats[T]
}

// A state is what a [Queue] knows of an item.
type state uint8

const (
	dirty      state = 1 << iota // a worker has to look at it
	processing                   // a worker is looking at it
)

// New returns an empty queue.
func New[T comparable]() *Queue[T] {
	q := &Queue[T]{}
	q.init()
	return q
}

func (q *Queue[T]) init() {
	q.items = map[T]state{}
	q.added.L, q.idle.L = &q.mu, &q.mu
}

// Add queues an item, unless it is queued already. An item that is being worked on is queued when
// the worker calls Done. After ShutDown, Add does nothing.
func (q *Queue[T]) Add(item T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.down {
		q.add(item)
	}
}

// add is Add with the lock held.
func (q *Queue[T]) add(item T) {
	was := q.items[item]
	if was&dirty != 0 {
		return
	}
	q.items[item] = was | dirty
	q.stats.added(item)
	if was&processing == 0 {
		q.push(item)
	}
}

func (q *Queue[T]) push(item T) {
	q.order.push(item)
	q.added.Signal()
}

// Get waits for an item and hands it to the caller, which must call Done when it has finished with
// the item. If down is true, there is no item and never will be: the queue is shut down and empty.
func (q *Queue[T]) Get() (item T, down bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.order.len() == 0 && !q.down {
		q.added.Wait()
	}
	return q.take()
}

// take is Get without waiting.
func (q *Queue[T]) take() (item T, none bool) {
	if q.order.len() == 0 {
		return item, true
	}
	item = q.order.pop()
	q.items[item] = processing
	q.processing++
	q.stats.started(item)
	return item, false
}

// Done says that a worker has finished with an item that it got. If the item was added in the
// meantime, it is queued again, even while the queue shuts down: the worker may have seen a state
// that was already old. For an item that no worker has it does nothing.
func (q *Queue[T]) Done(item T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	was := q.items[item]
	if was&processing == 0 {
		return
	}
	q.processing--
	q.stats.finished(item)
	if was&dirty != 0 {
		q.items[item] = dirty
		q.push(item)
		return
	}
	delete(q.items, item)
	if q.processing == 0 {
		q.idle.Broadcast() // to all: several goroutines may drain the queue
	}
}

// All returns a worker's items, for range. Each step waits for an item. All calls Done for the item
// when the loop body has finished with it, even if the body leaves the loop or panics. The loop
// ends when the queue is shut down and empty, or when ctx ends; queued items then stay in the
// queue. So the end of ctx means that the worker gives up; to finish what is queued, shut down.
func (q *Queue[T]) All(ctx context.Context) iter.Seq[T] {
	return func(yield func(T) bool) {
		stop := q.wakeAtEnd(ctx, &q.added)
		defer stop()
		for {
			item, none := q.getUntil(ctx)
			if none || !q.work(item, yield) {
				return
			}
		}
	}
}

// wakeAtEnd wakes all goroutines that wait for cond when ctx ends, unless stop is called before.
func (q *Queue[T]) wakeAtEnd(ctx context.Context, cond *sync.Cond) (stop func() bool) {
	return context.AfterFunc(ctx, func() {
		q.mu.Lock() // otherwise a goroutine between its check of ctx and its Wait would miss this
		defer q.mu.Unlock()
		cond.Broadcast()
	})
}

// getUntil is Get that ends with ctx.
func (q *Queue[T]) getUntil(ctx context.Context) (item T, none bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.order.len() == 0 && !q.down && ctx.Err() == nil {
		q.added.Wait()
	}
	if ctx.Err() != nil {
		// An item's Signal may have woken this worker, so it passes the Signal on. The Broadcast of
		// All would wake the others too, but a quick worker stops the AfterFunc before it runs.
		q.added.Signal()
		return item, true
	}
	return q.take()
}

func (q *Queue[T]) work(item T, yield func(T) bool) bool {
	defer q.Done(item)
	return yield(item)
}

// Len returns how many items are queued. It counts neither those being worked on nor delayed ones.
func (q *Queue[T]) Len() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.order.len()
}

// ShutDown makes the queue ignore all further items. Queued items are still handed out; then Get
// and All end. ShutDown does not wait.
func (q *Queue[T]) ShutDown() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.shutDown()
}

func (q *Queue[T]) shutDown() {
	q.down = true
	q.added.Broadcast()
}

// ShutDownWithDrain makes the queue ignore all further items, and waits until every item that is
// queued or being worked on is done, or until ctx ends. Then the error wraps ctx's cause and says
// what is left. Give it the context of the workers: when these leave before the queue is
// empty, it stays as it is. The package doc shows how a program stops.
func (q *Queue[T]) ShutDownWithDrain(ctx context.Context) error {
	stop := q.wakeAtEnd(ctx, &q.idle)
	defer stop()
	q.mu.Lock()
	defer q.mu.Unlock()
	q.shutDown()
	for q.processing > 0 || q.order.len() > 0 {
		if ctx.Err() != nil {
			return fmt.Errorf("workqueue: drain ended with %d items queued and %d being worked on: %w",
				q.order.len(), q.processing, context.Cause(ctx))
		}
		q.idle.Wait()
	}
	return nil
}

// ShuttingDown reports whether ShutDown or ShutDownWithDrain has been called.
func (q *Queue[T]) ShuttingDown() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.down
}
