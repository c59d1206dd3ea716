package informer

import (
	"context"
	"errors"
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass"
	"example.com/watchglass/indexer"
	"example.com/watchglass/processor"
)

func TestLifecycle(t *testing.T) {
	law(t, "an informer runs once, and says how far it is", func(t *testing.T) {
		p, busy := newFixture(t, Options{}), make(chan struct{})
		p.handle(Handler[*widget]{Add: func(*widget, bool) { <-busy }})
		is := func(when string, started, stopped, ended bool) {
			assert.Equal(t, started, p.HasStarted(), when)
			assert.Equal(t, stopped, p.IsStopped(), when)
			assert.Equal(t, ended, isClosed(p.Ended()), when)
		}
		is("before Run", false, false, false)
		p.write("web-1", "red")
		p.run()
		is("during Run", true, false, false)
		assert.ErrorIs(t, p.Run(t.Context()), watchglass.ErrStarted)
		go p.stop()
		synctest.Wait()
		is("while the last call of a handler goes on", true, true, false)
		close(busy)
		p.stop()
		is("after Run", true, true, true)
		assert.ErrorIs(t, p.Run(t.Context()), watchglass.ErrStarted)
	})
	law(t, "a stopped informer takes no handlers and no indices", func(t *testing.T) {
		p := newFixture(t, Options{})
		r := p.handle(processor.ResourceEventHandlerFuncs{})
		p.run()
		p.stop()
		_, err := p.AddEventHandler(Handler[*widget]{}, processor.HandlerOptions{})
		assert.ErrorIs(t, err, watchglass.ErrStopped)
		assert.ErrorIs(t, p.AddIndexers(indexer.Indexers{}), watchglass.ErrStopped)
		index, err := p.Index("color", func(*widget) []string { return nil })
		assert.ErrorIs(t, err, watchglass.ErrStopped)
		assert.Empty(t, index.Get("red"), "an index that was refused finds nothing")
		assert.NoError(t, p.RemoveEventHandler(r), "removing is always possible")
	})
}

func TestStopping(t *testing.T) {
	law(t, "a handler may remove itself while the informer stops", func(t *testing.T) {
		p := newFixture(t, Options{})
		var r *processor.Registration
		r = p.handle(processor.ResourceEventHandlerFuncs{AddFunc: func(watchglass.Object, bool) {
			time.Sleep(time.Minute) // until Run waits for this call
			assert.NoError(t, p.RemoveEventHandler(r))
		}})
		p.run()
		p.write("web-1", "red")
		p.stop() // in client-go, a deadlock
	})
}

func TestStoppingInTheMiddle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		s := NewSharedIndexInformer(Options{
			ListerWatcher: still{newThing("web-1", "1"), newThing("web-2", "1"), newThing("web-3", "1")},
			Indexers: indexer.Indexers{"stop": func(obj watchglass.Object) ([]string, error) {
				if obj.GetName() == "web-2" {
					stop() // in the middle of the second of three
					for range 1000 {
						runtime.Gosched() // gives the informer time to stop too early
					}
				}
				return nil, nil
			}},
		})
		got := added{}
		_, err := s.AddEventHandler(got, processor.HandlerOptions{Drain: true})
		require.NoError(t, err)
		require.NoError(t, s.Run(ctx))
		assert.ElementsMatch(t, []string{"web-1", "web-2"}, s.GetIndexer().ListKeys(),
			"the key that is being processed is finished, and the next stays queued")
		assert.Equal(t, 1, s.Stats().Queued)
		assert.Equal(t, added{"web-1": 1, "web-2": 1}, got,
			"a handler that drains has got what the cache holds")
	})
}

// runAndRecover calls Run and returns the value of its panic.
func runAndRecover(ctx context.Context, s *SharedIndexInformer) (recovered any) {
	defer func() { recovered = recover() }()
	_ = s.Run(ctx)
	return nil
}

