package tape

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"example.com/watchglass/deltafifo"
	"example.com/watchglass/informer"
)

// The modes of a valve.
const (
	open = "open" // lets everything pass
	held = "held" // lets nothing pass
	one  = "one"  // lets one thing pass for each press
	slow = "slow" // lets each thing pass after slowPause
)

var modes = []string{open, held, one, slow}

const slowPause = 500 * time.Millisecond

// ValveState is one valve.
type ValveState struct {
	Name    string `json:"name"`
	Label   string `json:"label"`
	Handler string `json:"handler"` // the handler that it stands before, or ""
	Mode    string `json:"mode"`    // open, held, one or slow
	Waiting int    `json:"waiting"` // what stands before it: 0 or 1
}

// valve stands in the way of one goroutine and holds it up there. That is all it does: what piles
// up behind it is the machinery's own backpressure. The zero mode is not a mode; make one with
// newValve.
type valve struct {
	name string
	seen *collector
	lane string // where its events are shown

	mu      sync.Mutex
	mode    string
	admits  bool          // in mode one: what waits may pass
	waits   bool          // something does
	changed chan struct{} // closed when mode or admits change
}

// newValve adds an open valve to the picture. handler is the name of the handler that it stands
// before, or "".
func newValve(seen *collector, name, label, handler, lane string) *valve {
	v := &valve{name: name, seen: seen, lane: lane, mode: open, changed: make(chan struct{})}
	state := ValveState{Name: name, Label: label, Handler: handler, Mode: open}
	seen.amend(func(m *model) { m.valves = append(slices.Clone(m.valves), state) })
	return v
}

// remove takes the valve out of the picture and lets pass what waits.
func (v *valve) remove() {
	v.seen.amend(func(m *model) {
		isThis := func(s ValveState) bool { return s.Name == v.name }
		m.valves = slices.DeleteFunc(slices.Clone(m.valves), isThis)
	})
	v.mu.Lock()
	defer v.mu.Unlock()
	v.set(open)
}

// turn changes the mode, and reports it in the lane of what has turned the valve.
func (v *valve) turn(mode, lane string) error {
	if !slices.Contains(modes, mode) {
		return fmt.Errorf("the mode of a valve is one of %q, not %.100q", modes, mode)
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	does := "is " + mode
	if mode == one {
		does = "lets one at a time pass"
	}
	e := said(lane, "valve", "%s %s", v.name, does)
	e.To = v.name
	v.seen.report(e, func(m *model) {
		m.valve(v.name, func(s *ValveState) { s.Mode = mode })
	})
	v.set(mode)
	return nil
}

// admit lets pass what waits. A press on a valve at which nothing waits is refused, because the
// reader would not see what it does later.
func (v *valve) admit() error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.mode != one {
		return fmt.Errorf("%s is %s: only a valve in mode %q lets one pass", v.name, v.mode, one)
	}
	if !v.waits {
		return fmt.Errorf("nothing waits at %s", v.name)
	}
	e := said(laneYou, "admit", "%s lets one pass", v.name)
	e.To = v.name
	v.seen.report(e, nil)
	v.set(one)
	v.admits = true
	return nil
}

// set is called with mu held.
func (v *valve) set(mode string) {
	v.mode, v.admits = mode, false
	close(v.changed)
	v.changed = make(chan struct{})
}

// pass waits until the valve lets one thing pass, and returns true; or until done is closed, and
// returns false. The events call the thing what.
func (v *valve) pass(done <-chan struct{}, what string) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.mode == open {
		return true
	}
	v.waits = true
	v.report("waits", what, "waits at", 1)
	passes := v.wait(done)
	v.waits, v.admits = false, false
	if passes {
		v.report("passes", what, "passes", 0)
	} else {
		v.report("gives up", what, "does not pass", 0)
	}
	return passes
}

// wait is called with mu held, and does not hold it while it waits.
func (v *valve) wait(done <-chan struct{}) (passes bool) {
	for v.mode != open && !v.admits {
		var pause <-chan time.Time
		if v.mode == slow {
			pause = time.After(slowPause)
		}
		changed, over, gone := v.changed, false, false
		v.mu.Unlock()
		select {
		case <-changed:
		case <-pause:
			over = true
		case <-done:
			gone = true
		}
		if v.mu.Lock(); over || gone {
			return over
		}
	}
	return true
}

// report says what something does at the valve, in the lane that it is in.
func (v *valve) report(kind, what, does string, waiting int) {
	e := said(v.lane, kind, "%s %s %s", what, does, v.name)
	e.Brief, e.To = does+" "+v.name, v.name
	if _, handler, ofHandler := strings.Cut(v.lane, ":"); ofHandler {
		e.Brief = handler + " " + e.Brief
	}
	v.seen.report(e, func(m *model) {
		m.valve(v.name, func(s *ValveState) { s.Waiting = waiting })
	})
}

// valve changes the state of a valve. One that has been removed is not there any more.
func (m *model) valve(name string, change func(*ValveState)) {
	for i := range m.valves {
		if m.valves[i].Name == name {
			change(&m.valves[i])
			return
		}
	}
}

// gatedQueue is a queue with valve V2 before Pop.
//
// It cannot stand around the process func: Pop holds the lock of the queue while that runs, so a
// valve there would stop the reflector, and no delta could pile up. It cannot simply stand before
// Pop either: the process loop usually sleeps inside of it, and the first key would slip through.
// So the process loop waits here until the queue's trace has reported something and something is
// queued, then at the valve, and then it pops.
type gatedQueue struct {
	informer.Queue
	valve  *valve
	closed <-chan struct{}
	close  context.CancelFunc
}

// gate returns the queue with the valve in front. The wrapper of a RealFIFO has the two methods
// more that the informer looks for.
func gate(q informer.Queue, v *valve) (informer.Queue, *gatedQueue) {
	open, closes := context.WithCancel(context.Background())
	g := &gatedQueue{Queue: q, valve: v, closed: open.Done(), close: closes}
	if ordered, ok := q.(*deltafifo.RealFIFO); ok {
		return &gatedRealFIFO{g, ordered}, g
	}
	return g, g
}

// await returns when something is queued and the valve is open, or false when the queue is closed:
// what is still queued then stays there, as without a valve.
func (g *gatedQueue) await() bool {
	g.valve.seen.amend(func(m *model) { m.queue.change().Popped = nil })
	for g.Len() == 0 {
		select {
		case <-g.valve.seen.queued:
		case <-g.closed:
			return false
		}
	}
	g.valve.seen.pace(loopPace)
	return g.valve.pass(g.closed, "the process loop")
}

func (g *gatedQueue) Pop(process deltafifo.PopProcessFunc) (deltafifo.Deltas, error) {
	if !g.await() {
		return nil, deltafifo.ErrClosed
	}
	defer g.valve.seen.pace(serverPace) // another goroutine tells the processor that all is in
	return g.Queue.Pop(process)
}

func (g *gatedQueue) Close() {
	g.close()
	g.Queue.Close()
}

// gatedRealFIFO is a gatedQueue that pops batches and takes versions of bookmarks.
type gatedRealFIFO struct {
	*gatedQueue
	ordered *deltafifo.RealFIFO
}

func (g *gatedRealFIFO) PopBatch(process deltafifo.PopProcessFunc) error {
	if !g.await() {
		return deltafifo.ErrClosed
	}
	defer g.valve.seen.pace(serverPace)
	return g.ordered.PopBatch(process)
}

func (g *gatedRealFIFO) UpdateResourceVersion(version string) {
	g.ordered.UpdateResourceVersion(version)
}
