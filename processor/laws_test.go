package processor

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"
	"weak"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass"
)

// The story says what a panic costs.
func TestPanic(t *testing.T) {
	enforce(t, "a handler that is removed in the pause after a panic ends immediately",
		Options{OnPanic: func(string, Notification, any) {}}, func(t *testing.T, k *fixture) {
			r, registration := k.join(HandlerOptions{})
			r.before = func(string) { panic("no") }
			k.run()
			k.tell(pods("web-1", "web-2")...)
			k.settle()
			began := time.Now()
			require.NoError(t, k.ShutDownListener(t.Context(), registration))
			assert.Zero(t, time.Since(began))
			assert.Equal(t, 1, registration.Dropped())
			assert.Zero(t, registration.Delivered(), "a call that panicked does not count")
		})
	// If a handler panics, a goroutine that waits for the sync must not go on, nor end the program
	// without an error. The deferred calls of the panicking goroutine run before the crash.
	t.Run("without OnPanic, a panic is the program's end, and not the sync or end of the handler",
		func(t *testing.T) {
			k := &fixture{t: t, SharedProcessor: New(Options{})}
			k.UpstreamSynced()
			r, registration := k.join(HandlerOptions{}, "web-1")
			r.before = func(string) { panic("no") }
			l := registration.listener
			l.nextCh = make(chan batch, 1)
			l.nextCh <- l.ring.at(0)
			assert.PanicsWithValue(t, "no", l.run)
			assert.False(t, registration.HasSynced())
			assert.False(t, isClosed(registration.Ended()))
		})
}

func TestResyncPeriod(t *testing.T) {
	var log bytes.Buffer
	enforce(t, "the log names each handler that gets another period than it asked for",
		Options{ResyncPeriod: time.Hour, Logger: slog.New(slog.NewTextHandler(&log, nil))},
		func(t *testing.T, k *fixture) {
			k.join(HandlerOptions{})
			k.join(HandlerOptions{ResyncPeriod: time.Hour})
			assert.Empty(t, log.String())
			k.join(HandlerOptions{Name: "hasty", ResyncPeriod: time.Millisecond})
			assert.Contains(t, log.String(), "handler=hasty asked=1ms gets=1s")
		})
	t.Run("without checks there is no period, whatever a handler asks for", func(t *testing.T) {
		k := &fixture{t: t, SharedProcessor: New(Options{})}
		_, registration := k.join(HandlerOptions{ResyncPeriod: time.Hour})
		assert.Zero(t, registration.ResyncPeriod())
	})
	t.Run("checks are a second apart at least, or they keep a CPU core busy", func(t *testing.T) {
		for asked, gets := range map[time.Duration]time.Duration{
			-1: 0, 0: 0, 1: minResync, time.Hour: time.Hour,
		} {
			assert.Equal(t, gets, New(Options{ResyncPeriod: asked}).SettleResyncPeriod())
		}
	})
}

// alive returns objects, and a func that counts those of them that could not be freed.
func alive(n int) (objs []watchglass.Object, count func() int) {
	var pointers []weak.Pointer[testObject]
	for i := range n {
		obj := pod(fmt.Sprint("web-", i), "1")
		objs, pointers = append(objs, obj), append(pointers, weak.Make(obj))
	}
	return objs, func() (left int) {
		runtime.GC()
		for _, p := range pointers {
			if p.Value() != nil {
				left++
			}
		}
		return left
	}
}

func TestMemory(t *testing.T) {
	const objects = 10 * maxBatch
	enforce(t, "an initial object can be freed when its batch has been delivered",
		Options{}, func(t *testing.T, k *fixture) {
			initial, left := alive(objects)
			last, gate := fmt.Sprintf("add web-%d @1 (initial)", objects-1), make(chan struct{})
			r := &recorder{before: func(call string) {
				if call == last {
					<-gate
				}
			}}
			_, err := k.AddListener(r, HandlerOptions{}, initial)
			require.NoError(t, err)
			clear(initial)
			k.run()
			assert.LessOrEqual(t, left(), maxBatch)
			close(gate)
		})
	enforce(t, "a batch costs one allocation, however many handlers ignore its notifications",
		Options{}, func(t *testing.T, k *fixture) {
			for range 10 {
				_, err := k.AddListener(ResourceEventHandlerFuncs{}, HandlerOptions{}, nil)
				require.NoError(t, err)
			}
			k.run()
			web := pod("web-1", "1")
			all := []Notification{AddNotification(web, true), UpdateNotification(web, web),
				DeleteNotification(web)}
			assert.LessOrEqual(t, testing.AllocsPerRun(100, func() {
				for i := range maxBatch {
					k.Gather(all[i%3], false)
				}
			}), 1.0)
		})
}

