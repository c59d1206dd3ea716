package workqueue

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// A Result says what follows a reconciliation that has succeeded.
type Result struct {
	// RequeueAfter is when the item is added again, even if nothing changes. Zero: it is not.
	RequeueAfter time.Duration
}

// Run works on the items of a queue: it calls reconcile for each, in several workers at a time,
// each item with one of them. It blocks until ctx ends, or until the queue is shut down and empty,
// and then until all calls of reconcile have returned. Items that are queued when ctx ends stay in
// the queue. reconcile is called with ctx itself: it has to set a deadline, or a server that never
// answers keeps its worker.
//
// After an error the item is added again by AddRateLimitedAfter, whatever the error: if the error
// says how long to wait, as a *reflector.StatusError does, the item waits at least so long. Without
// an error the item's failures are forgotten. Run does not log: reconcile knows its errors.
//
// If reconcile panics, the program crashes with the stack of its worker, as with client-go. A
// reconcile that is to survive that recovers, and returns an error.
//
// Run panics if reconcile is nil, and if there is not at least one worker.
func Run[T comparable](
	ctx context.Context, q *RateLimitingQueue[T], workers int,
	reconcile func(ctx context.Context, item T) (Result, error),
) {
	if reconcile == nil {
		panic("workqueue: reconcile is nil")
	}
	if workers < 1 {
		panic(fmt.Sprintf("workqueue: Run with %d workers, want 1 or more", workers))
	}
	var running sync.WaitGroup
	for range workers {
		running.Go(func() {
			for item := range q.All(ctx) {
				result, err := reconcile(ctx, item)
				q.settle(item, result, err)
			}
		})
	}
	running.Wait()
}

// RunAndDrain does what Run does, and when ctx ends, it shuts the queue down and goes on until all
// that is queued has been worked on, for limit at most. Only then the context of reconcile ends:
// the server may have made a write that is cancelled, or not. What fails meanwhile is not tried
// again. The error says that the limit was reached, and what is left.
func RunAndDrain[T comparable](
	ctx context.Context, q *RateLimitingQueue[T], workers int, limit time.Duration,
	reconcile func(ctx context.Context, item T) (Result, error),
) error {
	working, giveUp := context.WithCancelCause(context.WithoutCancel(ctx))
	defer giveUp(nil) // if Run panics
	var draining sync.WaitGroup
	draining.Go(func() { q.drain(ctx, working, limit, giveUp) })
	Run(working, q, workers, reconcile)
	err := context.Cause(working) // nil, unless the limit was reached
	giveUp(nil)
	draining.Wait()
	return err
}

// drain shuts the queue down when ctx ends, and gives up what is left after limit. It returns early
// when working ends: then there is no work any more.
func (q *RateLimitingQueue[T]) drain(
	ctx, working context.Context, limit time.Duration, giveUp context.CancelCauseFunc,
) {
	select {
	case <-ctx.Done():
		q.dropDelayed()
	case <-working.Done():
		return
	}
	select {
	case <-time.After(limit): // even if another goroutine shuts the queue down, too
		if left := q.ShutDownWithDrain(ctx); left != nil {
			giveUp(fmt.Errorf("not drained after %v: %w", limit, left))
		}
	case <-working.Done():
	}
}

// settle decides when an item is worked on again. The worker still has it: if it is added in the
// meantime, it is queued when the worker is done with it.
func (q *RateLimitingQueue[T]) settle(item T, result Result, err error) {
	if err != nil {
		var wait time.Duration
		if suggests, ok := errors.AsType[suggestsDelay](err); ok {
			wait = suggests.SuggestsClientDelay()
		}
		q.AddRateLimitedAfter(item, wait)
		return
	}
	q.Forget(item)
	if result.RequeueAfter > 0 {
		q.AddAfter(item, result.RequeueAfter)
	}
}

// suggestsDelay is an error that says how long to wait before the next attempt. An earlier one
// would be refused again.
type suggestsDelay interface {
	error
	SuggestsClientDelay() time.Duration
}
