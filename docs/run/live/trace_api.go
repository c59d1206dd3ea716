package main

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"

	"example.com/watchglass/fakeapi"
)

// resource is what the fake server is asked for.
const resource = "widgets"

// serverModel is the server as its trace has reported it.
type serverModel struct {
	rv, floor uint64
	objects   recency[string] // their versions
	log       []LogEntry
	watchers  int
	requests  int
	armed     []fakeapi.Fault
}

func (s serverModel) draw() *ServerState {
	state := &ServerState{RV: s.rv, Floor: s.floor, Total: s.objects.len(),
		Objects: objectRows(&s.objects), Log: slices.Clone(s.log), Watchers: max(s.watchers, 0),
		Requests: s.requests}
	if state.Log == nil {
		state.Log = []LogEntry{}
	}
	for i, f := range s.armed {
		if i > 0 {
			state.Fault += ", "
		}
		state.Fault += describe(f)
	}
	return state
}

// commit is one write.
func (s *serverModel) commit(c fakeapi.Change, key string) {
	s.rv = max(s.rv, c.Version)
	if c.Type == "DELETED" {
		s.objects.remove(key)
	} else {
		s.objects.set(key, fmt.Sprint(c.Version))
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
				s.armed = slices.Delete(slices.Clone(s.armed), i, i+1)
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
	e := Event{Lane: laneAPI, Kind: "request", Text: asked(q), From: laneReflector, To: laneAPI}
	c.report(e, func(m *model) {
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
	key := join(w.Namespace, w.Name)
	e := Event{Lane: laneAPI, Kind: "commit", Key: key,
		Text: fmt.Sprintf("%s %s, version %d", w.Type, w.Name, w.Version)}
	c.report(e, func(m *model) { m.server.change().commit(w, key) })
}

func (c *collector) sent(q fakeapi.Request, f fakeapi.FrameInfo) {
	e := Event{Lane: laneAPI, Kind: "sent", Text: "sends " + frameText(f.Type, f.Name, f.Version),
		From: laneAPI, To: laneWire, Fault: f.Type == "ERROR"}
	if e.Fault {
		e.Text = "sends ERROR" // it has neither name nor version
	}
	if f.Name != "" {
		e.Key = join(cmp.Or(q.Namespace, "default"), f.Name) // a watch of all namespaces names none
	}
	c.report(e, func(m *model) { m.wire.change().sent++ })
}

func (c *collector) watchEnded(_ fakeapi.Request, why fakeapi.EndReason) {
	e := Event{Lane: laneAPI, Kind: "ended", Text: "watch ended: " + string(why),
		Fault: why == fakeapi.EndExpired || why == fakeapi.EndSlow || why == fakeapi.EndFault}
	c.report(e, func(m *model) { m.server.change().watchers-- })
}

func (c *collector) struck(q fakeapi.Request, f fakeapi.Fault) {
	c.report(Event{Lane: laneAPI, Kind: "fault", Text: "fault: " + describe(f), Fault: true},
		func(m *model) {
			m.server.change().strike(f)
			if q.Verb == "watch" && unanswered(f.Kind) {
				m.server.change().watchers--
			}
		})
}

// unanswered says whether a fault strikes before a watch begins, so that no end of it is reported.
func unanswered(k fakeapi.FaultKind) bool {
	return k == fakeapi.FaultStatus || k == fakeapi.FaultHang || k == fakeapi.FaultReset
}

// describe is a fault in a few words.
func describe(f fakeapi.Fault) string {
	switch {
	case f.Kind == fakeapi.FaultStatus:
		return fmt.Sprintf("status %d", f.Code)
	case f.Kind == fakeapi.FaultRefuse:
		return "connections refused"
	}
	return string(f.Kind)
}

// asked is a request in a few words.
func asked(q fakeapi.Request) string {
	query, _ := url.ParseQuery(q.Query)
	switch version := query.Get("resourceVersion"); {
	case q.Verb == "watch" || q.Verb == "list" && version != "":
		return fmt.Sprintf("GET %s, version %q", q.Verb, version)
	case q.Name != "":
		return q.Verb + " " + q.Name
	}
	return "GET " + q.Verb
}

// frameText is a frame of a watch in a few words.
func frameText(kind, name string, version any) string {
	if name == "" {
		return fmt.Sprintf("%s@%v", kind, version)
	}
	return fmt.Sprintf("%s %s@%v", kind, name, version)
}

func join(namespace, name string) string {
	if namespace == "" {
		return name
	}
	return namespace + "/" + name
}
