package story

import (
	"errors"
	"fmt"
	"testing"
)

// A Replayed is a step of a story that [Replay] has played.
type Replayed struct {
	Prose   []string `json:"prose"`
	Command string   `json:"command"`
	Line    int      `json:"line"`
	Loud    bool     `json:"loud"`
	State   []string `json:"state"`   // what the stage shows
	Printed []string `json:"printed"` // what the text says
}

// Replay plays a text on the machine of a stage, whose TestStories is given, and returns the steps
// up to the first error. It is for a program that has the tests of the stages linked in, and runs
// in a test of that program. An error names the line; that of a command that does not exist ends
// with those that template, the stage's, lists. Only one replay may run at a time.
func Replay(t *testing.T, stories func(*testing.T), text, template string) ([]Replayed, error) {
	steps, err := Parse(text)
	if err != nil {
		return nil, err
	}
	refused := errors.New("the stage has refused to play this story")
	r := &replay{steps: steps, template: template, err: refused}
	replaying = r
	defer func() { replaying = nil }()
	t.Run("replay", stories)
	return r.played, r.err
}

// replaying is what TestStories plays in place of its files, nil: those.
var replaying *replay

// A replay is a text that is played once.
type replay struct {
	steps    []Step
	template string
	begun    bool
	played   []Replayed
	err      error
}

func (r *replay) run(m Machine, in clock) {
	for _, s := range r.steps {
		state, err := in.perform(m, s.Command)
		if err != nil {
			r.err = s.Wrong(err, r.template)
			return
		}
		r.played = append(r.played, s.Replayed(state))
	}
	r.err = nil
}

// Replayed is the step beside the state that a machine has shown after it.
func (s Step) Replayed(state []string) Replayed {
	return Replayed{s.Prose, s.Command.Text, s.Line, s.Loud, state, s.State}
}

// Wrong is the error of a step, with its line. That of a command that does not exist ends with
// those that the stage's template lists.
func (s Step) Wrong(err error, template string) error {
	return fmt.Errorf("line %d: %s: %w%s", s.Line, s.Command.Text, err, commands(err, "", template))
}
