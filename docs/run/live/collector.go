package main

import (
	"strings"
	"sync"
	"time"

	"example.com/watchglass/docs/tools/words"
)

// collector turns reports into events. Stages report under their locks and from many goroutines, so
// a report takes one short lock and calls nothing that could wait: it changes the model of the
// machine, stamps the event with the next number, and wakes the pages that watch.
//
// The lock is what makes the state of an event true: no other report comes between the change and
// the picture of it.
type collector struct {
	lines *lines
	start time.Time

	mu      sync.Mutex
	model   model
	log     eventLog
	changed chan struct{} // closed by the next event
}

func newCollector(source *lines, held int) *collector {
	c := &collector{lines: source, start: time.Now(), model: newModel(),
		log: eventLog{limit: held, floor: 1}, changed: make(chan struct{})}
	return c
}

// report changes the model and adds an event that shows it. change may be nil.
func (c *collector) report(e Event, change func(*model)) {
	lane, _, isHandler := strings.Cut(e.Lane, ":") // handlers are all alike
	from := c.lines.origin(lane + " " + e.Kind)
	e.Call, e.Report, e.Callers = from.Call, from.report, from.callers
	if way, moves := ways[lane+" "+e.Kind]; moves {
		e.From, e.To = way[0], way[1]
	} else if isHandler && e.Kind == "call" {
		e.From, e.To = words.Processor, e.Lane
	}
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
}

// saw reports what a stage's trace says. It is called by that trace's func.
func (c *collector) saw(e words.Event, change func(*model)) { c.report(Event{Event: e}, change) }

// amend changes the model without an event. The next event shows it.
func (c *collector) amend(change func(*model)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	change(&c.model)
}

// look lets f read the model.
func (c *collector) look(f func(*model)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	f(&c.model)
}

// list returns the state now and the number of the event that it is of.
func (c *collector) list() (state State, seq, floor int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.model.snapshot(), c.log.last(), c.log.floor
}

// after returns the events after seq, at most so many, and a channel that the next event closes. ok
// is false if not all of them are held any more, or if seq has not been reached yet.
func (c *collector) after(seq int64, most int) (
	events []*heldEvent, next <-chan struct{}, ok bool,
) {
	c.mu.Lock()
	defer c.mu.Unlock()
	events, ok = c.log.after(seq, most)
	return events, c.changed, ok
}

// event returns one event. ok is false if it is not held.
func (c *collector) event(seq int64) (h *heldEvent, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	events, ok := c.log.after(seq-1, 1)
	if !ok || len(events) == 0 {
		return nil, false
	}
	return events[0], true
}
