package processor

import (
	"sync"

	"example.com/watchglass"
)

// picture is a processor as a program draws it that knows only what the trace reports, and has no
// gauges. When the processor is at rest, it must show the same as the registrations.
type picture struct {
	mu        sync.Mutex
	listeners map[string]*drawn
}

// drawn is one handler in a picture.
type drawn struct {
	waiting                  []string // the notifications whose call has not begun
	high, delivered, dropped int
	batches, slots           int
	synced, removed, ended   int // how often it was reported
	wrong                    []string
}

// on returns a func that changes a handler in the picture.
func (p *picture) on(listener string, change func(d *drawn)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.listeners == nil {
		p.listeners = map[string]*drawn{}
	}
	if p.listeners[listener] == nil {
		p.listeners[listener] = &drawn{}
	}
	change(p.listeners[listener])
}

func (p *picture) trace() *Trace {
	return &Trace{
		Distributed: func(batch []Notification, _ bool, listeners []string) {
			for _, name := range listeners {
				p.on(name, func(d *drawn) { d.wait(batch) })
			}
		},
		ListenerAdded: func(name string, initial []watchglass.Object) {
			p.on(name, func(d *drawn) { d.wait(initialAdds(initial).list) })
		},
		Pending: func(name string, depth, highWater int) {
			p.on(name, func(d *drawn) {
				d.high = highWater
				d.expect(depth <= highWater, "deeper than the high water")
			})
		},
		Ring: func(name string, batches, slots int) {
			p.on(name, func(d *drawn) {
				step := batches - d.batches
				d.expect(step == 1 || step == -1 || batches == 0, "a change of the ring was not reported")
				d.batches, d.slots = batches, slots
			})
		},
		Delivering: func(name string, n Notification) {
			p.on(name, func(d *drawn) {
				d.expect(d.waiting[0] == n.String(), "not the call that is next")
				d.waiting = append([]string(nil), d.waiting[1:]...) // nil if nothing is left
			})
		},
		Delivered: func(name string, _ Notification, delivered int) {
			p.on(name, func(d *drawn) { d.delivered = delivered })
		},
		Synced:          func(name string) { p.on(name, func(d *drawn) { d.synced++ }) },
		ListenerRemoved: func(name string) { p.on(name, func(d *drawn) { d.removed++ }) },
		ListenerEnded: func(name string, dropped int) {
			p.on(name, func(d *drawn) {
				d.expect(dropped == len(d.waiting), "what was dropped is not what waited")
				d.ended++
				d.dropped, d.waiting = dropped, nil
			})
		},
	}
}

func (d *drawn) wait(batch []Notification) {
	for _, n := range batch {
		d.waiting = append(d.waiting, n.String())
	}
}

func (d *drawn) expect(ok bool, wrong string) {
	if !ok {
		d.wrong = append(d.wrong, wrong)
	}
}
