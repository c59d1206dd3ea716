package informer

import (
	"context"
	"errors"
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

// runAndRecover calls Run and returns the value of its panic.
func runAndRecover(ctx context.Context, s *SharedIndexInformer) (recovered any) {
	defer func() { recovered = recover() }()
	_ = s.Run(ctx)
	return nil
}

func boomIndex(watchglass.Object) ([]string, error) { panic("boom") }

// Everything that the process loop calls may panic. The bubble fails if a goroutine is left.
func TestAPanicThroughRunLeavesNothingBehind(t *testing.T) {
	for from, options := range map[string]Options{
		"an IndexFunc": {Indexers: indexer.Indexers{"boom": boomIndex}},
		"OnProcessError": {
			Indexers: indexer.Indexers{"refuse": func(watchglass.Object) ([]string, error) {
				return nil, errors.New("refused")
			}},
			OnProcessError: func(error) { panic("boom") },
		},
		// Not a trace of the processor: another goroutine may distribute the notifications of the
		// first list, and a panic there crashes the program.
		"a trace": {Trace: Trace{Indexer: &indexer.Trace{
			Added: func(string, watchglass.Object) { panic("boom") },
		}}},
	} {
		law(t, from, func(t *testing.T) {
			options.ListerWatcher = still{newThing("web-1", "1"), newThing("web-2", "1")}
			s := NewSharedIndexInformer(options)
			r := added{}.join(t, s)
			assert.Equal(t, "boom", runAndRecover(context.Background(), s), "the panic is passed on")
			assert.True(t, s.IsStopped(), "an informer whose Run has panicked is stopped")
			_, err := s.AddEventHandler(added{}, HandlerOptions{})
			assert.ErrorIs(t, err, ErrStopped, "whether the handlers have ended or not")
			<-r.Ended() // otherwise the bubble reports a deadlock
			assert.False(t, s.HasSynced(), "a panic must not count as a sync")
		})
	}
}

func TestAHandlerThatHangsDoesNotHideAPanic(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := NewSharedIndexInformer(Options{
			ListerWatcher: still{newThing("web-1", "1")},
			Indexers: indexer.Indexers{"boom": func(o watchglass.Object) ([]string, error) {
				if o.GetName() == "web-2" {
					panic("boom")
				}
				return nil, nil
			}},
		})
		gate := make(chan struct{})
		r, err := s.AddEventHandler(processor.ResourceEventHandlerFuncs{
			AddFunc: func(watchglass.Object, bool) { <-gate },
		}, HandlerOptions{})
		require.NoError(t, err)
		panicked := make(chan any)
		go func() { panicked <- runAndRecover(context.Background(), s) }()
		synctest.Wait()
		require.NoError(t, s.queue.Add(newThing("web-2", "1")))
		assert.Equal(t, "boom", <-panicked, "Run panics although a handler hangs")
		assert.True(t, s.IsStopped())
		close(gate)
		<-r.Ended()
	})
}

func TestOptionsThatAreRefused(t *testing.T) {
	for fault, options := range map[string]Options{
		"Options.ListerWatcher is nil":                {},
		"Options.Queue is 7: there is no such queue":  {Queue: 7},
		"Options.Queue is -1: there is no such queue": {Queue: -1},
	} {
		if fault != "Options.ListerWatcher is nil" {
			options.ListerWatcher = still{}
		}
		assert.PanicsWithValue(t, "informer: "+fault, func() { NewSharedIndexInformer(options) })
		_, _, err := NewInformer(options, nil)
		assert.EqualError(t, err, "informer: "+fault)
	}
	assert.PanicsWithValue(t, "informer: Options.WrapQueue returned nil", func() {
		NewSharedIndexInformer(Options{
			ListerWatcher: still{}, WrapQueue: func(Queue) Queue { return nil },
		})
	})
}

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
	onBothQueues(t, "no handler is needed, and no func and no logger for what an index refuses",
		func(t *testing.T, queue QueueKind) {
			var failed []error
			for _, report := range []func(error){nil, func(err error) { failed = append(failed, err) }} {
				cache, c, err := NewInformer(Options{
					ListerWatcher: still{newThing("web-1", "bad"), newThing("web-2", "1")}, Queue: queue,
					Indexers: indexer.Indexers{"picky": refuseBad}, OnProcessError: report,
				}, nil)
				require.NoError(t, err)
				start(t, c)()
				assert.ElementsMatch(t, []string{"web-1", "web-2"}, cache.ListKeys())
			}
			require.Len(t, failed, 1)
			assert.ErrorContains(t, failed[0], "not this one")
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
