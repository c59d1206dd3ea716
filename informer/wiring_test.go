package informer

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"sync"
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
)

// These laws are about mistakes that are easily made where the stages are wired together: an option
// that reaches no stage, or only one of two.

// moving is a collection whose watches get 410 Expired until the last of its lists has been
// fetched.
type moving struct {
	fails error // of the first list
	lists []still
	next  int
}

func (m *moving) List(ctx context.Context, o reflector.ListOptions) (*reflector.List, error) {
	if err := m.fails; err != nil {
		m.fails = nil
		return nil, err
	}
	m.next++
	return m.lists[m.next-1].List(ctx, o)
}

// IsWatchListSemanticsUnSupported says that a moving collection has to be listed.
func (m *moving) IsWatchListSemanticsUnSupported() bool { return true }

func (m *moving) Watch(ctx context.Context, _ reflector.ListOptions) (reflector.Watch, error) {
	if m.next < len(m.lists) {
		return nil, &reflector.StatusError{Code: 410, Reason: "Expired"}
	}
	return stillWatch{ctx}, nil
}

// onBothQueues runs a law in a bubble for each queue.
func onBothQueues(t *testing.T, name string, f func(t *testing.T, queue QueueKind)) {
	for of, queue := range map[string]QueueKind{"DeltaFIFO": DeltaFIFO, "RealFIFO": RealFIFO} {
		law(t, name+", "+of, func(t *testing.T) { f(t, queue) })
	}
}

// start runs an informer until the returned func is called.
func start(t *testing.T, s interface{ Run(context.Context) error }) (stop func()) {
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { assert.NoError(t, s.Run(ctx)) })
	synctest.Wait()
	return func() {
		cancel()
		running.Wait()
	}
}

func TestEveryStageUsesTheLogger(t *testing.T) {
	var log bytes.Buffer
	synctest.Test(t, func(t *testing.T) {
		s := NewSharedIndexInformer(Options{
			Name:          "things",
			ListerWatcher: &moving{fails: errors.New("no list today"), lists: []still{{newThing("web-0", "1")}}},
			Logger:        slog.New(slog.NewTextHandler(&log, nil)),
			Indexers: indexer.Indexers{"none": func(watchglass.Object) ([]string, error) {
				return nil, errors.New("no index today")
			}},
		})
		_, err := s.AddEventHandler(added{}, HandlerOptions{Name: "eager", ResyncPeriod: time.Hour})
		require.NoError(t, err)
		stop := start(t, s)
		time.Sleep(time.Minute)
		stop()
		assert.ErrorIs(t, s.Run(t.Context()), ErrStarted)
	})
	for _, line := range []string{
		`reflector=things error="things: listing: no list today"`, // the reflector
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

// delayed is a queue whose methods may take a while.
type delayed struct {
	Queue
	beforePop, beforeProcess, beforeResync func()
}

func (q delayed) Pop(process deltafifo.PopProcessFunc) (deltafifo.Deltas, error) {
	if q.beforePop != nil {
		q.beforePop()
	}
	return q.Queue.Pop(func(d deltafifo.Deltas, isInInitialList bool) error {
		if q.beforeProcess != nil {
			q.beforeProcess()
		}
		return process(d, isInInitialList)
	})
}

func (q delayed) Resync() error {
	if q.beforeResync != nil {
		q.beforeResync()
	}
	return q.Queue.Resync()
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
		}, HandlerOptions{})
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
				WrapQueue:    func(q Queue) Queue { return delayed{Queue: q, beforeResync: func() { time.Sleep(takes); takes = 0 }} },
			})
			_, err := s.AddEventHandler(processor.ResourceEventHandlerFuncs{
				UpdateFunc: func(_, _ watchglass.Object) { times = append(times, time.Since(began)/time.Second) },
			}, HandlerOptions{})
			require.NoError(t, err)
			stop := start(t, s)
			time.Sleep(time.Minute)
			stop()
			assert.Equal(t, []time.Duration{23, 33, 43, 53}, times, "seconds")
		})
}

func TestMutationDetectorIsWired(t *testing.T) {
	for when, takes := range map[string]time.Duration{"while Run runs": 0, "when Run ends": time.Hour} {
		law(t, "a handler that changes an object is reported "+when, func(t *testing.T) {
			var s *SharedIndexInformer
			var found []string
			s = NewSharedIndexInformer(Options{
				ListerWatcher: still{newThing("web-1", "1")},
				MutationDetector: &mutation.Detector{OnMutation: func(err *mutation.Error) {
					found = append(found, err.Handler, err.Key)
					s.Stats() // it may call the informer
				}},
			})
			_, err := s.AddEventHandler(processor.ResourceEventHandlerFuncs{
				AddFunc: func(obj watchglass.Object, _ bool) {
					time.Sleep(takes)
					obj.(*thing).Labels = map[string]string{"a": "b"}
				},
			}, HandlerOptions{Name: "labeller", Drain: true})
			require.NoError(t, err)
			stop := start(t, s)
			if takes == 0 {
				time.Sleep(time.Second)
				synctest.Wait()
				assert.Len(t, found, 2)
			}
			stop()
			assert.Equal(t, []string{"labeller", "web-1"}, found)
		})
	}
}

// interrupted is a queue whose first Pop returns an error of its own and pops nothing.
type interrupted struct {
	Queue
	popped bool
}

func (q *interrupted) Pop(process deltafifo.PopProcessFunc) (deltafifo.Deltas, error) {
	if !q.popped {
		q.popped = true
		return nil, errors.New("connection lost")
	}
	return q.Queue.Pop(process)
}

func TestAnErrorOfTheQueueIsReportedOnce(t *testing.T) {
	onBothQueues(t, "and the process loop goes on", func(t *testing.T, queue QueueKind) {
		var reported []string
		s := NewSharedIndexInformer(Options{
			ListerWatcher: still{newThing("web-1", "1")}, Queue: queue,
			WrapQueue:      func(q Queue) Queue { return &interrupted{Queue: q} },
			OnProcessError: func(err error) { reported = append(reported, err.Error()) },
		})
		start(t, s)()
		assert.Equal(t, []string{"connection lost"}, reported)
		assert.Equal(t, []string{"web-1"}, s.GetIndexer().ListKeys())
	})
}
