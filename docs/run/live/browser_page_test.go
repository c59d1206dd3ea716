package main

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"example.com/watchglass/docs/tools/tape"
)

// What can be done with the page: buttons, valves, keys, going back, and what it does when events are
// missing or late.

func TestBrowserEveryButton(t *testing.T) {
	b := newBrowser(t)
	_, p := newPage(b)
	p.eval(`globalThis.last = (lane, words) =>
		[...log.values()].some(e => e.lane === lane && words.test(e.text))`, nil)
	pressed := map[string]bool{}
	for _, step := range []struct{ label, then string }{
		{"create", "state().server.objects.some(o => o.key === 'default/web-3')"},
		{"update", "state().server.rv === 6 && state().cache.objects.some(o => o.rv === '6')"},
		{"delete", "!state().cache.objects.some(o => o.key === 'default/web-1')"},
		{"resync", "last('queue', /Sync/) && state().handlers.every(h => h.told === 9)"},
		{"add index", "state().cache.indices.length === 2 && /default/.test($('#cache .entry').textContent)"},
		{"add handler", "state().handlers[2]?.told === 3"},
		{"panic", "last('you', /gamma will panic/)"},
		{"update", "last('handler:gamma', /panics/)"},
		{"fill 100", "state().cache.total === 103 && state().handlers[2].told > 50"},
		{"remove", "state().handlers.length === 2"},
		{"cut frame", "/cut/.test(state().server.fault)"},
		{"hang", "/silence/.test(state().server.fault)"},
		{"heal", "state().server.fault === ''"},
		{"drop", "last('api', /watch ended: dropped/) && state().reflector.state === 'watching'"},
		{"compact", "state().server.log.length === 0"},
		{"500s", "last('wire', /500/) && state().reflector.pauseMs > 0 && document.getAnimations().length"},
		{"heal", "state().reflector.state === 'watching'"},
		{"hang", "/silence/.test(state().server.fault)"},
		{"update", "last('api', /fault: silence/) && /silence/.test($('#wire .alarm')?.textContent)"},
		{"disconnect", "last('wire', /refused/)"},
		{"heal", "state().server.fault === ''"},
		{"stop", "state().reflector.state === 'stopped' && !last('wire', /closed/).fault"},
		{"start", "state().cache.synced && state().reflector.state === 'watching'"},
		{"RealFIFO", "state().queue.kind === 'RealFIFO' && state().cache.synced"},
		{"DeltaFIFO", "state().queue.kind === 'DeltaFIFO' && state().cache.synced"},
	} {
		pressed[step.label] = true
		p.press(step.label, step.then)
		p.overlaps()
	}
	var labels []string
	p.eval("buttons.map(b => b.label)", &labels)
	for _, label := range labels {
		assert.True(t, pressed[label], "the button %s is on the page and in no test", label)
	}
	p.none(dumb, "events for which the page has no sentence")
	b.quiet()
}

