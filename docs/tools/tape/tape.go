package tape

import (
	"encoding/json"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
)

// Story is what a tape is made of: the text of a story file, as the informer's stories are written.
type Story struct {
	Name  string // of the file, for errors and for Meta
	Text  string
	Queue string // DeltaFIFO or RealFIFO; "": DeltaFIFO
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

// recording is held while the program has one processor.
var recording sync.Mutex

// Record plays a story to its end. It does so in a bubble of testing/synctest, where a story's hours
// pass in microseconds, so it must not be called in such a bubble. The bubble wants a test, of which
// it uses nothing here: the zero test is enough, in a program, too. With source, the tape has the
// lines that acted; it may be nil.
//
// It plays on one processor. With more, chance decides which goroutine reports first, and the beats
// of a lesson would stand in another order each time.
func Record(s Story, source *Source) (tape *Tape, err error) {
	recording.Lock()
	defer recording.Unlock()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	synctest.Test(new(testing.T), func(*testing.T) { tape, err = s.play(source) })
	return tape, err
}

func (s Story) play(source *Source) (*Tape, error) {
	m, err := New(Options{Queue: s.Queue, Source: source, Held: most})
	if err != nil {
		return nil, err
	}
	defer m.Close()
	p, err := newPlayer(m, s)
	if err != nil {
		return nil, err
	}
	before := said(laneStory, "open", "Nothing has happened yet.")
	nothing := &Event{Event: before.Event, Callers: []Call{}}
	nothing.State, _, _ = m.seen.list()
	for n := range p.steps {
		if err := p.play(n); err != nil {
			return nil, err
		}
	}
	events, _, ok := m.seen.after(0, most+1)
	if !ok || len(events) > most {
		return nil, fmt.Errorf("%s makes more than %d events", s.Name, most)
	}
	tape := &Tape{Meta: m.Meta(), Events: append([]*Event{nothing}, events...)}
	tape.Meta.Story = s.Name
	return tape, tape.cite(source)
}

// cite adds the lines that acted.
func (t *Tape) cite(source *Source) (err error) {
	t.Sources = map[string]*Excerpt{}
	for _, e := range t.Events {
		at := e.at()
		if t.Sources[at] != nil || e.File == "" || source == nil || source.root == nil {
			continue
		}
		if t.Sources[at], err = source.Excerpt(e.File, e.Line); err != nil {
			return err
		}
	}
	return nil
}

// encoded is the JSON of a value that has nothing in it that could fail.
func encoded(v any) []byte {
	data, _ := json.Marshal(v)
	return data
}
