package reflector

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"math"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestBackoff(t *testing.T) {
	t.Run("delays are client-go's, stretched at random to less than double", func(t *testing.T) {
		zero := Backoff{}.withDefaults()
		for failures, want := range []time.Duration{800 * ms, 1600 * ms, 3200 * ms, 6400 * ms, 12800 * ms,
			25600 * ms, 30 * time.Second, 30 * time.Second} {
			assert.Equal(t, want, zero.delay(failures, 0))
			assert.Equal(t, want+want/2, zero.delay(failures, 0.5))
			assert.Less(t, zero.delay(failures, 0.999999), 2*want)
		}
		assert.Equal(t, 30*time.Second, zero.delay(math.MaxInt, 0))
	})
	t.Run("the longest delay is a year", func(t *testing.T) {
		b := Backoff{Initial: math.MaxInt64, Max: math.MaxInt64}.withDefaults()
		assert.Equal(t, 365*24*time.Hour, b.delay(9, 0.9))
	})
}

// The API server answers 429 or 503 with Retry-After: 1 while it starts.
func TestRetryAfter(t *testing.T) {
	b, random := Backoff{}.withDefaults(), 0.0
	next := func(p *pauses, asked time.Duration) string { return p.next(b, asked, random).String() }
	t.Run("ten pauses are as long as the server asks for, and then they double", func(t *testing.T) {
		var p pauses
		for range maxObeyed {
			assert.Equal(t, "1s", next(&p, time.Second))
		}
		assert.Equal(t, "1s", next(&p, time.Second), "the first own pause would be 800ms")
		assert.Equal(t, "1.6s", next(&p, time.Second))
		assert.Equal(t, "3.2s", next(&p, 0))
		assert.Equal(t, "1m0s", next(&p, time.Minute), "never shorter than the server asks for")
	})
	t.Run("no pause is shorter than the first one", func(t *testing.T) {
		assert.Equal(t, "800ms", next(&pauses{}, time.Millisecond))
	})
	t.Run("clients that got the same answer do not return at the same moment", func(t *testing.T) {
		random = 0.5
		assert.Equal(t, "1.5s", next(&pauses{}, time.Second))
		assert.Equal(t, "5m15s", next(&pauses{}, 5*time.Minute), "half a minute more at most")
	})
	inBubble(t, "after a watch that works, ten pauses are those of the server", func(t *testing.T) {
		later := reply{err: &StatusError{Code: 503, RetryAfter: time.Second}}
		worked := reply{frames: []any{bookmark("8")}, lasts: time.Second}
		replies := slices.Concat([]reply{list("7")}, slices.Repeat([]reply{later}, 12), []reply{worked},
			slices.Repeat([]reply{later}, 10), []reply{hanging()})
		g := played(t, time.Minute, nil, replies...)
		assert.Equal(t, strings.Repeat("1s ", 11)+"1.6s"+strings.Repeat(" 1s", 10), g.paused())
	})
}

type named struct{ ListerWatcher }

func (named) String() string { return "pods" }

func TestTheNameIsThatOfTheListerWatcherUnlessAnotherIsGiven(t *testing.T) {
	for want, c := range map[string]Config{
		"pods": {ListerWatcher: named{}}, "mine": {ListerWatcher: named{}, Name: "mine"}, "reflector": {},
	} {
		assert.Equal(t, want, c.withDefaults().Name)
	}
}

