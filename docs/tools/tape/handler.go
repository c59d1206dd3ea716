package tape

import (
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"example.com/watchglass"
	"example.com/watchglass/processor"
)

// handler is a handler that does nothing but take its time: it waits at its valve, and it panics
// when that was asked for.
type handler struct {
	name    string
	valve   *valve
	options handlerOptions
	closed  <-chan struct{} // of the machine
	panics  atomic.Bool     // in the next call

	registration *processor.Registration // with the present informer
}

// handlerOptions are what a story can ask for.
type handlerOptions struct {
	takes  time.Duration
	resync time.Duration
	panics string // the name of the object that it panics on
	drain  bool
}

// These three implement processor.ResourceEventHandler.

func (h *handler) OnAdd(obj watchglass.Object, _ bool) { h.work("OnAdd", obj) }
func (h *handler) OnUpdate(_, obj watchglass.Object)   { h.work("OnUpdate", obj) }
func (h *handler) OnDelete(obj watchglass.Object)      { h.work("OnDelete", obj) }

func (h *handler) work(method string, obj watchglass.Object) {
	if !h.valve.pass(h.closed, method+" "+at(obj)) {
		return
	}
	if h.options.takes > 0 {
		select {
		case <-time.After(h.options.takes):
		case <-h.closed:
		}
	}
	if h.panics.Swap(false) || obj.GetName() == h.options.panics {
		panic("no " + obj.GetName())
	}
}

// handlerNames are those of handlers that are added without a name. There cannot be more handlers
// than these: the page has room for three.
var handlerNames = []string{"alpha", "beta", "gamma"}

// addHandler adds a handler, with a valve of its own. Without a name it gets one.
func (m *Machine) addHandler(name string, o handlerOptions) error {
	for _, usual := range handlerNames {
		if _, err := m.handler(usual); name == "" && err != nil {
			name = usual
		}
	}
	_, free := m.handler(name)
	switch {
	case len(m.handlers) == len(handlerNames):
		return errors.New("there are three handlers already: remove one first")
	case free == nil:
		return fmt.Errorf("there is a handler %s already", name)
	case m.informer.IsStopped():
		return errors.New("the informer has been stopped: start it first")
	}
	v := newValve(m.seen, m.freeValve(), "before "+name, name, Handler(name))
	h := &handler{name: name, valve: v, options: o, closed: m.life.Done()}
	m.handlers = append(m.handlers, h)
	m.register(h)
	return nil
}

// freeValve is the first name from V3 on that no handler's valve has.
func (m *Machine) freeValve() string {
	n := 3
	for m.valve(fmt.Sprintf("V%d", n)) != nil {
		n++
	}
	return fmt.Sprintf("V%d", n)
}

// register adds a handler to the informer.
func (m *Machine) register(h *handler) {
	r, err := m.informer.AddEventHandler(h, processor.HandlerOptions{
		Name: h.name, ResyncPeriod: h.options.resync, Drain: h.options.drain,
	})
	if err == nil { // else it has been stopped in this moment, and the next informer gets all handlers
		h.registration = r
	}
}

// removeHandler removes a handler, or the last one if name is empty. It returns when the last call
// has ended: until then no other handler may have the name, by which events are matched to
// handlers.
func (m *Machine) removeHandler(name string) error {
	if name == "" && len(m.handlers) > 0 {
		name = m.handlers[len(m.handlers)-1].name
	}
	h, err := m.handler(name)
	if err != nil {
		return err
	}
	m.seen.amend(func(m *model) { m.listener(name).leaves = true })
	m.handlers = slices.DeleteFunc(m.handlers, func(other *handler) bool { return other == h })
	err = m.informer.RemoveEventHandler(h.registration)
	h.valve.remove() // afterwards: the handler is not called with what waited behind the valve
	if err == nil {
		<-h.registration.Ended()
	}
	return err
}

// handler finds a handler by name.
func (m *Machine) handler(name string) (*handler, error) {
	for _, h := range m.handlers {
		if h.name == name {
			return h, nil
		}
	}
	if len(m.handlers) == 0 {
		return nil, errors.New("there is no handler: add one first")
	}
	return nil, fmt.Errorf("there is no handler %.100q", name)
}

// valve finds a valve by name. It returns nil if there is none.
func (m *Machine) valve(name string) *valve {
	valves := []*valve{m.frames, m.pops}
	for _, h := range m.handlers {
		valves = append(valves, h.valve)
	}
	for _, v := range valves {
		if v.name == name {
			return v
		}
	}
	return nil
}
