package reflector

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.com/watchglass/docs/diagram"
	"example.com/watchglass/docs/story"
)

// A stage is what a story sees: the reflector between a server and a store.
//
//	start [list-first] [idle=30s]     Run
//	list web-1@5 … rv=7               the server answers the request that waits with a list
//	grant                             … or agrees to the watch that was asked for
//	refuse 410 Expired                … or refuses
//	send ADDED web-1@8                an event, on the stream that was granted
//	send BOOKMARK 9 [initial-events-end]
//	send ERROR 410 Expired
//	end | cut                         the server ends the stream, in an orderly way or not
//	down | up                         nothing listens any more, or the server is back
//	store refuses | takes             the store returns an error for each event, or no longer
//	table | diagram [list-first]      what the reflector decides
type stage struct {
	t      testing.TB
	lanes  *story.Lanes
	g      *rig
	frames chan any // into the stream that was granted last
	print  string   // instead of lanes
}

func newStage(t testing.TB) *stage {
	return &stage{t: t, lanes: story.NewLanes("asks", "events", "machine", "errors")}
}

func (s *stage) Do(c story.Command) error {
	s.print = ""
	switch c.Name {
	case "start":
		s.start(c)
	case "list":
		s.g.replies <- list(c.Opt("rv", ""), c.Args...)
	case "grant":
		s.frames = make(chan any)
		s.g.replies <- live(s.frames)
	case "refuse":
		code, _ := strconv.Atoi(c.Arg(0))
		s.g.replies <- refusal(code, c.Arg(1), "…")
	case "send":
		s.frames <- frameOf(c)
	case "end":
		close(s.frames)
	case "cut":
		s.frames <- io.ErrUnexpectedEOF
	case "down", "up":
		s.g.refuse(c.Name == "down")
	case "store":
		s.g.store.failing(c.Arg(0) == "refuses")
	case "table":
		s.print = diagram.Table(edges(c.Arg(0) == "list-first"))
	case "diagram":
		s.print = diagram.Mermaid(edges(c.Arg(0) == "list-first"), "stopped")
	default:
		return c.Unknown()
	}
	return nil
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

func (s *stage) start(c story.Command) {
	idle, _ := time.ParseDuration(c.Opt("idle", "0s"))
	s.g = newRig(s.t, func(o *Options) {
		o.ListFirst = c.Arg(0) == "list-first"
		o.IdleTimeout = idle
		o.Trace = s.trace()
		o.WatchErrorHandler = nil
	})
	s.g.noted = func(request string) { s.lanes.Report("asks", "%s", request) }
	s.g.start(s.t)
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

func frameOf(c story.Command) any {
	switch EventType(c.Arg(0)) {
	case "ERROR":
		code, _ := strconv.Atoi(c.Arg(1))
		return status(code, c.Arg(2), "…")
	case Bookmark:
		if c.Arg(2) == "initial-events-end" {
			return initialEnd(c.Arg(1))
		}
		return bookmark(c.Arg(1))
	}
	return event(EventType(c.Arg(0)), c.Arg(1))
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