// Everything that the process loop calls may panic. The bubble fails if a goroutine is left.
func TestAPanicThroughRunLeavesNothingBehind(t *testing.T) {
	boom := func(name string) {
		if name == "web-2" {
			panic("boom")
		}
	}
	for from, options := range map[string]Options{
		"an IndexFunc": {Indexers: indexer.Indexers{
			"boom": func(obj watchglass.Object) ([]string, error) { boom(obj.GetName()); return nil, nil },
		}},
		"OnProcessError": {
			Indexers:       indexer.Indexers{"picky": refuseBad},
			OnProcessError: func(error) { panic("boom") },
		},
		// Not a trace of the processor: another goroutine may distribute the notifications of the
		// first list, and a panic there crashes the program.
		"a trace": {Trace: Trace{Indexer: &indexer.Trace{
			Added: func(key string, _ watchglass.Object) { boom(key) },
		}}},
	} {
		law(t, from, func(t *testing.T) {
			options.ListerWatcher = still{newThing("web-1", "1")}
			s, gate, panicked := NewSharedIndexInformer(options), make(chan struct{}), make(chan any)
			r, err := s.AddEventHandler(processor.ResourceEventHandlerFuncs{
				AddFunc: func(watchglass.Object, bool) { <-gate },
			}, processor.HandlerOptions{})
			require.NoError(t, err)
			go func() { panicked <- runAndRecover(context.Background(), s) }()
			synctest.Wait()
			require.NoError(t, s.queue.Add(newThing("web-2", "bad")))
			assert.Equal(t, "boom", <-panicked, "the panic is passed on, although a handler hangs")
			assert.True(t, s.IsStopped(), "an informer whose Run has panicked is stopped")
			_, err = s.AddEventHandler(added{}, processor.HandlerOptions{})
			assert.ErrorIs(t, err, watchglass.ErrStopped, "whether the handlers have ended or not")
			close(gate)
			<-r.Ended() // otherwise the bubble reports a deadlock
		})
	}
}

func TestResyncPeriod(t *testing.T) {
	law(t, "a handler can shorten the resync period before Run, not after", func(t *testing.T) {
		p := newFixture(t, Options{ResyncPeriod: time.Hour})
		var early, late int
		count := func(n *int) Handler[*widget] {
			return Handler[*widget]{Update: func(_, _ *widget) { *n++ }}
		}
		p.write("web-1", "red")
		_, err := p.AddEventHandler(count(&early), processor.HandlerOptions{ResyncPeriod: time.Minute})
		require.NoError(t, err)
		p.run()
		_, err = p.AddEventHandler(count(&late), processor.HandlerOptions{ResyncPeriod: time.Second})
		require.NoError(t, err)
		time.Sleep(150 * time.Second)
		synctest.Wait()
		assert.Equal(t, 2, early)
		assert.Equal(t, 2, late, "the check comes once a minute")
	})
}

func TestStats(t *testing.T) {
	law(t, "the numbers follow the objects", func(t *testing.T) {
		var failing atomic.Bool
		p := newFixture(t, Options{
			Transform: func(obj watchglass.Object) (watchglass.Object, error) {
				if failing.Load() {
					return nil, errors.New("failing")
				}
				return obj, nil
			},
		})
		assert.Equal(t, Stats{}, p.Stats(), "before Run")
		assert.Empty(t, p.LastSyncResourceVersion(), "before Run")
		p.write("web-1", "red")
		p.run()
		want := Stats{Objects: 1, LastSyncResourceVersion: "2", LastSync: time.Now()}
		assert.Equal(t, want, p.Stats(), "after the first list")
		time.Sleep(time.Second)
		failing.Store(true)
		p.write("web-2", "red")
		want.LostEvents, want.LastError = 1, p.Stats().LastError
		want.LastSyncResourceVersion, want.LastSync = "3", time.Now()
		assert.ErrorContains(t, want.LastError, "failing")
		assert.Equal(t, want, p.Stats(), "an event that is lost is counted, and the version goes on")
		failing.Store(false)
		p.write("web-2", "blue")
		assert.Equal(t, 2, p.Stats().Objects)
		assert.Equal(t, 1, p.Stats().LostEvents)
	})
}
