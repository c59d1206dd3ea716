package reflector

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestStreamingTimeout(t *testing.T) {
	within := func(d time.Duration) func(*Options) {
		return func(o *Options) { o.ListFirst, o.StreamingTimeout = false, d }
	}
	inBubble(t, "a streaming list may take any time in which further objects arrive", func(t *testing.T) {
		g := newRig(t, within(10*time.Second))
		frames := make(chan any)
		g.start(t, reply{live: frames})
		for n := range 150 {
			pass(9 * time.Second)
			frames <- event(Added, fmt.Sprintf("web-%d@5", n))
		}
		frames <- initialEnd("7")
		pass(0)
		assert.Equal(t, `stream ""`, g.asked())
		assert.Equal(t, "7", g.r.LastSyncResourceVersion())
		assert.Len(t, g.store.objects, 150)
	})
	inBubble(t, "without a further object it leads to a list, whatever else comes", func(t *testing.T) {
		g := newRig(t, within(10*time.Second))
		frames := make(chan any)
		g.start(t, reply{live: frames}, list("9"))
		for range 9 {
			pass(time.Second)
			frames <- event(Added, "web-1@5")
		}
		assert.Equal(t, `stream ""`, g.asked())
		pass(2 * time.Second)
		assert.Equal(t, `stream "", list 0/500, watch 9`, g.asked())
		assert.Empty(t, g.store.String(), "half a collection never reaches the store")
		g.check(t, "no bookmark has marked the end of the initial events in time")
	})
	inBubble(t, "the time that the store takes does not count", func(t *testing.T) {
		g := newRig(t, within(10*time.Second))
		g.store.slow["replace"] = 15 * time.Second
		g.play(t, hanging(event(Added, "web-1@5"), initialEnd("7"), event(Added, "web-2@8")))
		assert.Equal(t, `stream ""`, g.asked())
		assert.Equal(t, "web-1@5 web-2@8", g.store.String())
	})
	inBubble(t, "after that time there is no attempt: no proxy keeps the store empty", func(t *testing.T) {
		g := newRig(t, within(30*time.Second))
		cut := reply{frames: []any{event(Added, "web-1@5")}, lasts: 20 * time.Second}
		g.start(t, cut, cut, list("7", "web-1@5"), hanging())
		pass(39 * time.Second)
		assert.Equal(t, `stream "", stream ""`, g.asked())
		pass(4 * time.Second)
		assert.Equal(t, `stream "", stream "", list 0/500, watch 7`, g.asked())
	})
	inBubble(t, "refused requests are attempts; the next series has its own time", func(t *testing.T) {
		g := newRig(t, within(5*time.Second))
		busy := refusal(429, "TooManyRequests", "no")
		g.start(t, busy, busy, busy, list("7"), stream(bookmark("8"), expired), hanging(initialEnd("9")))
		pass(20 * time.Second)
		assert.Equal(t, `stream "", stream "", stream "", list 0/500, watch 7, stream 8`, g.asked())
	})
	inBubble(t, "after a streaming list the next one has its own time", func(t *testing.T) {
		first := reply{frames: []any{initialEnd("7"), bookmark("8")}, lasts: time.Minute}
		g := played(t, 2*time.Minute, within(10*time.Second), first, stream(expired), hanging(initialEnd("9")))
		assert.Equal(t, `stream "", watch 8, stream 8`, g.asked())
	})
	inBubble(t, "the time between two Runs does not count", func(t *testing.T) {
		g := played(t, 100*ms, streaming, refusal(429, "TooManyRequests", "no"))
		g.stop()
		pass(time.Hour)
		g.start(t, hanging(initialEnd("7")))
		pass(time.Second)
		assert.Equal(t, `stream "", stream ""`, g.asked())
	})
	t.Run("a session that is closed has no timer left", func(t *testing.T) {
		s := newSession(t.Context(), ListOptions{}, time.Hour)
		s.giveUp = time.NewTimer(time.Hour)
		s.close()
		assert.False(t, s.idle.Stop() || s.giveUp.Stop())
	})
}
