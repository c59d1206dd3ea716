package main

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"example.com/watchglass"
	"example.com/watchglass/reflector"
)

// reflectorModel is the reflector as its trace has reported it.
type reflectorModel struct{ ReflectorState }

func (r reflectorModel) draw() *ReflectorState { return &r.ReflectorState }

// reflectorTrace reports what the reflector does. Opened, Ended and most errors are followed by the
// transition that says the same, so they are only counted.
func (c *collector) reflectorTrace() *reflector.Trace {
	return &reflector.Trace{
		Transition: c.transition,
		BackingOff: func(d time.Duration) {
			c.reflects("back off", "", false, func(r *reflectorModel) { r.PauseMs = d.Milliseconds() },
				"back off for %v", d.Round(time.Millisecond))
		},
		Listing: func(o reflector.ListOptions) {
			c.reflects("list", "", false, (*reflectorModel).goOn, "list at version %q", o.ResourceVersion)
		},
		Listed: func(items int, version string, _ bool) {
			c.reflects("listed", "", false, func(r *reflectorModel) { r.Lists++; r.Version = version },
				"%d objects, version %s", items, version)
		},
		Opening: func(o reflector.ListOptions) {
			c.reflects("watch", "", false, (*reflectorModel).goOn,
				"watch from version %s", o.ResourceVersion)
		},
		Opened: func(reflector.ListOptions) {
			c.amend(func(m *model) { m.reflector.change().Watches++ })
		},
		Failed: c.failed,
		Event:  c.eventRead,
		VersionWentBack: func(before, now string) {
			c.reflects("went back", "", true, nil, "version went back from %s to %s", before, now)
		},
	}
}

// failed reports the errors that end no state.
func (c *collector) failed(err error) {
	c.amend(func(m *model) { m.reflector.change().Failures++ })
	if skipped, ok := errors.AsType[*reflector.ObjectError](err); ok {
		c.reflects("skipped", "", true, nil, "skipped: %v", skipped)
	}
}

// reflects reports something in the lane of the reflector.
func (c *collector) reflects(kind, key string, fault bool, change func(*reflectorModel),
	format string, args ...any) {
	e := Event{Lane: laneReflector, Kind: kind, Key: key, Fault: fault,
		Text: fmt.Sprintf(format, args...)}
	switch kind {
	case "list", "watch":
		e.From, e.To = laneReflector, laneAPI
	case "event":
		e.From, e.To = laneWire, laneReflector
	}
	c.report(e, func(m *model) {
		if change != nil {
			change(m.reflector.change())
		}
	})
}

// goOn ends a pause.
func (r *reflectorModel) goOn() { r.PauseMs = 0 }

func (c *collector) transition(t reflector.Transition, err error) {
	c.reflects("transition", "", err != nil, func(r *reflectorModel) {
		last := step(t)
		r.State, r.Last, r.PauseMs = t.To.String(), &last, 0
	}, "%v%s", t, because(err))
}

func (c *collector) eventRead(e reflector.Event) {
	key, text := "", fmt.Sprintf("%s at version %s", e.Type, e.ResourceVersion)
	if e.Object != nil {
		key, text = keyOf(e.Object), fmt.Sprintf("%s %s", e.Type, at(e.Object))
	}
	c.reflects("event", key, false, func(r *reflectorModel) { r.Version = e.ResourceVersion },
		"%s", text)
}

// because shortens an error to what the server said, else to its last part.
func because(err error) string {
	if err == nil {
		return ""
	}
	if status, ok := errors.AsType[*reflector.StatusError](err); ok {
		return fmt.Sprintf(" (%d %s)", status.Code, status.Message)
	}
	text := err.Error()
	return " (" + text[strings.LastIndex(": "+text, ": "):] + ")"
}

// keyOf is the key under which all stages know obj, "?" where it has none.
func keyOf(obj watchglass.Object) string {
	key, err := watchglass.MetaNamespaceKeyFunc(obj)
	if err != nil {
		return "?"
	}
	return key
}
