package tape

import (
	"errors"
	"time"

	"example.com/watchglass/docs/tools/words"
	"example.com/watchglass/reflector"
)

// reflectorModel is the reflector as its trace has reported it.
type reflectorModel struct {
	ReflectorState
	listed string // the version of a list that the queue has not taken yet
}

func (r reflectorModel) draw([]string) *ReflectorState { return &r.ReflectorState }

// reflectorTrace reports what the reflector does. Opened, Ended and most errors are followed by the
// transition that says the same, so they are only counted.
func (c *collector) reflectorTrace() *reflector.Trace {
	saw := func(e words.Event, change func(*reflectorModel)) {
		c.saw(e, func(m *model) { change(m.reflector.change()) })
	}
	return &reflector.Trace{
		Transition: func(t reflector.Transition, err error) {
			saw(words.Transitioned(t, err), func(r *reflectorModel) {
				last := step(t)
				r.State, r.Last, r.PauseMs, r.Hand = t.To.String(), &last, 0, nil
				if t.On == reflector.Listed {
					r.Version = r.listed
				}
			})
		},
		BackingOff: func(d time.Duration) {
			saw(words.BackingOff(d), func(r *reflectorModel) { r.PauseMs = d.Milliseconds() })
		},
		Listing: func(o reflector.ListOptions) { saw(words.Listing(o), (*reflectorModel).goOn) },
		Listed: func(items int, version string, _ bool) {
			c.saw(words.Listed(items, version), func(m *model) {
				r := m.reflector.change()
				r.Lists, r.listed = r.Lists+1, version
				r.Hand = &Mark{Type: "list", RV: version, N: items}
				m.wire.change().read()
			})
		},
		Opening: func(o reflector.ListOptions) { saw(words.Opening(o), (*reflectorModel).goOn) },
		Opened: func(reflector.ListOptions) {
			c.amend(func(m *model) { m.reflector.change().Watches++ })
		},
		Failed: func(err error) { // most errors end a state
			if skipped, ok := errors.AsType[*reflector.ObjectError](err); ok {
				c.saw(words.Skipped(skipped), nil)
			}
		},
		Event: func(e reflector.Event) {
			c.saw(words.Read(e), func(m *model) {
				m.reflector.change().read(e)
				m.wire.change().read()
			})
		},
		VersionWentBack: func(before, now string) { c.saw(words.VersionWentBack(before, now), nil) },
	}
}

// read is an event of a watch. The reflector hands it on, but for a bookmark.
func (r *reflectorModel) read(e reflector.Event) {
	if r.Hand = nil; e.Object != nil {
		r.Hand = &Mark{Key: words.Key(e.Object), Type: string(e.Type), RV: e.ResourceVersion}
	} else {
		r.Version = e.ResourceVersion
	}
}

// goOn ends a pause.
func (r *reflectorModel) goOn() { r.PauseMs = 0 }
