package reflector

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// In all of these tests the bubble adds a law: a goroutine that is left over fails the test.

func TestStop(t *testing.T) {
	for _, c := range []struct {
		says    string
		replies []reply
		after   time.Duration
	}{
		{"while a list waits for its answer", nil, time.Second},
		{"between two lists", []reply{refusal(500, "", "no")}, 100 * ms},
		{"while a watch waits for its answer", []reply{list("7")}, time.Second},
		{"while a watch is silent", []reply{list("7"), hanging()}, time.Minute},
		{"between two watches", []reply{list("7"), refusal(429, "", "")}, 100 * ms},
	} {
		synctest.Test(t, func(t *testing.T) {
			g := newRig(t)
			for _, r := range c.replies {
				g.replies <- r
			}
			g.start(t)
			pass(c.after)
			errs := len(g.errs)
			before := time.Now()
			g.stop()
			assert.Zero(t, time.Since(before), "Run returns at once when stopped %s", c.says)
			assert.Len(t, g.errs, errs, "no error is reported when Run is stopped %s", c.says)
			assert.Zero(t, g.server.open, "no watch is left open when Run is stopped %s", c.says)
			assert.Contains(t, g.steps[len(g.steps)-1], "stop → stopped")
		})
	}
}

func TestStoppedBefore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		g.r.Run(ctx)
		assert.Empty(t, g.requests, "a context that has ended leads to no request")
		assert.Equal(t, []string{"listing: stop → stopped"}, g.steps)
	})
}

func TestRunAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t)
		g.play(t, list("7"), hanging(event(Added, "web-1@8")))
		g.stop()
		g.play(t, list("9"), hanging())
		assert.Equal(t, "0/500 8", g.lists(), "a second Run goes on at the version of the first")
	})
}

func TestIdleWatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t, func(o *Options) { o.IdleTimeout = 90 * time.Second })
		frames := make(chan any)
		g.replies <- list("7")
		g.replies <- live(frames)
		g.replies <- hanging()
		g.start(t)
		for _, f := range []any{bookmark("8"), event(Added, "web-1@9"), unusable(Added)} {
			pass(80 * time.Second)
			frames <- f
		}
		pass(89 * time.Second)
		assert.Equal(t, "7", g.watches(), "every event, even an unusable one, restarts the idle timeout")
		pass(2 * time.Second)
		assert.Equal(t, "7 9", g.watches(), "a watch that is silent for the idle timeout is replaced")
		assert.Equal(t, "0/500", g.lists(), "an idle watch leads to no list")
		checkErrors(t, g, []string{"skipped ADDED", "watch is idle"})
	})
}

func TestIdleByDefault(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t)
		g.replies <- list("7")
		g.replies <- hanging()
		g.start(t)
		synctest.Wait()
		g.mu.Lock()
		limit := time.Duration(g.asked[0].TimeoutSeconds)*time.Second + 30*time.Second
		g.mu.Unlock()
		pass(limit - time.Second)
		assert.Equal(t, "7", g.watches(),
			"by default a watch is not idle until 30 s after the time it was asked to last")
		pass(2 * time.Second)
		assert.Equal(t, "7 7", g.watches(),
			"by default a watch is idle 30 s after the time it was asked to last")
	})
}

func TestIdleAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t, func(o *Options) { o.IdleTimeout = time.Minute })
		g.replies <- list("7")
		g.start(t)
		pass(62 * time.Second)
		assert.Equal(t, "7 7", g.watches(), "a request for a watch that is not answered is given up")
		assert.Equal(t, "800ms", g.pausesString(), "after an unanswered request there is a pause")
	})
}

// Time that a slow store takes must not count as silence of the server.
func TestSlowStoreIsNotIdle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t, func(o *Options) {
			o.IdleTimeout = time.Minute
			o.Trace.Event = func(Event) { time.Sleep(2 * time.Minute) }
		})
		g.replies <- list("7")
		g.replies <- hanging(event(Added, "web-1@8"))
		g.start(t)
		pass(2*time.Minute + 30*time.Second)
		assert.Equal(t, "7", g.watches(), "the time that the store takes does not end a watch as idle")
		assert.Empty(t, g.errs)
	})
}

func TestResync(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked int
		g := newRig(t, func(o *Options) {
			o.ResyncPeriod = time.Minute
			o.ShouldResync = func() bool { asked++; return asked != 2 }
		})
		g.replies <- list("7")
		g.replies <- hanging()
		g.start(t)
		pass(3*time.Minute + time.Second)
		assert.Equal(t, 3, asked, "ShouldResync is called at each tick")
		assert.Equal(t, 2, g.store.resyncs, "the store resyncs if ShouldResync returned true")
		assert.Len(t, g.requests, 2, "a resync sends no request")
	})
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t)
		g.play(t, list("7"), hanging())
		assert.Zero(t, g.store.resyncs, "without a period there is no resync")
	})
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t, func(o *Options) { o.ResyncPeriod = 3 * time.Second })
		g.replies <- list("7")
		for range 99 {
			g.replies <- refusal(500, "", "no")
		}
		g.start(t)
		pass(time.Minute + time.Second)
		assert.Equal(t, 20, g.store.resyncs, "relists that fail do not delay a resync")
	})
	synctest.Test(t, func(t *testing.T) {
		asked := 0
		g := newRig(t, func(o *Options) {
			o.ResyncPeriod = time.Minute
			o.ShouldResync = func() bool { asked++; return true }
		})
		g.start(t)
		pass(2*time.Minute - time.Second)
		assert.Zero(t, g.store.resyncs, "before the first list there is nothing to resync")
		assert.Zero(t, asked, "before the first list ShouldResync is not called")
	})
}

func TestResyncFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var results []error
		g := newRig(t, func(o *Options) {
			o.ResyncPeriod = time.Minute
			o.Trace.Resynced = func(err error) { results = append(results, err) }
		})
		full := errors.New("the store is full")
		g.store.refuse["resync"] = full
		g.replies <- list("7")
		g.replies <- hanging()
		g.replies <- list("8")
		g.start(t)
		pass(time.Minute + 2*time.Second)
		assert.Equal(t, "0/500 7", g.lists(), "a resync that fails ends the watch; a list follows")
		assert.Equal(t, []error{full}, results)
		checkErrors(t, g, []string{"resync of the store: the store is full"})
	})
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t, func(o *Options) { o.ResyncPeriod = time.Minute })
		g.store.refuse["resync"] = errors.New("the store is full")
		g.replies <- list("7")
		g.replies <- refusal(410, "Expired", "too old")
		g.start(t)
		pass(time.Minute + time.Second)
		checkErrors(t, g, []string{"too old", "resync of the store: the store is full"})
		assert.Equal(t, "0/500 7", g.lists(), "a failed resync does not end a list under way")
	})
}

func TestRunWaitsForAResync(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t, func(o *Options) {
			o.ResyncPeriod = time.Minute
			o.ShouldResync = func() bool { time.Sleep(10 * time.Second); return false }
		})
		g.replies <- list("7")
		g.replies <- hanging()
		g.start(t)
		pass(time.Minute + time.Second)
		before := time.Now()
		g.stop()
		assert.Equal(t, 9*time.Second, time.Since(before), "Run waits for a resync under way")
	})
}

func TestWatchTimeout(t *testing.T) {
	for _, c := range []struct {
		says                     string
		configured, least, below time.Duration
	}{
		{"a watch is asked for 5 to 10 minutes", 0, 5 * time.Minute, 10 * time.Minute},
		{"a configured time below 5 minutes is raised", time.Second, 5 * time.Minute, 10 * time.Minute},
		{"a longer time is stretched up to its double", time.Hour, time.Hour, 2 * time.Hour},
	} {
		different := map[int64]bool{}
		for range 200 {
			r, err := New(Options{
				ListerWatcher: &server{}, Store: &memStore{}, MinWatchTimeout: c.configured,
			})
			require.NoError(t, err)
			asked := r.watchOptions().TimeoutSeconds
			assert.GreaterOrEqual(t, time.Duration(asked)*time.Second, c.least, c.says)
			assert.Less(t, time.Duration(asked)*time.Second, c.below, c.says)
			different[asked] = true
		}
		assert.Greater(t, len(different), 50, "the time is chosen at random for each watch")
	}
}

func TestNewNeedsAListerWatcherAndAStore(t *testing.T) {
	_, err := New(Options{Store: &memStore{}})
	assert.EqualError(t, err, "reflector: Options.ListerWatcher is missing")
	_, err = New(Options{ListerWatcher: &server{}})
	assert.EqualError(t, err, "reflector: Options.Store is missing")
}

func TestLastSyncTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t)
		assert.True(t, g.r.LastSyncTime().IsZero(), "before the first list the time is zero")
		frames := make(chan any)
		g.replies <- list("7")
		g.replies <- live(frames)
		g.start(t)
		pass(time.Minute)
		assert.Equal(t, time.Minute, time.Since(g.r.LastSyncTime()), "a list sets the time")
		frames <- bookmark("7")
		synctest.Wait()
		assert.Zero(t, time.Since(g.r.LastSyncTime()), "a bookmark at the same version sets the time")
	})
}

func TestVersionWentBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var seen [][2]string
		g := newRig(t, func(o *Options) {
			o.Trace.VersionWentBack = func(from, to string) {
				seen = append(seen, [2]string{from, to})
			}
		})
		g.play(t, list("7"),
			hanging(event(Added, "web-1@10"), event(Added, "web-2@9"), bookmark("11")))
		assert.Equal(t, [][2]string{{"10", "9"}}, seen,
			"VersionWentBack is called once, for the event with the older version")
	})
}

func TestAListMayTakeTwoMinutesByDefault(t *testing.T) {
	r, err := New(Options{ListerWatcher: &server{}, Store: &memStore{}})
	require.NoError(t, err)
	assert.Equal(t, 2*time.Minute, r.opts.ListTimeout)
}
