package tape

import (
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/watchglass/docs/tools/story"
)

// Story is what a tape is made of: the text of a story file, as the informer's stories are written.
type Story struct {
	Name  string // of the file, for errors and for Meta
	Text  string
	Queue string // DeltaFIFO or RealFIFO; "": that of the lesson about this story, else DeltaFIFO
}

// Tape is what a played story leaves: its events, with the state after each. Event 0 is the state
// before anything.
type Tape struct {
	Meta    Meta                `json:"meta"`
	Events  []*Event            `json:"events"`
	Sources map[string]*Excerpt `json:"sources"` // by file:line
}

// most is how many events a tape may have.
const most = 20000

// Record plays a story to its end. It does so in a bubble of testing/synctest, where a story's hours
// pass in microseconds, so it must not be called in such a bubble. The bubble wants a test, of which
// it uses nothing here: the zero test is enough, in a program, too. With source, the tape has the
// lines that acted; it may be nil.
func Record(s Story, source *Source) (tape *Tape, err error) {
	synctest.Test(new(testing.T), func(*testing.T) { tape, err = s.play(source) })
	return tape, err
}

func (s Story) play(source *Source) (*Tape, error) {
	m, steps, err := s.open(source)
	if err != nil {
		return nil, err
	}
	defer m.Close()
	before := said(laneStory, "open", "Nothing has happened yet.")
	nothing := &Event{Event: before.Event, Callers: []Call{}}
	nothing.State, _, _ = m.seen.list()
	for _, step := range steps {
		if err := m.play(step); err != nil {
			return nil, s.wrong(step, err)
		}
	}
	events, _, ok := m.seen.after(0, most+1)
	if !ok || len(events) > most {
		return nil, fmt.Errorf("%s makes more than %d events", s.Name, most)
	}
	number(events)
	tape := &Tape{Meta: m.Meta(), Events: append([]*Event{nothing}, events...)}
	tape.Meta.Story = s.Name
	tape.cite(source)
	return tape, nil
}

// open reads a story, and makes a machine for it on which nothing has happened. The caller closes it.
func (s Story) open(source *Source) (*Machine, []story.Step, error) {
	for _, l := range Lessons {
		if s.Queue == "" && path.Base(l.Story) == s.Name {
			s.Queue = l.Queue
		}
	}
	steps, err := story.Parse(s.Text)
	switch {
	case err != nil:
		return nil, nil, fmt.Errorf("%s: %w", s.Name, err)
	case len(steps) == 0:
		return nil, nil, fmt.Errorf("%s has no command, so there is nothing to play", s.Name)
	}
	m, err := New(Options{Queue: s.Queue, Source: source, Held: most})
	if err != nil {
		return nil, nil, err
	}
	m.seen.paced = true
	m.idle = 0 // stories count on the default
	m.renew()
	return m, steps, nil
}

// wrong is the error of a step.
func (s Story) wrong(step story.Step, err error) error {
	return fmt.Errorf("%s:%d: %s: %w", s.Name, step.Line, step.Command.Text, err)
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
		if at := e.at(); t.Sources[at] == nil && e.File != "" && source != nil {
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

// play carries out one step of a story: its command, and then rest. It does so in a bubble, where a
// story's hours cost nothing. The prose of an act comes before its first command, and says what to
// look for.
func (m *Machine) play(step story.Step) error {
	if len(step.Prose) > 0 {
		m.tell("say", strings.Join(step.Prose, " "))
	}
	m.tell("do", step.Command.Text)
	defer m.seen.rest()
	return m.command(step.Command)
}

// tell reports something in the lane of the story.
func (m *Machine) tell(kind, text string) {
	m.seen.report(said(laneStory, kind, "%s", text), nil)
}

// command carries out a command of the informer's stories. Most of them are buttons, too.
func (m *Machine) command(c story.Command) error {
	if err := c.NeedsWord("create", "update", "write", "delete", "handler", "valve"); err != nil {
		return err
	}
	if do, ok := alsoButtons[c.Name]; ok {
		return m.Do(Order{Do: do, story: true})
	}
	o := Order{Do: c.Name, Key: c.Arg(0), story: true, Args: map[string]string{"color": c.Opt("color", "")}}
	switch c.Name {
	case "create":
		o.Args["color"] = c.Opt("color", "red")
		for _, name := range c.Args() {
			o.Key = name
			if err := m.Do(o); err != nil {
				return err
			}
			m.seen.rest()
		}
		return nil
	case "update", "delete":
		return m.Do(o)
	case "write":
		return m.writeAndWait(o)
	case "handler":
		return m.storyHandler(c)
	case "informer":
		return m.storyInformer(c)
	case "valve":
		o.Args = map[string]string{"name": c.Arg(0), "mode": c.Arg(1)}
		return m.Do(o)
	case "wait":
		d, err := time.ParseDuration(c.Rest())
		if err != nil {
			return err
		}
		time.Sleep(d)
		return nil
	case "requests":
		requests := 0
		m.seen.amend(func(m *model) { requests = m.server.now.requests })
		m.tell("answer", fmt.Sprintf("the server has got %d requests", requests))
		return nil
	}
	return c.Unknown()
}

// alsoButtons are commands that do what a button does.
var alsoButtons = map[string]string{
	"run": "start", "stop": "stop", "drop": "drop", "disconnect": "disconnect",
	"reconnect": "heal", "compact": "compact", "cut": "cut",
}

// storyHandler adds a handler as a story describes it.
func (m *Machine) storyHandler(c story.Command) error {
	takes, err := time.ParseDuration(c.Opt("takes", "0s"))
	resync, err2 := time.ParseDuration(c.Opt("resync", "0s"))
	if err := errors.Join(err, err2); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.addHandler(c.Arg(0), handlerOptions{takes: takes, resync: resync,
		panics: c.Opt("panics", ""), drain: c.Opt("drain", "") == "yes"})
}

// storyInformer takes another informer than the one that is there from the start.
func (m *Machine) storyInformer(c story.Command) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.informer.HasStarted() || len(m.handlers) > 0 {
		return errors.New("this must stand before run and before all handlers")
	}
	var err, err2 error
	m.resync, err = time.ParseDuration(c.Opt("resync", "0s"))
	m.way.lag, err2 = time.ParseDuration(c.Opt("lag", "0s"))
	m.renew()
	return errors.Join(err, err2)
}

// writeAndWait updates an object, and reports when the cache shows the write.
func (m *Machine) writeAndWait(o Order) error {
	o.Do = "update"
	if err := m.Do(o); err != nil {
		return err
	}
	m.seen.pace(wirePace)
	m.mu.Lock()
	defer m.mu.Unlock()
	version, inf := m.api.ResourceVersion(), m.informer
	m.tell("writer", "waits for version "+version)
	m.running.Go(func() {
		err := inf.WaitFor(m.life, "default/"+o.Key, version)
		m.seen.pace(syncedPace)
		if err != nil {
			m.tell("writer", err.Error())
			return
		}
		m.tell("writer", "the cache has reached version "+version)
	})
	return nil
}
