package reflector

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestAWatchWithoutProgressPauses(t *testing.T) {
	for says, same := range map[string]Event{
		"a bookmark at the recorded version": bookmark("7"),
		"a bookmark at an older version":     bookmark("6"),
		"an event without a version":         event(Added, "web-1@"),
		"an event at the recorded version":   event(Modified, "web-1@7"),
	} {
		synctest.Test(t, func(t *testing.T) {
			g := newRig(t)
			g.replies <- list("7")
			for range 99 {
				g.replies <- stream(same)
			}
			g.start(t)
			pass(20 * time.Second)
			assert.Equal(t, "800ms 1.6s 3.2s 6.4s 12.8s", g.pausesString(),
				"a watch that brings only this is followed by a pause: %s", says)
			assert.Equal(t, "0/500", g.lists(),
				"a watch that brings only this leads to no list: %s", says)
		})
	}
}

func TestVersionsThatGoToAndFroPause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t)
		g.replies <- list("7")
		for range 49 {
			g.replies <- stream(bookmark("6"))
			g.replies <- stream(bookmark("7"))
		}
		g.start(t)
		pass(20 * time.Second)
		assert.Equal(t, "800ms 1.6s 3.2s 6.4s 12.8s", g.pausesString(),
			"a version that goes back is no progress; otherwise watches would follow without a pause")
	})
}

func TestVersionsThatAreNoNumbersPause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t)
		g.replies <- list("a")
		for i := range 98 {
			g.replies <- stream(bookmark(string(rune('b' + i))))
		}
		g.start(t)
		pass(20 * time.Second)
		assert.Equal(t, "800ms 1.6s 3.2s 6.4s 12.8s", g.pausesString(),
			"a version that is not a number is no progress; otherwise watches would follow without a pause")
		assert.Equal(t, "0/500", g.lists(), "a version that is not a number leads to no list")
	})
}

func TestForgivenErrorsAreNoStorm(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t, func(o *Options) { o.MaxInternalErrorRetry = time.Hour })
		g.replies <- list("7")
		for range 99 {
			g.replies <- stream(status(500, "InternalError", "no leader"))
		}
		g.start(t)
		pass(20 * time.Second)
		assert.Equal(t, "800ms 1.6s 3.2s 6.4s 12.8s", g.pausesString(),
			"a watch that fails at once is followed by a pause, although the error is forgiven")
		assert.Equal(t, "0/500", g.lists(), "an error that is forgiven leads to no list")
	})
}

func TestInternalErrorsAtOpeningSpendNoForgiveness(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t, func(o *Options) {
			o.MaxInternalErrorRetry = 10 * time.Second
			o.Backoff = Backoff{Initial: 15 * time.Second, Jitter: -1}
		})
		g.play(t, list("7"), refusal(500, "InternalError", "at opening"), list("7"),
			stream(bookmark("8"), status(500, "InternalError", "in stream")), hanging())
		assert.Contains(t, g.steps, "watching: ended → opening watch",
			"the time for forgiving begins with the first 500 inside a stream")
		assert.Equal(t, 1, g.r.Stats().Rows[Transition{Watching, Ended, GoOn, OpeningWatch}])
	})
}
