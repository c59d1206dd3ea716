package store

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A watcher may be behind by the limit of events and an eighth of that, or by the limit of
// bytes and an eighth of that, before it is cut off. Events that were in the chain when it joined
// do not count. Only bytes count for readers of snapshots.
func TestAWatcherThatIsTooFarBehindIsCutOff(t *testing.T) {
	limits := roomy
	limits.Behind, limits.Bytes = 80, 100_000
	for _, c := range []struct {
		law             string
		size, backlog   int
		fine, far, hold int // how many events behind
	}{
		{"by events", 0, 100, 89, 91, 195 + 25},
		{"by bytes", 10_000 - overhead, 9, 10, 12, 12},
	} {
		t.Run(c.law, func(t *testing.T) {
			things := newCollection(limits)
			pad := strings.Repeat("x", c.size)
			for range c.backlog {
				put(t, things, "a", pad)
			}
			isSlow := func(w *Watcher) bool {
				select {
				case <-w.Slow():
					return true
				default:
					return false
				}
			}
			aborted, released := 0, 0
			from := func(abort func()) *Watcher {
				start, err := things.WatchFrom(1, abort)
				require.NoError(t, err)
				return start.Watcher
			}
			slow, keeps := from(func() { aborted++ }), from(nil)
			gone := from(func() { t.Error("aborted after Close") })
			gone.Close()
			gone.cutOff() // by a write that has found it before
			hold := things.Hold(func() { released++ })
			things.Hold(func() { t.Error("aborted after Close") }).Close()
			assert.Equal(t, 2, things.Watchers(), "readers of snapshots are no watchers")
			for n := 1; n <= c.hold; n++ {
				put(t, things, "a", pad)
				received(keeps)
				switch n {
				case c.fine:
					assert.False(t, isSlow(slow), "%d events behind", n)
					assert.False(t, isSlow(hold))
				case c.far:
					assert.True(t, isSlow(slow), "%d events behind", n)
				}
			}
			assert.True(t, isSlow(hold), "%d events behind", c.hold)
			assert.False(t, isSlow(keeps), "a watcher that keeps up is not cut off")
			put(t, things, "a", pad)
			assert.Equal(t, []int{1, 1}, []int{aborted, released}, "abort is called, and only once")
		})
	}
}

// Nothing that watchers do takes the store's exclusive lock: while a reader holds the
// shared lock, watchers can join, read, ask how far behind they are, and leave.
func TestWatchersComeAndGoUnderTheSharedLock(t *testing.T) {
	c := newCollection(roomy)
	put(t, c, "a", "")
	c.store.mu.RLock()
	defer c.store.mu.RUnlock()
	c.WatchState(nil).Watcher.Close() // would wait for this test if it took the exclusive lock
	past, err := c.WatchFrom(1, nil)
	require.NoError(t, err)
	past.Watcher.Next()
	past.Watcher.Behind()
	past.Watcher.Close()
}

// Many watchers while there are writes: each gets every event after its start once, in order.
func TestEveryWatcherGetsEveryEventInOrder(t *testing.T) {
	const watchers, writes = 40, 200
	c := newCollection(roomy)
	var wg sync.WaitGroup
	for range watchers {
		start := c.WatchState(nil)
		wg.Go(func() {
			defer start.Watcher.Close()
			for last := start.Version; last < FirstVersion+writes; last++ {
				<-start.Watcher.Ready()
				if e := start.Watcher.Next(); assert.NotNil(t, e) {
					assert.Equal(t, last+1, e.Version())
				}
			}
		})
	}
	for i := range writes {
		put(t, c, fmt.Sprintf("web-%d", i%7), "")
	}
	wg.Wait()
}
