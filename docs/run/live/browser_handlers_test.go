package main

import (
	"fmt"
	"testing"
)

// Three handlers are drawn, and all can be reached, with their valves: by mouse and by keys.
func TestBrowserReachesEveryHandler(t *testing.T) {
	b := newBrowser(t)
	s := newLive(t, options{})
	p := s.at(b)
	p.live()
	for n := 3; n <= len(handlerNames); n++ {
		p.pressUntil("add handler",
			fmt.Sprintf("state().handlers[%d]?.told === 3 && state().listeners[%[1]d].synced", n-1))
	}
	drawn := func(names string) {
		t.Helper()
		p.until(fmt.Sprintf(`all('#processor .third b').map(x => x.textContent).join(' ') === %q`, names))
		p.until(fmt.Sprintf(`all('#handlers .third b').map(x => x.textContent).join(' ') === %q`, names))
		p.overlaps()
	}
	drawn("fifth sixth seventh") // the last one is chosen, so it is among them
	p.click("#sub-processor button")
	drawn("first second third")
	p.until("document.querySelector('#sub-processor').textContent === '1–3 of 7 ▾'")
	p.click("[data-turn='V4|disc']")
	p.until("state().valves.find(v => v.handler === 'second').mode === 'held'")
	p.click("#sub-processor button")
	drawn("fourth fifth sixth")
	p.pressUntil("update", "state().handlers.every(h => h.name === 'second' ? h.busy : h.told === 4)")
	p.back("e.lane === 'handler:second' && e.kind === 'call'")
	p.until("document.querySelector('#sub-processor .hit')") // one that is not drawn has acted
	p.live()

	p.key("h", "KeyH", false) // from the last to the first
	drawn("first second third")
	p.until("handlerOf(state()) === 'first'")
	p.pressUntil("panic", "[...log.values()].some(e => e.text === 'first will panic in its next call')")
	for range 3 {
		p.key("h", "KeyH", false)
	}
	drawn("second third fourth") // and no further than it takes
	p.key("9", "Digit9", false)
	drawn("fifth sixth seventh")
	p.until("state().valves.find(v => v.handler === 'seventh').mode === 'held'")
	p.click("[data-choose='handler|sixth']")
	p.until("handlerOf(state()) === 'sixth'")
	drawn("fifth sixth seventh")
	p.shot("seven-handlers")
	p.pressUntil("remove", "!state().handlers.some(h => h.name === 'sixth')")
	drawn("fourth fifth seventh")
	p.agrees()
	b.quiet()
}

// What the reader has turned by key does not keep a handler that joins out of the picture.
func TestBrowserDrawsAHandlerThatJoins(t *testing.T) {
	b := newBrowser(t)
	s := newLive(t, options{})
	p := s.at(b)
	p.live()
	p.keyUntil("4", "Digit4", "state().valves[3].mode === 'held'")
	p.pressUntil("add handler", "state().handlers[2]?.told === 3")
	p.pressUntil("add handler", "state().handlers[3]?.told === 3")
	p.until("all('#handlers .third b').map(x => x.textContent).join(' ') === 'second third fourth'")
	p.eval(holdFetches, nil)
	p.key("Home", "Home", false)
	p.keyUntil("l", "KeyL", "follow")
	p.eval("release()", nil)
	p.until("low === 1")
	p.frames(2)
	p.until("follow && cur === head") // what Home has fetched comes too late
	p.eval("act.back()", nil)
	p.until("!follow && cur === head - 1")
	p.eval("go(head)", nil)
	p.pressUntil("fill 100", "head - cur > 900 && low === 1")
	p.says("^“fill 100”. Expect: A hundred frames") // the reader stays, and the words as well
	b.quiet()
}
