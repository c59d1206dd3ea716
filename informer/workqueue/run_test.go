package workqueue

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
	"weak"

	"github.com/stretchr/testify/assert"

	"example.com/watchglass/docs/tools/story"
)

// refusal is an error that says how long to wait.
type refusal struct{ error }

func (refusal) SuggestsClientDelay() time.Duration { return time.Minute }

func TestRun(t *testing.T) {
	none := errors.New("none")
	// reconciles returns when an item is reconciled in two hours, each call having one of the results.
	// It is always reconciled once more, without a wish.
	reconciles := func(t *testing.T, results ...any) (gaps []time.Duration) {
		q := NewRateLimiting(ExponentialFailure[string](ms, time.Hour))
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Hour)
		defer cancel()
		q.Add("a")
		last := time.Now()
		Run(ctx, q, 2, func(_ context.Context, item string) (result Result, err error) {
			gaps, last = append(gaps, time.Since(last)), time.Now()
			if n := len(gaps) - 1; n < len(results) {
				err, _ = results[n].(error)
				result.RequeueAfter, _ = results[n].(time.Duration)
			}
			return result, err
		})
		assert.Zero(t, q.NumRequeues("a"), "failures are forgotten")
		assert.Equal(t, Stats{Adds: len(gaps), Retries: len(gaps) - 1}, q.Stats())
		return gaps[1:]
	}
	for law, c := range map[string]struct{ results, want []any }{
		"an item that succeeds is left alone":                {[]any{}, []any{}},
		"one that fails is tried again, later each time":     {[]any{none, none, none}, []any{1, 2, 4}},
		"a success forgets the failures before it":           {[]any{none, none, 60 * ms, none}, []any{1, 2, 60, 1}},
		"a success may ask for another look":                 {[]any{time.Hour}, []any{3600000}},
		"an error may say how long to wait, also if wrapped": {[]any{none, fmt.Errorf("w: %w", refusal{none}), none}, []any{1, 60000, 4}},
	} {
		story.Bubble(t, law, func(t *testing.T) {
			gaps := []any{}
			for _, gap := range reconciles(t, c.results...) {
				gaps = append(gaps, int(gap/ms))
			}
			assert.Equal(t, c.want, gaps)
		})
	}
	story.Bubble(t, "an item added during its reconciliation is reconciled once more, without a delay",
		func(t *testing.T) {
			q := NewRateLimiting(DefaultController[string]())
			q.Add("a")
			calls := 0
			Run(t.Context(), q, 3, func(context.Context, string) (Result, error) {
				if calls++; calls == 1 {
					q.Add("a")
					q.ShutDown()
				}
				return Result{}, nil
			})
			assert.Equal(t, 2, calls, "what is queued when the queue is shut down is worked on")
		})
	story.Bubble(t, "it ends with its context: calls return first, and what is queued stays",
		func(t *testing.T) {
			q := NewRateLimiting(DefaultController[int]())
			ctx, cancel := context.WithCancel(t.Context())
			busy := make(chan int, 9)
			var ended atomic.Bool
			reconcile := func(ctx context.Context, item int) (Result, error) {
				busy <- item
				<-ctx.Done()
				time.Sleep(time.Second)
				return Result{}, nil
			}
			go func() { Run(ctx, q, 3, reconcile); ended.Store(true) }()
			synctest.Wait()
			for item := range 5 {
				q.Add(item)
			}
			synctest.Wait()
			items := []int{<-busy, <-busy, <-busy}
			slices.Sort(items)
			assert.Equal(t, []int{0, 1, 2}, items, "three items at a time")
			cancel()
			synctest.Wait()
			assert.False(t, ended.Load())
			time.Sleep(time.Second)
			synctest.Wait()
			assert.True(t, ended.Load())
			assert.Equal(t, Stats{Queued: 2, Adds: 5}, q.Stats())
			Run(ctx, q, 1, reconcile) // returns
		})
	t.Run("without workers or a func it panics", func(t *testing.T) {
		q := NewRateLimiting(DefaultController[int]())
		assert.PanicsWithValue(t, "workqueue: reconcile is nil", func() { Run(t.Context(), q, 1, nil) })
		assert.PanicsWithValue(t, "workqueue: Run with 0 workers, want 1 or more", func() {
			Run(t.Context(), q, 0, func(context.Context, int) (Result, error) { return Result{}, nil })
		})
	})
}

