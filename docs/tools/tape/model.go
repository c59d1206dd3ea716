package tape

import (
	"slices"

	"example.com/watchglass"
)

// State is the whole machine after an event.
type State struct {
	Server    *ServerState    `json:"server"`
	Wire      *WireState      `json:"wire"`
	Reflector *ReflectorState `json:"reflector"`
	Queue     *QueueState     `json:"queue"`
	Cache     *CacheState     `json:"cache"`
	Listeners []ListenerState `json:"listeners"`
	Handlers  []HandlerState  `json:"handlers"`
	Valves    []ValveState    `json:"valves"`
	Informer  string          `json:"informer"` // running, stopping, ended; "": not started
	Recent    []string        `json:"recent"`   // keys touched last, newest first, at most maxRecent
}

// ObjectState is one object, where it is stored.
type ObjectState struct {
	Key string `json:"key"`
	RV  string `json:"rv"`
}

// Mark is one object on its way, which the page draws as one mark wherever it is.
type Mark struct {
	Key       string `json:"key,omitempty"` // "": of no object, or said by what it is in
	Type      string `json:"type"`          // of a frame, a delta or a notification
	RV        string `json:"rv"`
	Tombstone bool   `json:"tombstone,omitempty"`
	N         int    `json:"n,omitempty"` // of a whole list: how many objects
}

// How much of a large collection is shown. The totals count all of it.
const (
	maxRows   = 100
	maxDeltas = 50
	maxLog    = 100
	maxRecent = 12
	maxArcs   = 16
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
	informer  string   // running, stopping, ended; "": it has not been started
	recent    []string // keys that something happened to last, the newest first, at most maxRows
}

func newModel() model {
	m := model{}
	m.server.now.Floor, m.server.now.objects = 1, map[string]string{}
	m.reflector.now.State = "stopped"
	return m
}

// part is a section of the state. It is drawn anew only after a change, and what was drawn is never
// changed, so that thousands of events can share it.
type part[S any, M interface{ draw(recent []string) *S }] struct {
	now   M
	drawn *S // nil: changed since
}

// change returns the section for changing it.
func (p *part[S, M]) change() *M {
	p.drawn = nil
	return &p.now
}

func (p *part[S, M]) state(recent []string) *S {
	if p.drawn == nil {
		p.drawn = p.now.draw(recent)
	}
	return p.drawn
}

// touch notes that something happened to an object. Of a thousand objects the page is sent a
// hundred, those touched last: from now on server and cache show this one, if they have it.
func (m *model) touch(key string) {
	i := slices.Index(m.recent, key)
	if i < 0 {
		i = min(len(m.recent), maxRows-1)
		m.server.drawn, m.cache.drawn = nil, nil
	}
	rest := slices.Concat(m.recent[:i], m.recent[min(i+1, len(m.recent)):])
	m.recent = slices.Insert(rest, 0, key)
}

// snapshot draws the state as it is now.
func (m *model) snapshot() State {
	s := State{
		Server: m.server.state(m.recent), Wire: m.wire.state(nil),
		Reflector: m.reflector.state(nil), Queue: m.queue.state(nil),
		Cache: m.cache.state(m.recent), Informer: m.informer, Valves: slices.Clone(m.valves),
		Listeners: make([]ListenerState, 0, len(m.listeners)),
		Handlers:  make([]HandlerState, 0, len(m.listeners)),
		Recent:    append([]string{}, m.recent[:min(len(m.recent), maxRecent)]...),
	}
	for _, l := range m.listeners {
		listener, handler := l.draw()
		s.Listeners, s.Handlers = append(s.Listeners, listener), append(s.Handlers, handler)
	}
	return s
}

// objectRows draws those of the recent keys that have a version, by key.
func objectRows(recent []string, version func(key string) (string, bool)) []ObjectState {
	rows := []ObjectState{}
	for _, key := range slices.Sorted(slices.Values(recent)) {
		if rv, ok := version(key); ok {
			rows = append(rows, ObjectState{key, rv})
		}
	}
	return rows
}

// clearInformer forgets everything that belongs to one informer: the next one begins with nothing.
func (m *model) clearInformer(kind string) {
	m.wire = part[WireState, wireModel]{}
	m.reflector = part[ReflectorState, reflectorModel]{}
	m.reflector.now.State = "stopped"
	m.queue = part[QueueState, queueModel]{now: queueModel{QueueState{Kind: kind}}}
	m.cache = part[CacheState, cacheModel]{
		now: cacheModel{objects: map[string]watchglass.Object{}, changed: map[string]string{}}}
	m.listeners, m.informer = nil, ""
}

// What the informer does, once it has been started.
const (
	running  = "running"
	stopping = "stopping" // and Run waits for handlers
	ended    = "ended"
)
