package tape

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"example.com/watchglass/fakeapi"
)

// resource is what the fake server is asked for.
const (
	resource   = "widgets"
	collection = "/apis/workshop.example.dev/v1/namespaces/default/" + resource
)

// ServerState is what fakeapi has reported. Of a real cluster it is empty.
type ServerState struct {
	RV       uint64        `json:"rv"`
	Floor    uint64        `json:"floor"` // the oldest version from which a watch can begin
	Total    int           `json:"total"`
	Objects  []ObjectState `json:"objects"` // those of the maxRows touched last that are there, by key
	Log      []LogEntry    `json:"log"`     // the history that is left, at most maxLog, oldest first
	Watchers int           `json:"watchers"`
	Fault    string        `json:"fault"` // what is armed, or ""
}

// LogEntry is one event of the server's history.
type LogEntry struct {
	RV   uint64 `json:"rv"`
	Type string `json:"type"`
	Key  string `json:"key"`
}

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
	s.Fault = list(s.armed, ", ", faultName)
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
			c.report(requested(q), func(m *model) {
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
			e := event(API, "commit", join(w.Namespace, w.Name), "%s %s, version %d",
				w.Type, w.Name, w.Version).in("%s %s@%d", w.Type, w.Name, w.Version).as(w.Type)
			e.Object = string(w.Object)
			c.report(e, func(m *model) { m.server.change().commit(w, e.Key) })
		},
		Sent: func(q fakeapi.Request, f fakeapi.FrameInfo) {
			e := sent(q, f).moving(API, Wire)
			mark := Mark{Key: e.Key, Type: string(f.Type), RV: fmt.Sprint(f.Version)}
			c.report(e, func(m *model) { m.wire.change().send(mark) })
		},
		WatchEnded: func(_ fakeapi.Request, why fakeapi.EndReason) {
			c.pace(serverPace)
			c.report(watchEnded(why), func(m *model) { m.server.change().Watchers-- })
		},
		Fault: func(q fakeapi.Request, f fakeapi.Fault) {
			e := said(API, "fault", "fault: %s", faultName(f)).failing(true)
			c.report(e, func(m *model) {
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

// requested tells of a request that the server has got.
func requested(q fakeapi.Request) Event {
	query, _ := url.ParseQuery(q.Query)
	version, reads := query.Get("resourceVersion"), q.Verb == "list" || q.Verb == "watch"
	which := q.Verb
	if which == "list" && version == "0" {
		which = "list any"
	}
	switch {
	case reads && version != "":
		return said(API, "request", "GET %s, version %q", q.Verb, version).
			in("GET %s @%s", q.Verb, version).as(which).moving(Reflector, API)
	case reads:
		return said(API, "request", "GET %s", q.Verb).as(which).moving(Reflector, API)
	}
	return said(API, "request", "%s", strings.TrimSpace(q.Verb+" "+q.Name))
}

// sent tells of a frame that the server has written to a watch. An ERROR has neither name nor
// version.
func sent(q fakeapi.Request, f fakeapi.FrameInfo) Event {
	if f.Type == "ERROR" {
		return said(API, "sent", "sends ERROR").as("ERROR").failing(true)
	}
	e := said(API, "sent", "sends %s", frame(f.Type, f.Name, f.Version))
	if f.Name == "" {
		return e
	}
	e.Key = join(cmp.Or(q.Namespace, "default"), f.Name) // a watch of all namespaces names none
	return e.in("sends %s@%d", f.Name, f.Version)
}

// watchEnded tells of the end of a watch on the server's side.
func watchEnded(why fakeapi.EndReason) Event {
	e := said(API, "ended", "watch ended: %s", why)
	switch why {
	case fakeapi.EndClient:
		return e.as("client")
	case fakeapi.EndExpired:
		return e.as("expired").failing(true)
	}
	return e.failing(why == fakeapi.EndSlow || why == fakeapi.EndFault)
}

// faultName names a fault.
func faultName(f fakeapi.Fault) string {
	switch f.Kind {
	case fakeapi.FaultStatus:
		return fmt.Sprintf("status %d", f.Code)
	case fakeapi.FaultRefuse:
		return "connections refused"
	}
	return string(f.Kind)
}
