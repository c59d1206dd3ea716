package tape

import (
	"slices"
	"sync"
	"testing/synctest"
	"time"
)

// collector turns reports into events. Stages report under their locks and from many goroutines, so
// a report takes one short lock and calls nothing that could wait: it changes the model of the
// machine, stamps the event with the next number, and wakes the pages that watch.
//
// The lock is what makes the state of an event true: no other report comes between the change and
// the picture of it.
type collector struct {
	lines *Source
	start time.Time
	paced bool        // a tape is made
	halt  func(int64) // called after each event with its number, if it is not nil; it may block
	// queued has room for one: the queue has reported something since it was emptied.
	queued chan struct{}

	mu      sync.Mutex
	model   model
	log     eventLog
	changed chan struct{} // closed by the next event
}

func newCollector(source *Source, held int) *collector {
	return &collector{
		lines: source, start: time.Now(), model: newModel(), queued: make(chan struct{}, 1),
		log: eventLog{limit: held, floor: 1}, changed: make(chan struct{}),
	}
}

// report changes the model and adds an event that shows it. change may be nil.
func (c *collector) report(e Event, change func(*model)) {
	from := c.lines.origin(e.made())
	e.Call, e.Report, e.Callers = from.Call, from.report, from.callers
	seq := c.add(e, change)
	if e.Lane == Queue {
		select {
		case c.queued <- struct{}{}:
		default: // it will be looked for already
		}
	}
	if c.halt != nil {
		c.halt(seq)
	}
}

// add does what report does, and returns the number of the event.
func (c *collector) add(e Event, change func(*model)) int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	if change != nil {
		change(&c.model)
	}
	if e.Key != "" {
		c.model.touch(e.Key)
	}
	e.At = time.Since(c.start).Milliseconds()
	e.State = c.model.snapshot()
	c.log.add(e)
	close(c.changed)
	c.changed = make(chan struct{})
	return c.log.last()
}

// restart sets the clock of the events to zero.
func (c *collector) restart() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.start = time.Now()
}

// quiet waits until nothing has been reported for a moment, a second at most.
func (c *collector) quiet() {
	for end := time.After(time.Second); ; {
		_, changed, _ := c.after(0, 0)
		select {
		case <-changed:
		case <-end:
			return
		case <-time.After(20 * time.Millisecond):
			return
		}
	}
}

// amend reads the model, or changes it without an event. The next event shows that, and so does a
// list: one that is asked for after the last event can be newer than the state of that event.
func (c *collector) amend(change func(*model)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	change(&c.model)
}

// list returns the state now and the number of the event that it is of.
func (c *collector) list() (state State, seq, floor int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.model.snapshot(), c.log.last(), c.log.floor
}

// after returns the events after seq, at most so many, and a channel that the next event closes. ok
// is false if not all of them are held any more, or if seq has not been reached yet.
func (c *collector) after(seq int64, most int) (events []*Event, next <-chan struct{}, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	events, ok = c.log.after(seq, most)
	return events, c.changed, ok
}

// MaxHeld is how many events are held for pages that come back or step back. It bounds the memory:
// older ones are compacted, and a page that asks for them is told that they are gone.
const MaxHeld = 2000

// eventLog is the history of the machine, as a server's is: events in order, the oldest compacted.
// The collector's lock guards it.
type eventLog struct {
	limit  int
	floor  int64 // the number of the first event
	events []*Event
}

// add gives the event the next number. When a quarter more than the limit is held, that quarter is
// dropped in one go, so that adding costs constant time on average.
func (l *eventLog) add(e Event) {
	e.Seq = l.last() + 1
	l.events = append(l.events, &e)
	if surplus := len(l.events) - l.limit; surplus > l.limit/4 {
		l.events = slices.Clone(l.events[surplus:])
		l.floor += int64(surplus)
	}
}

// last is the number of the newest event, 0 before the first.
func (l *eventLog) last() int64 { return l.floor + int64(len(l.events)) - 1 }

// after returns the events after seq, at most so many. ok is false if one of them is gone, or if
// there never was an event seq.
func (l *eventLog) after(seq int64, most int) (events []*Event, ok bool) {
	if seq < l.floor-1 || seq > l.last() {
		return nil, false
	}
	rest := l.events[seq-l.floor+1:]
	return slices.Clone(rest[:min(most, len(rest))]), true
}

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
