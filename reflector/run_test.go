package reflector

import (
	"context"
	"fmt"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestStop(t *testing.T) {
	for _, c := range []struct {
		when    string
		change  func(*Config)
		replies []reply
	}{
		{"while a watch waits for its answer", nil, []reply{list("7")}},
		{"while initial events have still to come", streamFirst, []reply{hanging(event(Added, "web-1@5"))}},
		{"in a pause", nil, []reply{refusal(403, "Forbidden", "no")}},
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
	inBubble(t, "a watch that is granted when Run is stopped is closed", func(t *testing.T) {
		g := newFixture(t)
		ctx, cancel := context.WithCancel(t.Context())
		g.r.trace.Opened = func(ListOptions) { cancel() }
		g.replies <- list("7")
		g.replies <- hanging()
		g.r.Run(ctx)
		g.checkClosed()
	})
	inBubble(t, "a context that has ended leads to no request", func(t *testing.T) {
		g := newFixture(t)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		g.r.Run(ctx)
		assert.Empty(t, g.asked())
	})
	inBubble(t, "Run waits for a resync under way", func(t *testing.T) {
		g := newFixture(t, func(o *Config) { o.ResyncPeriod = time.Minute })
		g.store.slow["resync"] = 10 * time.Second
		g.start(t, list("7"), hanging())
		pass(time.Minute + time.Second)
		before := time.Now()
		g.stop()
		assert.Equal(t, 9*time.Second, time.Since(before))
	})
	inBubble(t, "a second Run goes on at the version of the first", func(t *testing.T) {
		g := played(t, time.Minute, nil, list("7"), hanging(event(Added, "web-1@8")))
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
		g := newFixture(t)
		g.store.slow["add"] = time.Second
		g.start(t, list("7"), reply{frames: many})
		pass(2500 * ms)
		before := time.Now()
		g.stop()
		assert.Equal(t, 500*ms, time.Since(before), "Run returns when the store has taken its event")
		assert.Equal(t, 3, g.store.count("add"))
	})
	inBubble(t, "no list reaches the store", func(t *testing.T) {
		late := list("7")
		late.wait = time.Second
		g := played(t, 100*ms, nil, late)
		g.stop()
		assert.Zero(t, g.store.count("replace"))
	})
}

func TestIdle(t *testing.T) {
	idle := func(o *Config) { o.IdleTimeout = time.Minute }
	inBubble(t, "every event, even an unusable one, restarts the idle timeout", func(t *testing.T) {
		g := newFixture(t, idle)
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
	inBubble(t, "by default a watch is idle 30 s after it was asked to end", func(t *testing.T) {
		var limit time.Duration
		g := newFixture(t)
		g.r.trace.Opening = func(o ListOptions) {
			limit = time.Duration(o.TimeoutSeconds+30) * time.Second
		}
		g.start(t, list("7"), hanging())
		synctest.Wait()
		pass(limit - time.Second)
		assert.Equal(t, "list 0/500, watch 7", g.asked())
		pass(2 * time.Second)
		assert.Equal(t, "list 0/500, watch 7, watch 7", g.asked())
	})
	inBubble(t, "a request for a watch that gets no answer is given up", func(t *testing.T) {
		g := played(t, 62*time.Second, idle, list("7"))
		assert.Equal(t, "list 0/500, watch 7, watch 7", g.asked())
		assert.Equal(t, "800ms", g.paused())
	})
	inBubble(t, "the time that the store takes is no silence of the server", func(t *testing.T) {
		g := newFixture(t, idle)
		g.store.slow["add"] = 2 * time.Minute
		g.start(t, list("7"), hanging(event(Added, "web-1@8"), event(Added, "web-2@9")))
		pass(4*time.Minute + 30*time.Second)
		assert.Equal(t, "list 0/500, watch 7", g.asked())
		g.check(t)
	})
	for law, late := range map[string]error{
		"a refusal that comes too late is a refusal":           gone,
		"garbage that comes too late is garbage":               garbage,
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
	inBubble(t, "a list in which no more parts arrive fails two minutes later", func(t *testing.T) {
		g := played(t, 3*59*time.Second+119*time.Second, nil, reply{parts: 3, open: true})
		g.check(t)
		pass(time.Second)
		g.check(t, ErrListTimeout.Error())
	})
}

func TestStreamingTimeout(t *testing.T) {
	inBubble(t, "a streaming list may take long, as long as objects arrive", func(t *testing.T) {
		g := newFixture(t, streamFirst)
		frames := make(chan any)
		g.start(t, reply{live: frames})
		for n := range 15 {
			pass(119 * time.Second)
			assert.NoError(t, send[any](frames, event(Added, fmt.Sprintf("web-%d@5", n)), noWatch))
		}
		assert.NoError(t, send[any](frames, initialEnd("7"), noWatch))
		pass(0)
		assert.Equal(t, `stream ""`, g.asked())
		assert.Equal(t, "7", g.r.LastSyncResourceVersion())
		assert.Len(t, g.store.objects, 15)
	})
	inBubble(t, "without further objects it leads to a list, whatever comes", func(t *testing.T) {
		g := newFixture(t, streamFirst)
		frames := make(chan any)
		g.start(t, reply{live: frames}, list("9"))
		for range 3 {
			pass(39 * time.Second)
			frames <- event(Added, "web-1@5")
		}
		assert.Equal(t, `stream ""`, g.asked())
		pass(45 * time.Second)
		assert.Equal(t, `stream "", list 0/500, watch 9`, g.asked())
		assert.Empty(t, g.store.String(), "half a collection never reaches the store")
		g.check(t, "no bookmark has marked the end of the initial events")
	})
	t.Run("a session that is closed has no timer left", func(t *testing.T) {
		s := newSession(t.Context(), ListOptions{}, time.Hour)
		s.giveUp = time.NewTimer(time.Hour)
		s.close()
		assert.False(t, s.idle.Stop() || s.giveUp.Stop())
	})
}

// No proxy that kills streams, and nothing else, may keep the store empty.
func TestStreamingAttempts(t *testing.T) {
	cut := stream(event(Added, "web-1@5"), io.ErrUnexpectedEOF)
	noAnswer := reply{err: io.EOF}
	unavailable := reply{err: &StatusError{Code: 503, RetryAfter: time.Second}}
	tooMany := refusal(429, "TooManyRequests", "no")
	for _, c := range []struct {
		law           string
		replies       []reply
		asked, pauses string
	}{
		{"a stream that is cut is asked for again at once, but only the first time", []reply{cut, cut, hanging()},
			`stream "", stream "", stream ""`, "800ms"},
		{"without an answer there is a pause", []reply{noAnswer, cut, hanging()},
			`stream "", stream "", stream ""`, "1s 800ms"},
		{"three that are cut, refused with Retry-After or not answered lead to a list",
			[]reply{stream(event(Added, "web-1@5")), unavailable, noAnswer, list("7"), hanging()},
			`stream "", stream "", stream "", list 0/500, watch 7`, "1s 1s"},
		{"429 does not count: the server would not want a list either",
			[]reply{tooMany, tooMany, tooMany, tooMany, cut, hanging(tooMany.err)},
			`stream "", stream "", stream "", stream "", stream "", stream "", stream ""`,
			"800ms 1.6s 3.2s 6.4s 12.8s"},
		{"after a list that fails there are three again",
			[]reply{cut, cut, cut, refusal(500, "", "no"), cut, cut, cut, list("7"), hanging()},
			`stream "", stream "", stream "", list 0/500, stream "", stream "", stream "", list 0/500, watch 7`,
			"800ms 1.6s 3.2s 6.4s 12.8s"},
		{"after a streaming list that is complete there are three again",
			[]reply{
				cut, noAnswer, stream(initialEnd("7"), bookmark("8"),
					gone), cut, cut, cut, list("9"), hanging(),
			},
			`stream "", stream "", stream "", stream 8, stream 8, stream 8, list 8, watch 9`,
			"1s 800ms 1.6s 3.2s"},
	} {
		inBubble(t, c.law, func(t *testing.T) {
			g := played(t, time.Minute, streamFirst, c.replies...)
			assert.Equal(t, c.asked, g.asked())
			assert.Equal(t, c.pauses, g.paused())
		})
	}
	inBubble(t, "attempts of an earlier Run do not count", func(t *testing.T) {
		g := played(t, time.Minute, streamFirst, cut, cut)
		g.stop()
		g.play(t, cut, hanging())
		assert.Equal(t, `stream "", stream "", stream "", stream "", stream ""`, g.asked())
	})
}

func TestResync(t *testing.T) {
	each := func(d time.Duration) func(*Config) { return func(o *Config) { o.ResyncPeriod = d } }
	inBubble(t, "after a list, ticks are resyncs if ShouldResync returns true", func(t *testing.T) {
		asked := 0
		g := newFixture(t, each(time.Minute), func(o *Config) {
			o.ShouldResync = func() bool { asked++; return asked != 2 }
		})
		first := list("7")
		first.wait = 70 * time.Second
		g.start(t, first, hanging())
		pass(4*time.Minute + time.Second)
		assert.Equal(t, 3, asked)
		assert.Equal(t, 2, g.store.count("resync"))
		assert.Equal(t, "list 0/500, watch 7", g.asked(), "a resync sends no request")
	})
	inBubble(t, "a resync that fails ends the watch, even one that never waits", func(t *testing.T) {
		g := newFixture(t, each(10*time.Second))
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
}

func TestStoreRefuses(t *testing.T) {
	inBubble(t, "while the store refuses events, pauses and lists follow", func(t *testing.T) {
		g := newFixture(t)
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
	inBubble(t, "a list that the store refuses is repeated, and not recorded", func(t *testing.T) {
		g := newFixture(t)
		g.store.refuse["replace"] = true
		g.play(t, list("7"), list("8"))
		assert.Empty(t, g.r.LastSyncResourceVersion())
		assert.Equal(t, "list 0/500, list 0/500, list 0/500", g.asked())
		g.check(t, `store refused the list at resourceVersion "7": the store is full`, `"8"`)
	})
}

func TestVersions(t *testing.T) {
	inBubble(t, "the store is told of a version when it has everything up to it", func(t *testing.T) {
		g := played(t, time.Minute, nil, list("7", "web-1@5"), stream(event(Added, "web-2@8"),
			event(Added, "db-1@"), bookmark("9")), hanging(event(Deleted, "web-1@10")))
		assert.Equal(t, []string{"replace", "7 [web-1@5]", "add", "8 [web-1@5 web-2@8]", "add",
			"9 [db-1@ web-1@5 web-2@8]", "delete", "10 [db-1@ web-2@8]"}, g.store.calls)
	})
	inBubble(t, "the trace is told of each event and each list that went back", func(t *testing.T) {
		var seen [][2]string
		g := newFixture(t)
		g.r.trace.VersionWentBack = func(from, to string) { seen = append(seen, [2]string{from, to}) }
		g.play(t, list("7"), hanging(event(Added, "web-1@10"), event(Added, "web-2@9"), bookmark("9"),
			bookmark("x"), bookmark("11"), gone), list("8"))
		assert.Equal(t, [][2]string{{"10", "9"}, {"11", "8"}}, seen)
	})
}
