package realfifo

import (
	"bytes"
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass"
	"example.com/watchglass/deltafifo"
)

// What is queued, counted and popped is in the stories and in the model. The laws here are promises
// about everything else.

func TestLaws(t *testing.T) {
	t.Run("what is refused is not queued, and the error says why", func(t *testing.T) {
		q, bad := New(Options{Transform: picky}), object("bad", "1")
		assert.EqualError(t, q.Update(bad), `realfifo: update: transform "bad": refused`)
		assert.EqualError(t, q.Replace([]watchglass.Object{bad}, "90"),
			`realfifo: replace: transform "bad": refused`)
		var keyError *watchglass.KeyError
		assert.ErrorAs(t, q.Add(nil), &keyError)
		assert.Zero(t, q.Len())
	})
	t.Run("the key func is asked, except for a tombstone, which has a key", func(t *testing.T) {
		q := New(Options{KeyFunc: func(watchglass.Object) (string, error) { return "", errRefused }})
		assert.ErrorIs(t, q.Add(object("web-1", "1")), errRefused)
		assert.NoError(t, q.Delete(deltafifo.DeletedFinalStateUnknown{Key: "web-1"}))
		assert.Equal(t, []string{"Deleted tombstone of web-1"}, queued(q))
	})
	t.Run("a batch has at most 1000 deltas", func(t *testing.T) {
		q := New(Options{})
		for _, size := range []int{999, 1000, 1001} {
			fill(q, size)
			assert.Equal(t, min(size, 1000), popBatch(t, q))
		}
		assert.Equal(t, 1, popBatch(t, q))
	})
	t.Run("the lock is free while a process func runs, unless 2000 deltas wait", func(t *testing.T) {
		q := New(Options{})
		fill(q, 2001)
		for _, free := range []bool{false, true} { // 2000 deltas wait, then 1999
			_, _ = q.Pop(func(deltafifo.Deltas, bool) error {
				got := q.mu.TryLock()
				if got {
					q.mu.Unlock()
				}
				assert.Equal(t, free, got)
				return nil
			})
		}
	})
	// Two consumers that worked at the same time could store two states in the wrong order.
	t.Run("consumers take turns until a closed queue is empty, then all get ErrClosed",
		func(t *testing.T) {
			for _, later := range []time.Duration{0, time.Minute} { // while they wait: for a turn, for deltas
				synctest.Test(t, func(t *testing.T) {
					q, busy, ended := New(Options{}), 0, make(chan error, 3)
					consume := func(err error) {
						for err == nil {
							_, err = q.Pop(func(deltafifo.Deltas, bool) error {
								busy++
								time.Sleep(time.Second)
								assert.Equal(t, 1, busy, "process funcs that run at the same time")
								busy--
								return nil
							})
						}
						ended <- err
					}
					for range 3 {
						go consume(nil)
					}
					synctest.Wait()
					fill(q, 4)
					time.Sleep(later)
					synctest.Wait()
					assert.Equal(t, later == 0, q.Len() > 0, "deltas wake a consumer")
					q.Close()
					for range 3 {
						assert.ErrorIs(t, <-ended, deltafifo.ErrClosed)
						assert.Zero(t, q.Len(), "a closed queue is drained first")
					}
					fill(q, 1) // a closed queue takes more
					assert.Equal(t, 1, popBatch(t, q))
				})
			}
		})
	t.Run("all methods may be called at the same time", func(t *testing.T) {
		q := New(Options{})
		var callers sync.WaitGroup
		for _, call := range []func(){
			func() { fill(q, 1) }, func() { _ = q.Replace(nil, "1") }, func() { _ = q.Resync() },
			func() { q.UpdateResourceVersion("2") }, func() { q.HasSynced() }, q.Close,
			func() { _, _ = q.Pop(nothing) }, func() { _ = q.PopBatch(nothing) },
		} {
			callers.Go(func() {
				for range 50 {
					call()
				}
			})
		}
		callers.Wait()
		require.NoError(t, q.check())
	})
	t.Run("slow processing is logged, with the number of deltas", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			var log bytes.Buffer
			q := New(Options{Logger: slog.New(slog.NewTextHandler(&log, nil))})
			fill(q, 2)
			require.NoError(t, q.Resync()) // ends the batch
			fill(q, 10)
			slow := func(deltafifo.Deltas, bool) error { time.Sleep(time.Second); return nil }
			require.NoError(t, q.PopBatch(slow))
			assert.Contains(t, log.String(), "deltas=2 took=1s depth=11")
		})
	})
	t.Run("the trace reports each step, a list as synced when it has left", func(t *testing.T) {
		var told string
		var q *RealFIFO
		q = New(Options{Trace: &Trace{
			Queued: func(d deltafifo.Delta) { told += fmt.Sprint("queued ", d) },
			Popped: func(d deltafifo.Deltas, initial bool) { told += fmt.Sprint(", popped ", d, initial) },
			Synced: func() { told += fmt.Sprint(", synced with ", q.Len()) },
		}})
		require.NoError(t, q.Replace(nil, "90"))
		popBatch(t, q)
		assert.Equal(t, "queued ReplacedAll@90, popped [ReplacedAll@90] true, synced with 0", told)
	})
	t.Run("an event allocates nothing, not even its key", func(t *testing.T) {
		q := New(Options{})
		obj := &watchglass.ObjectMeta{Namespace: "default", Name: "web-1", ResourceVersion: "1"}
		assert.Zero(t, testing.AllocsPerRun(1000, func() {
			_ = q.Update(obj)
			_ = q.PopBatch(nothing)
		}))
	})
	t.Run("the room for deltas doubles, so that a long queue is seldom moved", func(t *testing.T) {
		var b backlog
		moves, room := 0, 0
		for range 1 << 17 {
			b.push(deltafifo.Delta{})
			if cap(b.in) != room {
				moves, room = moves+1, cap(b.in)
			}
		}
		assert.LessOrEqual(t, moves, 18)
	})
	t.Run("the memory of a burst is given back", func(t *testing.T) {
		q := New(Options{})
		fill(q, 3*keptCap)
		for q.Len() > 0 {
			popBatch(t, q)
		}
		for range 2 { // the two slices change places
			fill(q, 1)
			popBatch(t, q)
		}
		assert.LessOrEqual(t, cap(q.backlog.in)+cap(q.backlog.out), 2*keptCap, "slots")
	})
}

func fill(q *RealFIFO, n int) {
	for range n {
		_ = q.Add(object("web-1", "1"))
	}
}

func popBatch(t *testing.T, q *RealFIFO) (popped int) {
	require.NoError(t, q.PopBatch(func(d deltafifo.Deltas, _ bool) error {
		popped = len(d)
		return nil
	}))
	require.NoError(t, q.check())
	return popped
}

func nothing(deltafifo.Deltas, bool) error { return nil }
