package tape

import (
	"errors"
	"time"

	"example.com/watchglass/reflector"
)

// ReflectorState is where the reflector's machine is.
type ReflectorState struct {
	State   string `json:"state"`
	Last    *Step  `json:"last"`    // the transition that led to it, nil: none yet
	Version string `json:"version"` // up to which everything was given to the queue
	PauseMs int64  `json:"pauseMs"` // how long the pause lasts that has just begun; 0: none
	Lists   int    `json:"lists"`
	Watches int    `json:"watches"`
	Hand    *Mark  `json:"hand"` // read, and not queued yet; nil: nothing
}

// Step is one row of the reflector's table, in
type Step struct {
	From string `json:"from"`
	On   string `json:"on"`
	Do   string `json:"do"`
	To   string `json:"to"`
}

func step(t reflector.Transition) Step {
	return Step{t.From.String(), t.On.String(), t.Do.String(), t.To.String()}
}

// reflectorModel is the reflector as its trace has reported it.
type reflectorModel struct{ ReflectorState }

func (r reflectorModel) draw([]string) *ReflectorState { return &r.ReflectorState }

// reflectorTrace reports what the reflector does. Opened, Ended and most errors are followed by the
// transition that says the same, so they are only counted.
func (c *collector) reflectorTrace() *reflector.Trace {
	report := func(e Event, change func(*reflectorModel)) {
		c.report(e, func(m *model) { change(m.reflector.change()) })
	}
	return &reflector.Trace{
		Transition: func(t reflector.Transition, err error) {
			report(transitioned(t, err), func(r *reflectorModel) {
				last := step(t)
				r.State, r.Last, r.PauseMs, r.Hand = t.To.String(), &last, 0, nil
			})
		},
		BackingOff: func(d time.Duration) {
			e := said(Reflector, "back off", "back off for %v", d.Round(time.Millisecond)).
				in("back off %v", d.Round(time.Millisecond))
			report(e, func(r *reflectorModel) { r.PauseMs = d.Milliseconds() })
		},
		Listing: func(o reflector.ListOptions) {
			e := said(Reflector, "list", "list at version %q", o.ResourceVersion).
				in("list @%s", o.ResourceVersion).moving(Reflector, API)
			report(e, (*reflectorModel).goOn)
		},
		Listed: func(items int, version string, _ bool) {
			e := said(Reflector, "listed", "%s, version %s", Count(items, "object"), version).
				in("%s @%s", Count(items, "object"), version)
			c.report(e, func(m *model) {
				r := m.reflector.change()
				r.Lists++
				r.Hand = &Mark{Type: "list", RV: version, N: items}
				m.wire.change().read()
			})
		},
		Opening: func(o reflector.ListOptions) {
			report(opening(o).moving(Reflector, API),
				(*reflectorModel).goOn)
		},
		Opened: func(reflector.ListOptions) {
			c.amend(func(m *model) { m.reflector.change().Watches++ })
		},
		Failed: func(err error) { // most errors end a state
			if skipped, ok := errors.AsType[*reflector.ObjectError](err); ok {
				c.report(said(Reflector, "skipped", "skipped: %v", skipped).failing(true), nil)
			}
		},
		Event: func(e reflector.Event) {
			c.report(read(e).moving(Wire, Reflector), func(m *model) {
				m.reflector.change().read(e)
				m.wire.change().read()
			})
		},
		Recorded: func(version string) {
			c.amend(func(m *model) { m.reflector.change().Version = version })
		},
		VersionWentBack: func(before, now string) {
			e := said(Reflector, "went back", "version went back from %s to %s", before, now)
			c.report(e.failing(true), nil)
		},
	}
}

// read is an event of a watch. The reflector hands it on, but for a bookmark.
func (r *reflectorModel) read(e reflector.Event) {
	if r.Hand = nil; e.Object != nil {
		r.Hand = &Mark{Key: keyOf(e.Object), Type: string(e.Type), RV: e.ResourceVersion}
	}
}

// goOn ends a pause.
func (r *reflectorModel) goOn() { r.PauseMs = 0 }

// opening tells of a watch that the reflector asks for, or a streaming list.
func opening(o reflector.ListOptions) Event {
	if o.SendInitialEvents {
		return said(Reflector, "watch", "streaming list at version %q", o.ResourceVersion).
			in("stream @%s", o.ResourceVersion)
	}
	return said(Reflector, "watch", "watch from version %s", o.ResourceVersion).
		in("watch @%s", o.ResourceVersion)
}

// transitioned tells of a step of the reflector's machine.
func transitioned(t reflector.Transition, err error) Event {
	why := ""
	if err != nil {
		why = " (" + because(err) + ")"
	}
	e := said(Reflector, "transition", "%v%s", t, why).in("%v → %v", t.On, t.To)
	switch on := t.On.String(); on {
	case "opened", "listed", "expired":
		return e.as(on).failing(err != nil)
	case "ended", "stop": // which are routine
		return e.as(on)
	}
	return e.failing(err != nil)
}

// read tells of an event that the reflector has read from a watch.
func read(e reflector.Event) Event {
	if e.Object == nil {
		return said(Reflector, "event", "%s at version %s", e.Type, e.ResourceVersion).
			in("%s@%s", e.Type, e.ResourceVersion).as("BOOKMARK")
	}
	return event(Reflector, "event", keyOf(e.Object), "%s %s", e.Type, at(e.Object))
}