func TestBrowserStepsAndGoesBack(t *testing.T) {
	b := newBrowser(t)
	s, p := newPage(b)
	var at int
	p.eval("follow = false, draw(), head", &at)
	mode := "$('#mode').textContent"
	p.until(mode + " === '● live, paused'")
	p.press("update", fmt.Sprintf("head > %d && cur === %d", at+6, at+1))
	p.until(`/^▶ \d+ to come$/.test(` + mode + `)`) // a press shows its first event; a step, the next
	p.key("ArrowRight", "ArrowRight", false,
		fmt.Sprintf("cur === %d && $('.cell.now').dataset.seq === '%[1]d'", at+2))
	p.key(" ", "Space", false, fmt.Sprintf("cur === %d", at+3))
	p.click("[data-do=step]", fmt.Sprintf("cur === %d", at+4))

	p.key("ArrowLeft", "ArrowLeft", false, "true")
	p.click("[data-do=back]", mode+" === '◀ 2 back, read only'")
	p.until("all('.do button').every(b => b.disabled)") // nothing can be pressed on what was
	before := s.machine.Listing().Seq
	p.key("u", "KeyU", false, "true")
	p.key("2", "Digit2", false, "/This is what was/.test($('#says').textContent)")
	assert.Equal(t, before, s.machine.Listing().Seq, "keys act on what was")

	// The timeline is dragged by mouse.
	bar := p.middle("#bar")
	p.mouse("mousePressed", bar)
	p.until("Math.abs(cur - (low + head) / 2) < 3")
	for range 3 {
		bar.X -= 60
		p.mouse("mouseMoved", bar)
	}
	p.mouse("mouseReleased", bar)
	p.until("cur < low + (head - low) * .4 && cur > low && !follow")

	p.key("Home", "Home", false, "cur === 1")
	p.key("ArrowLeft", "ArrowLeft", false, "/first event/.test($('#says').textContent)")
	p.key("l", "KeyL", false, "cur === head && follow")
	p.press("update", "state().server.rv === 6 && cur === head && "+rest(5))
	p.until(`all('.row').some(r => [...r.children].map(c => log.get(+c.dataset.seq).lane).join(' ')
		.startsWith('api wire reflector queue') && r.querySelectorAll('u').length === r.children.length - 1)`) // in one line
	for n := 7; n < 10; n++ { // more objects than rows, so that rows change hands
		p.press("create", fmt.Sprintf("state().server.rv === %d", n))
	}
	p.until(rest(8))
	p.agrees()

	// What the page shows does not depend on how it came to it: another page shows the same.
	other := b.open(s.url())
	other.until(loaded + " && " + rest(8))
	var pictures [2]string
	for i, p := range []*tab{p, other} {
		p.eval(fmt.Sprintf("cur = %d, show(0), $('#stage').innerHTML", s.machine.Listing().Seq), &pictures[i])
	}
	assert.NotEmpty(t, pictures[0])
	assert.Equal(t, pictures[0], pictures[1])
	b.quiet()
}

// Frames that valve V1 holds are objects before it, and what stands behind it has passed. Half a
// frame is no object.
func TestBrowserShowsWhatWaitsAtTheValves(t *testing.T) {
	b := newBrowser(t)
	s, p := newPage(b)
	p.key("1", "Digit1", false, "state().valves[0].mode === 'held'")
	s.update(t, 2)
	p.until("all('#wire [data-at=wire][data-key=web-1]').map(x => x.title).join() === 'MODIFIED web-1@5,MODIFIED web-1@6'")
	p.until("all('.pipe.flow').every(x => x.dataset.from === '0') && !$('#wire .through')") // nothing is behind it
	p.back("e.kind === 'waits'")
	p.says("^A frame has come, and waits at V1")
	p.shot("held-frames")
	p.key("l", "KeyL", false, "follow")
	p.click("#wire .tok", `/Whole, with what differs[^]*- [^]*"resourceVersion": "2"|"3"/.test($('#dialog').textContent)`)
	p.click("[data-do=close]", "!$('#dialog').open")
	p.key("1", "Digit1", false, rest(5))
	p.press("cut frame", "/cut/.test(state().server.fault)")
	p.key("1", "Digit1", false, "state().valves[0].mode === 'held'")
	s.update(t, 1)
	p.until("$('#wire .framed')?.textContent === '?part of a frame' && !$('#wire .tok').dataset.key")
	p.key("1", "Digit1", false, rest(6))

	p.key("2", "Digit2", false, "state().valves[1].mode === 'held'")
	s.update(t, 3)
	p.until("state().queue.rows[0]?.deltas.length === 3 && state().reflector.version === '10'")
	var head, after int
	p.eval("head", &head)
	p.visit(s.url())
	p.until(loaded)
	p.eval("head", &after)
	assert.Equal(t, head, after, "a page that is loaded again lists the state that is now")
	p.until("all('#queue .delta').length === 3")
	p.back("e.lane === 'you' && /V2 is held/.test(e.text)")
	p.agrees()
	b.quiet()
}

// The reader stays where the last key led, though a thousand events come later.
func TestBrowserStaysWhereTheReaderIs(t *testing.T) {
	b := newBrowser(t)
	s, p := newPage(b)
	p.click("#cache .tok[data-key='db-1']", `/Touched last by event[^]*indexer\/[a-z]+.go[^]*func /.test($('#dialog').textContent)`)
	p.click("[data-do=close]", "!$('#dialog').open")
	p.eval("act.back()", nil)
	p.until("!follow && cur === head - 1")
	p.eval("go(head)", nil)
	p.press("fill 100", "head - cur > 900 && low === 1")
	p.says("^“fill 100”. Expect: A hundred frames") // the words stay as well
	p.eval("go(head), press({ label: 'fly', do: 'fly' })", nil)
	p.says("^Refused: there is no button") // and the next event, of another page, is to come
	s.update(t, 1)
	p.until("head > cur && cur === seen")
}