// A load balancer that has no server at the moment accepts connections and closes them.
func TestNoAnswer(t *testing.T) {
	closed := slices.Repeat([]reply{{err: io.EOF}}, 12)
	refused := slices.Repeat([]reply{{err: fmt.Errorf("dial: %w", syscall.ECONNREFUSED)}}, 3)
	late := slices.Repeat([]reply{{err: fmt.Errorf("dial: %w", os.ErrDeadlineExceeded)}}, 3)
	for _, c := range []struct {
		law     string
		change  func(*Config)
		replies []reply
		pauses  string
	}{
		{"ten pauses before a watch are a second, and those after them double and are no shorter",
			nil, slices.Concat([]reply{list("7")}, closed, []reply{hanging()}),
			strings.Repeat("1s ", 11) + "1.6s"},
		{"if nothing listens, they double at once",
			nil, slices.Concat([]reply{list("7")}, refused, []reply{hanging()}), "800ms 1.6s 3.2s"},
		{"a connection that cannot be made in time counts as no answer",
			nil, slices.Concat([]reply{list("7")}, late, []reply{hanging()}), "1s 1s 1s"},
		{"those before a streaming list are a second, and those after a list double",
			streamFirst, closed[:9], "1s 1s 1s 800ms 1s 1s 1s 1.6s 1s"},
	} {
		inBubble(t, c.law, func(t *testing.T) {
			assert.Equal(t, c.pauses, played(t, time.Minute, c.change, c.replies...).paused())
		})
	}
}

func TestPausesGrow(t *testing.T) {
	slow := stream(initialEnd("7"))
	slow.wait = 2 * time.Second
	late := reply{frames: []any{garbage}, each: 2 * time.Second}
	for _, c := range []struct {
		law     string
		change  func(*Config)
		replies []reply // again and again
	}{
		{"while a list is followed by a watch that fails after seconds", nil, []reply{list("7"), late}},
		{"while a streaming list, however long it takes, is followed by an empty watch",
			streamFirst, []reply{slow, stream()}},
	} {
		inBubble(t, c.law, func(t *testing.T) {
			g := played(t, 24*time.Second, c.change, slices.Repeat(c.replies, 20)...)
			assert.Equal(t, "800ms 1.6s 3.2s 6.4s 12.8s", g.paused())
		})
	}
	inBubble(t, "until a watch has worked; a list alone is no such watch", func(t *testing.T) {
		g := played(t, time.Minute, nil, refusal(500, "", ""), list("7"), stream(), list("7"),
			reply{frames: []any{bookmark("8")}, lasts: time.Second}, refusal(403, "Forbidden", "no"))
		assert.Equal(t, "800ms 1.6s 800ms", g.paused())
	})
}

func TestOptions(t *testing.T) {
	t.Run("New panics without a ListerWatcher or a Store", func(t *testing.T) {
		for _, lw := range []ListerWatcher{nil, (*server)(nil)} {
			assert.PanicsWithValue(t, "reflector: Config.ListerWatcher is nil",
				func() { New(Config{ListerWatcher: lw, Store: &memStore{}}) })
		}
		assert.PanicsWithValue(t, "reflector: Config.Store is nil",
			func() { New(Config{ListerWatcher: &server{}}) })
	})
	t.Run("lists are streamed if neither ListFirst nor the ListerWatcher objects", func(t *testing.T) {
		for _, c := range []struct {
			lw        ListerWatcher
			listFirst bool
			want      State
		}{
			{&server{}, false, openingStream}, {&server{}, true, listing},
			{noStreams{unsupported: true}, false, listing}, {noStreams{unsupported: true}, true, listing},
			{noStreams{}, false, openingStream}, {noStreams{}, true, listing},
		} {
			options := Options{ListFirst: c.listFirst}
			r := New(Config{ListerWatcher: c.lw, Store: &memStore{}, Options: options})
			assert.Equal(t, c.want, r.table[0].From, "%+v", c)
		}
	})
	t.Run("a watch is asked for 5 to 10 minutes, chosen at random", func(t *testing.T) {
		r, different := New(Config{ListerWatcher: &server{}, Store: &memStore{}}), map[int64]bool{}
		for range 200 {
			asked := r.watchOptions().TimeoutSeconds
			assert.GreaterOrEqual(t, asked, int64(5*60))
			assert.Less(t, asked, int64(10*60))
			different[asked] = true
		}
		assert.Greater(t, len(different), 50)
	})
}

// noStreams is a ListerWatcher that declares whether it can stream lists.
type noStreams struct {
	*server
	unsupported bool
}

func (s noStreams) IsWatchListSemanticsUnSupported() bool { return s.unsupported }

