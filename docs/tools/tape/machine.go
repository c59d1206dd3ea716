package tape

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"example.com/watchglass"
	"example.com/watchglass/deltafifo"
	"example.com/watchglass/fakeapi"
	"example.com/watchglass/indexer"
	"example.com/watchglass/informer"
	"example.com/watchglass/reflector"
	"example.com/watchglass/reflector/client"
)

// Machine is what the page shows: a server, an informer that watches it, handlers, and valves
// between them. All of it is the real thing; the machine only plugs it together, does what buttons
// say, and lets the traces report to the collector.
type Machine struct {
	seen   *collector
	api    *fakeapi.Server // nil: a real cluster, and then nothing is written
	way    *way            // to the server
	frames *valve          // V1
	pops   *valve          // V2
	server string          // fakeapi, or the URL of a real one

	collection client.Options
	client     *client.Client[watchglass.Unstructured] // of the collection

	// mu lets one command act at a time, so that what a command has checked still holds when it acts.
	mu       sync.Mutex
	kind     string // of the queue
	handlers []*handler
	created  int // the number that the last update has written
	resync   time.Duration
	streams  bool          // whether the reflector streams its lists
	idle     time.Duration // after how much silence the reflector gives a watch up; 0: its default

	informer *informer.SharedIndexInformer // the present one, or the last
	queue    *gatedQueue                   // of the informer
	stop     context.CancelFunc            // ends the informer
	bound    sync.WaitGroup                // goroutines that end with the informer
	running  sync.WaitGroup                // those of a story's writes
	life     context.Context               // ended by die: handlers are not held up any more
	die      context.CancelFunc
}

// byApp is the index of the cache: the label app, or what stands before the dash in the name.
func byApp(obj watchglass.Object) ([]string, error) {
	if u, ok := obj.(*watchglass.Unstructured); ok {
		if app := u.StringAt("metadata", "labels", "app"); app != "" {
			return []string{app}, nil
		}
	}
	app, _, _ := strings.Cut(obj.GetName(), "-")
	return []string{app}, nil
}

// Options say what a machine is made of. The zero value is a fake server in memory, a DeltaFIFO,
// and no lines of source.
type Options struct {
	Queue  string          // DeltaFIFO or RealFIFO
	Real   *client.Options // a collection of a real server, which is only read; with an HTTPClient
	Source *Source         // where events find the line that acted
	Held   int             // how many events are held; 0: MaxHeld
}

// New makes a machine. Nothing runs and nothing is sent before Open. The caller closes it.
func New(o Options) (*Machine, error) {
	o.Queue, o.Held = cmp.Or(o.Queue, DeltaFIFO), cmp.Or(o.Held, MaxHeld)
	if o.Source == nil {
		o.Source = NewSource(nil)
	}
	seen := newCollector(o.Source, o.Held)
	m := &Machine{seen: seen, kind: o.Queue, stop: func() {}}
	m.life, m.die = context.WithCancel(context.Background())
	m.frames = newValve(seen, "V1", "the watch", "", Wire)
	m.pops = newValve(seen, "V2", "before Pop", "", Process)
	server := m.serve(o.Real)
	m.way = &way{base: server.HTTPClient.Transport, seen: seen, valve: m.frames}
	server.HTTPClient = &http.Client{Transport: m.way, Timeout: time.Minute} // of a list
	m.collection = server
	if err := m.connect(""); err != nil {
		m.Close()
		return nil, err
	}
	m.renew()
	return m, nil
}

// connect makes a client for the objects of the collection with these labels, "" for all.
func (m *Machine) connect(labels string) (err error) {
	m.collection.LabelSelector = labels
	m.client, err = client.New[watchglass.Unstructured](m.collection)
	return err
}

// serve returns how to get to the real server, or else to a new one in memory, which writes are
// for.
func (m *Machine) serve(real *client.Options) client.Options {
	if real != nil {
		m.server = real.URL
		return *real
	}
	m.api = fakeapi.New(fakeapi.Options{Trace: m.seen.apiTrace()})
	m.idle, m.server = idleTimeout, "fakeapi"
	m.seen.amend(func(model *model) {
		s := model.server.change()
		_, _ = fmt.Sscan(m.api.ResourceVersion(), &s.RV)
		s.Floor = s.RV
	})
	return client.Options{URL: fakeapi.URL + "/apis/workshop.example.dev/v1/" + resource,
		HTTPClient: m.api.Client()}
}

// renew makes a new informer, which has seen nothing, with the same handlers. The last one has
// ended.
func (m *Machine) renew() {
	m.seen.amend(func(model *model) { model.clearInformer(m.kind) })
	trace := informer.Trace{
		Reflector: m.seen.reflectorTrace(), Queue: m.seen.queueTrace(m.kind),
		Indexer: m.seen.indexerTrace(), Processor: m.seen.processorTrace(),
		Synced: m.seen.cacheSynced,
	}
	kinds := map[string]informer.QueueKind{
		DeltaFIFO: informer.DeltaFIFO, RealFIFO: informer.RealFIFO,
	}
	m.informer = informer.NewSharedIndexInformer(informer.Options{
		ListerWatcher: m.client,
		Name:          resource,
		Queue:         kinds[m.kind],
		WrapQueue: func(q informer.Queue) (wrapped informer.Queue) {
			wrapped, m.queue = gate(q, m.pops)
			return wrapped
		},
		Indexers:     indexer.Indexers{"app": byApp},
		ResyncPeriod: m.resync,
		Reflector: reflector.Options{ListFirst: !m.streams, IdleTimeout: m.idle,
			Backoff: reflector.Backoff{Jitter: -1}},
		OnPanic: m.seen.panicked,
		Trace:   trace,
	})
	for _, h := range m.handlers {
		m.register(h)
	}
}

