package informer

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass"
	"example.com/watchglass/deltafifo"
	"example.com/watchglass/indexer"
	"example.com/watchglass/informer/mutation"
	"example.com/watchglass/processor"
	"example.com/watchglass/reflector"
	"example.com/watchglass/reflector/client"
)

// These laws are about mistakes that are easily made where the stages are wired together: an option
// that reaches no stage, or only one of two.

func TestAnInformerThatNothingNamesIsOneOfObjects(t *testing.T) {
	assert.Equal(t, "objects", Options{ListerWatcher: still{}}.complete().Name)
}

func TestEveryStageUsesTheLogger(t *testing.T) {
	var log bytes.Buffer
	synctest.Test(t, func(t *testing.T) {
		s := NewSharedIndexInformer(Options{
			Name: "things",
			ListerWatcher: &moving{
				fails: errors.New("no list today"), lists: []still{{newThing("web-0", "1")}},
			},
			Logger: slog.New(slog.NewTextHandler(&log, nil)),
			Indexers: indexer.Indexers{"none": func(watchglass.Object) ([]string, error) {
				return nil, errors.New("no index today")
			}},
		})
		_, err := s.AddEventHandler(added{}, processor.HandlerOptions{
			Name: "eager", ResyncPeriod: time.Hour,
		})
		require.NoError(t, err)
		stop := start(t, s)
		time.Sleep(time.Minute)
		stop()
		assert.ErrorIs(t, s.Run(t.Context()), watchglass.ErrStarted)
	})
	for _, line := range []string{
		`msg="list and watch" error="things: listing: no list today"`, // the reflector
		`asked=1h0m0s gets=0s`, // the processor
		`of=things error="indexer: swap: object \"web-0\" is left out of index`, // the process loop
	} {
		assert.Contains(t, log.String(), line)
	}
}

// stubborn is a collection whose list takes a minute, whatever the context says.
type stubborn struct{ still }

func (s stubborn) List(ctx context.Context, o reflector.ListOptions) (*reflector.List, error) {
	time.Sleep(time.Minute)
	return s.still.List(ctx, o)
}

func TestRunWaitsForTheReflector(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stop := start(t, NewSharedIndexInformer(Options{ListerWatcher: stubborn{}}))
		began := time.Now()
		stop()
		assert.Equal(t, time.Minute, time.Since(began),
			"Run returns after the request that is under way, however long that takes")
	})
}

func TestTheNotificationsOfAKeyDoNotWaitForTheNextPop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		let, told := make(chan struct{}), 0
		s := NewSharedIndexInformer(Options{
			ListerWatcher: still{newThing("web-1", "1"), newThing("web-2", "1"), newThing("web-3", "1")},
			WrapQueue:     func(q Queue) Queue { return delayed{Queue: q, beforePop: func() { <-let }} },
		})
		_, err := s.AddEventHandler(processor.ResourceEventHandlerFuncs{
			AddFunc: func(watchglass.Object, bool) { told++ },
		}, processor.HandlerOptions{})
		require.NoError(t, err)
		defer start(t, s)()
		defer close(let)
		for n := range 3 {
			let <- struct{}{}
			synctest.Wait()
			assert.Equal(t, n+1, s.Stats().Objects)
			assert.Equal(t, n+1, told, "the handler knows what the cache holds")
		}
	})
}

func TestAResyncThatIsLateCostsNoOther(t *testing.T) {
	onBothQueues(t, "a handler with the informer's period has one resync in each period",
		func(t *testing.T, queue QueueKind) {
			var times []time.Duration
			began, takes := time.Now(), 13*time.Second
			s := NewSharedIndexInformer(Options{
				ListerWatcher: still{newThing("web-1", "1")}, Queue: queue,
				ResyncPeriod: 10 * time.Second,
				WrapQueue: func(q Queue) Queue {
					return delayed{Queue: q, beforeResync: func() { time.Sleep(takes); takes = 0 }}
				},
			})
			_, err := s.AddEventHandler(processor.ResourceEventHandlerFuncs{
				UpdateFunc: func(_, _ watchglass.Object) {
					times = append(times, time.Since(began)/time.Second)
				},
			}, processor.HandlerOptions{})
			require.NoError(t, err)
			stop := start(t, s)
			time.Sleep(time.Minute)
			stop()
			assert.Equal(t, []time.Duration{23, 33, 43, 53}, times, "seconds")
		})
}

