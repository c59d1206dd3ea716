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
	ServerState
	objects  map[string]string // their versions
	requests int
	armed    []fakeapi.Fault
}

func (s serverModel) draw(recent []string) *ServerState {
	s.Objects = objectRows(recent, func(key string) (rv string, ok bool) {
		rv, ok = s.objects[key]
		return rv, ok
	})
	s.Total, s.Log, s.Watchers = len(s.objects), append([]LogEntry{}, s.Log...), max(s.Watchers, 0)
	for i, f := range s.armed {
		if i > 0 {
			s.Fault += ", "
		}
		s.Fault += words.Fault(f)
	}
	return &s.ServerState
}

// commit is one write.
func (s *serverModel) commit(c fakeapi.Change, key string) {
	s.RV = max(s.RV, c.Version)
	if c.Type == "DELETED" {
		delete(s.objects, key)
	} else {
		s.objects[key] = fmt.Sprint(c.Version)
	}
	s.Log = append(s.Log, LogEntry{RV: c.Version, Type: c.Type, Key: key})
	if len(s.Log) > maxLog {
		s.Log = slices.Clone(s.Log[1:])
	}
}

// compact forgets the history.
func (s *serverModel) compact() { s.Floor, s.Log = s.RV, nil }

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
		Request: func(q fakeapi.Request) {
			c.saw(words.Requested(q), func(m *model) {
				m.server.change().requests++
				if q.Verb == "watch" {
					m.server.now.Watchers++
				}
			})
		},
		Committed: func(w fakeapi.Change) {
			if w.Resource != resource && w.Resource != resource+".workshop.example.dev" {
				c.amend(func(m *model) { m.server.change().RV = w.Version }) // all resources share the count
				return
			}
			e := Event{Event: words.Committed(w), Object: string(w.Object)}
			c.report(e, func(m *model) { m.server.change().commit(w, e.Key) })
		},
		Sent: func(q fakeapi.Request, f fakeapi.FrameInfo) {
			e := words.Sent(q, f)
			frame := Mark{Key: e.Key, Type: string(f.Type), RV: fmt.Sprint(f.Version)}
			c.saw(e, func(m *model) { m.wire.change().send(frame) })
		},
		WatchEnded: func(_ fakeapi.Request, why fakeapi.EndReason) {
			c.pace(serverPace)
			c.saw(words.WatchEnded(why), func(m *model) { m.server.change().Watchers-- })
		},
		Fault: func(q fakeapi.Request, f fakeapi.Fault) {
			c.saw(words.Struck(f), func(m *model) {
				m.server.change().strike(f)
				if q.Verb == "watch" && unanswered(f.Kind) {
					m.server.change().Watchers--
				}
				if f.Kind == fakeapi.FaultSilence {
					m.wire.change().Silent = true
				}
			})
		},
	}
}

// unanswered says whether a fault strikes before a watch begins, so that no end of it is reported.
func unanswered(k fakeapi.FaultKind) bool {
	return k == fakeapi.FaultStatus || k == fakeapi.FaultHang || k == fakeapi.FaultReset
}