// Events come while a hand presses: the click is for what was under it when it went down.
func TestBrowserClicksAreNotLostToEvents(t *testing.T) {
	b := newBrowser(t)
	s, p := newPage(b)
	for n, c := range []struct{ click, then string }{
		{".cell.l7", "$('#dialog').open"},
		{"#dialog [data-go]", "!$('#dialog').open && cur < head"},
		{"[data-do=live]", "follow"},
		{"#cache .tok[data-key='web-1']", "$('#dialog').open"},
		{"[data-do=close]", "!$('#dialog').open"},
		{"[data-valve=V1] .disc", "state().valves[0].mode === 'held'"},
	} {
		p.frames(2)
		at := p.middle(c.click)
		p.mouse("mousePressed", at)
		s.update(t, 1)
		p.until(rest(4 + n))
		p.eval("$('#dialog').drawn = '', draw()", nil) // as if an excerpt had come
		p.frames(2)
		p.mouse("mouseReleased", at)
		p.until(c.then)
	}
	p.until("cur === head && document.body.dataset.at === String(head)") // and all is drawn afterwards
	b.quiet()
}

// The page is a reflector: it lists again when the server was restarted, when its version is gone and
// when an event is missing. An event that comes twice is no gap.
func TestBrowserListsAgain(t *testing.T) {
	b := newBrowser(t)
	s, p := newPage(b)
	var goesOn bool
	p.eval("(was => { receive(log.get(head)), receive(log.get(head - 1)); return era === was })(era)", &goesOn)
	assert.True(t, goesOn, "it lists because of an event that it has")
	p.eval("receive({ ...log.get(head), seq: head + 2 })", nil)
	p.until("lists === 2 && link === 'watching' && " + rest(3))

	s.stop()
	p.until("/no server/.test($('#mode').textContent)")
	s.begin(t, false)
	p.until("document.body.dataset.link === 'watching' && state().server.rv === 4 && lists === 3")
	p.until("/listed again/.test($('#self').textContent)")
	p.eval("era++", nil)                             // as if the page had slept
	for s.machine.Listing().Seq < tape.MaxHeld*3/2 { // it is compacted in large steps
		s.update(t, 1)
	}
	p.eval("watch(era), 0", nil)
	p.until("lists >= 4 && head > 500 && link === 'watching'")
	p.key("l", "KeyL", false, "follow")
	p.press("update", "state().handlers.every(h => !h.busy) && cur === head && "+fmt.Sprint(s.machine.Listing().Seq)+" < head")

	// A page that comes late is sent the last events as well, without a gap.
	late := b.open(s.url())
	late.until("document.body.dataset.link === 'watching' && low === listed - BACK && log.size === head - low + 1")
}

func TestBrowserAsksBeforeAFault(t *testing.T) {
	b := newBrowser(t)
	_, p := newPage(b)
	p.until("performance.now() > 1500") // a watch that ends within a second is taken for a broken one
	p.key("q", "KeyQ", false, "$('#predict').getAttribute('aria-pressed') === 'true'")
	p.press("compact", "all('#dialog[open] [data-guess]').length === 4 && state().server.log.length > 0")
	p.shot("ask")
	p.click("[data-guess=drop], [data-guess=hang], [data-guess=cut], [data-guess=disconnect]", "state().server.log.length === 0")
	p.until("!$('#dialog').open && /^Not that/.test($('#says').textContent)")
	p.press("drop", "$('#dialog').open")
	p.click("[data-guess=drop]", "/^That is what to expect/.test($('#says').textContent)")
	p.press("create", // not a fault, so nothing is asked
		"state().cache.objects.length === 4 && state().wire.open && state().reflector.state === 'watching'")
	p.key("q", "KeyQ", false, "true")
	p.press("drop", "[...log.values()].filter(e => /ended: dropped/.test(e.text)).length === 2")
	b.quiet()
}

