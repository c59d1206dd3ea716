package picture

import (
	"fmt"

	"example.com/watchglass/docs/tools/tape"
)

// archive plays the stories that pictures are drawn from.
type archive struct{ *tape.Source }

// play plays a story, given by its file from the top of the module.
func (a archive) play(file string) *reel {
	t, err := a.Play(file)
	if err != nil {
		return &reel{file: file, err: err}
	}
	return &reel{file: file, events: t.Events}
}

// reel is a tape that is read forwards. The first thing that is missing is kept as the error, and what
// is read after that is empty: so a picture collects all it needs, and then looks at err once.
type reel struct {
	file   string
	events []*tape.Event
	at     int // the number of the event that was read last
	err    error
}

// fail keeps the first error.
func (r *reel) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf("%s, after event %d: "+format, append([]any{r.file, r.at}, args...)...)
	}
}

// nothing is what is read of a tape that has not what is looked for.
var nothing = &tape.Event{State: tape.State{Server: &tape.ServerState{}, Wire: &tape.WireState{},
	Reflector: &tape.ReflectorState{}, Queue: &tape.QueueState{}, Cache: &tape.CacheState{}}}

// next reads on to the next event of this lane and kind, and of this text if it is not "".
func (r *reel) next(lane, kind, text string) *tape.Event {
	for i := r.at + 1; i < len(r.events); i++ {
		if e := r.events[i]; e.Lane == lane && e.Kind == kind && (text == "" || e.Text == text) {
			r.at = i
			return e
		}
	}
	r.fail("no event of %s is of kind %q %s", lane, kind, text)
	return nothing
}

// last reads on to the last event of this lane and kind.
func (r *reel) last(lane, kind string) *tape.Event {
	for i := len(r.events) - 1; i > r.at; i-- {
		if e := r.events[i]; e.Lane == lane && e.Kind == kind {
			r.at = i
			return e
		}
	}
	return r.next(lane, kind, "") // which fails
}

// rest are the events after the one that was read last.
func (r *reel) rest() []*tape.Event { return r.events[min(r.at+1, len(r.events)):] }