func TestRemoval(t *testing.T) {
	enforce(t, "a handler that shuts itself down waits until the context ends, and is removed",
		Options{}, func(t *testing.T, k *fixture) {
			r, registration := k.join(HandlerOptions{})
			enough := errors.New("waited long enough")
			r.before = func(string) {
				ctx, cancel := context.WithTimeoutCause(t.Context(), time.Hour, enough)
				defer cancel()
				assert.ErrorIs(t, k.ShutDownListener(ctx, registration), enough)
			}
			k.run()
			k.tell(pods("web-1", "web-2")...)
			<-registration.Ended()
			assert.Equal(t, []string{"add web-1 @1"}, r.list())
		})
	enforce(t, "a registration of another processor is an error, a nil one and a nil handler a panic",
		Options{}, func(t *testing.T, k *fixture) {
			for _, handler := range []ResourceEventHandler{nil, (*recorder)(nil)} {
				assert.PanicsWithValue(t, "processor: the handler is nil",
					func() { _, _ = k.AddListener(handler, HandlerOptions{}, nil) })
			}
			assert.PanicsWithValue(t, "processor: the registration is nil",
				func() { _ = k.RemoveListener(nil) })
			_, other := (&fixture{t: t, SharedProcessor: New(Options{})}).join(HandlerOptions{})
			assert.ErrorIs(t, k.RemoveListener(other), ErrForeign)
			assert.ErrorIs(t, k.ShutDownListener(t.Context(), other), ErrForeign)
			assert.NoError(t, other.Err(), "no func says what failed")
			assert.False(t, isClosed(other.Ended()))
			assert.Equal(t, "*processor.recorder-1", other.Name(), "a type and a number")
		})
}

// The race detector sees here what the model, which takes one step at a time, cannot see.
func TestHammer(t *testing.T) {
	enforce(t, "all handlers get one order without a gap, whatever goroutines do",
		Options{ResyncPeriod: time.Second}, func(t *testing.T, k *fixture) {
			var all sync.WaitGroup
			var mu sync.Mutex // as blockDeltas of the informer: guards number and its notification
			number := 0
			join := func(n, i int) {
				last, got := -1, 0
				handler := ResourceEventHandlerFuncs{AddFunc: func(obj watchglass.Object, _ bool) {
					_, _ = fmt.Sscan(obj.GetName(), &got)
					assert.True(t, last < 0 || got == last+1, "%d after %d", got, last)
					last = got
					time.Sleep(time.Duration(i%3) * time.Millisecond)
				}}
				mu.Lock()
				initial := pods(fmt.Sprint(number))
				registration, err := k.AddListener(handler, HandlerOptions{Drain: n%2 == 0}, initial)
				mu.Unlock()
				time.Sleep(time.Duration(n+i) * time.Millisecond)
				if err != nil {
					assert.ErrorIs(t, err, watchglass.ErrStopped)
				} else if i%3 > 0 {
					assert.NoError(t, k.RemoveListener(registration))
				}
			}
			for n := range 6 {
				all.Go(func() {
					for i := range 20 {
						join(n, i)
						k.ShouldResync()
						assert.NoError(t, k.check())
						mu.Lock()
						number++
						k.Gather(AddNotification(pod(fmt.Sprint(number), "1"), false), false)
						mu.Unlock()
						k.Flush()
					}
				})
			}
			time.Sleep(5 * time.Millisecond)
			k.run()
			time.Sleep(100 * time.Millisecond)
			k.stop()
			all.Wait()
		})
}

// In the last case a handler joins when a hundred thousand objects are in the store.
func BenchmarkFanOut(b *testing.B) {
	const many = 100_000 // notifications for each handler
	for _, handlers := range []int{1, 10, 100} {
		b.Run(fmt.Sprintf("handlers=%d", handlers), func(b *testing.B) { fanOut(b, many, handlers, nil) })
	}
	b.Run("late", func(b *testing.B) { fanOut(b, many, 1, slices.Repeat(pods("web-1"), many)) })
}

func fanOut(b *testing.B, many, handlers int, initial []watchglass.Object) {
	web := pod("web-1", "1")
	b.ReportAllocs()
	for b.Loop() {
		p := New(Options{})
		var calls, run sync.WaitGroup
		calls.Add(handlers)
		for range handlers {
			seen := 0
			call := func() {
				if seen++; seen == many {
					calls.Done()
				}
			}
			_, _ = p.AddListener(ResourceEventHandlerFuncs{
				AddFunc:    func(watchglass.Object, bool) { call() },
				UpdateFunc: func(_, _ watchglass.Object) { call() },
			}, HandlerOptions{}, initial)
		}
		ctx, cancel := context.WithCancel(context.Background())
		run.Go(func() { _ = p.Run(ctx) })
		for range many - len(initial) {
			p.Gather(UpdateNotification(web, web), false)
		}
		p.Flush()
		calls.Wait()
		cancel()
		run.Wait()
	}
	each := float64(b.Elapsed().Nanoseconds()) / float64(b.N*many*handlers)
	b.ReportMetric(each, "ns/notification")
}