// Everything can be done without a mouse: each key has its effect, and each button can be reached and
// seen to have the focus, and says what it is.
func TestBrowserKeysAndFocus(t *testing.T) {
	b := newBrowser(t)
	s, p := newPage(b)
	for _, c := range []struct {
		key, code string
		shift     bool
		then      string
	}{
		{"1", "Digit1", false, "state().valves[0].mode === 'held'"},
		{"!", "Digit1", true, "state().valves[0].mode === 'one'"},
		{"!", "Digit1", true, "state().valves[0].mode === 'slow'"},
		{"!", "Digit1", true, "state().valves[0].mode === 'open'"},
		{"4", "Digit4", false, "state().valves[3].mode === 'held'"},
		{"$", "Digit4", true, "state().valves[3].mode === 'one'"},
		{"c", "KeyC", false, "state().server.total === 4 && state().valves[3].waiting"},
		{"j", "KeyJ", false, "chosen === 'web-2'"},
		{"u", "KeyU", false, "state().server.objects.some(o => name(o.key) === 'web-2' && o.rv === '6')"},
		{"4", "Digit4", false, "state().handlers[1].told === 4 && state().valves[3].waiting"},
		{"4", "Digit4", false, "state().handlers[1].told === 5"},
		{"k", "KeyK", false, "chosen === 'web-1'"},
		{"d", "KeyD", false, "state().handlers[0].told === 6 && state().valves[3].waiting && cur === head"},
		{"[", "BracketLeft", false, "cur < head && ['you'].includes(now().lane)"},
		{"]", "BracketRight", false, "cur === head"},
		{">", "Period", true, "speed === 2"},
		{"<", "Comma", true, "speed === 1"},
		{"t", "KeyT", false, "document.documentElement.dataset.theme === 'dark'"},
		{"t", "KeyT", false, "document.documentElement.dataset.theme === 'light'"},
		{"Home", "Home", false, "cur === 1"},
		{"p", "KeyP", false, "timer && cur > 2"},
		{"p", "KeyP", false, "!timer"},
		{"?", "Slash", true, "$('#dialog').open"},
	} {
		p.key(c.key, c.code, c.shift, c.then)
	}
	p.eval("$('#dialog').close()", nil)
	p.key("l", "KeyL", false, "follow")
	p.frames(2)
	p.none(`(() => { const bad = []
		for (const el of all('button, a, input')) {
			if (!el.checkVisibility() || el.disabled) continue
			el.focus({ focusVisible: true })
			const is = el.outerHTML.slice(0, 90), shown = getComputedStyle(el).outlineStyle !== 'none'
			if (document.activeElement !== el || !shown) bad.push(is)
			if (!(el.textContent.trim() || el.ariaLabel)) bad.push('without a name: ' + is)
			if (el.querySelector('[role=status]')) bad.push('a live region in a button: ' + is)
			if (el.querySelector('.code') && el.ariaLabel) bad.push('a label hides the code')
		}
		for (const group of ['#api', '#handlers']) if (all(group + ' [role=radio]').map(x => x.ariaChecked).sort().join() !==
			all(group + ' [role=radio]').map((_, n) => String(!n)).sort().join()) bad.push('not one is checked: ' + group)
		if (all('.tok.gone').some(x => x.matches('#cache *') && !/is not here/.test(x.textContent))) bad.push('absent and present sound alike')
		return bad })()`, "what the keyboard cannot reach, or what says nothing")
	p.eval("$('[data-open=\"cache|db-1|2\"]').focus()", nil)
	p.until("all('.lit').length > 3") // what has the focus is lit
	p.key("Enter", "Enter", false, "true")
	p.eval("$('[data-open=\"cache|db-1|2\"]').click()", nil)
	p.until("/whole object/.test($('#dialog').textContent)")
	p.eval("$('#dialog').close(), $('[data-open=\"cache|db-1|2\"]').focus()", nil)
	s.update(t, 0)
	assert.NoError(t, s.machine.Do(tape.Order{Do: "update", Key: "default/web-2"}))
	p.until("state().cache.objects.some(o => o.key === 'default/web-2' && o.rv === '8')")
	p.until("document.activeElement.dataset.open === 'cache|db-1|2'") // a redraw keeps the focus
	b.quiet()
}
