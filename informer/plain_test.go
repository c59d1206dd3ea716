package informer

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass"
	"example.com/watchglass/indexer"
	"example.com/watchglass/informer/mutation"
	"example.com/watchglass/processor"
)

func TestPlainInformer(t *testing.T) {
	onBothQueues(t, "the calls are those of a shared informer", func(t *testing.T, queue QueueKind) {
		var c *Controller
		var calls []string
		note := func(call processor.Notification) {
			calls = append(calls, call.String())
			assert.Equal(t, len(calls) > 2, isClosed(c.Synced()),
				"synced means that the handler has been called with the first list")
		}
		cache, c, err := NewInformer(Options{
			Queue: queue, ResyncPeriod: 40 * time.Second,
			ListerWatcher: &moving{lists: []still{
				{newThing("web-1", "1"), newThing("web-2", "1")},
				{newThing("web-1", "2"), newThing("web-3", "2")},
			}},
		}, processor.ResourceEventHandlerFuncs{
			AddFunc: func(obj watchglass.Object, initial bool) {
				note(processor.AddNotification(obj, initial))
			},
			UpdateFunc: func(old, obj watchglass.Object) { note(processor.UpdateNotification(old, obj)) },
			DeleteFunc: func(obj watchglass.Object) { note(processor.DeleteNotification(obj)) },
		})
		require.NoError(t, err)
		assert.False(t, isClosed(c.Synced()), "before Run")
		stop := start(t, c)
		time.Sleep(time.Minute)
		stop()
		require.Len(t, calls, 7)
		slices.Sort(calls[2:])                                                       // the DeltaFIFO promises no order
		assert.Equal(t, []string{"add web-1 @1 (initial)", "add web-2 @1 (initial)", // the first list,
			"add web-3 @2", "delete web-2 @", "update web-1 @1→@2", // a relist
			"update web-1 @2→@2", "update web-3 @2→@2"}, calls) // and a resync
		assert.ElementsMatch(t, []string{"web-1", "web-3"}, cache.ListKeys())
		assert.ErrorIs(t, c.Run(t.Context()), ErrStarted, "it runs once")
	})
	onBothQueues(t, "a handler that panics makes Run panic", func(t *testing.T, queue QueueKind) {
		_, c, err := NewInformer(Options{ListerWatcher: still{newThing("web-1", "1")}, Queue: queue},
			processor.ResourceEventHandlerFuncs{
				AddFunc: func(watchglass.Object, bool) { panic("boom") },
			})
		require.NoError(t, err)
		assert.PanicsWithValue(t, "boom", func() { _ = c.Run(t.Context()) })
		synctest.Wait()
		assert.False(t, isClosed(c.Synced()), "a panic must not count as a sync")
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
			start(t, c)()
			assert.ElementsMatch(t, []string{"web-1", "web-2"}, cache.ListKeys())
			require.Len(t, failed, 1)
			assert.ErrorContains(t, failed[0], "not this one")
		})
	onBothQueues(t, "an error of processing needs no func and no logger",
		func(t *testing.T, queue QueueKind) {
			cache, c, err := NewInformer(Options{
				ListerWatcher: still{newThing("web-1", "bad")}, Queue: queue,
				Indexers: indexer.Indexers{"picky": refuseBad},
			}, nil)
			require.NoError(t, err)
			start(t, c)()
			assert.Equal(t, []string{"web-1"}, cache.ListKeys())
		})
	for _, o := range []Options{
		{OnPanic: func(string, processor.Notification, any) {}},
		{MutationDetector: &mutation.Detector{}},
		{Trace: Trace{Processor: &processor.Trace{}}},
	} {
		o.ListerWatcher = still{}
		_, _, err := NewInformer(o, nil)
		assert.ErrorContains(t, err, "a plain informer has no processor")
	}
}
