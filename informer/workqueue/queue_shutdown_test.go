package workqueue

import (
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
)

func TestShutDownHandsOutWhatIsQueued(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := New[string]()
		q.Add("a")
		q.Add("b")
		a := get(t, q)
		q.Add("a")
		q.ShutDown()
		assert.True(t, q.ShuttingDown())
		q.Add("c")
		q.Done(a)
		q.check(t)
		assert.Equal(t, "b", get(t, q), "what was queued is still handed out")
		assert.Equal(t, "a", get(t, q), "what was added while a worker had it is looked at again")
		for range 3 { // however many workers call Get
			_, down := q.Get()
			assert.True(t, down, "a queue that is shut down and empty says so")
		}
	})
}

func TestShutDownWakesEveryWorker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := New[string]()
		var workers sync.WaitGroup
		for range 3 {
			workers.Go(func() {
				_, down := q.Get()
				assert.True(t, down)
			})
			workers.Go(func() {
				for range q.All(t.Context()) {
					t.Error("there is nothing to work on")
				}
			})
		}
		synctest.Wait()
		q.ShutDown()
		workers.Wait() // or the bubble reports a deadlock
	})
}

func TestADrainWaitsForWhatIsQueuedAndForTheWorkers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := New[string]()
		q.Add("a")
		q.Add("b")
		a := get(t, q)
		drained := 0
		var mu sync.Mutex
		for range 3 {
			go func() {
				q.ShutDownWithDrain()
				mu.Lock()
				defer mu.Unlock()
				drained++
			}()
		}
		synctest.Wait()
		q.Done(a)
		synctest.Wait()
		assert.Zero(t, drained, "an item is still queued")
		b := get(t, q)
		synctest.Wait()
		assert.Zero(t, drained, "a worker still has an item")
		q.Add(b)
		q.Done(b)
		synctest.Wait()
		assert.Equal(t, 3, drained, "every goroutine that waits for the drain is woken")
	})
}

// The worker may have read a state from before the Add, so the item is looked at once more.
func TestADrainWaitsForWhatWasAddedWhileAWorkerHadIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := New[string]()
		q.Add("a")
		a := get(t, q)
		q.Add(a)
		drained := make(chan struct{})
		go func() {
			q.ShutDownWithDrain()
			close(drained)
		}()
		for range 2 {
			synctest.Wait()
			select {
			case <-drained:
				t.Fatal("the drain has returned although a worker has an item")
			default:
			}
			q.Done(a)
			if q.Len() > 0 {
				assert.Equal(t, a, get(t, q), "what was dirty is queued again, and drained")
			}
		}
		<-drained
	})
}

func TestADrainOfAnIdleQueueReturnsAtOnce(t *testing.T) {
	q := New[string]()
	q.ShutDownWithDrain()
	assert.True(t, q.ShuttingDown())
}

func TestShutDownReleasesADrain(t *testing.T) {
	for _, first := range []string{"drain", "shut down"} {
		synctest.Test(t, func(t *testing.T) {
			q := New[string]()
			q.Add("a")
			if first == "shut down" {
				q.ShutDown()
			}
			released := false
			go func() {
				q.ShutDownWithDrain()
				released = true
			}()
			synctest.Wait()
			assert.Equal(t, first == "shut down", released, first)
			q.ShutDown()
			synctest.Wait()
			assert.True(t, released, "%s first: ShutDown ends a drain that has no workers", first)
		})
	}
}
