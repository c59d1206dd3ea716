package tape

import (
	"encoding/json"
	"flag"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"testing"

	"example.com/watchglass/docs/tools/story"
)

// A Recorder plays stories in virtual time: in bubbles of testing/synctest, where a story's hours
// pass in microseconds. So it must not be used in such a bubble. Make one with NewRecorder.
type Recorder struct {
	*Source
	t *testing.T

	mu    sync.Mutex
	tapes map[string]*Tape // those of Play
}

// NewRecorder returns a recorder of the stories of a module. Only a running test may open a bubble:
// t is that test. A program has one from InTest.
func NewRecorder(t *testing.T, source *Source) *Recorder {
	return &Recorder{Source: source, t: t, tapes: map[string]*Tape{}}
}

// InTest runs a program in a test that lasts as long as the program, because only a test may open a
// bubble. It uses testing.Main, which Go keeps for programs that run tests without go test. The
// program ends itself with os.Exit; the test would print PASS.
func InTest(program func(*testing.T)) {
	testing.Init()
	_ = flag.CommandLine.Parse(nil) // the program's arguments are not those of a test
	all := func(string, string) (bool, error) { return true, nil }
	testing.Main(all, []testing.InternalTest{{Name: "Program", F: program}}, nil, nil)
}

// inBubble calls f in a bubble of its own, and returns when nothing runs in there any more.
func (r *Recorder) inBubble(f func()) {
	story.Bubble(r.t, "bubble", func(*testing.T) { f() })
}

// Story is what a tape is made of: the text of a story file of the informer.
type Story struct {
	Name string // of the file, for errors and for Meta
	Text string
}

// Tape is what a played story leaves: its events, with the state after each. Event 0 is the state
// before anything.
type Tape struct {
	Meta    Meta                `json:"meta"`
	Events  []*Event            `json:"events"`
	Sources map[string]*Excerpt `json:"sources"` // by file:line

	Steps  []story.Step `json:"-"` // the story, as it was read
	States [][]string   `json:"-"` // what it prints after each step
}

// most is how many events a tape may have.
const most = 20000

// Play plays a story of the module, given by its file, once: further calls return the same tape,
// which must not be changed.
func (r *Recorder) Play(file string) (*Tape, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if known := r.tapes[file]; known != nil {
		return known, nil
	}
	s, err := r.StoryAt(file)
	if err != nil {
		return nil, err
	}
	tape, err := r.Record(s)
	if err != nil {
		return nil, err
	}
	r.tapes[file] = tape
	return tape, nil
}

// Record plays a story to its end. If a step is wrong, the tape ends there.
func (r *Recorder) Record(s Story) (tape *Tape, err error) {
	// The bubble is a subtest, which go test -run may leave out.
	err = fmt.Errorf("%s has not been played: go test -run leaves out the subtest bubble", s.Name)
	r.inBubble(func() { tape, err = s.play(r.Source) })
	return tape, err
}

func (s Story) play(source *Source) (*Tape, error) {
	p, steps, err := s.open(source)
	if err != nil {
		return &Tape{}, err
	}
	defer p.Close()
	tape := &Tape{Steps: steps}
	before := said(laneStory, "open", "Nothing has happened yet.")
	before.Callers = []Call{}
	before.State, _, _ = p.seen.list()
	for _, step := range steps {
		state, wrong := p.step(step)
		if wrong != nil {
			err = fmt.Errorf("%s: %w", s.Name, wrong)
			break
		}
		tape.States = append(tape.States, state)
	}
	events, _, ok := p.seen.after(0, most+1)
	if !ok || len(events) > most {
		return tape, fmt.Errorf("%s makes more than %d events", s.Name, most)
	}
	number(events)
	tape.Events = append([]*Event{&before}, events...)
	tape.Meta = p.Meta()
	tape.Meta.Story = s.Name
	tape.cite(source)
	return tape, err
}

// open reads a story, and makes a machine for it on which nothing has happened. The caller closes
// it.
func (s Story) open(source *Source) (*performer, []story.Step, error) {
	steps, err := story.Parse(s.Text)
	switch {
	case err != nil:
		return nil, nil, fmt.Errorf("%s: %w", s.Name, err)
	case len(steps) == 0:
		return nil, nil, fmt.Errorf("%s has no command, so there is nothing to play", s.Name)
	}
	p, err := newPerformer(source)
	return p, steps, err
}

// step carries out one step of a story. The prose of an act comes before its first command, and
// says what to look for.
func (p *performer) step(s story.Step) ([]string, error) {
	if len(s.Prose) > 0 {
		p.tell("say", strings.Join(s.Prose, " "))
	}
	p.tell("do", s.Command.Text)
	state, err := story.Perform(p, s.Command)
	if err != nil {
		template, _ := p.seen.lines.ReadFile(ofInformer + "story.template")
		return nil, s.Wrong(err, string(template))
	}
	return state, nil
}

// Replayed are the steps that were played, with what the story prints and what it has written
// there.
func (t *Tape) Replayed() (played []story.Replayed) {
	for i, state := range t.States {
		played = append(played, t.Steps[i].Replayed(state))
	}
	return played
}

var uid = regexp.MustCompile(`"uid":"[^"]*"`)

// number replaces the UIDs of objects, which are random, by others that are not.
func number(events []*Event) {
	numbers := map[string]string{}
	for _, e := range events {
		e.Object = uid.ReplaceAllStringFunc(e.Object, func(found string) string {
			if numbers[found] == "" {
				numbers[found] = fmt.Sprintf(`"uid":"00000000-0000-4000-8000-%012d"`, len(numbers)+1)
			}
			return numbers[found]
		})
	}
}

// cite adds the lines that acted, as far as the source is there.
func (t *Tape) cite(source *Source) {
	t.Sources = map[string]*Excerpt{}
	for _, e := range t.Events {
		if at := e.at(); t.Sources[at] == nil && e.File != "" {
			if excerpt, err := source.Excerpt(e.File, e.Line); err == nil {
				t.Sources[at] = excerpt
			}
		}
	}
}

// encoded is the JSON of a value that has nothing in it that could fail.
func encoded(v any) []byte {
	data, _ := json.Marshal(v)
	return data
}
