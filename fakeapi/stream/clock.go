package stream

import "time"

// lastBookmark is how long before the end of a watch a bookmark is due: the client's
// next watch can start from it and has few events to catch up on.
const lastBookmark = 2 * time.Second

// A clock says when a watch acts by itself: it sends bookmarks at intervals and shortly
// before the end, and it ends.
type clock struct {
	end      time.Time
	interval time.Duration // between bookmarks; 0: the client wants none
	next     time.Time     // when the next bookmark or the end is due
	timer    *time.Timer   // fires at next
}

// newClock returns a clock for a watch that starts now.
func newClock(timeout, interval time.Duration) *clock {
	now := time.Now()
	c := &clock{end: now.Add(timeout), interval: interval, timer: time.NewTimer(timeout)}
	c.advance(now)
	return c
}

// advance sets next, and the timer, to the time after now when a bookmark or the end is due.
func (c *clock) advance(now time.Time) {
	last := c.end.Add(-lastBookmark)
	switch c.next = now.Add(c.interval); {
	case c.interval == 0 || !now.Before(last):
		c.next = c.end
	case c.next.After(last):
		c.next = last
	}
	c.timer.Reset(c.next.Sub(now))
}
