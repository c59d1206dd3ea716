package reflector

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

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
