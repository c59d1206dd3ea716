package reflector

import (
	"context"
	"io"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"example.com/watchglass"
	"github.com/stretchr/testify/assert"
)

// A closedStore fails the test if it is given a list after ctx has ended.
type closedStore struct {
	nullStore
	t   *testing.T
	ctx context.Context
}

func (s closedStore) Replace([]watchglass.Object, string) error {
	assert.NoError(s.t, s.ctx.Err(), "no list reaches the store after the context has ended")
	return nil
}

func TestAListThatIsCompleteAfterTheEnd(t *testing.T) {
	for _, listFirst := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			lw := &countedWatches{listed: cancel}
			r, err := New(Options{ListerWatcher: lw, Store: closedStore{t: t, ctx: ctx},
				ListFirst: listFirst, Trace: &Trace{Event: func(Event) { cancel() }}})
			assert.NoError(t, err)
			lw.events = []any{Event{Type: Bookmark, ResourceVersion: "7", InitialEventsEnd: true}, io.EOF}
			r.Run(ctx)
		})
	}
}

func TestTheLongestTimes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t, func(o *Options) {
			o.MinWatchTimeout, o.ListTimeout, o.StreamingTimeout = math.MaxInt64, math.MaxInt64, math.MaxInt64
			o.Backoff = Backoff{Initial: math.MaxInt64, Max: math.MaxInt64}
			o.ListFirst = false
		})
		g.replies <- hanging(initialEnd("7"))
		g.start(t)
		pass(24 * time.Hour)
		assert.Equal(t, `stream:""`, g.watches(), "a watch for ever is not idle")
		assert.Empty(t, g.errs)
	})
	assert.Equal(t, aYear, Backoff{Initial: math.MaxInt64, Max: math.MaxInt64}.withDefaults().delay(9, 0.9),
		"the longest pause is a year, and no overflow makes it none")
}

func TestAClosedStreamHasNoTimer(t *testing.T) {
	r, s := eventsOnly(t, 0, nil)
	s.giveUp = time.NewTimer(time.Hour)
	r.session.Store(s)
	r.hangUp()
	assert.False(t, s.giveUp.Stop(), "the timer of a streaming list that is over has been stopped")
}
