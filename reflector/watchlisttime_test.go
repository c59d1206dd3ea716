package reflector

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestStreamingTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t, func(o *Options) {
			o.ListFirst, o.StreamingTimeout = false, 10*time.Second
		})
		frames := make(chan any)
		g.replies <- live(frames)
		g.replies <- list("9")
		g.start(t)
		for range 9 {
			pass(time.Second)
			frames <- event(Added, "web-1@5")
		}
		assert.Empty(t, g.lists())
		pass(2 * time.Second)
		assert.Equal(t, "0/500", g.lists(),
			"the timeout is for the whole streaming list, even if events keep coming")
		assert.Empty(t, g.store.String(), "half a collection never reaches the store")
	})
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t, func(o *Options) {
			o.ListFirst, o.StreamingTimeout = false, 10*time.Second
		})
		g.play(t, hanging(initialEnd("7")))
		assert.Empty(t, g.errs, "after the initial events the timeout does not end the watch")
	})
}

// Time that a slow store takes must not count as time of the streaming list.
func TestStreamingTimeoutDoesNotCountTheStore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := newSlowStore()
		store.list = 15 * time.Second
		g := newRig(t, func(o *Options) {
			o.ListFirst, o.StreamingTimeout, o.Store = false, 10*time.Second, store
		})
		g.play(t, hanging(event(Added, "web-1@5"), initialEnd("7"), event(Added, "web-2@8")))
		assert.Equal(t, 1, store.lists, "the collection was complete in time and is not fetched again")
		assert.Equal(t, "web-1@5 web-2@8", store.String(), "its stream goes on as a watch")
		assert.Empty(t, g.errs)
	})
}

// A proxy that ends every stream after a while must not keep the store empty for ever.
func TestStreamingTimeoutSpansAllAttempts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t, func(o *Options) {
			o.ListFirst, o.StreamingTimeout = false, 30*time.Second
		})
		for range 2 {
			g.replies <- lasting(20*time.Second, event(Added, "web-1@5"))
		}
		g.start(t)
		pass(29 * time.Second)
		assert.Empty(t, g.lists())
		g.replies <- list("7", "web-1@5")
		g.replies <- hanging()
		pass(2 * time.Second)
		assert.Equal(t, "0/500", g.lists(), "after the time for all attempts a list follows")
		assert.Equal(t, `stream:"" stream:"" 7`, g.watches())
	})
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t, func(o *Options) {
			o.ListFirst, o.StreamingTimeout = false, 5*time.Second
		})
		for range 3 {
			g.replies <- refusal(429, "TooManyRequests", "no")
		}
		g.replies <- list("7")
		g.replies <- stream(bookmark("8"), status(410, "Expired", "old"))
		g.replies <- hanging(initialEnd("9"))
		g.start(t)
		pass(20 * time.Second)
		assert.Equal(t, "0/500", g.lists(), "requests that a busy server refuses count as attempts")
		assert.Equal(t, `stream:"" stream:"" stream:"" 7 stream:8`, g.watches(),
			"the next series of attempts has its own time")
	})
}

func TestTheTimeForStreamingIsExact(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t, func(o *Options) {
			o.ListFirst, o.StreamingTimeout = false, 5*time.Second
			o.Backoff = Backoff{Initial: 5 * time.Second, Jitter: -1}
		})
		g.replies <- refusal(429, "TooManyRequests", "no")
		g.start(t)
		pass(6 * time.Second)
		assert.Equal(t, `stream:""`, g.watches(), "when no time is left, no stream is asked for")
		assert.Equal(t, "0/500", g.lists())
	})
}

func TestAStreamThatIsCompleteTooLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t, func(o *Options) {
			o.ListFirst, o.StreamingTimeout = false, 10*time.Second
			o.Trace.Event = func(Event) { time.Sleep(11 * time.Second) }
		})
		g.play(t, hanging(initialEnd("7")))
		assert.Equal(t, "0/500", g.lists(), "initial events that are complete too late lead to a list")
		assert.Empty(t, g.r.LastSyncResourceVersion(),
			"initial events that are complete too late do not reach the store")
	})
}

func TestAnotherRunHasItsOwnTimeForStreaming(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t, func(o *Options) { o.ListFirst = false })
		g.replies <- refusal(429, "TooManyRequests", "no")
		g.start(t)
		pass(100 * ms)
		g.stop()
		pass(time.Hour)
		g.replies <- hanging(initialEnd("7"))
		g.start(t)
		pass(time.Second)
		assert.Equal(t, `stream:"" stream:""`, g.watches(), "the time between two Runs does not count")
		assert.Empty(t, g.lists())
	})
}
