package fakeapi

import (
	"context"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/fakeapi/desk"
)

const largeRoom = 4800 // for large requests, at a desk of 6400

// atDesk runs f in a bubble, with a desk that has all its room again in the end.
func atDesk(t *testing.T, promise string, f func(t *testing.T, d *desk.Desk)) {
	t.Run(promise, func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			d := desk.New(6400)
			f(t, d)
			synctest.Wait()
			soon, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			for _, weight := range append(slices.Repeat([]int{100}, 16), largeRoom) {
				_, err := d.Enter(soon, weight)
				require.NoError(t, err)
			}
		})
	})
}

// sit enters with a weight in the background, and leaves when done is closed. It returns when
// the request is at the desk, or waits.
func sit(t *testing.T, d *desk.Desk, weight int, done <-chan struct{}) (entered func() bool) {
	var in atomic.Bool
	go func() {
		if leave, err := d.Enter(t.Context(), weight); err == nil {
			in.Store(true)
			<-done
			leave()
		}
	}()
	synctest.Wait()
	return in.Load
}

func TestDesk(t *testing.T) {
	atDesk(t, "the weights at the desk are never above its room, and all requests get there",
		func(t *testing.T, d *desk.Desk) {
			var now, most atomic.Int64
			var all sync.WaitGroup
			for range 64 {
				all.Go(func() {
					for range 20 {
						w := rand.IntN(12_000)
						leave, err := d.Enter(t.Context(), w)
						require.NoError(t, err)
						n := now.Add(int64(min(w, largeRoom)))
						most.Store(max(most.Load(), n))
						time.Sleep(rand.N(time.Second))
						now.Add(-int64(min(w, largeRoom)))
						leave()
					}
				})
			}
			all.Wait()
			assert.LessOrEqual(t, most.Load(), int64(6400))
		})
	atDesk(t, "requests enter in their order, but a small one does not wait for large ones",
		func(t *testing.T, d *desk.Desk) {
			first, rest := make(chan struct{}), make(chan struct{})
			require.True(t, sit(t, d, 4000, first)())
			second, third := sit(t, d, 4000, rest), sit(t, d, 500, rest)
			assert.False(t, second(), "there is no room")
			assert.False(t, third(), "there is, but the second comes first")
			assert.True(t, sit(t, d, 100, rest)(), "small")
			close(first)
			synctest.Wait()
			assert.True(t, second() && third())
			close(rest)
		})
	atDesk(t, "a request whose context ends gives its place back", func(t *testing.T, d *desk.Desk) {
		first, second := make(chan struct{}), make(chan struct{})
		sit(t, d, 4000, first)
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		begin := time.Now()
		_, err := d.Enter(ctx, 4000)
		assert.ErrorIs(t, err, context.DeadlineExceeded)
		assert.Equal(t, time.Minute, time.Since(begin))
		_, err = d.Enter(ctx, 1)
		assert.ErrorIs(t, err, context.DeadlineExceeded, "it does not even enter an empty desk")
		assert.True(t, sit(t, d, 500, second)(), "the next one is not behind it")
		close(first)
		close(second)
	})
	atDesk(t, "a request that gives up while it is admitted gives its place back",
		func(t *testing.T, d *desk.Desk) {
			for range 100 {
				leave, err := d.Enter(t.Context(), largeRoom)
				require.NoError(t, err)
				ctx, cancel := context.WithCancel(t.Context())
				done := make(chan struct{})
				go func() {
					defer close(done)
					if leave, err := d.Enter(ctx, 4800); err == nil {
						leave()
					}
				}()
				synctest.Wait()
				go cancel()
				leave()
				<-done
			}
		})
	t.Run("while heavy requests compute, little garbage is allowed", func(t *testing.T) {
		percent := func() int { p := debug.SetGCPercent(100); debug.SetGCPercent(p); return p }
		before := percent()
		first, _ := desk.New(1<<30).Enter(t.Context(), 64<<20)
		second, _ := desk.New(1<<30).Enter(t.Context(), 64<<20)
		first()
		assert.Less(t, percent(), 50)
		second()
		assert.Equal(t, before, percent())
	})
}
