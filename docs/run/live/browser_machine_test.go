package main

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// The machine of one's own: each button, in the order of the page, does something that the page shows.
func TestBrowserEveryButton(t *testing.T) {
	_, p := newPage(t)
	var labels []string
	p.eval("stage.buttons.map(b => b.label)", &labels)
	require.Len(t, labels, 20)
	for _, label := range labels {
		p.eval("globalThis.before = stage.tape.head", nil)
		p.press(label, "stage.tape.head > before && stage.root.dataset.at === String(stage.tape.head) && performance.now() - stage.e.arrived > 200")
		p.none("stage.note?.bad ? [stage.note.text] : []", label)
	}
	p.until("stage.state.queue.kind === 'RealFIFO'")
	p.press("500s", "stage.state.reflector.pauseMs > 0 && /[0-9]/.test(stage.$('.curve.reflector b').textContent)")
}

// What waits behind a valve is drawn, and what is said keeps to what can happen.
func TestBrowserShowsWhatValvesHold(t *testing.T) {
	s, p := newPage(t)
	p.key("2", "Digit2", false, "stage.state.valves[1].mode === 'held'")
	s.update(4)
	p.until("stage.all('.queue .line .delta, .queue .pile i').length === 4 && stage.$('.curve.queue b').textContent === '4' && stage.cur === stage.tape.head")
	p.press("update", `/^“update web-1”.*But V2 holds back/.test(stage.$('.says').textContent)`)
	p.until("stage.all('.queue .line .delta, .queue .pile i').length === 5")
	p.looks("pile", false)
	p.key("2", "Digit2", false, "!stage.note && "+rest(8)) // what a valve does is told at once
	for _, v := range []string{"3", "4"} {
		p.key(v, "Digit"+v, false, "stage.state.valves["+v+" - 1].mode === 'held'")
	}
	s.update(1)
	p.until("stage.state.handlers.every(h => h.busy)")
	p.key("3", "Digit3", false, "stage.state.handlers[0].told === 9")
	p.key("$", "Digit4", true, "stage.state.valves[3].mode === 'one'")
	p.key("4", "Digit4", false, "stage.state.handlers[1].told === 9")
	p.key("1", "Digit1", false, "stage.state.valves[0].mode === 'held'")
	s.update(2)
	p.until("stage.all('.wire [data-at=wire]').map(x => x.title).join() === 'MODIFIED web-1@11,MODIFIED web-1@12'")
	p.eval("stage.draw()", nil)
	p.none(differing, "a machine that ran")
}

// What was is for reading only, an object opens whole, the focus stays, and a click is for what was under
// it when it went down.
func TestBrowserReadsWhatWas(t *testing.T) {
	s, p := newPage(t)
	s.update(1)
	p.until(rest(4) + " && stage.cur === stage.tape.head")
	p.click("[data-do=back]", "stage.cur < stage.tape.head && !stage.follow && stage.all('.do button').every(b => b.disabled)")
	p.key("u", "KeyU", false, "/This is what was/.test(stage.$('.says').textContent)")
	p.key("2", "Digit2", false, "stage.state.valves[1].mode === 'open'")
	p.key("Home", "Home", false, "stage.cur === stage.tape.first")
	p.key("l", "KeyL", false, "stage.follow && stage.cur === stage.tape.head")
	p.until("[...stage.all('.row')].some(r => r.querySelectorAll('u').length > 3)") // an object's way is one line
	for click, words := range map[string]string{
		".api .tok[data-key='web-1']": `differs from @3[^]*- [^]*"resourceVersion": "3"[^]*sends MODIFIED web-1@5[^]*fakeapi/`,
		".cache [data-open='index|']": `app[^]*web: web-1, web-2`,
		".cell.l3":                    `Noted for this key[^]*deltafifo/`,
		"[data-about=queue]":          `docs/3-deltafifo.md`,
		"[data-word=most]":            `The most notifications that ever waited`,
		"header [data-do=keys]":       `informer[^]*valve[^]*answer a question`,
		"#self":                       `itself a reflector[^]*410 Gone`,
	} {
		p.click(click, fmt.Sprintf("stage.$('dialog').open && RegExp(%q).test(stage.$('dialog').textContent)", words))
		p.click("dialog [data-do=close]", "!stage.$('dialog').open")
	}
	p.eval("stage.$('[data-open=\"cache|db-1|2\"]').focus()", nil)
	p.until("stage.all('.lit').length > 2 && stage.all('.lit').every(x => x.dataset.key === 'db-1')") // what has the focus is lit
	s.update(1)
	p.until("stage.state.handlers.every(h => h.told === 5) && stage.cur === stage.tape.head && document.activeElement.dataset.open === 'cache|db-1|2'") // a redraw keeps the focus
	p.click(".cache .tok[data-key='web-1']", "stage.$('dialog').open", func() { s.update(1); p.until("stage.state.handlers[0].told === 6") })
	p.none(`stage.all('button, input').filter(x => x.checkVisibility() && !x.disabled && !x.closest('dialog')).filter(x => (x.focus({ focusVisible: true }), document.activeElement !== x && !stage.$('dialog').open)).map(x => x.outerHTML.slice(0, 90))`, "what the keyboard cannot reach")
	p.call("Emulation.setEmulatedMedia", map[string]any{"features": []any{map[string]string{"name": "prefers-reduced-motion", "value": "reduce"}}}, nil)
	p.eval("stage.$('dialog').close(), stage.follow = false", nil)
	p.press("update", "stage.state.handlers[0].told === 7")
	p.eval("for (let n = 0; n < 9; n++) act.step(stage), stage.show(1)", nil)
	p.none("stage.all('.flier').length || document.getAnimations().length ? ['it moves'] : []", "a reader who wants no motion")
}

// The page is a reflector: it lists again when its version is gone and when an event is missing. An event that comes twice is no gap.
func TestBrowserListsAgain(t *testing.T) {
	s, p := newPage(t)
	p.none("(m => { const was = m.era; m.receive(m.tape.at(m.tape.head)); return m.era === was ? [] : ['it lists because of an event that it has'] })(page.machine)", "")
	p.eval("page.machine.receive({ ...stage.e, seq: stage.tape.head + 2 })", nil)
	p.until("page.machine.lists === 2 && page.machine.link === 'watching' && " + rest(3))
	p.eval("page.machine.era = {}, 0", nil) // as if the page had slept
	s.update(400)                           // the events are compacted in large steps
	p.eval("page.machine.watch(), 0", nil)
	p.until("page.machine.lists >= 3 && stage.tape.head > 500 && page.machine.link === 'watching'")
	p.key("t", "KeyT", false, "localStorage.theme === 'dark'")
}
