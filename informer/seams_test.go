package informer

import (
	"context"
	"fmt"
	"runtime"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass"
	"example.com/watchglass/deltafifo"
	"example.com/watchglass/indexer"
	"example.com/watchglass/processor"
	"example.com/watchglass/reflector"
)

// These laws are about moments that last microseconds in a running informer. The tests make them by
// hand, without Run or with a collection that does not change.

// thing is an object with nothing but an identity.
type thing struct{ watchglass.ObjectMeta }

func newThing(name, version string) *thing {
	return &thing{watchglass.ObjectMeta{Name: name, ResourceVersion: version}}
}

// still is a collection that never changes: a ListerWatcher without a server.
type still []watchglass.Object

func (s still) List(context.Context, reflector.ListOptions) (*reflector.List, error) {
	return &reflector.List{Items: append([]watchglass.Object(nil), s...), ResourceVersion: "1"}, nil
}

// IsWatchListSemanticsUnSupported says that a still collection has to be listed.
func (s still) IsWatchListSemanticsUnSupported() bool { return true }

func (s still) Watch(ctx context.Context, _ reflector.ListOptions) (reflector.Watch, error) {
	return stillWatch{ctx}, nil
}

type stillWatch struct{ ctx context.Context }

func (w stillWatch) Next() (reflector.Event, error) {
	<-w.ctx.Done()
	return reflector.Event{}, w.ctx.Err()
}

func (w stillWatch) Close() error { return nil }

// added counts how often each object is added to a handler.
type added map[string]int

func (a added) OnAdd(obj watchglass.Object, _ bool) { a[obj.GetName()]++ }
func (a added) OnUpdate(_, _ watchglass.Object)     {}
func (a added) OnDelete(obj watchglass.Object)      {}

func add(obj watchglass.Object) deltafifo.Deltas {
	return deltafifo.Deltas{{Type: deltafifo.Added, Object: obj}}
}

func (a added) join(t *testing.T, s *SharedIndexInformer) *processor.Registration {
	r, err := s.AddEventHandler(a, HandlerOptions{})
	require.NoError(t, err)
	return r
}

func TestAHandlerThatJoinsGetsEachObjectOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := NewSharedIndexInformer(Options{ListerWatcher: still{}})
		first, second := added{}, added{}
		first.join(t, s)
		// web-1 is in the cache, and its notification is gathered and not flushed yet.
		require.NoError(t, s.processDeltas(add(newThing("web-1", "1")), false))
		second.join(t, s)
		start(t, s)()
		assert.Equal(t, added{"web-1": 1}, first, "the handler that was there before")
		assert.Equal(t, added{"web-1": 1}, second, "the handler that joined before the flush")
	})
}

func TestASyncedHandlerHasGotTheLastObject(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var s *SharedIndexInformer
		s = NewSharedIndexInformer(Options{ListerWatcher: still{}, Trace: Trace{
			Processor: &processor.Trace{Distributed: func([]processor.Notification, bool) {
				assert.True(t, s.HasSynced(), "a registration may sync now, and the informer has not")
			}},
		}})
		r := added{}.join(t, s)
		require.NoError(t, s.processDeltas(add(newThing("web-1", "1")), true))
		s.firstListProcessed() // while the notification of web-1 is gathered and not flushed
		assert.False(t, r.HasSynced(), "synced before its handler was called with the initial list")
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
		_, err := s.AddEventHandler(got, HandlerOptions{Drain: true})
		require.NoError(t, err)
		require.NoError(t, s.Run(ctx))
		assert.ElementsMatch(t, []string{"web-1", "web-2"}, s.GetIndexer().ListKeys(),
			"the key that is being processed is finished, and the next stays queued")
		assert.Equal(t, 1, s.Stats().Queued)
		assert.Equal(t, added{"web-1": 1, "web-2": 1}, got,
			"a handler that drains has got what the cache holds")
	})
}

func TestNotificationsAreDistributedInBatches(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var collection still
		for i := range 2*128 + 10 {
			collection = append(collection, newThing(fmt.Sprint("web-", i), "1"))
		}
		var sizes []int
		s := NewSharedIndexInformer(Options{ListerWatcher: collection, Trace: Trace{
			Processor: &processor.Trace{Distributed: func(batch []processor.Notification, _ bool) {
				sizes = append(sizes, len(batch))
			}},
		}})
		added{}.join(t, s)
		start(t, s)()
		assert.Equal(t, []int{128, 128, 10}, sizes,
			"a first list is distributed in as few batches as possible")
	})
}

func TestARegistrationOfAnotherInformerIsRefused(t *testing.T) {
	s := NewSharedIndexInformer(Options{ListerWatcher: still{}})
	other := NewSharedIndexInformer(Options{ListerWatcher: still{}})
	r := added{}.join(t, other)
	assert.ErrorIs(t, s.RemoveEventHandler(r), processor.ErrForeign)
	assert.ErrorIs(t, s.ShutDownEventHandler(t.Context(), r), processor.ErrForeign)
	assert.NoError(t, other.RemoveEventHandler(r))
}

// Run may end after AddEventHandler has looked whether the informer has stopped.
func TestAHandlerThatJoinsAtTheEndIsRefused(t *testing.T) {
	s := NewSharedIndexInformer(Options{ListerWatcher: still{}})
	ended, end := context.WithCancel(t.Context())
	end()
	s.processor.Run(ended)
	_, err := s.AddEventHandler(added{}, HandlerOptions{})
	assert.ErrorIs(t, err, ErrStopped)
}

// Otherwise an object would be missed that is processed after the cache was copied for the handler
// and before the handler is registered.
func TestNoDeltaIsProcessedWhileAHandlerJoins(t *testing.T) {
	var s *SharedIndexInformer
	joined := false
	s = NewSharedIndexInformer(Options{
		ListerWatcher: still{},
		Trace: Trace{Processor: &processor.Trace{ListenerAdded: func(string, int) {
			joined = true
			assert.False(t, s.blockDeltas.TryLock(), "a delta may be processed now")
		}}},
	})
	added{}.join(t, s)
	assert.True(t, joined)
}