func TestRunAndDrain(t *testing.T) {
	// drains returns how long it takes to end after a second, when the context ends, with five items
	// of which each takes a minute, or until its context ends. The queue is shut down at a time of its
	// own; if that is after a second, the context does not end.
	drains := func(t *testing.T, limit, shutDown time.Duration) (took time.Duration, err error) {
		q := NewRateLimiting(DefaultController[int]())
		for item := range 5 {
			q.Add(item)
		}
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		if time.AfterFunc(shutDown, q.ShutDown); shutDown != time.Second {
			time.AfterFunc(time.Second, cancel)
		}
		began := time.Now().Add(time.Second)
		err = RunAndDrain(ctx, q, 2, limit, func(ctx context.Context, _ int) (Result, error) {
			select {
			case <-time.After(time.Minute):
			case <-ctx.Done():
			}
			return Result{RequeueAfter: time.Hour}, nil
		})
		return time.Since(began), err
	}
	law(t, "it leaves nothing that keeps the queue in memory", func(t *testing.T, _ *Queue[string]) {
		drained := func() weak.Pointer[RateLimitingQueue[int]] {
			q := NewRateLimiting(DefaultController[int]())
			ctx, cancel := context.WithCancel(t.Context())
			q.Add(1)
			assert.NoError(t, RunAndDrain(ctx, q, 1, time.Hour, func(context.Context, int) (Result, error) {
				cancel()
				return Result{}, nil
			}))
			return weak.Make(q)
		}()
		synctest.Wait() // a worker that has ended may not have left its stack yet
		runtime.GC()
		assert.Nil(t, drained.Value(), "a timer of an hour, which nobody needs any more, would")
	})
	law(t, "it panics as Run does, and leaves no goroutine", func(t *testing.T, _ *Queue[string]) {
		q := NewRateLimiting(DefaultController[int]())
		assert.PanicsWithValue(t, "workqueue: reconcile is nil",
			func() { _ = RunAndDrain(context.Background(), q, 1, time.Hour, nil) })
	})
	const never = 99 * time.Hour
	law(t, "it finishes what is queued, even after a ShutDown", func(t *testing.T, _ *Queue[string]) {
		for _, shutDown := range []time.Duration{never, time.Minute} {
			took, err := drains(t, time.Hour, shutDown)
			assert.NoError(t, err)
			assert.Equal(t, 3*time.Minute-time.Second, took)
		}
	})
	law(t, "for so long at most, and then says what is left", func(t *testing.T, _ *Queue[string]) {
		for _, shutDown := range []time.Duration{never, time.Minute} {
			took, err := drains(t, 90*time.Second, shutDown)
			assert.ErrorContains(t, err, "1 items queued")
			assert.ErrorContains(t, err, "not drained after 1m30s")
			assert.Equal(t, 90*time.Second, took)
		}
		_, err := drains(t, 150*time.Second, never)
		assert.ErrorContains(t, err, "not drained after 2m30s", "also if only calls are cut")
	})
	law(t, "it ends with the queue, too", func(t *testing.T, _ *Queue[string]) {
		took, err := drains(t, 0, time.Second)
		assert.NoError(t, err)
		assert.Equal(t, 3*time.Minute-time.Second, took)
	})
}

func badReconcile(_ context.Context, key string) (Result, error) {
	if key == "bad" {
		panic("cannot reconcile")
	}
	select {} // a worker that does not return must not hide the panic of another
}

// A program that crashes is another process: this one, started again.
func TestAPanicOfReconcileCrashesTheProgramWithItsStack(t *testing.T) {
	const isChild = "WORKQUEUE_TEST_PANICS"
	if os.Getenv(isChild) != "" {
		q := NewRateLimiting(DefaultController[string]())
		q.Add("good")
		q.Add("bad")
		Run(t.Context(), q, 2, badReconcile)
		return
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	child := exec.CommandContext(ctx, os.Args[0], "-test.run=^"+t.Name()+"$")
	child.Env = append(os.Environ(), isChild+"=yes")
	out, err := child.CombinedOutput()
	assert.Error(t, err)
	assert.Contains(t, string(out), "panic: cannot reconcile")
	assert.Contains(t, string(out), "workqueue.badReconcile(")
}
