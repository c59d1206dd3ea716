package tape

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"example.com/watchglass/fakeapi"
)

// Order is what a page sends when a button is pressed.
type Order struct {
	Do   string            `json:"do"`
	Key  string            `json:"key"`
	Args map[string]string `json:"args"`

	story bool // a story has typed it, and reported that
}

// lane is where the order, and what it changes, are shown.
func (o Order) lane() string {
	if o.story {
		return laneStory
	}
	return laneYou
}

// Do carries an order out, one at a time. An error is a sentence for the reader.
func (m *Machine) Do(o Order) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	i := slices.IndexFunc(buttons, func(b Button) bool { return b.Do == o.Do })
	switch {
	case m.life.Err() != nil:
		return errClosed
	case o.Do == "valve" || o.Do == "admit":
		return m.turn(o)
	case i < 0:
		return fmt.Errorf("there is no button %.100q", o.Do)
	case buttons[i].writes() && m.api == nil:
		return fmt.Errorf("%s would write to the server: this one is real, and only read", o.Do)
	case buttons[i].NeedsKey && o.Key == "":
		return fmt.Errorf("%s needs the key of an object, such as default/web-1", o.Do)
	}
	switch o.Do {
	case "create", "update", "delete", "fill":
		return m.write(o)
	case "lose":
		return m.loseAnswer(o)
	case "stop", "start", "queue":
		return m.run(o)
	case "add-handler", "remove-handler", "panic", "resync":
		return m.extend(o)
	}
	return m.fail(o)
}

// press reports that a button was pressed, before it acts.
func (m *Machine) press(o Order, format string, args ...any) {
	if o.story {
		return
	}
	e := said(laneYou, o.Do, format, args...)
	e.Key = o.Key
	m.seen.report(e, nil)
}

func (m *Machine) turn(o Order) error {
	v := m.valve(o.Args["name"])
	if v == nil {
		return fmt.Errorf("there is no valve %.100q", o.Args["name"])
	}
	if o.Do == "admit" {
		return v.admit()
	}
	return v.turn(o.Args["mode"], o.lane())
}

// write changes objects of the fake server, as any client could.
func (m *Machine) write(o Order) error {
	namespace, name, hasNamespace := strings.Cut(o.Key, "/")
	if !hasNamespace {
		namespace, name = "default", o.Key
	}
	switch o.Do {
	case "fill":
		m.press(o, "create 100 objects")
		for i, n := 0, 0; i < 100; i++ {
			n = m.nextNumber(n)
			if err := m.create(fmt.Sprintf("web-%d", n), nil); err != nil {
				return err
			}
		}
		return nil
	case "create":
		if name == "" {
			name = fmt.Sprintf("web-%d", m.nextNumber(0))
		}
		o.Key = join(namespace, name)
		m.press(o, "create %s", name)
		return m.create(name, o.Args)
	case "delete":
		m.press(o, "delete %s", name)
		return refused(m.api.Delete(resource, namespace, name))
	}
	m.press(o, "update %s", name)
	m.created++ // any number that is new makes it a change
	spec := map[string]any{"revision": m.created}
	if color := o.Args["color"]; color != "" {
		spec["color"] = color
	}
	_, err := m.api.Patch(resource, namespace, name, map[string]any{"spec": spec})
	return refused(err)
}

// refused leaves out of an error what only the code of fakeapi knows.
func refused(err error) error {
	if err == nil {
		return nil
	}
	if inner := errors.Unwrap(err); inner != nil {
		err = inner
	}
	return fmt.Errorf("the API server answers: %w", err)
}

func (m *Machine) create(name string, args map[string]string) error {
	_, err := m.api.Create(resource, widget(name, args))
	return refused(err)
}

// widget is an object as a client sends it: red, and with a label app like its name, unless args
// say something else.
func widget(name string, args map[string]string) map[string]any {
	app, _, _ := strings.Cut(name, "-")
	metadata := map[string]any{
		"name": name, "labels": map[string]any{"app": cmp.Or(args["app"], app)},
	}
	if finalizer := args["finalizer"]; finalizer != "" {
		metadata["finalizers"] = []string{finalizer}
	}
	return map[string]any{
		"apiVersion": "workshop.example.dev/v1", "kind": "Widget", "metadata": metadata,
		"spec": map[string]any{"color": cmp.Or(args["color"], "red")},
	}
}

// writer is the User-Agent of a client that writes over HTTP, at which its fault is aimed.
const writer = "watchglass-writer/1"

