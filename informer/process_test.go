package informer

import (
	"errors"
	"fmt"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass"
	"example.com/watchglass/deltafifo"
	"example.com/watchglass/indexer"
	"example.com/watchglass/processor"
)

// Some errors of a process func mean something to the queue. An error of an index func must not,
// even if it wraps one of these.
func TestTheErrorsOfAnIndexFuncMeanNothingToTheQueue(t *testing.T) {
	for name, refusal := range map[string]error{
		"the key is not queued again":   deltafifo.ErrRequeue{Err: errors.New("later")},
		"the process loop does not end": fmt.Errorf("my own queue: %w", deltafifo.ErrClosed),
	} {
		law(t, name, func(t *testing.T) {
			calls := 0
			var reported []error
			s := NewSharedIndexInformer(Options{
				ListerWatcher: still{newThing("web-1", "1"), newThing("web-2", "1")},
				Indexers: indexer.Indexers{"x": func(_ watchglass.Object) ([]string, error) {
					if calls++; calls > 10 { // ends an endless loop, so that the law fails
						return nil, nil
					}
					return nil, refusal
				}},
				OnProcessError: func(err error) { reported = append(reported, err) },
			})
			defer start(t, s)()
			assert.Equal(t, 2, calls, "each object is indexed once")
			assert.Len(t, reported, 2, "each refusal is reported")
			assert.Equal(t, 2, s.Stats().ProcessErrors, "and counted")
			assert.ErrorIs(t, errors.Join(reported...), refusal, "the error is reported unchanged")
			assert.Len(t, s.GetIndexer().ListKeys(), 2)
			assert.True(t, s.HasSynced())
		})
	}
}

func TestNoHandlerJoinsWhileADeltaIsProcessed(t *testing.T) {
	for _, queue := range []QueueKind{DeltaFIFO, RealFIFO} {
		s := NewSharedIndexInformer(Options{ListerWatcher: still{}, Queue: queue})
		told := false
		s.tell = func(processor.Notification) {
			told = true
			assert.False(t, s.blockDeltas.TryLock(), "the lock is held during the notifications")
		}
		s.ordered.Tell = s.tell
		require.NoError(t, s.process(add(newThing("web-1", "1")), false))
		assert.True(t, told)
		assert.True(t, s.blockDeltas.TryLock(), "the lock is free afterwards")
	}
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
