package reflector

import (
	"math"
	"slices"
	"strings"
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

func TestRetryWindow(t *testing.T) {
	t.Run("an error is forgiven up to the end of a window, which a first error begins", func(t *testing.T) {
		now := time.Now()
		w := retryWindow{length: 10 * time.Second}
		assert.True(t, w.allow(now))
		assert.True(t, w.allow(now.Add(10*time.Second)))
		assert.False(t, w.allow(now.Add(10*time.Second+1)))
		assert.True(t, w.allow(now.Add(11*time.Second)), "the error after that one is a first one")
		assert.True(t, w.allow(now.Add(11*time.Second+quietTime)), "an error after a quiet minute, too")
		assert.True(t, w.allow(now.Add(20*time.Second+quietTime)), "and its window has its full length")
	})
}

func TestPausesGrow(t *testing.T) {
	internal := stream(status(500, "InternalError", "no leader"))
	slow := stream(initialEnd("7"))
	slow.wait = 2 * time.Second
	late := reply{frames: []any{garbage}, each: 2 * time.Second}
	for _, c := range []struct {
		law     string
		change  func(*Options)
		first   []reply
		replies []reply // again and again
		lists   bool
	}{
		{"while watches fail at once, although the error is forgiven",
			func(o *Options) { o.MaxInternalErrorRetry = time.Hour },
			[]reply{list("7")}, []reply{internal}, false},
		{"while a list is followed by a watch that fails after seconds", nil,
			nil, []reply{list("7"), late}, true},
		{"while a streaming list, however long it takes, is followed by an empty watch",
			streaming, nil, []reply{slow, stream()}, true},
	} {
		inBubble(t, c.law, func(t *testing.T) {
			again := slices.Repeat(c.replies, 20)
			g := played(t, 24*time.Second, c.change, slices.Concat(c.first, again)...)
			assert.Equal(t, "800ms 1.6s 3.2s 6.4s 12.8s", g.paused())
			if !c.lists {
				assert.Equal(t, 1, strings.Count(g.asked(), "list"), "there is no other list")
			}
		})
	}
	inBubble(t, "until a watch is of use; a list alone is not", func(t *testing.T) {
		g := played(t, 4*time.Minute, nil, refusal(500, "", ""), list("7"), stream(), list("7"),
			reply{frames: []any{bookmark("8")}, lasts: time.Second}, refusal(403, "Forbidden", "no"))
		assert.Equal(t, "800ms 1.6s 800ms", g.paused())
	})
}

func TestOptions(t *testing.T) {
	t.Run("New needs a ListerWatcher and a Store", func(t *testing.T) {
		_, err := New(Options{Store: &memStore{}})
		assert.EqualError(t, err, "reflector: Options.ListerWatcher is missing")
		_, err = New(Options{ListerWatcher: &server{}})
		assert.EqualError(t, err, "reflector: Options.Store is missing")
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
			r, err := New(Options{ListerWatcher: c.lw, Store: &memStore{}, ListFirst: c.listFirst})
			assert.NoError(t, err)
			assert.Equal(t, c.want, r.table[0].From, "%+v", c)
			assert.Equal(t, 2*time.Minute, r.opts.ListTimeout)
			assert.Equal(t, 2*time.Minute, r.opts.StreamingTimeout)
		}
	})
	inBubble(t, "a streaming list is asked for as client-go does", func(t *testing.T) {
		var asked ListOptions
		g := newRig(t, streaming)
		g.r.trace.Opening = func(o ListOptions) { asked = o }
		g.play(t)
		asked.TimeoutSeconds = 0
		assert.Equal(t, ListOptions{ResourceVersionMatch: "NotOlderThan", AllowWatchBookmarks: true,
			SendInitialEvents: true}, asked)
	})
	for _, c := range []struct {
		law                      string
		configured, least, below time.Duration
	}{
		{"a watch is asked for 5 to 10 minutes at least", time.Second, 5 * time.Minute, 10 * time.Minute},
		{"a longer time is stretched up to its double", time.Hour, time.Hour, 2 * time.Hour},
		{"a time above a year is a year", math.MaxInt64, aYear, 2 * aYear},
	} {
		t.Run(c.law, func(t *testing.T) {
			different := map[int64]bool{}
			r, err := New(Options{ListerWatcher: &server{}, Store: &memStore{},
				MinWatchTimeout: c.configured})
			assert.NoError(t, err)
			for range 200 {
				asked := r.watchOptions().TimeoutSeconds
				assert.GreaterOrEqual(t, time.Duration(asked)*time.Second, c.least)
				assert.Less(t, time.Duration(asked)*time.Second, c.below)
				different[asked] = true
			}
			assert.Greater(t, len(different), 50, "it is chosen at random for each watch")
		})
	}
	inBubble(t, "the longest times do not overflow", func(t *testing.T) {
		g := newRig(t, streaming, func(o *Options) {
			const longest = math.MaxInt64
			o.MinWatchTimeout, o.ListTimeout, o.StreamingTimeout = longest, longest, longest
		})
		g.start(t, hanging(initialEnd("7")))
		pass(24 * time.Hour)
		assert.Equal(t, `stream ""`, g.asked())
	})
}

// noStreams is a ListerWatcher that declares whether it can stream lists.
type noStreams struct {
	*server
	unsupported bool
}

func (s noStreams) IsWatchListSemanticsUnSupported() bool { return s.unsupported }
