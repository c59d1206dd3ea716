package reflector

import (
	"fmt"
	"io"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.com/watchglass"
	"example.com/watchglass/docs/story"
)

// A stage is what a story sees: the reflector between a server and a store.
//
//	start [streaming] [idle=30s]      Run
//	list web-1@5 … rv=7               the server answers the request that waits with a list
//	grant                             … or agrees to the watch that was asked for
//	refuse 410 Expired                … or refuses
//	send ADDED web-1@8                an event, on the stream that was granted
//	send BOOKMARK 9 [initial-events-end]
//	send ERROR 410 Expired
//	end | cut                         the server ends the stream, in an orderly way or not
//	down | up                         nobody listens any more, or somebody does
//	bytes …                           bytes for a frame reader, as they stand here
//	table | diagram [streaming]       what the reflector decides
type stage struct {
	t      testing.TB
	lanes  *story.Lanes
	g      *rig
	frames chan string // into the stream that was granted last
	pipe   io.Writer   // into the frame reader
	print  string      // instead of lanes
}

func newStage(t testing.TB) *stage {
	return &stage{t: t, lanes: story.NewLanes("asks", "bytes", "events", "machine", "errors")}
}

func (s *stage) Do(c story.Command) error {
	s.print = ""
	switch c.Name {
	case "start":
		s.start(c)
	case "list":
		s.g.replies <- okJSON(list(c.Opt("rv", ""), c.Args...))
	case "grant":
		s.frames = make(chan string)
		s.g.replies <- live(s.frames)
	case "refuse":
		code, _ := strconv.Atoi(c.Arg(0))
		s.g.replies <- refusal(code, c.Arg(1), "…")
	case "send":
		s.frames <- frameOf(c)
	case "end":
		close(s.frames)
	case "cut":
		s.frames <- ""
	case "down", "up":
		s.g.refuse(c.Name == "down")
	case "bytes":
		s.bytes(strings.TrimPrefix(c.Text, "bytes "))
	case "table":
		s.print = FormatTable(Table(c.Arg(0) == "streaming"))
	case "diagram":
		s.print = FormatDiagram(Table(c.Arg(0) == "streaming"))
	default:
		return c.Unknown()
	}
	return nil
}

func (s *stage) start(c story.Command) {
	idle, _ := time.ParseDuration(c.Opt("idle", "0s"))
	s.g = newRig(s.t, func(o *Options) {
		o.StreamingList = c.Arg(0) == "streaming"
		o.IdleTimeout = idle
		o.Trace = s.trace()
		o.WatchErrorHandler = nil
	})
	s.g.server.asked = func(query string) { s.lanes.Report("asks", "%s", short(query)) }
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

// short is a query without what is random or always the same.
func short(query string) string {
	q, _ := url.ParseQuery(query)
	what := "list "
	if q.Has("watch") {
		what = "watch "
	}
	q.Del("watch")
	q.Del("timeoutSeconds")
	q.Del("allowWatchBookmarks")
	return strings.TrimSpace(what + q.Encode())
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

// errorLine leaves out the URL, which is the same each time.
func errorLine(err error) string {
	before, after, _ := strings.Cut(err.Error(), "http://server/")
	_, after, found := strings.Cut(after, ": ")
	if !found {
		return err.Error()
	}
	return strings.TrimPrefix(before, "reflector: ") + after
}

func frameOf(c story.Command) string {
	switch EventType(c.Arg(0)) {
	case errorEvent:
		code, _ := strconv.Atoi(c.Arg(1))
		return errorFrame(code, c.Arg(2), "…")
	case Bookmark:
		if c.Arg(2) == "initial-events-end" {
			return initialEnd(c.Arg(1))
		}
		return bookmark(c.Arg(1))
	}
	return event(EventType(c.Arg(0)), c.Arg(1))
}

// bytes feeds the frame reader, which it starts if there is none yet.
func (s *stage) bytes(text string) {
	if s.pipe == nil {
		r, w := io.Pipe()
		s.pipe = w
		done := make(chan struct{})
		go func() { // joined in the cleanup
			defer close(done)
			s.read(NewFrameReader(r))
		}()
		s.t.Cleanup(func() {
			w.Close()
			<-done
		})
	}
	io.WriteString(s.pipe, text)
}

func (s *stage) read(frames *FrameReader) {
	for {
		frame, err := frames.Next()
		if err != nil {
			return
		}
		s.lanes.Report("bytes", "frame of %d bytes", len(frame))
		e, err := DecodeEvent[watchglass.Unstructured](frame)
		if err != nil {
			s.lanes.Report("errors", "%v", err)
			continue
		}
		s.lanes.Report("events", "%s", eventLine(e))
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
