package tape

import (
	"slices"
	"testing/synctest"
	"time"
)

// Several goroutines are often ready to go on at the same time, and the scheduler decides which one
// reports first. A tape must be the same each time, so while one is made, each goroutine lets some
// nanoseconds of virtual time pass where it would go on: then only one is ready at any time, and
// the order follows from these times. They are too short to show: events have milliseconds. Nothing
// is locked where they pass, or the clock of the bubble would stand still.
//
// The order is one that often happens: the server is ahead of its client, the reflector asks for a
// watch before the process loop takes what it has queued, and handlers are behind. Numbers without
// a common divisor keep two goroutines from being ready at the same time after several steps.
const (
	serverPace  = 3 * time.Nanosecond   // before a watch is reported to have ended, and after a Pop
	wirePace    = 7 * time.Nanosecond   // before what has come is read
	syncedPace  = 53 * time.Nanosecond  // before it is told that the informer has synced
	loopPace    = 211 * time.Nanosecond // before the process loop pops
	handlerPace = 401 * time.Nanosecond // before a handler is called
	nextHandler = 20 * time.Nanosecond  // is added for each handler
	restPace    = 20 * time.Microsecond // after a command: by then everything is at rest
)

// pace lets time pass, while a tape is made.
func (c *collector) pace(d time.Duration) {
	if c.paced {
		time.Sleep(d)
		c.amend((*model).settle)
	}
}

// paceHandler lets time pass for a handler, for each another one.
func (c *collector) paceHandler(name string, d time.Duration) {
	if c.paced {
		var i int
		c.amend(func(m *model) {
			i = slices.IndexFunc(m.listeners, func(l *listenerModel) bool { return l.Name == name })
		})
		c.pace(d + time.Duration(i)*nextHandler)
	}
}

// rest returns when nothing moves any more but by the time.
func (c *collector) rest() {
	c.pace(restPace)
	synctest.Wait()
}