func TestMutationDetectorIsWired(t *testing.T) {
	for when, takes := range map[string]time.Duration{
		"while Run runs": 0, "at the end of Run, of a handler that drains": time.Hour,
	} {
		law(t, "a change is reported "+when, func(t *testing.T) {
			var s *SharedIndexInformer
			var found []string
			s = NewSharedIndexInformer(Options{
				ListerWatcher: still{newThing("web-1", "1")},
				MutationDetector: &mutation.Detector{OnMutation: func(err *mutation.Error) {
					found = append(found, err.Handler+" "+err.Changes[0])
					s.Stats() // it may call the informer
				}},
			})
			_, err := s.AddEventHandler(processor.ResourceEventHandlerFuncs{
				AddFunc: func(obj watchglass.Object, _ bool) {
					time.Sleep(takes)
					obj.(*thing).UID = "x"
				},
			}, processor.HandlerOptions{Name: "painter", Drain: true})
			require.NoError(t, err)
			stop := start(t, s)
			time.Sleep(time.Minute)
			synctest.Wait()
			assert.Equal(t, takes == 0, len(found) == 1)
			stop()
			assert.Equal(t, []string{`painter uid: none → "x"`}, found)
		})
	}
}

// interrupted is a queue whose second Pop returns an error of its own and pops nothing.
type interrupted struct {
	Queue
	pops int
}

func (q *interrupted) Pop(process deltafifo.PopProcessFunc) (deltafifo.Deltas, error) {
	if q.pops++; q.pops == 2 {
		return nil, errors.New("connection lost")
	}
	return q.Queue.Pop(process)
}

func TestErrorsOfTheCacheAndOfTheQueueAreReportedOnce(t *testing.T) {
	onBothQueues(t, "and the process loop goes on", func(t *testing.T, queue QueueKind) {
		var reported []string
		s := NewSharedIndexInformer(Options{
			ListerWatcher: still{newThing("web-1", "bad")}, Queue: queue,
			Indexers:       indexer.Indexers{"picky": refuseBad},
			WrapQueue:      func(q Queue) Queue { return &interrupted{Queue: q} },
			OnProcessError: func(err error) { reported = append(reported, err.Error()) },
		})
		stop := start(t, s)
		require.NoError(t, s.queue.Add(newThing("web-2", "1")))
		synctest.Wait()
		stop()
		require.Len(t, reported, 2)
		assert.Contains(t, reported[0], "not this one")
		assert.Equal(t, "connection lost", reported[1])
		assert.ElementsMatch(t, []string{"web-1", "web-2"}, s.GetIndexer().ListKeys())
	})
}

func TestAKindOfQueueHasTheNameOfItsConstant(t *testing.T) {
	assert.Equal(t, "DeltaFIFO RealFIFO", fmt.Sprint(DeltaFIFO, RealFIFO))
}

func TestOptionsThatAreRefused(t *testing.T) {
	for _, c := range []struct {
		options Options
		fault   string
	}{
		{Options{}, "Options.ListerWatcher is nil"},
		{Options{ListerWatcher: (*client.Client[widget])(nil)}, "Options.ListerWatcher is nil"},
		{Options{ListerWatcher: still{}, Queue: 7}, "Options.Queue is QueueKind(7): there is no such queue"},
	} {
		options, fault := c.options, c.fault
		assert.PanicsWithValue(t, "informer: "+fault, func() { NewSharedIndexInformer(options) })
		assert.PanicsWithValue(t, "informer: "+fault, func() { NewInformer(options, nil) })
	}
	assert.PanicsWithValue(t, "informer: Options.WrapQueue returned nil", func() {
		NewSharedIndexInformer(Options{
			ListerWatcher: still{}, WrapQueue: func(Queue) Queue { return nil },
		})
	})
}