// loseAnswer creates an object over HTTP. The server stores it, and the client gets no answer.
func (m *Machine) loseAnswer(o Order) error {
	failing := false
	m.seen.amend(func(model *model) { failing = len(model.server.now.armed) > 0 })
	if failing {
		return errors.New("another fault is armed, and might keep the server from storing it: heal first")
	}
	name := fmt.Sprintf("web-%d", m.nextNumber(0))
	o.Key = join("default", name)
	req, err := http.NewRequestWithContext(m.life, http.MethodPost, fakeapi.URL+collection,
		bytes.NewReader(encoded(widget(name, nil))))
	if err != nil {
		return err
	}
	req.Header = http.Header{"User-Agent": {writer}, "Content-Type": {"application/json"}}
	m.press(o, "create %s over HTTP", name)
	m.api.Inject(fakeapi.Fault{Kind: fakeapi.FaultLost, Verb: "create", UserAgent: writer})
	resp, lost := m.api.Client().Do(req)
	if lost == nil {
		resp.Body.Close()
		return fmt.Errorf("the answer was to be lost, and the client has got %s", resp.Status)
	}
	if _, err = m.api.Get(resource, "default", name); err == nil {
		m.press(o, "the client gets an error (%s), and %s is stored", because(lost), name)
	}
	return refused(err)
}

// nextNumber is the first number after n such that no object web-… has it.
func (m *Machine) nextNumber(n int) int {
	for n++; ; n++ {
		if _, err := m.api.Get(resource, "default", fmt.Sprintf("web-%d", n)); err != nil {
			return n
		}
	}
}

var errNotRunning = errors.New("the informer does not run")

// run starts, stops or restarts the informer.
func (m *Machine) run(o Order) error {
	started, kind := m.informer.HasStarted(), m.kind
	runs := started && !m.informer.IsStopped()
	switch {
	case o.Do == "stop" && !runs:
		return errNotRunning
	case o.Do == "stop":
		m.press(o, "stop the informer")
		m.stop()
		m.seen.amend(func(model *model) { model.informer = stopping })
		return nil
	case o.Do == "start" && runs:
		return errors.New("the informer runs already")
	case o.Do == "start":
		m.press(o, "start an informer")
	default:
		kind = o.Args["kind"]
		if err := knownKind(kind); err != nil {
			return err
		}
		m.press(o, "a new informer with a %s", kind)
	}
	if started || kind != m.kind {
		if err := m.end(); err != nil {
			return err
		}
		m.kind = kind
		m.renew()
	}
	m.start()
	return nil
}

func knownKind(queue string) error {
	if queue != DeltaFIFO && queue != RealFIFO {
		return fmt.Errorf("the kind of a queue is %s or %s, not %.100q", DeltaFIFO, RealFIFO, queue)
	}
	return nil
}

// extend changes what stands behind the queue, or lets the queue resync.
func (m *Machine) extend(o Order) error {
	name := o.Args["name"]
	switch o.Do {
	case "resync":
		if !m.informer.HasStarted() || m.informer.IsStopped() {
			return errNotRunning
		}
		m.press(o, "resync")
		return m.queue.Resync()
	case "add-handler":
		m.press(o, "add a handler")
		return m.addHandler(name, handlerOptions{})
	case "remove-handler":
		m.press(o, "remove a handler")
		return m.removeHandler(name)
	}
	h, err := m.handler(name)
	if err != nil {
		return err
	}
	m.seen.amend(func(model *model) { model.listener(name).state.Panics = true })
	m.press(o, "%s will panic in its next call", name)
	h.panics.Store(true)
	return nil
}

// faults are what the buttons arm.
var faults = map[string]fakeapi.Fault{
	"disconnect": {Kind: fakeapi.FaultRefuse, Count: -1},
	"hang":       {Kind: fakeapi.FaultSilence, Verb: "watch", Count: 1},
	"cut":        {Kind: fakeapi.FaultCut, Verb: "watch", Count: 1},
	"errors":     {Kind: fakeapi.FaultStatus, Code: 500, Count: -1},
}

// fail makes the server fail, or forget.
func (m *Machine) fail(o Order) error {
	switch fault := faults[o.Do]; o.Do {
	case "drop":
		m.press(o, "the server ends all watches")
		m.api.DropWatches()
	case "compact":
		m.api.Compact()
		m.armed(o, (*serverModel).compact, "compact", "history gone", "the server forgets its history")
	case "heal":
		m.armed(o, func(s *serverModel) { s.armed = nil }, "heal", "healed", "the server is healed")
		m.api.Heal()
	default:
		m.inject(o, fault)
		if o.Do == "errors" {
			m.api.DropWatches()
		}
	}
	return nil
}

// inject makes the server fail. A fault that lasts takes the place of the other that does.
func (m *Machine) inject(o Order, fault fakeapi.Fault) {
	lasts := fault.Count < 0
	if lasts {
		m.api.Heal()
	}
	m.armed(o, func(s *serverModel) {
		if lasts {
			s.armed = nil
		}
		s.armed = append(s.armed, fault)
	}, "fails", "fails: "+faultName(fault), "the server fails: "+faultName(fault))
	m.api.Inject(fault)
}

// armed reports, as press does, what changes the state of the server.
func (m *Machine) armed(
	o Order, change func(*serverModel), means, brief, text string,
) {
	e := said(o.lane(), o.Do, "%s", text).in("%s", brief).moving("", API)
	e.Means = "api " + means
	m.seen.report(e, func(model *model) { change(model.server.change()) })
}
