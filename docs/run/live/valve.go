package main

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
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
		m.valves = slices.DeleteFunc(slices.Clone(m.valves),
			func(s ValveState) bool { return s.Name == v.name })
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
	text := v.name + " is " + mode
	if mode == one {
		text = v.name + " lets one at a time pass"
	}
	e := said(lane, "valve", "%s", text)
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
	waiting := false
	for {
		passes, changed, pause := v.ask()
		if passes {
			if waiting {
				v.report("passes", what, "passes", 0)
			}
			return true
		}
		if !waiting {
			waiting = true
			v.report("waits", what, "waits at", 1)
		}
		select {
		case <-changed:
		case <-pause:
			v.leave()
			v.report("passes", what, "passes", 0)
			return true
		case <-done:
			v.leave()
			v.report("gives up", what, "does not pass", 0)
			return false
		}
	}
}

// ask says whether one thing may pass now. If not, it may ask again when changed is closed, and may
// pass without asking when pause fires; a nil pause never does.
func (v *valve) ask() (passes bool, changed <-chan struct{}, pause <-chan time.Time) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.mode == open || v.admits {
		v.admits, v.waits = false, false
		return true, nil, nil
	}
	if v.mode == slow {
		pause = time.After(slowPause)
	}
	v.waits = true
	return false, v.changed, pause
}

// leave notes that nothing waits any more.
func (v *valve) leave() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.waits = false
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
