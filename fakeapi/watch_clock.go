package fakeapi

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
func newClock(timeout time.Duration, bookmarks bool, interval time.Duration) *clock {
	now := time.Now()
	c := &clock{end: now.Add(timeout), timer: time.NewTimer(timeout)}
	if bookmarks {
		c.interval = interval
	}
	c.advance(now)
	return c
}

// due reports whether next has been reached.
func (c *clock) due(now time.Time) bool { return !now.Before(c.next) }

// advance sets next, and the timer, to the first time after now.
func (c *clock) advance(now time.Time) {
	c.next = c.after(now)
	c.timer.Reset(c.next.Sub(now))
}

// after returns when the next bookmark or the end is due after now.
func (c *clock) after(now time.Time) time.Time {
	if c.interval == 0 {
		return c.end
	}
	next := now.Add(c.interval)
	if last := c.end.Add(-lastBookmark); now.Before(last) {
		return earlier(next, last)
	}
	return c.end
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}
