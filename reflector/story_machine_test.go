package reflector

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/docs/diagram"
	"example.com/watchglass/docs/story"
)

// A stage is what the commands of a story act on: a reflector between a server and a store.
// testdata/story.template lists the commands.
type stage struct {
	t      testing.TB
	lanes  *story.Lanes
	g      *rig
	frames chan any // into the stream that was granted last
	print  string   // the state to show instead of the lanes, if not empty
}

func newStage(t testing.TB) *stage {
	return &stage{t: t, lanes: story.NewLanes("asks", "events", "machine", "errors")}
}

func (s *stage) Do(c story.Command) error {
	s.print = ""
	switch c.Name {
	case "start":
		return s.start(c)
	case "table", "diagram":
		return s.printTable(c)
	case "list", "grant", "refuse":
		return s.answer(c)
	case "send", "end", "cut":
		return s.stream(c)
	case "down", "up", "store":
		return s.condition(c)
	}
	return c.Unknown()
}

// isListFirst reports whether the command has the word list-first, which chooses the table.
func isListFirst(c story.Command) (bool, error) {
	switch c.Arg(0) {
	case "list-first":
		return true, nil
	case "":
		return false, nil
	}
	return false, fmt.Errorf("unknown word %q: expected list-first or nothing", c.Arg(0))
}

func (s *stage) printTable(c story.Command) error {
	listFirst, err := isListFirst(c)
	s.print = diagram.Table(edges(listFirst))
	if c.Name == "diagram" {
		s.print = diagram.Mermaid(edges(listFirst))
	}
	return err
}

// condition stops or restarts the server, or makes the store refuse or take events.
func (s *stage) condition(c story.Command) error {
	if s.g == nil {
		return errNotStarted
	}
	if c.Name != "store" {
		s.g.refuse(c.Name == "down")
		return nil
	}
	if does := c.Arg(0); does != "refuses" && does != "takes" {
		return fmt.Errorf("unknown word %q after store: expected refuses or takes", does)
	}
	s.g.store.failing(c.Arg(0) == "refuses")
	return nil
}

var errNotStarted = errors.New("the reflector has not been started")

// answer answers the request that waits. It is an error if none waits: the answer would be kept,
// and a later request would get it.
func (s *stage) answer(c story.Command) error {
	if s.g == nil {
		return errNotStarted
	}
	asked := s.g.unanswered()
	switch {
	case asked == nil:
		return fmt.Errorf("no request waits for %s: is the reflector in a pause?", c.Name)
	case c.Name == "grant" && !asked.watch, c.Name == "list" && asked.watch:
		return fmt.Errorf("%s is no answer to the request that waits: %s", c.Name, asked)
	}
	switch c.Name {
	case "list":
		for _, word := range c.Args() {
			if _, _, err := story.CutVersion(word); err != nil {
				return err
			}
		}
		s.g.replies <- list(c.Opt("rv", ""), c.Args()...)
	case "grant":
		s.frames = make(chan any)
		s.g.replies <- live(s.frames)
	case "refuse":
		code, err := strconv.Atoi(c.Arg(0))
		if err != nil {
			return err
		}
		s.g.replies <- refusal(code, c.Arg(1), "…")
	}
	return nil
}

func TestAStoryAnswersOnlyWhatIsAsked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		do := func(line string) error {
			synctest.Wait()
			return s.Do(story.ParseCommand(line))
		}
		require.NoError(t, do("start list-first"))
		assert.EqualError(t, do("grant"),
			"grant is no answer to the request that waits: list limit=500&resourceVersion=0")
		require.NoError(t, do("list web-1@5 rv=7"))
		assert.EqualError(t, do("list rv=8"),
			"list is no answer to the request that waits: watch resourceVersion=7")
		require.NoError(t, do("grant"))
		assert.EqualError(t, do("refuse 500"),
			"no request waits for refuse: is the reflector in a pause?",
			"an answer for which no request waits is refused; a later request would get it")
	})
}

// stream sends something over the stream that was granted last, or ends it.
func (s *stage) stream(c story.Command) error {
	if s.frames == nil {
		return errors.New("no watch has been granted")
	}
	frame, err := any(io.ErrUnexpectedEOF), error(nil)
	switch c.Name {
	case "end":
		close(s.frames)
		s.frames = nil
		return nil
	case "send":
		if frame, err = frameOf(c); err != nil {
			return err
		}
	}
	select {
	case s.frames <- frame:
		return nil
	case <-time.After(time.Second): // virtual: the reflector has left the stream
		return errors.New("no watch is open")
	}
}

// edges are the rows of a table, for package diagram.
func edges(listFirst bool) (edges []diagram.Edge) {
	for _, row := range Table(listFirst) {
		edges = append(edges, diagram.Edge{
			From: row.From.String(), On: row.On.String(), Do: row.Do.String(), To: row.To.String(),
		})
	}
	return edges
}

func (s *stage) start(c story.Command) error {
	if s.g != nil {
		return errors.New("the reflector runs already")
	}
	listFirst, err := isListFirst(c)
	if err != nil {
		return err
	}
	idle, err := time.ParseDuration(c.Opt("idle", "0s"))
	if err != nil {
		return err
	}
	s.g = newRig(s.t, func(o *Options) {
		o.ListFirst = listFirst
		o.IdleTimeout = idle
		o.Trace = s.trace()
		o.WatchErrorHandler = nil
	})
	s.g.noted = func(request string) { s.lanes.Report("asks", "%s", request) }
	s.g.start(s.t)
	return nil
}

func (s *stage) trace() *Trace {
	return &Trace{
		Transition: func(t Transition, _ error) { s.lanes.Report("machine", "%v", t) },
		BackingOff: func(d time.Duration) { s.lanes.Report("machine", "  pause of %v", d) },
		Event:      func(e Event) { s.lanes.Report("events", "%s", eventLine(e)) },
		Failed:     func(err error) { s.lanes.Report("errors", "%s", errorLine(err)) },
	}
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

func errorLine(err error) string { return strings.TrimPrefix(err.Error(), "reflector: ") }

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
		_, _, err := story.CutVersion(c.Arg(1))
		return event(t, c.Arg(1)), err
	default:
		return nil, fmt.Errorf("there is no event type %q", t)
	}
}

func (s *stage) State() string {
	if s.print != "" {
		return s.print
	}
	state := s.lanes.String()
	if s.g == nil {
		if state == "" {
			return "nothing yet"
		}
		return state
	}
	return state + fmt.Sprintf("store   [%s] version %q", s.g.store,
		s.g.r.LastSyncResourceVersion())
}