func TestTrace(t *testing.T) {
	inBubble(t, "funcs are called in the order of steps, some before the store", func(t *testing.T) {
		var seen []string
		add := func(format string, args ...any) { seen = append(seen, fmt.Sprintf(format, args...)) }
		var g *fixture
		g = newFixture(t, func(o *Config) {
			o.Trace = &Trace{
				Transition: func(tr Transition, err error) { add("%v", tr) },
				BackingOff: func(d time.Duration) { add("pause %v", d) },
				Listing:    func(o ListOptions) { add("listing %s", o.ResourceVersion) },
				Listed: func(n int, rv string, paged bool) {
					add("listed %d %s %v [%s]", n, rv, paged, g.store)
				},
				Opening:  func(o ListOptions) { add("opening %s", o.ResourceVersion) },
				Opened:   func(o ListOptions) { add("opened %s", o.ResourceVersion) },
				Event:    func(e Event) { add("event %s [%s]", e.ResourceVersion, g.store) },
				Ended:    func(n int, d time.Duration, err error) { add("ended after %d, %v: %v", n, d, err) },
				Recorded: func(rv string) { add("recorded %s [%s]", rv, g.store) },
				Failed:   func(err error) { add("failed") },
			}
		})
		g.play(t, page("7", "t", "web-2@5"), page("7", ""), reply{each: time.Second, open: true,
			frames: []any{event(Added, "web-1@8"), unusable, event(Deleted, "web-1@9"), gone}})
		assert.Equal(t, []string{
			"listing 0", "listing ", "listed 1 7 true []", "recorded 7 [web-2@5]",
			"listing: listed → opening watch", "opening 7", "opened 7", "opening watch: opened → watching",
			"event 8 [web-2@5]", "recorded 8 [web-1@8 web-2@5]", "failed",
			"event 9 [web-1@8 web-2@5]", "recorded 9 [web-2@5]",
			"ended after 2, 4s: server says 410 Expired: old",
			"failed", "watching: expired, back off → listing", "pause 800ms", "listing 9",
		}, seen)
	})
}

func TestATraceMayLackAnyFunc(t *testing.T) {
	inBubble(t, "and there may be none at all", func(t *testing.T) {
		for _, trace := range []*Trace{nil, {}} {
			g := newFixture(t, func(o *Config) { o.Trace = trace })
			g.play(t, list("7"), stream(event(Added, "web-1@6"), gone), list("9"), hanging())
			assert.Equal(t, "9", g.r.LastSyncResourceVersion())
			g.stop()
		}
	})
}

func TestStats(t *testing.T) {
	inBubble(t, "Stats counts rows that were followed, and errors by cause", func(t *testing.T) {
		g := newFixture(t)
		g.play(t, refusal(403, "Forbidden", "no"), list("7"), stream(unusable, gone), list("9"),
			hanging())
		stats := g.r.Stats()
		assert.Equal(t, map[string]int{"refused": 1, "skipped": 1, "expired": 1}, stats.Errors)
		assert.Equal(t, map[Transition]int{
			{listing, failed, backOff, listing}:    1,
			{listing, listed, goOn, openingWatch}:  2,
			{openingWatch, opened, goOn, watching}: 2,
			{watching, expired, backOff, listing}:  1,
		}, stats.Rows)
		clear(stats.Errors) // the caller owns the maps
		clear(stats.Rows)
		assert.NotEmpty(t, g.r.Stats().Errors)
		assert.NotEmpty(t, g.r.Stats().Rows)
	})
	inBubble(t, "a list or an event is lost once, however many of its objects cannot be used",
		func(t *testing.T) {
			g := newFixture(t)
			g.play(t, list("7", "web-1@5!", "web-2@6!"),
				hanging(event(Modified, "web-1@8!"), event(Added, "db-1@9"), unusable))
			assert.Equal(t, 2, g.r.Stats().LostEvents)
		})
}

