package fakeapi

import "time"

// lastBookmark is how long before the end of a watch a bookmark is due: a client
// that comes back then has missed next to nothing.
const lastBookmark = 2 * time.Second

// A clock is when a watch does what it does by itself: bookmarks at intervals
// and shortly before the end, and the end.
type clock struct {
	end      time.Time
	interval time.Duration // between bookmarks; 0: none are wanted
	next     time.Time     // when the next thing is due
	timer    *time.Timer   // fires then
}

// newClock is a clock for a watch that starts now.
func newClock(timeout time.Duration, bookmarks bool, interval time.Duration) *clock {
	now := time.Now()
	c := &clock{end: now.Add(timeout), timer: time.NewTimer(timeout)}
	if bookmarks {
		c.interval = interval
	}
	c.advance(now)
	return c
}

// due says whether the next thing is due.
func (c *clock) due(now time.Time) bool { return !now.Before(c.next) }

// advance moves on to what comes next after now.
func (c *clock) advance(now time.Time) {
	c.next = c.after(now)
	c.timer.Reset(c.next.Sub(now))
}

// after is when something is due after now.
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
