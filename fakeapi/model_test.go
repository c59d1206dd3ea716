package fakeapi

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/watchglass/docs/tools/story"
)

// A model is the simplest description of the server's behaviour: maps of objects and,
// for each resource, the log of all events. It has no locks, no bytes, and a number as
// its clock; it finds a state of the past by replaying the log from the start. To the
// same commands (model_driver_test.go) it must give the same answers as the server
// (model_run_test.go).
type model struct {
	version   uint64
	clock     time.Duration
	resources map[string]*modelResource
	watches   map[string]*modelWatch
	pages     map[string]modelPage // continue tokens by the name the story gave them
	uids      int
	notation  notation
}

// A modelResource is one resource's objects and events.
type modelResource struct {
	traits
	objects   map[string]*modelObject // the present ones, by key
	log       []modelEvent            // all events, oldest first
	forgotten uint64                  // older versions cannot be read
}

// Traits are how resources differ on a real server.
type traits struct {
	name       string
	path       string // of the API
	kind       string
	apiVersion string
	payload    [2]string // where the one value that commands set is, in the JSON
	selectable bool      // by a field selector
	custom     bool      // a custom resource: no unconditional PUT, no strategic merge
	status     bool      // has the subresource
	generation bool
	twice      bool // deleted in two writes
}

var modelTraits = []traits{
	{name: "widgets", path: "/apis/workshop.example.dev/v1", kind: "Widget",
		apiVersion: "workshop.example.dev/v1", payload: [2]string{"spec", "color"},
		selectable: true, custom: true, status: true, generation: true},
	{name: "pods", path: "/api/v1", kind: "Pod", apiVersion: "v1",
		payload:    [2]string{"spec", "schedulerName"},
		selectable: true, status: true, generation: true, twice: true},
	{name: "configmaps", path: "/api/v1", kind: "ConfigMap", apiVersion: "v1",
		payload: [2]string{"data", "color"}},
}

// A modelObject is one state of one object. It is never changed, only replaced.
type modelObject struct {
	namespace, name string
	version         uint64
	uid             string
	generation      int
	color, app      string // the payload and the one label; empty: not set
	phase           string // status
	finalizers      []string
	deleting        bool
}

func (o *modelObject) key() string { return o.namespace + "/" + o.name }

// A modelEvent is one write.
type modelEvent struct {
	version uint64
	at      time.Duration
	before  *modelObject // nil: the object was created
	after   *modelObject // for a removal, the last state
	removal bool
}

// A modelWatch is an open watch.
type modelWatch struct {
	resource  *modelResource
	choice    choice
	next      int    // the first event in the log that it has not read
	sent      uint64 // the version up to which it has received all events
	bookmarks bool
	tick, end time.Duration
	lines     []string // received since the last call of state
}

// A modelPage is what a continue token stands for.
type modelPage struct {
	resource string
	choice   choice
	version  uint64 // 0: the present one
	after    string // key
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
	for _, t := range modelTraits {
		m.resources[t.name] = &modelResource{traits: t, objects: map[string]*modelObject{},
			forgotten: 1}
	}
	return m
}

// do carries out a command and returns the answer's lines.
func (m *model) do(c story.Command) []string {
	r := m.resources[c.Arg(0)]
	switch c.Name {
	case "create":
		return m.answer(m.create(r, c))
	case "update", "status", "patch":
		return m.answer(m.change(r, c))
	case "delete":
		return m.answer(m.delete(r, c))
	case "deletecollection":
		return m.deleteCollection(r, c)
	case "get":
		return m.answer(m.get(r, c))
	case "list":
		return m.list(r, c)
	case "continue":
		return m.goOn(c)
	case "watch":
		m.watches[c.Arg(0)] = m.watch(m.resources[c.Arg(1)], c)
	case "close":
		delete(m.watches, c.Arg(0))
	case "compact":
		for _, r := range m.resources {
			r.forgotten = m.version
		}
	case "wait":
		d, _ := time.ParseDuration(c.Arg(0))
		m.advance(d)
	}
	return nil
}

// state is what the watches have received since the last call.
func (m *model) state() []string {
	var all []string
	for _, name := range slices.Sorted(maps.Keys(m.watches)) {
		w := m.watches[name]
		w.catchUp(m)
		for _, line := range w.lines {
			all = append(all, name+" "+line)
		}
		if w.lines = nil; w.end < 0 {
			delete(m.watches, name)
		}
	}
	return all
}

func (m *model) answer(code int, o *modelObject) []string {
	if o == nil {
		return []string{strconv.Itoa(code)}
	}
	return []string{strconv.Itoa(code) + " " + m.notation.object(*o)}
}

// create adds an object.
func (m *model) create(r *modelResource, c story.Command) (int, *modelObject) {
	o := &modelObject{color: c.Opt("color", ""), app: c.Opt("app", ""),
		finalizers: splitList(c.Opt("fin", "")), uid: m.newUID()}
	o.namespace, o.name, _ = strings.Cut(c.Arg(1), "/")
	if r.objects[o.key()] != nil {
		return 409, nil
	}
	if r.generation {
		o.generation = 1
	}
	if r.twice {
		o.phase = "Pending"
	}
	if c.Opt("dryrun", "") != "" {
		return 201, o
	}
	m.commit(r, nil, o, false)
	return 201, o
}

func (m *model) newUID() string { m.uids++; return fmt.Sprint("model-", m.uids) }

// commit makes o the present state, or removes it in that state.
func (m *model) commit(r *modelResource, before, o *modelObject, removal bool) {
	m.version++
	o.version = m.version
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
