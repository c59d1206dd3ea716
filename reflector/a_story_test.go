package reflector

import (
	"errors"
	"fmt"
	"io"
	"net/url"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.com/watchglass/docs/tools/story"
)

// TestStories plays the stories in testdata. Run it with -v to watch the stage at work: a reflector
// between a server that does what the story says and a store.
func TestStories(t *testing.T) {
	story.PlayInBubble(t, "testdata/*.story",
		func(t testing.TB) story.Machine { return newStage(t) })
}

// A stage is what the commands of a story act on: a reflector between a server and a store.
// testdata/story.template lists the commands.
type stage struct {
	t      testing.TB
	lanes  *story.Lanes
	g      *fixture
	frames chan any // into the stream that was granted last
	print  string   // the state to show instead of the lanes, if not empty
}

func newStage(t testing.TB) *stage {
	return &stage{t: t, lanes: story.NewLanes("asks", "events", "machine", "errors")}
}

func (s *stage) Do(c story.Command) error {
	s.print = ""
	switch c.Name {
	case "table", "diagram":
		return s.printTable(c)
	case "start":
		return s.start(c)
	}
	if s.g == nil {
		return errors.New("the reflector has not been started")
	}
	switch c.Name {
	case "down", "up":
		s.g.down.Store(c.Name == "down")
	case "store":
		for _, call := range []string{"add", "update", "delete"} {
			s.g.store.refuse[call] = c.Arg(0) == "refuses"
		}
	case "list":
		return s.answer(list(c.Opt("rv", ""), c.Args()...))
	case "grant":
		s.frames = make(chan any)
		return s.answer(reply{live: s.frames})
	case "refuse":
		code, err := strconv.Atoi(c.Arg(0))
		if err != nil {
			return err
		}
		return s.answer(refusal(code, c.Arg(1), "…"))
	case "send":
		frame, err := frameOf(c)
		if err != nil {
			return err
		}
		return send(s.frames, frame, noWatch)
	case "cut":
		return send[any](s.frames, io.ErrUnexpectedEOF, noWatch)
	case "end":
		if s.frames == nil {
			return errors.New(noWatch)
		}
		close(s.frames)
		s.frames = nil
	default:
		return c.Unknown()
	}
	return nil
}

// answer answers the request that waits.
func (s *stage) answer(answer reply) error {
	return send(s.g.replies, answer, "no request waits for an answer: is the reflector in a pause?")
}

func (s *stage) printTable(c story.Command) error {
	var edges []story.Edge
	for _, row := range Table(c.Arg(0) == "list-first") {
		edges = append(edges, story.Edge{
			From: row.From.String(), On: row.On.String(), Do: row.Do.String(), To: row.To.String(),
		})
	}
	s.print = story.Table(edges)
	if c.Name == "diagram" {
		s.print = story.Mermaid(edges)
	}
	return nil
}

const noWatch = "no watch is open"

// send is over at once, or it fails: then the reflector does not wait for anything.
func send[T any](to chan T, what T, problem string) error {
	select {
	case to <- what:
		return nil
	case <-time.After(time.Second):
		return errors.New(problem)
	}
}

func (s *stage) start(c story.Command) error {
	idle, err := time.ParseDuration(c.Opt("idle", "0s"))
	if err != nil {
		return err
	}
	s.g = newFixture(s.t, func(o *Config) {
		o.ListFirst = c.Arg(0) == "list-first"
		o.IdleTimeout = idle
		o.Trace = s.trace()
		o.WatchErrorHandler = nil
	})
	s.g.replies = make(chan reply) // without a buffer, so that an answer cannot come too early
	s.g.start(s.t)
	return nil
}

func (s *stage) trace() *Trace {
	return &Trace{
		Listing:    func(o ListOptions) { s.lanes.Report("asks", "list %s", query(o)) },
		Opening:    func(o ListOptions) { s.lanes.Report("asks", "watch %s", query(o)) },
		Transition: func(t Transition, _ error) { s.lanes.Report("machine", "%v", t) },
		BackingOff: func(d time.Duration) { s.lanes.Report("machine", "  pause of %v", d) },
		Event:      func(e Event) { s.lanes.Report("events", "%s", eventLine(e)) },
		Failed: func(err error) {
			s.lanes.Report("errors", "%s", strings.TrimPrefix(err.Error(), "reflector: "))
		},
	}
}

// query is what a request asks for, without parameters that are random or always the same.
func query(o ListOptions) string {
	q := url.Values{}
	for name, value := range map[string]any{
		"continue": o.Continue, "limit": o.Limit, "resourceVersion": o.ResourceVersion,
		"resourceVersionMatch": o.ResourceVersionMatch, "sendInitialEvents": o.SendInitialEvents,
	} {
		if !reflect.ValueOf(value).IsZero() {
			q.Set(name, fmt.Sprint(value))
		}
	}
	return q.Encode()
}

func eventLine(e Event) string {
	switch {
	case e.InitialEventsEnd:
		return fmt.Sprintf("%s @%s initial-events-end", e.Type, e.ResourceVersion)
	case e.Type == Bookmark:
		return fmt.Sprintf("%s @%s", e.Type, e.ResourceVersion)
	}
	return fmt.Sprintf("%s %s@%s", e.Type, e.Object.GetName(), e.ResourceVersion)
}

func frameOf(c story.Command) (any, error) {
	switch t := EventType(c.Arg(0)); t {
	case "ERROR":
		code, err := strconv.Atoi(c.Arg(1))
		return status(code, c.Arg(2), "…"), err
	case Bookmark:
		if c.Arg(2) == "initial-events-end" {
			return initialEnd(c.Arg(1)), nil
		}
		return bookmark(c.Arg(1)), nil
	case Added, Modified, Deleted:
		return event(t, c.Arg(1)), nil
	default:
		return nil, fmt.Errorf("there is no event type %q", t)
	}
}

func (s *stage) State() string {
	if s.print != "" {
		return s.print
	}
	if s.g == nil {
		return "nothing yet"
	}
	return s.lanes.String() + fmt.Sprintf("store   [%s] version %q", s.g.store,
		s.g.r.LastSyncResourceVersion())
}
