package main

import (
	"slices"
	"strings"
)

// model is the machine as the traces have reported it. Nothing here asks a stage, because most
// reports are made under a lock of the stage that reports. A test compares the model, at rest, with
// the gauges of the stages.
//
// The collector's lock guards it.
type model struct {
	server    part[ServerState, serverModel]
	wire      part[WireState, wireModel]
	reflector part[ReflectorState, reflectorModel]
	queue     part[QueueState, queueModel]
	cache     part[CacheState, cacheModel]
	listeners []*listenerModel // in the order of joining, the removed ones that still run included
	valves    []ValveState
	recent    recency[struct{}]
}

func newModel() model {
	m := model{}
	m.server.now.floor = 1
	m.reflector.now.State = "stopped"
	return m
}

// part is a section of the state. It is drawn anew only after a change, and what was drawn is never
// changed, so that thousands of events can share it.
type part[S any, M interface{ draw() *S }] struct {
	now   M
	drawn *S // nil: changed since
}

// change returns the section for changing it.
func (p *part[S, M]) change() *M {
	p.drawn = nil
	return &p.now
}

func (p *part[S, M]) state() *S {
	if p.drawn == nil {
		p.drawn = p.now.draw()
	}
	return p.drawn
}

// touch notes that something happened to an object. From now on it is among the objects that server
// and cache show, if they have it: otherwise the page could not tell whether it is gone.
func (m *model) touch(key string) {
	m.recent.set(key, struct{}{})
	if s := m.server.drawn; s != nil && hides(s.Objects, s.Total, key) {
		m.server.drawn = nil
	}
	if c := m.cache.drawn; c != nil && hides(c.Objects, c.Total, key) {
		m.cache.drawn = nil
	}
	if surplus := m.recent.len() - maxRecent; surplus > 0 {
		m.recent.remove(m.recent.order.Back().Value.(*recent[struct{}]).key)
	}
}

// hides says whether rows, which are sorted by key, may leave out an object that is there.
func hides(rows []ObjectState, total int, key string) bool {
	_, shown := slices.BinarySearchFunc(rows, key, func(o ObjectState, key string) int {
		return strings.Compare(o.Key, key)
	})
	return !shown && total > len(rows)
}

// snapshot draws the state as it is now.
func (m *model) snapshot() State {
	for _, r := range slices.Backward(m.recent.newest(maxRecent)) { // a list may have displaced them
		if m.server.drawn == nil {
			m.server.now.objects.touch(r.key)
		}
		if m.cache.drawn == nil {
			m.cache.now.objects.touch(r.key)
		}
	}
	s := State{
		Server: m.server.state(), Wire: m.wire.state(), Reflector: m.reflector.state(),
		Queue: m.queue.state(), Cache: m.cache.state(), Valves: slices.Clone(m.valves),
		Listeners: make([]ListenerState, 0, len(m.listeners)),
		Handlers:  make([]HandlerState, 0, len(m.listeners)),
		Recent:    make([]string, 0, maxRecent),
	}
	for _, l := range m.listeners {
		s.Listeners = append(s.Listeners, l.drawListener())
		s.Handlers = append(s.Handlers, l.drawHandler())
	}
	for _, r := range m.recent.newest(maxRecent) {
		s.Recent = append(s.Recent, r.key)
	}
	return s
}

// objectRows draws objects by their version.
func objectRows(objects *recency[string]) []ObjectState {
	rows := make([]ObjectState, 0, min(maxRows, objects.len()))
	for _, o := range objects.sorted(maxRows) {
		rows = append(rows, ObjectState{o.key, o.value})
	}
	return rows
}

// clearInformer forgets everything that belongs to one informer: the next one begins with nothing.
func (m *model) clearInformer(kind string) {
	m.wire = part[WireState, wireModel]{}
	m.reflector = part[ReflectorState, reflectorModel]{}
	m.reflector.now.State = "stopped"
	m.queue = part[QueueState, queueModel]{now: queueModel{kind: kind}}
	m.cache = part[CacheState, cacheModel]{}
	m.listeners = nil
}