func TestFailures(t *testing.T) {
	inBubble(t, "errors count until a list, a bookmark or the next watch, and the last one is kept",
		func(t *testing.T) {
			g := newFixture(t)
			assert.EqualError(t, g.r.Err(), "reflector: Run has not been called")
			g.play(t, refusal(404, "NotFound", "no"), refusal(404, "NotFound", "no"))
			assert.EqualError(t, g.r.Err(),
				"2 failures, the last: reflector: listing: server says 404 NotFound: no")
			failed := func(want string) {
				t.Helper()
				pass(time.Minute)
				assert.EqualError(t, g.r.Err(), want)
			}
			succeeded := func(last string) {
				t.Helper()
				pass(time.Minute)
				assert.NoError(t, g.r.Err())
				assert.Zero(t, g.r.Stats().Failures)
				assert.ErrorContains(t, g.r.Stats().LastError, last)
			}
			g.replies <- list("7")
			succeeded("404")
			g.replies <- reply{frames: []any{unusable, io.ErrUnexpectedEOF}, each: time.Second}
			failed("2 failures, the last: reflector: watching: unexpected EOF")
			g.replies <- hanging()
			succeeded("unexpected EOF")
			g.stop()
			g = newFixture(t)
			g.play(t, list("7"), hanging(unusable))
			failed("reflector: skipped ADDED event: its kind is another")
			g.stop()
			g = newFixture(t)
			g.play(t, list("7"), hanging(unusable, bookmark("8")))
			succeeded("skipped")
		})
	inBubble(t, "a streaming list that is granted is no success", func(t *testing.T) {
		no := refusal(404, "NotFound", "no")
		g := played(t, time.Minute, streamFirst, stream(unusable), no, stream(garbage), no)
		assert.Equal(t, 4, g.r.Stats().Failures)
	})
}

// empty is a ListerWatcher that returns nil and no error for each watch and, if list is true, for
// each list.
type empty struct{ list bool }

func (e empty) List(context.Context, ListOptions) (*List, error) {
	if e.list {
		return nil, nil
	}
	return &List{ResourceVersion: "7"}, nil
}

func (e empty) Watch(_ context.Context, o ListOptions) (Watch, error) {
	if !o.SendInitialEvents {
		return nil, nil
	}
	return (*servedWatch)(nil), nil
}

func TestNilInPlaceOfAnAnswerIsAnErrorAndPauses(t *testing.T) {
	const list, watch = "listing: cannot read list: the ListerWatcher returned nil and no error",
		"watch: the ListerWatcher returned nil and no error"
	for law, c := range map[string]struct {
		change func(*Config)
		errs   []string
	}{
		"of a list":  {func(o *Config) { o.ListerWatcher = empty{list: true} }, []string{list, list}},
		"of a watch": {func(o *Config) { o.ListerWatcher = empty{} }, []string{watch, watch}},
		"of a streaming list": {func(o *Config) { o.ListerWatcher = empty{list: true}; streamFirst(o) },
			[]string{watch, list, watch, list}},
	} {
		inBubble(t, law, func(t *testing.T) {
			g := played(t, 2*time.Second, c.change)
			g.check(t, c.errs...)
			assert.Equal(t, "800ms 1.6s", g.paused())
		})
	}
}

func TestLog(t *testing.T) {
	for law, handler := range map[string]func(error){
		"errors are logged; that streams end and versions expire is normal": nil,
		"errors go to the handler instead of the log":                       func(error) {},
	} {
		inBubble(t, law, func(t *testing.T) {
			var lines bytes.Buffer
			g := newFixture(t, func(o *Config) {
				o.Name, o.WatchErrorHandler = "pods", handler
				o.Logger = slog.New(slog.NewTextHandler(&lines, nil))
			})
			g.play(t, refusal(403, "Forbidden", "no"), list("7"), stream(bookmark("8"), gone), list("9"),
				reply{frames: []any{bookmark("10"), io.ErrUnexpectedEOF}, each: time.Second})
			g.stop()
			if handler != nil {
				assert.Empty(t, lines.String())
				return
			}
			assert.Regexp(t, `^time=\S+ level=ERROR msg="list and watch" `+
				`error="pods: listing: server says 403 Forbidden: no"
.* level=INFO .* error="pods: watching: server says 410 Expired: old"
.* level=INFO .* error="pods: watching: unexpected EOF"\n$`, lines.String())
		})
	}
}
