package reflector

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"testing"
	"time"

	"example.com/watchglass"
	"github.com/stretchr/testify/assert"
)

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
				Opening: func(o ListOptions) { add("opening %s", o.ResourceVersion) },
				Opened:  func(o ListOptions) { add("opened %s", o.ResourceVersion) },
				Event:   func(e Event) { add("event %s [%s]", e.ResourceVersion, g.store) },
				Ended:   func(n int, d time.Duration, err error) { add("ended after %d, %v: %v", n, d, err) },
				Failed:  func(err error) { add("failed") },
			}
		})
		g.play(t, page("7", "t", "web-2@5"), page("7", ""), reply{each: time.Second, open: true,
			frames: []any{event(Added, "web-1@8"), unusable, event(Deleted, "web-1@9"), expired}})
		assert.Equal(t, []string{
			"listing 0", "listing ", "listed 1 7 true []", "listing: listed → opening watch",
			"opening 7", "opened 7", "opening watch: opened → watching",
			"event 8 [web-2@5]", "failed", "event 9 [web-1@8 web-2@5]",
			"ended after 2, 4s: server says 410 Expired: old",
			"failed", "watching: expired, back off → listing", "pause 800ms", "listing 9",
		}, seen)
	})
}

func TestStats(t *testing.T) {
	inBubble(t, "Stats counts the rows that were followed, and the errors by cause", func(t *testing.T) {
		g := newFixture(t)
		g.play(t, refusal(403, "Forbidden", "no"), list("7"), stream(unusable, expired), list("9"), hanging())
		stats := g.r.Stats()
		assert.Equal(t, map[string]int{"refused": 1, "skipped": 1, "expired": 1}, stats.Errors)
		assert.Equal(t, map[Transition]int{
			{Listing, Failed, BackOff, Listing}:    1,
			{Listing, Listed, GoOn, OpeningWatch}:  2,
			{OpeningWatch, Opened, GoOn, Watching}: 2,
			{Watching, Expired, BackOff, Listing}:  1,
		}, stats.Rows)
		clear(stats.Errors) // the caller owns the maps
		clear(stats.Rows)
		assert.NotEmpty(t, g.r.Stats().Errors)
		assert.NotEmpty(t, g.r.Stats().Rows)
	})
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
			g.play(t, refusal(403, "Forbidden", "no"), list("7"), stream(bookmark("8"), expired), list("9"),
				reply{frames: []any{bookmark("10"), io.ErrUnexpectedEOF}, each: time.Second})
			g.stop()
			if handler != nil {
				assert.Empty(t, lines.String())
				return
			}
			assert.Regexp(t, `^time=\S+ level=ERROR msg="list and watch" reflector=pods `+
				`error="pods: listing: server says 403 Forbidden: no"
.* level=INFO .* error="pods: watching: server says 410 Expired: old"
.* level=INFO .* error="pods: watching: unexpected EOF"\n$`, lines.String())
		})
	}
}

// nullStore takes every update.
type nullStore struct{ Store }

func (nullStore) Update(watchglass.Object) error { return nil }

// fixedWatch returns the same event n times, and then its end.
type fixedWatch struct {
	e Event
	n int
}

func (w *fixedWatch) Next() (Event, error) {
	if w.n--; w.n < 0 {
		return Event{}, io.EOF
	}
	return w.e, nil
}

func (w *fixedWatch) Close() error { return nil }

func TestAnEventCostsNoAllocation(t *testing.T) {
	r := New(Config{ListerWatcher: &server{}, Store: &nullStore{}})
	s := newSession(t.Context(), ListOptions{ResourceVersion: "7"}, time.Hour)
	defer s.close()
	w := &fixedWatch{e: Event{Type: Modified, Object: &widget{}, ResourceVersion: "8"}}
	s.watch = w
	assert.Zero(t, testing.AllocsPerRun(10, func() {
		w.n = 1000
		_ = r.events(s)
	}))
}
