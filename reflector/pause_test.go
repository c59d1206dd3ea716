package reflector

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestConnectionRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t)
		end := make(chan any)
		g.replies <- list("7")
		g.replies <- live(end)
		g.replies <- hanging(bookmark("9"))
		g.start(t)
		pass(time.Minute)
		g.refuse(true)
		close(end)
		pass(2 * time.Minute)
		assert.Equal(t, "800ms 1.6s 3.2s 6.4s 12.8s 25.6s 30s 30s 30s", g.pausesString(),
			"while nothing listens, pauses grow up to 30 s")
		g.refuse(false)
		pass(time.Minute)
		assert.Equal(t, "0/500", g.lists(), "when the server is back, no list is needed")
		assert.Equal(t, "7 7", g.watches())
		assert.Equal(t, "9", g.r.LastSyncResourceVersion())
	})
}

func TestBackoffGrowsAndResets(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t)
		end := make(chan any)
		g.replies <- refusal(500, "", "")
		g.replies <- list("7")
		g.replies <- stream() // a list alone is no success
		g.replies <- list("7")
		g.replies <- live(end)
		g.replies <- refusal(403, "Forbidden", "no")
		g.start(t)
		pass(time.Minute)
		assert.Equal(t, "800ms 1.6s", g.pausesString())
		close(end)
		pass(time.Second)
		assert.Equal(t, "800ms 1.6s 800ms", g.pausesString(), "a watch that lasted is a success")
	})
}

func TestAStreamingListIsNoSuccessHoweverLongItTakes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t, func(o *Options) { o.ListFirst = false })
		slow := stream(initialEnd("7")) // and then it is over
		slow.wait = 2 * time.Second
		for range 20 {
			g.replies <- slow
			g.replies <- stream() // a watch from 7
		}
		g.start(t)
		pass(20 * time.Second)
		assert.Equal(t, "800ms 1.6s 3.2s 6.4s 12.8s", g.pausesString(),
			"while no watch lasts, the pauses between streaming lists grow")
	})
}

func TestWhatEndsASeriesOfFailures(t *testing.T) {
	const longest = 30 * time.Second
	for _, c := range []struct {
		says    string
		state   State
		on      Outcome
		elapsed time.Duration
		want    bool
	}{
		{"a watch that ended after a second ends the series", Watching, Ended, shortWatch, true},
		{"a watch that ended sooner does not end it", Watching, Ended, shortWatch - 1, false},
		{"a watch that failed after a second does not end it", Watching, Failed, shortWatch, false},
		{"a watch that failed just before the time of the longest pause does not end it", Watching,
			Expired, longest - 1, false},
		{"a watch that failed after the time of the longest pause ends the series", Watching,
			Expired, longest, true},
		{"a request for a watch does not end it, however long it took", OpeningWatch, Busy,
			time.Hour, false},
		{"a streaming list does not end it, however long it took", Streaming, Failed,
			time.Hour, false},
	} {
		r, err := New(Options{ListerWatcher: &server{}, Store: nullStore{}})
		require.NoError(t, err)
		assert.Equal(t, c.want, r.wasOfUse(c.state, c.on, facts{elapsed: c.elapsed}), "a series of failures: %s", c.says)
	}
}

func TestWatchesThatFailLateAreNoStormOfLists(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t)
		frames := make(chan any)
		for range 4 {
			g.replies <- list("7")
			g.replies <- live(frames)
		}
		g.start(t)
		for range 4 {
			pass(2 * time.Second)
			frames <- garbage
			pass(10 * time.Second)
		}
		assert.Equal(t, "800ms 1.6s 3.2s 6.4s", g.pausesString(),
			"a watch that breaks after seconds is no success")
	})
}