// idleTimeout is after how much silence the reflector gives a watch up. The default is more than
// five minutes, which is long for someone who pressed "hang" and waits.
const idleTimeout = 2 * time.Minute

// Open makes what the page shows when it opens: two handlers, three objects if the server is not a
// real one, and an informer that runs. The clock begins now, and the machine is at rest unless that
// takes long.
func (m *Machine) Open() error {
	m.seen.restart()
	defer m.seen.quiet()
	for _, name := range handlerNames[:2] {
		if err := m.addHandler(name, handlerOptions{}); err != nil {
			return err
		}
	}
	for _, name := range []string{"db-1", "web-1", "web-2"} {
		if m.api == nil {
			break
		}
		if err := m.create(name, nil); err != nil {
			return err
		}
	}
	m.start()
	return nil
}

// start runs the informer. It is called once for each.
func (m *Machine) start() {
	ctx, cancel := context.WithCancel(context.Background())
	m.stop = cancel
	inf := m.informer
	m.seen.amend(func(model *model) {
		model.reflector.change().State = reflector.Table(!m.streams)[0].From.String()
		model.informer = running
	})
	m.bound.Go(func() {
		_ = inf.Run(ctx) // an error only for a second run
		m.seen.amend(func(model *model) { model.informer = ended })
	})
}

var errStillRunning = errors.New("the informer has not ended yet: it waits for a handler that is " +
	"in its call; open the valves of the handlers")

// end stops the informer and waits until everything it started has ended, but not forever: no call
// of a handler is interrupted.
func (m *Machine) end() error {
	m.stop()
	if !m.informer.HasStarted() {
		return nil
	}
	patience := time.NewTimer(2 * time.Second)
	defer patience.Stop()
	select {
	case <-m.informer.Ended():
		m.bound.Wait()
		return nil
	case <-patience.C:
		return errStillRunning
	}
}

// errClosed is the answer to a command that comes when the program ends.
var errClosed = errors.New("the program is about to end")

// Close ends everything, whatever the valves say, and returns when that has happened.
func (m *Machine) Close() {
	m.die() // no command begins after the one that holds mu
	m.mu.Lock()
	m.stop()
	m.mu.Unlock()
	m.running.Wait()
	m.bound.Wait()
	if m.api != nil {
		m.api.Close()
	}
}

// Meta is what does not change from event to event.
type Meta struct {
	Buttons  []Button `json:"buttons"`
	ReadOnly bool     `json:"readOnly"`
	Server   string   `json:"server"` // fakeapi, or the URL of a real one
	Queue    string   `json:"queue"`  // the kind at the start
	States   []string `json:"states"` // of the reflector's table, in the order of its constants
	Table    []Step   `json:"table"`  // where each of them leads
	Story    string   `json:"story"`  // the file of a recording

	Terms  []term                           `json:"terms"`
	Legend map[string]string                `json:"legend"` // by what events mean
	Deltas map[string][]deltafifo.DeltaType `json:"deltas"` // that a queue can hold, by its kind
}

// Listing is the answer to GET /state: what a list is to a reflector.
type Listing struct {
	Run   string `json:"run"` // which run of the program this is: seq means nothing in another one
	Seq   int64  `json:"seq"`
	Floor int64  `json:"floor"` // the oldest event that is still held
	State State  `json:"state"`
	Meta  Meta   `json:"meta"`
}

// Listing is the state now, and how the machine is made.
func (m *Machine) Listing() Listing {
	l := Listing{Meta: m.Meta()}
	l.State, l.Seq, l.Floor = m.seen.list()
	return l
}

// After returns events as the collector does. They are shared: nothing in them may be changed.
func (m *Machine) After(seq int64, most int) (events []*Event, next <-chan struct{}, ok bool) {
	return m.seen.after(seq, most)
}

// Meta describes the machine to the page.
func (m *Machine) Meta() Meta {
	kind := "" // not under mu, which a command holds
	m.seen.amend(func(model *model) { kind = model.queue.now.Kind })
	meta := Meta{
		Buttons:  buttonsFor(m.api == nil),
		ReadOnly: m.api == nil, Server: m.server, Queue: kind,
		Terms: terms, Legend: Legend, Deltas: deltaTypes,
	}
	meta.describe(reflector.Table(!m.streams))
	return meta
}

// describe lists the reflector's states, in the order of their constants, and its transitions.
func (m *Meta) describe(table []reflector.Transition) {
	var states []reflector.State
	for _, row := range table {
		states = append(states, row.From, row.To)
		m.Table = append(m.Table, step(row))
	}
	slices.Sort(states)
	for _, s := range slices.Compact(states) {
		m.States = append(m.States, s.String())
	}
	m.States = append(m.States, "stopped") // to which no row leads
}
