package store

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAWatchOfAStateGoesOnWhereTheStateEnds(t *testing.T) {
	c := newCollection(roomy)
	put(t, c, "a", "")
	put(t, c, "b", "")
	start := c.WatchState(nil)
	put(t, c, "a", "")
	remove(t, c, "b")
	assert.Equal(t, uint64(3), start.Version)
	assert.Equal(t, []string{"a@2", "b@3"}, listed(*start.State))
	assert.Equal(t, []string{"MODIFIED a@4", "DELETED b@5"}, received(start.Watcher))
}

// Behind returns how many events the watcher has still to read, and the store's version.
func TestHowFarBehindAWatcherIs(t *testing.T) {
	limits := roomy
	limits.Events = 2
	c := newCollection(limits)
	other := c.store.NewCollection("others")
	start, err := c.WatchFrom(1, nil)
	require.NoError(t, err)
	w := start.Watcher
	require.Equal(t, 1, c.Watchers())
	behind := func(w *Watcher) string { n, v := w.Behind(); return fmt.Sprint(n, " at ", v) }
	assert.Equal(t, "0 at 1", behind(w))
	for range 4 {
		put(t, c, "a", "")
	}
	assert.Equal(t, "4 at 5", behind(w), "forgotten events count: the watcher still gets them")
	w.Next()
	put(t, other, "a", "")
	assert.Equal(t, "3 at 6", behind(w))
	late, err := c.WatchFrom(3, nil)
	require.NoError(t, err)
	assert.Equal(t, "2 at 6", behind(late.Watcher), "a watch can start at a forgotten event")
	assert.Equal(t, []string{"MODIFIED a@4", "MODIFIED a@5"}, received(late.Watcher))
	received(w)
	assert.Equal(t, "0 at 6", behind(w), "writes to other collections are not counted")
	w.Close()
	late.Watcher.Close()
	assert.Zero(t, c.Watchers())
}

// isSlow says whether a watcher has been cut off.
func isSlow(w *Watcher) bool {
	select {
	case <-w.Slow():
		return true
	default:
		return false
	}
}

// A watcher may be behind by the limit of events and an eighth of that, or by the limit of
// bytes and an eighth of that, before it is cut off.
func TestAWatcherThatIsTooFarBehindIsCutOff(t *testing.T) {
	limits := roomy
	limits.Behind, limits.Bytes = 80, 100_000
	for _, c := range []struct {
		law         string
		size        int
		fine, slow_ int // how many events behind
	}{
		{"by events", 0, 80, 91},
		{"by bytes", 10_000 - overhead, 10, 12},
	} {
		t.Run(c.law, func(t *testing.T) {
			things := newCollection(limits)
			put(t, things, "a", "")
			aborted := 0
			start, err := things.WatchFrom(1, func() { aborted++ })
			require.NoError(t, err)
			keeps, err := things.WatchFrom(1, nil)
			require.NoError(t, err)
			gone, err := things.WatchFrom(1, func() { t.Error("aborted after Close") })
			require.NoError(t, err)
			gone.Watcher.Close()
			pad := strings.Repeat("x", c.size)
			for n := 1; n <= c.slow_; n++ {
				put(t, things, "a", pad)
				received(keeps.Watcher)
				if n == c.fine {
					assert.False(t, isSlow(start.Watcher), "%d events behind", n)
				}
			}
			assert.True(t, isSlow(start.Watcher), "%d events behind", c.slow_)
			assert.False(t, isSlow(keeps.Watcher), "a watcher that keeps up is not cut off")
			assert.Equal(t, 1, aborted, "abort is called")
			put(t, things, "a", pad)
			assert.Equal(t, 1, aborted, "abort is called only once")
		})
	}
}

// Events that were in the chain when a watcher joined do not count.
func TestTheBacklogAtTheStartDoesNotCount(t *testing.T) {
	limits := roomy
	limits.Behind = 8
	c := newCollection(limits)
	for range 100 {
		put(t, c, "a", "")
	}
	start, err := c.WatchFrom(1, nil)
	require.NoError(t, err)
	for range 8 {
		put(t, c, "a", "")
	}
	assert.False(t, isSlow(start.Watcher), "108 events behind, 100 of them from before it joined")
	for range 2 {
		put(t, c, "a", "")
	}
	assert.True(t, isSlow(start.Watcher))
}

// Nothing that watchers do takes the store's exclusive lock: while a reader holds the
// shared lock, watchers can join, read, ask how far behind they are, and leave.
func TestWatchersComeAndGoUnderTheSharedLock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCollection(roomy)
		put(t, c, "a", "")
		c.store.mu.RLock()
		done := make(chan struct{})
		go func() {
			defer close(done)
			start := c.WatchState(nil)
			past, err := c.WatchFrom(1, nil)
			assert.NoError(t, err)
			past.Watcher.Next()
			past.Watcher.Behind()
			start.Watcher.Close()
			past.Watcher.Close()
		}()
		synctest.Wait()
		select {
		case <-done:
		default:
			t.Error("a watcher waits for the exclusive lock")
		}
		c.store.mu.RUnlock()
		<-done
	})
}

// Many watchers, joining and leaving while there are writes: each gets every event
// after its start once, in order.
func TestEveryWatcherGetsEveryEventInOrder(t *testing.T) {
	const watchers, writes = 40, 200
	limits := roomy
	limits.Events = 50
	c := newCollection(limits)
	var wg sync.WaitGroup
	for range watchers {
		start := c.WatchState(nil)
		wg.Go(func() {
			defer start.Watcher.Close()
			last := start.Version
			for last < FirstVersion+writes {
				<-start.Watcher.Ready()
				if e := start.Watcher.Next(); assert.NotNil(t, e) {
					assert.Equal(t, last+1, e.Version())
					last = e.Version()
				}
			}
		})
	}
	for i := range writes {
		put(t, c, fmt.Sprintf("web-%d", i%7), "")
	}
	wg.Wait()
	assert.Zero(t, c.Watchers())
}

// Watchers are checked when the chain passes a multiple of an eighth of a limit, and at no other
// write.
func TestWatchersAreCheckedNowAndThen(t *testing.T) {
	for _, c := range []struct {
		events, bytes uint64 // the place of the newest event
		size          int    // of that event
		checked       bool
	}{
		{events: 89, bytes: 100_015, size: 10, checked: false},
		{events: 90, bytes: 100_015, size: 10, checked: true},
		{events: 91, bytes: 100_015, size: 10, checked: false},
		{events: 85, bytes: 100_099, size: 10, checked: false},
		{events: 85, bytes: 100_105, size: 10, checked: true},
		{events: 85, bytes: 100_250, size: 200, checked: true},
	} {
		limits := Limits{Behind: 80, Bytes: 800} // a check every 10 events and every 100 bytes
		w := &Watcher{}
		w.cursor.Store(&Event{})
		set := &watcherSet{all: map[*Watcher]struct{}{w: {}}}
		newest := &Event{place: place{c.events, c.bytes}, size: c.size}
		slow := set.tooFarBehind(&history{tail: newest}, limits)
		assert.Equal(t, c.checked, len(slow) == 1, "a check at event %d, which ends at byte %d and "+
			"has %d bytes", c.events, c.bytes, c.size)
	}
	assert.True(t, crosses(1, 2, 0), "with a limit below eight, each write checks the watchers")
}
