package informer

import (
	"errors"
	"fmt"
	"testing"

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
