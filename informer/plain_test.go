package informer

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass"
	"example.com/watchglass/deltafifo/realfifo"
	"example.com/watchglass/indexer"
	"example.com/watchglass/informer/contract"
	"example.com/watchglass/informer/mutation"
	"example.com/watchglass/processor"
	"example.com/watchglass/reflector"
)

// bothQueues holds all kinds of queues, by name.
var bothQueues = map[string]QueueKind{"DeltaFIFO": DeltaFIFO, "RealFIFO": RealFIFO}

// onBothQueues runs a law in a bubble for each queue.
func onBothQueues(t *testing.T, law string, f func(t *testing.T, queue QueueKind)) {
	for name, queue := range bothQueues {
		t.Run(law+", "+name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { f(t, queue) })
		})
	}
}

// launch runs a controller until the returned func is called.
func launch(c *Controller) (stop func() error) {
	ctx, cancel := context.WithCancel(context.Background())
	var err error
	var running sync.WaitGroup
	running.Go(func() { err = c.Run(ctx) })
	synctest.Wait()
	return func() error {
		cancel()
		running.Wait()
		return err
	}
}

func TestPlainInformer(t *testing.T) {
	lists := func() *moving {
		return &moving{lists: []still{
			{newThing("web-1", "1"), newThing("web-2", "1")},
			{newThing("web-1", "2"), newThing("web-3", "2")},
		}}
	}
	onBothQueues(t, "the calls are those of a shared informer", func(t *testing.T, queue QueueKind) {
		var mu sync.Mutex // the test reads calls between two of them
		calls := map[string]int{}
		note := func(what string, obj watchglass.Object) {
			mu.Lock()
			defer mu.Unlock()
			calls[what+" "+obj.GetName()]++
		}
		checker := contract.New(processor.ResourceEventHandlerFuncs{
			AddFunc: func(obj watchglass.Object, initial bool) {
				note(fmt.Sprintf("add initial=%t", initial), obj)
			},
			UpdateFunc: func(_, obj watchglass.Object) { note("update", obj) },
			DeleteFunc: func(obj watchglass.Object) { note("delete", obj) },
		}, nil)
		cache, c, err := NewInformer(Options{ListerWatcher: lists(), Queue: queue}, checker)
		require.NoError(t, err)
		assert.False(t, c.HasSynced(), "before Run")
		assert.Empty(t, c.LastSyncResourceVersion(), "before Run")
		stop := launch(c)
		assert.True(t, c.HasSynced())
		mu.Lock()
		assert.Equal(t, 1, calls["add initial=true web-1"], "%v", calls)
		mu.Unlock()
		time.Sleep(time.Minute)
		require.NoError(t, stop())
		assert.Equal(t, map[string]int{"add initial=true web-1": 1, "add initial=true web-2": 1,
			"update web-1": 1, "delete web-2": 1, "add initial=false web-3": 1}, calls)
		assert.ElementsMatch(t, []string{"web-1", "web-3"}, cache.ListKeys())
		assert.Equal(t, "1", c.LastSyncResourceVersion(), "what the lists say")
		assert.NoError(t, checker.Err())
	})
	onBothQueues(t, "synced means that the handler has been called with the first list",
		func(t *testing.T, queue QueueKind) {
			var c *Controller
			calls := 0
			_, c, err := NewInformer(Options{ListerWatcher: lists(), Queue: queue},
				processor.ResourceEventHandlerFuncs{AddFunc: func(watchglass.Object, bool) {
					assert.False(t, isClosed(c.Synced()), "the handler is still called with the list")
					calls++
				}})
			require.NoError(t, err)
			stop := launch(c)
			<-c.Synced()
			assert.Equal(t, 2, calls)
			require.NoError(t, stop())
		})
	onBothQueues(t, "a resync calls the handler for each object, with the same object twice",
		func(t *testing.T, queue QueueKind) {
			resynced := 0
			_, c, err := NewInformer(Options{
				ListerWatcher: still{newThing("web-1", "1"), newThing("web-2", "1")},
				Queue:         queue, ResyncPeriod: time.Minute,
			}, processor.ResourceEventHandlerFuncs{UpdateFunc: func(old, obj watchglass.Object) {
				assert.Same(t, old, obj)
				resynced++
			}})
			require.NoError(t, err)
			stop := launch(c)
			time.Sleep(150 * time.Second)
			require.NoError(t, stop())
			assert.Equal(t, 4, resynced)
		})
	onBothQueues(t, "a handler that panics makes Run panic", func(t *testing.T, queue QueueKind) {
		_, c, err := NewInformer(Options{ListerWatcher: lists(), Queue: queue},
			processor.ResourceEventHandlerFuncs{
				AddFunc: func(watchglass.Object, bool) { panic("boom") },
			})
		require.NoError(t, err)
		assert.PanicsWithValue(t, "boom", func() { _ = c.Run(t.Context()) })
		synctest.Wait()
		assert.False(t, c.HasSynced(), "a panic must not count as a sync")
	})
	onBothQueues(t, "an informer without a handler keeps a cache and reports what an index refuses",
		func(t *testing.T, queue QueueKind) {
			var failed []error
			cache, c, err := NewInformer(Options{
				ListerWatcher: still{newThing("web-1", "bad"), newThing("web-2", "1")}, Queue: queue,
				Indexers:       indexer.Indexers{"picky": refuseBad},
				OnProcessError: func(err error) { failed = append(failed, err) },
			}, nil)
			require.NoError(t, err)
			stop := launch(c)
			require.NoError(t, stop())
			assert.ElementsMatch(t, []string{"web-1", "web-2"}, cache.ListKeys())
			require.Len(t, failed, 1)
			assert.ErrorContains(t, failed[0], "not this one")
		})
	onBothQueues(t, "a controller runs once", func(t *testing.T, queue QueueKind) {
		_, c, err := NewInformer(Options{ListerWatcher: lists(), Queue: queue}, nil)
		require.NoError(t, err)
		require.NoError(t, launch(c)())
		assert.ErrorIs(t, c.Run(t.Context()), ErrStarted)
	})
}

func TestBadPlainInformers(t *testing.T) {
	t.Run("a plain informer is refused with what only a processor needs", func(t *testing.T) {
		for what, o := range map[string]Options{
			"ListerWatcher": {},
			"Reflector.Store": {ListerWatcher: still{},
				Reflector: reflector.Options{Store: realfifo.New(realfifo.Options{})}},
			"OnPanic": {ListerWatcher: still{},
				OnPanic: func(string, processor.Notification, any) {}},
			"MutationDetector": {ListerWatcher: still{}, MutationDetector: &mutation.Detector{}},
			"Trace.Processor":  {ListerWatcher: still{}, Trace: Trace{Processor: &processor.Trace{}}},
		} {
			_, _, err := NewInformer(o, nil)
			assert.ErrorContains(t, err, what)
		}
	})
}
