package workqueue

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"sync"
)

// ErrShutDown ends a ShutDownWithDrain during which ShutDown was called.
var ErrShutDown = errors.New("ShutDown was called")

// A Queue hands out items in the order in which they were added, each to one worker at a time.
// Make one with [New]. It is safe for use by many goroutines.
type Queue[T comparable] struct {
	mu sync.Mutex // guards all below

	// changed is closed at the next change that a goroutine can wait for: an item is queued, the
	// queue is shut down, or nothing is being worked on. Nil: no goroutine waits.
	changed chan struct{}

	// items are those that are queued or being worked on. An item is in order if and only if it is
	// dirty and not processing; an item that is neither is not in the map.
	items      map[T]state
	order      []T
	processing int  // how many items are being worked on
	down       bool // one of the shutdowns was called: Add does nothing
	shutDowns  int  // calls of ShutDown: each ends the drains that wait
	adds       int  // how many items became dirty
}

// A state is what a [Queue] knows of an item.
type state uint8

const (
	dirty      state = 1 << iota // a worker has to look at it
	processing                   // a worker is looking at it
)

// New returns an empty queue.
func New[T comparable]() *Queue[T] { return &Queue[T]{items: map[T]state{}} }

// Add queues an item, unless it is queued already. An item that is being worked on is queued when
// the worker calls Done. After ShutDown, Add does nothing.
func (q *Queue[T]) Add(item T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.add(item)
}

// add does what Add does, with the lock held.
func (q *Queue[T]) add(item T) {
	was := q.items[item]
	if q.down || was&dirty != 0 {
		return
	}
	q.items[item] = was | dirty
	q.adds++
	if was&processing == 0 {
		q.push(item)
	}
}

func (q *Queue[T]) push(item T) {
	q.order = append(q.order, item)
	q.wake()
}

// pop takes the first item and clears its slot, because otherwise the array would keep it alive. An
// empty queue gives its array back, which a burst may have made large.
func (q *Queue[T]) pop() T {
	item := q.order[0]
	clear(q.order[:1])
	if q.order = q.order[1:]; len(q.order) == 0 {
		q.order = nil
	}
	return item
}

// wait waits for the next change, or for the end of ctx. It is called with the lock held, and
// releases it meanwhile.
func (q *Queue[T]) wait(ctx context.Context) {
	if q.changed == nil {
		q.changed = make(chan struct{})
	}
	changed := q.changed
	q.mu.Unlock()
	defer q.mu.Lock()
	select {
	case <-changed:
	case <-ctx.Done():
	}
}

// wake wakes all goroutines that wait. It is called with the lock held. For one item, one worker
// would do. But if its context has just ended, that worker leaves, and the others would not know.
func (q *Queue[T]) wake() {
	if q.changed != nil {
		close(q.changed)
		q.changed = nil
	}
}

// Get waits for an item and hands it to the caller, which must call Done when it has finished with
// the item. If down is true, there is no item and never will be: the queue is shut down and empty.
func (q *Queue[T]) Get() (item T, down bool) { return q.get(context.Background()) }

// get does what Get does, and ends with ctx, too.
func (q *Queue[T]) get(ctx context.Context) (item T, none bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.order) == 0 && !q.down && ctx.Err() == nil {
		q.wait(ctx)
	}
	if len(q.order) == 0 || ctx.Err() != nil {
		return item, true
	}
	item = q.pop()
	q.items[item] = processing
	q.processing++
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
	if was&dirty != 0 {
		q.items[item] = dirty
		q.push(item)
		return
	}
	delete(q.items, item)
	if q.processing == 0 {
		q.wake()
	}
}

// All returns a worker's items, for range. Each step waits for an item. All calls Done for the item
// when the loop body has finished with it, even if the body leaves the loop or panics. The loop
// ends when the queue is shut down and empty, or when ctx ends; queued items then stay in the
// queue. So the end of ctx means that the worker gives up; to finish what is queued, shut down.
func (q *Queue[T]) All(ctx context.Context) iter.Seq[T] {
	return func(yield func(T) bool) {
		for {
			item, none := q.get(ctx)
			if none || !q.work(item, yield) {
				return
			}
		}
	}
}

func (q *Queue[T]) work(item T, yield func(T) bool) bool {
	defer q.Done(item)
	return yield(item)
}

// Len returns how many items are queued. It counts neither those being worked on nor delayed ones.
func (q *Queue[T]) Len() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.order)
}

// ShutDown makes the queue ignore all further items. Queued items are still handed out; then Get
// and All end. ShutDown does not wait, and it ends every ShutDownWithDrain that does.
func (q *Queue[T]) ShutDown() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.shutDowns++
	q.close()
}

// close makes Add do nothing. It is called with the lock held.
func (q *Queue[T]) close() {
	q.down = true
	q.wake()
}

// ShutDownWithDrain makes the queue ignore all further items, and waits until every item that is
// queued or being worked on is done, or until ctx ends or ShutDown is called. Then the error says
// what is left, and wraps ctx's cause or [ErrShutDown]. Give it the context of the workers: when
// these leave before the queue is empty, it stays as it is. The package doc shows how a program
// stops.
func (q *Queue[T]) ShutDownWithDrain(ctx context.Context) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.close()
	before := q.shutDowns
	for q.processing > 0 || len(q.order) > 0 {
		cause := context.Cause(ctx)
		if q.shutDowns > before {
			cause = ErrShutDown
		}
		if cause != nil {
			return fmt.Errorf("workqueue: drain ended with %d items queued and %d being worked on: %w",
				len(q.order), q.processing, cause)
		}
		q.wait(ctx)
	}
	return nil
}

// ShuttingDown reports whether ShutDown or ShutDownWithDrain has been called.
func (q *Queue[T]) ShuttingDown() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.down
}
