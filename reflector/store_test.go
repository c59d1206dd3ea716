package reflector

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestResync(t *testing.T) {
	each := func(d time.Duration) func(*Options) { return func(o *Options) { o.ResyncPeriod = d } }
	inBubble(t, "the store resyncs at each tick for which ShouldResync returns true", func(t *testing.T) {
		asked, traced := 0, 0
		g := newRig(t, each(time.Minute), func(o *Options) {
			o.ShouldResync = func() bool { asked++; return asked != 2 }
			o.Trace.Resynced = func(error) { traced++ }
		})
		g.start(t, list("7"), hanging())
		pass(3*time.Minute + time.Second)
		assert.Equal(t, 3, asked)
		assert.Equal(t, 2, g.store.count("resync"))
		assert.Equal(t, 2, g.r.Stats().Resyncs)
		assert.Equal(t, 2, traced)
		assert.Equal(t, "list 0/500, watch 7", g.asked(), "a resync sends no request")
	})
	inBubble(t, "ShouldResync is not asked twice within a period, even if it was asked late", func(t *testing.T) {
		var asked []time.Time
		g := newRig(t, each(10*time.Second), func(o *Options) {
			o.ShouldResync = func() bool { asked = append(asked, time.Now()); return true }
		})
		g.store.slow["resync"] = 12 * time.Second // longer than a period: the next tick is late
		g.start(t, list("7"), hanging())
		pass(23 * time.Second)
		g.store.mu.Lock()
		g.store.slow["resync"] = 0
		g.store.mu.Unlock()
		pass(time.Minute)
		for i := range asked[1:] {
			assert.GreaterOrEqual(t, asked[i+1].Sub(asked[i]), 10*time.Second)
		}
		assert.Len(t, asked, 7)
	})
	inBubble(t, "relists do not delay a resync", func(t *testing.T) {
		g := played(t, time.Minute+time.Second, each(3*time.Second),
			list("7"), stream(), list("7"), stream(), list("7"), hanging())
		assert.Equal(t, 20, g.store.count("resync"))
	})
	inBubble(t, "before the first list there is nothing to resync", func(t *testing.T) {
		g := played(t, 2*time.Minute, each(time.Minute))
		assert.Zero(t, g.store.count("resync"))
	})
	inBubble(t, "a resync that fails ends the watch, even one that never waits", func(t *testing.T) {
		g := newRig(t, each(10*time.Second))
		g.store.refuse["resync"], g.store.slow["add"] = true, time.Second
		many := make([]any, 100)
		for i := range many {
			many[i] = event(Added, "web-1@8")
		}
		g.start(t, list("7"), reply{frames: many})
		pass(12 * time.Second)
		assert.Equal(t, "list 0/500, watch 7, list 8", g.asked())
		g.check(t, "resync of the store: the store is full") // once
	})
	inBubble(t, "a resync that fails does not end a list", func(t *testing.T) {
		g := newRig(t, each(time.Minute))
		g.store.refuse["resync"] = true
		g.start(t, list("7"), reply{err: expired})
		pass(time.Minute + time.Second)
		assert.Equal(t, "list 0/500, watch 7, list 7", g.asked())
		g.check(t, "410 Expired", "resync of the store: the store is full")
	})
}

func TestStoreRefuses(t *testing.T) {
	inBubble(t, "while the store refuses events, lists follow after growing pauses", func(t *testing.T) {
		g := newRig(t)
		g.store.refuse["delete"] = true
		g.start(t, list("7", "web-1@5"), hanging(event(Deleted, "web-1@8"), bookmark("9")),
			list("7", "web-1@5"), hanging(event(Deleted, "web-1@8")), list("9"), hanging())
		pass(5 * time.Second)
		assert.Equal(t, "list 0/500, watch 7, list 7, watch 7, list 7, watch 9", g.asked())
		assert.Equal(t, "800ms 1.6s", g.paused())
		refused := `reflector: watching: store refused DELETED of "web-1" in namespace "shop" at ` +
			`resourceVersion "8": the store is full`
		g.check(t, refused, refused)
	})
	inBubble(t, "a list that the store refuses is repeated, its version not recorded", func(t *testing.T) {
		g := newRig(t)
		g.store.refuse["replace"] = true
		g.play(t, list("7"), list("8"))
		assert.Empty(t, g.r.LastSyncResourceVersion())
		assert.Equal(t, "list 0/500, list 0/500, list 0/500", g.asked())
		g.check(t, `store refused the list at resourceVersion "7": the store is full`, `"8"`)
	})
	inBubble(t, "a streaming list that the store refuses leads to a list", func(t *testing.T) {
		g := newRig(t, streaming)
		g.store.refuse["replace"] = true
		g.play(t, hanging(initialEnd("7")))
		assert.Equal(t, `stream "", list 0/500`, g.asked()) // which checks that the stream is closed
		g.check(t, `reflector: streaming: store refused the list at resourceVersion "7"`)
	})
}

func TestVersions(t *testing.T) {
	inBubble(t, "the store is told of each version when it has everything up to it", func(t *testing.T) {
		g := played(t, time.Minute, nil, list("7", "web-1@5"), stream(event(Added, "web-2@8"),
			event(Added, "db-1@"), bookmark("9")), hanging(event(Deleted, "web-1@10")))
		assert.Equal(t, []string{"replace", "7 [web-1@5]", "add", "8 [web-1@5 web-2@8]", "add",
			"9 [db-1@ web-1@5 web-2@8]", "delete", "10 [db-1@ web-2@8]"}, g.store.calls)
	})
	inBubble(t, "the store gets a streaming list at once, and no version before", func(t *testing.T) {
		g := played(t, time.Minute, streaming,
			hanging(event(Added, "web-1@5"), bookmark("6"), initialEnd("7"), bookmark("8")))
		assert.Equal(t, []string{"replace", "7 [web-1@5]", "8 [web-1@5]"}, g.store.calls)
	})
	inBubble(t, "LastSyncTime is when a list or event was last taken, at first zero", func(t *testing.T) {
		g := newRig(t)
		assert.Zero(t, g.r.LastSyncTime())
		frames := make(chan any)
		g.start(t, list("7"), reply{live: frames})
		pass(time.Minute)
		assert.Equal(t, time.Minute, time.Since(g.r.LastSyncTime()))
		frames <- bookmark("7")
		synctest.Wait()
		assert.Zero(t, time.Since(g.r.LastSyncTime()))
	})
	inBubble(t, "the trace is told once of a version that went back", func(t *testing.T) {
		var seen [][2]string
		g := newRig(t)
		g.r.trace.VersionWentBack = func(from, to string) { seen = append(seen, [2]string{from, to}) }
		g.play(t, list("7"), hanging(event(Added, "web-1@10"), event(Added, "web-2@9"), bookmark("9"),
			bookmark("x"), bookmark("11")))
		assert.Equal(t, [][2]string{{"10", "9"}}, seen)
	})
}
