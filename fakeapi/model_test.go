package fakeapi

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A model is the simplest description of the server's behaviour: maps of objects and, for each
// resource, the log of all events. It has no locks, no bytes, and a number as its clock; it finds
// a state of the past by replaying the log from the start. To the same steps (model_step_test.go)
// it must give the same answers as the server (model_run_test.go).
type model struct {
	version   uint64
	clock     time.Duration
	resources map[string]*modelResource
	watches   map[string]*modelWatch // by slot
	pages     map[string]modelPage   // by slot: what continue tokens stand for
	uids      int
}

// A modelResource is one resource's objects and events.
type modelResource struct {
	objects   map[string]*modelObject // the present ones, by key
	log       []modelEvent            // all events, oldest first
	forgotten uint64                  // older versions cannot be read
}

// A modelObject is one state of one object. It is never changed, only replaced.
type modelObject struct {
	Namespace, Name string
	Version         uint64
	UID, Generation int
	Color, App      string // the one value in the spec or data, and the one label
	Finalizers      string // with commas
	Deleting        bool
}

func (o *modelObject) key() string { return o.Namespace + "/" + o.Name }

// A modelEvent is one write.
type modelEvent struct {
	version uint64
	at      time.Duration
	before  *modelObject // nil: the object was created
	after   *modelObject // for a removal, the last state
	removal bool
}

// Limits of the server under test, small so that history is often dropped.
const (
	modelHistory = 25
	modelAge     = 4 * time.Minute
	modelNotices = 50 * time.Second // between bookmarks
)

func newModel() *model {
	m := &model{version: 1, resources: map[string]*modelResource{},
		watches: map[string]*modelWatch{}, pages: map[string]modelPage{}}
	for _, k := range modelTraits {
		m.resources[k.plural] = &modelResource{objects: map[string]*modelObject{}, forgotten: 1}
	}
	return m
}

// do carries out a step and returns the answer's lines.
func (m *model) do(s step) []string {
	r := m.resources[s.kind.plural]
	switch s.verb {
	case "create":
		return answered(m.create(r, s))
	case "update", "patch":
		return answered(m.change(r, s))
	case "delete":
		return answered(m.delete(r, s))
	case "deletecollection":
		return m.deleteCollection(r, s)
	case "get":
		return answered(m.get(r, s))
	case "list":
		return m.list(r, s)
	case "watch":
		m.watches[s.slot] = m.watch(r, s)
	case "close":
		delete(m.watches, s.slot)
	case "compact":
		for _, r := range m.resources {
			r.forgotten = m.version
		}
	case "wait":
		m.advance(s.wait)
	}
	return nil
}

// answered returns the line for an answer with one object, or with a Status.
func answered(code int, o *modelObject) []string {
	if o == nil {
		return []string{strconv.Itoa(code)}
	}
	return []string{fmt.Sprintf("%d %+v", code, *o)}
}

func (m *model) create(r *modelResource, s step) (int, *modelObject) {
	if r.objects[s.key()] != nil {
		return 409, nil
	}
	m.uids++
	o := s.applyTo(modelObject{Namespace: s.ns, Name: s.name, UID: m.uids})
	if s.kind.counts() {
		o.Generation = 1
	}
	m.commit(r, nil, &o, false)
	return 201, &o
}

// commit makes o the present state, or removes it in that state.
func (m *model) commit(r *modelResource, before, o *modelObject, removal bool) {
	m.version++
	o.Version = m.version
	r.objects[o.key()] = o
	if removal {
		delete(r.objects, o.key())
	}
	r.log = append(r.log, modelEvent{m.version, m.clock, before, o, removal})
	r.forget(m.clock)
}

// forget moves forgotten to the last event that is too old or beyond modelHistory.
func (r *modelResource) forget(now time.Duration) {
	for i, e := range r.log {
		if len(r.log)-i > modelHistory || now-e.at > modelAge {
			r.forgotten = max(r.forgotten, e.version)
		}
	}
}

// change carries out an update or a merge patch.
func (m *model) change(r *modelResource, s step) (int, *modelObject) {
	old := r.objects[s.key()]
	if old == nil {
		return 404, nil
	}
	next := s.applyTo(*old)
	version := s.body["version"]
	switch {
	case version == "" && s.kind.custom && s.verb == "update":
		return 422, nil
	case version != "" && version != fmt.Sprint(old.Version):
		return 409, nil
	case old.Deleting && union(old.Finalizers, next.Finalizers) != old.Finalizers:
		return 422, nil
	case next == *old:
		return 200, old
	}
	if s.kind.counts() && next.Color != old.Color {
		next.Generation++
	}
	if old.Deleting && next.Finalizers == "" {
		gone := *old // watchers receive the stored object, the answer shows the new one
		m.commit(r, old, &gone, true)
	} else {
		m.commit(r, old, &next, false)
	}
	return 200, &next
}

// applyTo returns an object with the changes that the step's body makes.
func (s step) applyTo(o modelObject) modelObject {
	if s.verb == "update" {
		o.App, o.Finalizers = "", ""
	}
	for name, value := range s.body {
		switch name {
		case "color":
			o.Color = value
		case "app":
			o.App = value
		case "finalizers":
			o.Finalizers = value
		}
	}
	return o
}

// union adds to a list with commas what another has more.
func union(a, b string) string {
	for _, f := range strings.Split(b, ",") {
		if !slices.Contains(strings.Split(a, ","), f) {
			a = strings.Trim(a+","+f, ",")
		}
	}
	return a
}

// delete removes an object or marks it.
func (m *model) delete(r *modelResource, s step) (int, *modelObject) {
	old := r.objects[s.key()]
	switch version := s.body["version"]; {
	case old == nil:
		return 404, nil
	case version != "" && version != fmt.Sprint(old.Version):
		return 409, nil
	}
	return 200, m.remove(r, old, s)
}

// remove returns the object that the answer shows: nil if the answer is a Status.
func (m *model) remove(r *modelResource, old *modelObject, s step) *modelObject {
	marked := *old
	stays := old.Finalizers != ""
	if !old.Deleting && (stays || s.kind.twice) {
		marked.Deleting = true
		if s.kind.counts() {
			marked.Generation++
		}
		m.commit(r, old, &marked, false)
	}
	if !stays {
		gone := marked
		m.commit(r, &marked, &gone, true)
		if !s.kind.twice { // of the objects that are gone only pods are shown
			return nil
		}
	}
	return &marked
}

func (m *model) deleteCollection(r *modelResource, s step) []string {
	out := m.show(r, s, m.version, "", 0)
	for _, key := range slices.Sorted(maps.Keys(r.objects)) {
		if o := r.objects[key]; s.takes(o) {
			m.remove(r, o, s)
		}
	}
	return out
}
