package reflector

import (
	"math"
	"slices"
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
		assert.Equal(t, aYear, b.delay(9, 0.9))
	})
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
		{"while a list is followed by a watch that fails after seconds", nil,
			[]reply{list("7"), late}},
		{"while a streaming list, however long it takes, is followed by an empty watch",
			streaming, []reply{slow, stream()}},
	} {
		inBubble(t, c.law, func(t *testing.T) {
			g := played(t, 24*time.Second, c.change, slices.Repeat(c.replies, 20)...)
			assert.Equal(t, "800ms 1.6s 3.2s 6.4s 12.8s", g.paused())
		})
	}
	inBubble(t, "until a watch is of use; a list alone is not", func(t *testing.T) {
		g := played(t, time.Minute, nil, refusal(500, "", ""), list("7"), stream(), list("7"),
			reply{frames: []any{bookmark("8")}, lasts: time.Second}, refusal(403, "Forbidden", "no"))
		assert.Equal(t, "800ms 1.6s 800ms", g.paused())
	})
}

func TestOptions(t *testing.T) {
	t.Run("New panics without a ListerWatcher or a Store", func(t *testing.T) {
		assert.PanicsWithValue(t, "reflector: Config.ListerWatcher is nil",
			func() { New(Config{Store: &memStore{}}) })
		assert.PanicsWithValue(t, "reflector: Config.Store is nil",
			func() { New(Config{ListerWatcher: &server{}}) })
	})
	t.Run("lists are streamed, unless ListFirst or the ListerWatcher says otherwise", func(t *testing.T) {
		for _, c := range []struct {
			lw        ListerWatcher
			listFirst bool
			want      State
		}{
			{&server{}, false, OpeningStream}, {&server{}, true, Listing},
			{noStreams{unsupported: true}, false, Listing}, {noStreams{unsupported: true}, true, Listing},
			{noStreams{}, false, OpeningStream}, {noStreams{}, true, Listing},
		} {
			r := New(Config{ListerWatcher: c.lw, Store: &memStore{}, Options: Options{ListFirst: c.listFirst}})
			assert.Equal(t, c.want, r.table[0].From, "%+v", c)
		}
	})
	inBubble(t, "a streaming list is asked for as client-go does", func(t *testing.T) {
		var asked ListOptions
		g := newFixture(t, streaming)
		g.r.trace.Opening = func(o ListOptions) { asked = o }
		g.play(t)
		asked.TimeoutSeconds = 0
		assert.Equal(t, ListOptions{ResourceVersionMatch: "NotOlderThan", AllowWatchBookmarks: true,
			SendInitialEvents: true}, asked)
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
