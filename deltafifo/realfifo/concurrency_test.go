package realfifo

import (
	"bytes"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/deltafifo"
)

func TestTheProducerGoesOnWhileTheConsumerWorks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := New(Options{})
		require.NoError(t, q.Add(object("web-1", "1")))
		go func() {
			_ = q.PopBatch(func(deltafifo.Deltas, bool) error { time.Sleep(time.Hour); return nil })
		}()
		synctest.Wait()
		require.NoError(t, q.Update(object("web-1", "2")))
		assert.Equal(t, 2, q.Len(), "an event is queued while a process func runs")
		assert.NoError(t, q.check())
		time.Sleep(2 * time.Hour)
		assert.Equal(t, []string{"Updated web-1@2"}, queued(q))
	})
}

// A producer that is always faster than the consumer must be slowed down at some point.
func TestTheProducerWaitsWhenTooMuchIsQueued(t *testing.T) {
	for behind, free := range map[int]bool{0: true, backPressure - 1: true, backPressure: false} {
		q := New(Options{})
		for i := range 1 + behind {
			require.NoError(t, q.Add(object(fmt.Sprint("web-", i), "1")))
		}
		_, err := q.Pop(func(deltafifo.Deltas, bool) error {
			got := q.mu.TryLock()
			if got {
				q.mu.Unlock()
			}
			assert.Equal(t, free, got, "the lock is free with %d deltas behind", behind)
			return nil
		})
		require.NoError(t, err)
	}
}

// Two consumers that worked at the same time could store two states of an object in the wrong
// order.
func TestConsumersTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := New(Options{})
		busy := 0
		var order []string
		for range 3 {
			go func() {
				_, _ = q.Pop(func(d deltafifo.Deltas, _ bool) error {
					busy++
					assert.Equal(t, 1, busy, "process funcs that run at the same time")
					time.Sleep(time.Second)
					order = append(order, describe(d[0]))
					busy--
					return nil
				})
			}()
		}
		synctest.Wait()
		for _, obj := range at("web-1@1", "web-1@2", "web-1@3") {
			require.NoError(t, q.Update(obj))
		}
		time.Sleep(time.Minute)
		synctest.Wait() // for the race detector: the consumers are done
		assert.Equal(t, []string{"Updated web-1@1", "Updated web-1@2", "Updated web-1@3"}, order)
	})
}

func TestCloseWakesEveryPop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := New(Options{})
		var ended atomic.Int32
		for range 3 {
			go func() {
				for {
					if _, err := q.Pop(nothing); err != nil {
						assert.ErrorIs(t, err, deltafifo.ErrClosed)
						ended.Add(1)
						return
					}
				}
			}()
		}
		synctest.Wait()
		q.Close()
		q.Close()
		synctest.Wait()
		assert.EqualValues(t, 3, ended.Load(), "every Pop that waited returns")

		require.NoError(t, q.Add(object("web-1", "1")))
		assert.NoError(t, q.PopBatch(nothing), "what is queued can be popped after Close")
		assert.ErrorIs(t, q.PopBatch(nothing), deltafifo.ErrClosed)
	})
}

// A consumer that waits for its turn gets the next delta, also if the queue has been closed since.
func TestAClosedQueueIsDrainedByAllConsumers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := New(Options{})
		for _, obj := range at("web-1@1", "web-1@2") {
			require.NoError(t, q.Update(obj))
		}
		slow := func(deltafifo.Deltas, bool) error { time.Sleep(time.Hour); return nil }
		for range 2 {
			go func() {
				_, err := q.Pop(slow)
				assert.NoError(t, err, "each consumer gets one of the two deltas")
			}()
		}
		q.Close()
		time.Sleep(3 * time.Hour)
		assert.Zero(t, q.Len())
	})
}

func nothing(deltafifo.Deltas, bool) error { return nil }

// A slow process func is logged if more than ten deltas wait behind it. It may take 100 ms for each
// delta of its batch, but no more than a second.
func TestSlowProcessingIsLogged(t *testing.T) {
	for _, c := range []struct {
		batch, behind int
		takes         time.Duration
		logged        bool
	}{
		{1, 11, 101 * time.Millisecond, true},
		{1, 11, 100 * time.Millisecond, false},
		{1, 10, time.Hour, false},
		{2, 11, 200 * time.Millisecond, false},
		{2, 11, 201 * time.Millisecond, true},
		{50, 11, time.Second, false},
		{50, 11, 1001 * time.Millisecond, true},
	} {
		synctest.Test(t, func(t *testing.T) {
			var log bytes.Buffer
			q := New(Options{Logger: slog.New(slog.NewTextHandler(&log, nil))})
			for range c.batch {
				require.NoError(t, q.Add(object("web-1", "1")))
			}
			require.NoError(t, q.Resync()) // ends the batch
			for range c.behind - 1 {
				require.NoError(t, q.Add(object("web-1", "1")))
			}
			require.NoError(t, q.PopBatch(func(d deltafifo.Deltas, _ bool) error {
				require.Len(t, d, c.batch)
				time.Sleep(c.takes)
				return nil
			}))
			assert.Equal(t, c.logged, log.Len() > 0, "%+v: %s", c, &log)
		})
	}
}

// Several producers, one consumer: each producer's order is kept, and nothing is lost.
func TestEachProducersOrderIsKept(t *testing.T) {
	q := New(Options{})
	const each = 3000 // more than backPressure, so that producers have to wait
	var producers sync.WaitGroup
	for p := range 3 {
		producers.Go(func() {
			for i := range each {
				_ = q.Add(object(fmt.Sprint(p), fmt.Sprint(i)))
			}
		})
	}
	next := map[string]int{}
	for got := 0; got < 3*each; {
		require.NoError(t, q.PopBatch(func(d deltafifo.Deltas, _ bool) error {
			for _, delta := range d {
				name := delta.Object.GetName()
				require.Equal(t, fmt.Sprint(next[name]), delta.Object.GetResourceVersion(),
					"the next delta of producer %s", name)
				next[name]++
			}
			got += len(d)
			return nil
		}))
	}
	producers.Wait()
	assert.NoError(t, q.check())
	assert.Zero(t, q.Len())
}
