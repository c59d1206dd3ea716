package workqueue

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
)

func TestAllCallsDone(t *testing.T) {
	q := New[string]()
	q.Add("a")
	q.Add("b")
	for item := range q.All(t.Context()) {
		assert.Equal(t, "a", item)
		break
	}
	q.check(t)
	assert.Equal(t, 0, q.Stats().Processing, "Done is called if the body leaves the loop")
	assert.PanicsWithValue(t, "bad", func() {
		for range q.All(t.Context()) {
			panic("bad")
		}
	})
	assert.Equal(t, 0, q.Stats().Processing, "Done is called if the body panics")
}

func TestAllEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := New[string]()
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
		q.Add("taken by Get")
		synctest.Wait()
		q.Add("a")
		for range q.All(ctx) {
			t.Error("what is queued stays when the context has ended")
		}
		assert.Equal(t, 1, q.Len())
	})
}

// The Signal for an item may wake a worker whose context has ended. Another worker must then get
// the item.
func TestAnItemIsNotLostWithTheWorkerThatWasWokenForIt(t *testing.T) {
	for seed := range 200 {
		synctest.Test(t, func(t *testing.T) {
			q := New[int]()
			ctx, cancel := context.WithCancel(t.Context())
			got := make(chan int, 1)
			for range 4 {
				go func() {
					for range q.All(ctx) {
						got <- seed
					}
				}()
			}
			go func() {
				if item, down := q.Get(); !down {
					got <- item
				}
			}()
			synctest.Wait()
			go cancel()
			go q.Add(seed)
			synctest.Wait()
			assert.Equal(t, seed, <-got)
			q.ShutDown()
		})
	}
}

// ending is a context that is just being cancelled: Err returns an error already, and Done is not
// closed yet.
type ending struct {
	context.Context
	begun atomic.Bool
}

func (c *ending) Err() error {
	if c.begun.Load() {
		return context.Canceled
	}
	return c.Context.Err()
}

// The same law in a short moment: the worker has seen the error of its context, but the AfterFunc
// that wakes all workers has not been started. The worker ends so quickly that it never is.
func TestAWorkerThatEndsPassesItsWakeUpOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := New[string]()
		ctx := &ending{Context: t.Context()}
		var quick, other sync.WaitGroup
		quick.Go(func() {
			for item := range q.All(ctx) {
				t.Error("a worker whose context has ended gets", item)
			}
		})
		synctest.Wait() // Signal wakes the goroutine that waits longest: this worker
		var got string
		other.Go(func() { got, _ = q.Get() })
		synctest.Wait()
		ctx.begun.Store(true)
		q.Add("web-1")
		quick.Wait()
		synctest.Wait()
		assert.Equal(t, "web-1", got, "the item is with the worker that is left")
		q.ShutDown()
		other.Wait()
	})
}