// Otherwise these would crash the program later, on another goroutine, or silently do nothing.
func TestHandlersThatCanNeverWorkAreRefusedAtOnce(t *testing.T) {
	s := NewSharedIndexInformer(Options{ListerWatcher: still{}})
	join := func(h processor.ResourceEventHandler) {
		_, _ = s.AddEventHandler(h, processor.HandlerOptions{})
	}
	plain := func(h processor.ResourceEventHandler) { NewInformer(Options{ListerWatcher: still{}}, h) }
	const aSelector = "a Selector for *informer.bare, which has no method " +
		"GetLabels() map[string]string"
	selecting := Handler[*bare]{Selector: label("a")}
	assert.NotPanics(t, func() { join(Handler[*bare]{}) }, "no condition needs no labels")
	typedNil, aNil := (*Handler[*bare])(nil), "the handler is a nil *informer.Handler[*"+
		"example.com/watchglass/informer.bare]"
	keys := func(*bare) []string { return nil }
	for _, c := range []struct {
		fault string
		make  func()
	}{
		{"OnKey: the func is nil", func() { OnKey[*bare](nil) }},
		{"OnKeys: one of the funcs is nil", func() { OnKeys[*bare](nil, func(string) {}) }},
		{"OnKeys: one of the funcs is nil", func() { OnKeys(keys, nil) }},
		{aNil, func() { join(typedNil) }},
		{aNil, func() { plain(typedNil) }},
		{aSelector, func() { join(selecting) }},
		{aSelector, func() { join(&selecting) }},
		{aSelector, func() { plain(selecting) }},
		{aSelector, func() { Typed[*bare](s).Lister().Namespace("shop").Select(label("a")) }},
	} {
		assert.PanicsWithValue(t, "informer: "+c.fault, c.make)
	}
	assert.Panics(t, func() { _ = s.RemoveEventHandler(nil) })
	assert.Panics(t, func() { _ = s.AddIndexers(indexer.Indexers{"color": nil}) })
	assert.NotPanics(t, func() { join(Handler[watchglass.Object]{Selector: label("a")}) },
		"some of its objects may have labels")
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
		cache, c := NewInformer(Options{
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
		assert.False(t, isClosed(c.Synced()), "before Run")
		stop := start(t, c)
		time.Sleep(time.Minute)
		stop()
		require.Len(t, calls, 7)
		// the DeltaFIFO promises no order
		slices.Sort(calls[2:])
		assert.Equal(t, []string{"add web-1 @1 (initial)", "add web-2 @1 (initial)", // the first list,
			"add web-3 @2", "delete web-2 @", "update web-1 @1→@2", // a relist
			"update web-1 @2→@2", "update web-3 @2→@2"}, calls) // and a resync
		assert.ElementsMatch(t, []string{"web-1", "web-3"}, cache.ListKeys())
		assert.ErrorIs(t, c.Run(t.Context()), watchglass.ErrStarted, "it runs once")
	})
	onBothQueues(t, "a handler that panics makes Run panic", func(t *testing.T, queue QueueKind) {
		_, c := NewInformer(Options{ListerWatcher: still{newThing("web-1", "1")}, Queue: queue},
			processor.ResourceEventHandlerFuncs{
				AddFunc: func(watchglass.Object, bool) { panic("boom") },
			})
		assert.PanicsWithValue(t, "boom", func() { _ = c.Run(t.Context()) })
		synctest.Wait()
		assert.False(t, isClosed(c.Synced()), "a panic must not count as a sync")
	})
	onBothQueues(t, "no handler is needed, and no func and no logger for what an index refuses",
		func(t *testing.T, queue QueueKind) {
			cache, c := NewInformer(Options{
				ListerWatcher: still{newThing("web-1", "bad"), newThing("web-2", "1")}, Queue: queue,
				Indexers: indexer.Indexers{"picky": refuseBad},
			}, nil)
			start(t, c)()
			assert.ElementsMatch(t, []string{"web-1", "web-2"}, cache.ListKeys())
		})
	onBothQueues(t, "what an index refuses is reported", func(t *testing.T, queue QueueKind) {
		var reported []error
		_, c := NewInformer(Options{ListerWatcher: still{newThing("web-1", "bad")}, Queue: queue,
			Indexers:       indexer.Indexers{"picky": refuseBad},
			OnProcessError: func(err error) { reported = append(reported, err) }}, nil)
		start(t, c)()
		assert.Len(t, reported, 1)
	})
	for _, o := range []Options{
		{OnPanic: func(string, processor.Notification, any) {}},
		{MutationDetector: &mutation.Detector{}},
		{Trace: Trace{Processor: &processor.Trace{}}},
	} {
		o.ListerWatcher = still{}
		assert.PanicsWithValue(t,
			"informer: Options.OnPanic, MutationDetector or Trace.Processor is set: "+
				"a plain informer has no processor", func() { NewInformer(o, nil) })
	}
}
