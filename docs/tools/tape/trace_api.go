package tape

import (
	"fmt"
	"slices"

	"example.com/watchglass/docs/tools/words"
	"example.com/watchglass/fakeapi"
)

// resource is what the fake server is asked for.
const (
	resource   = "widgets"
	collection = "/apis/workshop.example.dev/v1/namespaces/default/" + resource
)

// serverModel is the server as its trace has reported it.
type serverModel struct {
	rv, floor uint64
	objects   map[string]string // their versions
	log       []LogEntry
	watchers  int
	requests  int
	armed     []fakeapi.Fault
}

func (s serverModel) draw(recent []string) *ServerState {
	rows := objectRows(recent, func(key string) (rv string, ok bool) {
		rv, ok = s.objects[key]
		return rv, ok
	})
	state := &ServerState{RV: s.rv, Floor: s.floor, Total: len(s.objects), Objects: rows,
		Log: slices.Clone(s.log), Watchers: max(s.watchers, 0)}
	if state.Log == nil {
		state.Log = []LogEntry{}
	}
	for i, f := range s.armed {
		if i > 0 {
			state.Fault += ", "
		}
		state.Fault += words.Fault(f)
	}
	return state
}

// commit is one write.
func (s *serverModel) commit(c fakeapi.Change, key string) {
	s.rv = max(s.rv, c.Version)
	if c.Type == "DELETED" {
		delete(s.objects, key)
	} else {
		s.objects[key] = fmt.Sprint(c.Version)
	}
	s.log = append(s.log, LogEntry{RV: c.Version, Type: c.Type, Key: key})
	if len(s.log) > maxLog {
		s.log = slices.Clone(s.log[1:])
	}
}

// compact forgets the history.
func (s *serverModel) compact() { s.floor, s.log = s.rv, nil }

// strike counts a fault that takes effect, and forgets it after its last time.
func (s *serverModel) strike(f fakeapi.Fault) {
	for i := range s.armed {
		if a := &s.armed[i]; a.Kind == f.Kind { // no two buttons arm the same kind
			if a.Count--; a.Count == 0 {
				s.armed = slices.Delete(s.armed, i, i+1)
			}
			return
		}
	}
}

// apiTrace reports what the server does. Committed is called with the store locked.
func (c *collector) apiTrace() *fakeapi.Trace {
	return &fakeapi.Trace{
		Request:    c.requested,
		Committed:  c.committed,
		Sent:       c.sent,
		WatchEnded: c.watchEnded,
		Fault:      c.struck,
	}
}

func (c *collector) requested(q fakeapi.Request) {
	c.saw(words.Requested(q), func(m *model) {
		m.server.change().requests++
		if q.Verb == "watch" {
			m.server.now.watchers++
		}
	})
}

func (c *collector) committed(w fakeapi.Change) {
	if w.Resource != resource && w.Resource != resource+".workshop.example.dev" {
		c.amend(func(m *model) { m.server.change().rv = w.Version }) // all resources share the count
		return
	}
	e := Event{Event: words.Committed(w), Object: string(w.Object)}
	c.report(e, func(m *model) { m.server.change().commit(w, e.Key) })
}

func (c *collector) sent(q fakeapi.Request, f fakeapi.FrameInfo) {
	e := words.Sent(q, f)
	frame := Mark{Key: e.Key, Type: string(f.Type), RV: fmt.Sprint(f.Version)}
	c.saw(e, func(m *model) { m.wire.change().send(frame) })
}

func (c *collector) watchEnded(_ fakeapi.Request, why fakeapi.EndReason) {
	c.pace(serverPace)
	c.saw(words.WatchEnded(why), func(m *model) { m.server.change().watchers-- })
}

func (c *collector) struck(q fakeapi.Request, f fakeapi.Fault) {
	c.saw(words.Struck(f), func(m *model) {
		m.server.change().strike(f)
		if q.Verb == "watch" && unanswered(f.Kind) {
			m.server.change().watchers--
		}
		if f.Kind == fakeapi.FaultSilence {
			m.wire.change().Silent = true
		}
	})
}

// unanswered says whether a fault strikes before a watch begins, so that no end of it is reported.
func unanswered(k fakeapi.FaultKind) bool {
	return k == fakeapi.FaultStatus || k == fakeapi.FaultHang || k == fakeapi.FaultReset
}
