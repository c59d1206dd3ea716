package reflector

import (
	"context"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestStop(t *testing.T) {
	for _, c := range []struct {
		when    string
		change  func(*Options)
		replies []reply
	}{
		{when: "while a list waits for its answer"},
		{"while a watch waits for its answer", nil, []reply{list("7")}},
		{"while a watch is silent", nil, []reply{list("7"), hanging()}},
		{"while a streaming list waits for its answer", streaming, nil},
		{"while initial events have still to come", streaming, []reply{hanging(event(Added, "web-1@5"))}},
		{"in a pause before a streaming list", streaming, []reply{refusal(429, "", "")}},
	} {
		inBubble(t, "Run returns at once, without an error, when stopped "+c.when, func(t *testing.T) {
			g := played(t, 100*ms, c.change, c.replies...)
			errs, before := len(g.errs), time.Now()
			g.stop()
			assert.Zero(t, time.Since(before))
			assert.Len(t, g.errs, errs)
			assert.Contains(t, g.steps[len(g.steps)-1], ": stop → stopped")
		})
	}
	inBubble(t, "a context that has ended leads to no request", func(t *testing.T) {
		g := newRig(t)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		g.r.Run(ctx)
		assert.Empty(t, g.asked())
	})
	inBubble(t, "a watch that is granted after the context has ended is closed", func(t *testing.T) {
		g := newRig(t)
		g.start(t, list("7"), reply{wait: time.Second})
		synctest.Wait()
		g.stop()
		assert.Len(t, g.watches, 1) // g.stop checks that it is closed
	})
	inBubble(t, "Run waits for a resync under way", func(t *testing.T) {
		g := newRig(t, func(o *Options) { o.ResyncPeriod = time.Minute })
		g.store.slow["resync"] = 10 * time.Second
		g.start(t, list("7"), hanging())
		pass(time.Minute + time.Second)
		before := time.Now()
		g.stop()
		assert.Equal(t, 9*time.Second, time.Since(before))
	})
	inBubble(t, "a second Run goes on at the version of the first", func(t *testing.T) {
		g := played(t, 4*time.Minute, nil, list("7"), hanging(event(Added, "web-1@8")))
		g.stop()
		g.play(t, list("9"), hanging())
		assert.Equal(t, "list 0/500, watch 7, list 8, watch 9", g.asked())
	})
}

func TestAfterTheContext(t *testing.T) {
	many := make([]any, 1000)
	for i := range many {
		many[i] = event(Added, "web-1@8")
	}
	inBubble(t, "no event reaches the store, even if many have arrived", func(t *testing.T) {
		g := newRig(t)
		g.store.slow["add"] = time.Second
		g.start(t, list("7"), reply{frames: many})
		pass(2500 * ms)
		before := time.Now()
		g.stop()
		assert.Equal(t, 500*ms, time.Since(before), "Run returns when the store has taken its event")
		assert.Equal(t, 3, g.store.count("add"))
	})
	inBubble(t, "no list reaches the store", func(t *testing.T) {
		g := newRig(t)
		late := list("7")
		late.wait = time.Second
		g.start(t, late)
		synctest.Wait()
		g.stop()
		assert.Zero(t, g.store.count("replace"))
	})
	inBubble(t, "no streaming list reaches the store", func(t *testing.T) {
		g := newRig(t, streaming)
		g.r.trace.Event = func(Event) { time.Sleep(time.Second) }
		g.start(t, hanging(initialEnd("7")))
		synctest.Wait()
		g.stop()
		assert.Zero(t, g.store.count("replace"))
	})
}

func TestIdle(t *testing.T) {
	idle := func(o *Options) { o.IdleTimeout = time.Minute }
	inBubble(t, "every event, even an unusable one, restarts the idle timeout", func(t *testing.T) {
		g := newRig(t, idle)
		frames := make(chan any)
		g.start(t, list("7"), reply{live: frames}, hanging())
		for _, f := range []any{bookmark("8"), event(Added, "web-1@9"), unusable} {
			pass(50 * time.Second)
			frames <- f
		}
		pass(59 * time.Second)
		assert.Equal(t, "list 0/500, watch 7", g.asked())
		pass(2 * time.Second)
		assert.Equal(t, "list 0/500, watch 7, watch 9", g.asked())
		g.check(t, "skipped ADDED", "watch is idle")
	})
	inBubble(t, "by default a watch is idle 30 s after the time it was asked to last", func(t *testing.T) {
		var limit time.Duration
		g := newRig(t)
		g.r.trace.Opening = func(o ListOptions) { limit = time.Duration(o.TimeoutSeconds+30) * time.Second }
		g.start(t, list("7"), hanging())
		synctest.Wait()
		pass(limit - time.Second)
		assert.Equal(t, "list 0/500, watch 7", g.asked())
		pass(2 * time.Second)
		assert.Equal(t, "list 0/500, watch 7, watch 7", g.asked())
	})
	inBubble(t, "a request for a watch that is not answered is given up, after a pause", func(t *testing.T) {
		g := played(t, 62*time.Second, idle, list("7"))
		assert.Equal(t, "list 0/500, watch 7, watch 7", g.asked())
		assert.Equal(t, "800ms", g.paused())
	})
	inBubble(t, "the time that the store takes is no silence of the server", func(t *testing.T) {
		g := newRig(t, idle)
		g.store.slow["add"] = 2 * time.Minute
		g.start(t, list("7"), hanging(event(Added, "web-1@8"), event(Added, "web-2@9")))
		pass(4*time.Minute + 30*time.Second)
		assert.Equal(t, "list 0/500, watch 7", g.asked())
		g.check(t)
	})
	for law, late := range map[string]error{
		"a refusal that comes too late is a refusal":           expired,
		"garbage that comes too late is garbage":               garbage,
		"a frame that is too large and too late is too large":  &TooLargeError{What: "frame"},
		"a connection that breaks after the timeout was idle ": io.ErrUnexpectedEOF,
	} {
		inBubble(t, law, func(t *testing.T) {
			answer := reply{frames: []any{late}, each: 61 * time.Second}
			g := played(t, 61*time.Second+900*ms, idle, list("7"), answer)
			if late == io.ErrUnexpectedEOF {
				late = ErrIdle
			}
			g.check(t, late.Error())
		})
	}
}

func TestListTimeout(t *testing.T) {
	minute := func(o *Options) { o.ListTimeout = time.Minute }
	inBubble(t, "a list may take any time in which parts of it arrive", func(t *testing.T) {
		slow := list("7")
		slow.parts = 150
		g := played(t, 150*time.Minute, minute, slow, hanging())
		g.check(t)
		assert.Equal(t, "7", g.r.LastSyncResourceVersion())
	})
	inBubble(t, "a list in which no more parts arrive fails a minute later", func(t *testing.T) {
		g := played(t, 3*59*time.Second+59*time.Second, minute, reply{parts: 3, open: true})
		g.check(t)
		pass(time.Second)
		g.check(t, ErrListTimeout.Error())
	})
}
