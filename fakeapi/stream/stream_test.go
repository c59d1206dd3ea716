package stream

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
)

// A watch's clock: bookmarks at intervals, one shortly before the end, the end.
func TestTheClockOfAWatch(t *testing.T) {
	for _, c := range []struct {
		law       string
		timeout   time.Duration
		bookmarks time.Duration
		want      []time.Duration
	}{
		{"without bookmarks only the end is due", 5 * time.Minute, 0,
			[]time.Duration{5 * time.Minute}},
		{"one a minute, one before the end, the end", 150 * time.Second, time.Minute,
			[]time.Duration{60 * time.Second, 120 * time.Second, 148 * time.Second, 150 * time.Second}},
		{"the last two seconds have no bookmark of their own", time.Second, time.Minute,
			[]time.Duration{time.Second}},
		{"an interval that ends with the watch", time.Minute, time.Minute,
			[]time.Duration{58 * time.Second, time.Minute}},
	} {
		synctest.Test(t, func(t *testing.T) {
			started := time.Now()
			k := newClock(c.timeout, c.bookmarks)
			defer k.timer.Stop()
			var ticks []time.Duration
			for now := started; now.Before(k.end); {
				now = <-k.timer.C
				ticks = append(ticks, now.Sub(started))
				k.advance(now)
			}
			assert.Equal(t, c.want, ticks, c.law)
		})
	}
}
