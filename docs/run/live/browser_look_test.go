package main

import (
	"example.com/watchglass/docs/tools/words"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// old waits until the watch is older than a second: one that ends sooner is taken for a broken one.
func old(p *tab) { p.until("performance.now() > 1500") }

func TestBrowserAsksBeforeAFault(t *testing.T) {
	b := newBrowser(t)
	s := newLive(t, options{})
	p := s.at(b)
	p.live()
	old(p)
	p.keyUntil("q", "KeyQ", "$('#predict').getAttribute('aria-pressed') === 'true'")
	p.pressUntil("compact", "document.querySelectorAll('#dialog[open] [data-guess]').length === 4")
	p.shot("ask")
	var fault bool
	p.eval("state().server.log.length === 0", &fault)
	assert.False(t, fault, "the fault has happened before the answer")
	p.click("[data-guess=drop], [data-guess=hang], [data-guess=cut], [data-guess=disconnect]")
	p.until("state().server.log.length === 0")
	p.until("!$('#dialog').open && /^Not that/.test($('#says').textContent)")

	p.press("drop")
	p.click("[data-guess=drop]")
	p.says("^That is what to expect")
	p.press("create") // not a fault, so nothing is asked
	p.until("state().cache.objects.length === 4 && state().wire.open && state().reflector.state === 'watching'")
	p.key("q", "KeyQ", false)
	p.pressUntil("drop", "[...log.values()].filter(e => /ended: dropped/.test(e.text)).length === 2")
	b.quiet()
}

func TestBrowserShowsFieldsAndSource(t *testing.T) {
	b := newBrowser(t)
	s := newLive(t, options{})
	p := s.at(b)
	p.live()
	p.key("2", "Digit2", false)
	p.pressUntil("update",
		"state().queue.rows[0]?.deltas.length === 1 && state().valves[1].waiting === 1")
	for _, c := range []struct{ click, words string }{
		{"#api .tok[data-open='api|web-1']", `"rv": "5"[^]*sends MODIFIED web-1@5[^]*fakeapi/`},
		{"#queue .delta", `"type": "Updated"[^]*deltafifo/enqueue.go[^]*reports it[^]*called by`},
		{"#cache .tok[data-open='cache|db-1']", `"rv": "2"[^]*indexer/[a-z]+.go`},
		{"#handlers [data-open='call|second']", `"told": 3[^]*processor/run.go`},
		{"#cache [data-open='index|']", `app[^]*web: web-1, web-2`},
		{".cell.l3", `queue[^]*deltafifo/`},
		{"#source", `the line that acted[^]*called by`},
		{"#self", `itself a reflector[^]*Last-Event-ID`},
		{"[data-do=keys]", `turn valve`},
		{"#says", `event`},
	} {
		p.click(c.click)
		p.until("document.querySelector('#dialog').open")
		p.until(fmt.Sprintf("RegExp(%q).test(document.querySelector('#dialog').textContent)", c.words))
		p.shot("dialog")
		p.click("#dialog [data-do=close]")
		p.until("!document.querySelector('#dialog').open")
	}
	p.until("log.has(6)")
	p.eval("event(6)", nil)
	p.click("[data-go='6']")
	p.until("cur === 6")
	b.quiet()
}

// Everything can be done without a mouse: each key has its effect, and each button can be reached
// and seen to have the focus.
func TestBrowserKeysAndFocus(t *testing.T) {
	b := newBrowser(t)
	s := newLive(t, options{})
	p := s.at(b)
	p.live()
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
		{"d", "KeyD", false, "!state().server.objects.some(o => o.key === 'default/web-1')"},
		{"[", "BracketLeft", false, "cur < head && ['you'].includes(now().lane)"},
		{"]", "BracketRight", false, "cur === head"},
		{">", "Period", true, "speed === 2"},
		{"<", "Comma", true, "speed === 1"},
		{"t", "KeyT", false, "document.documentElement.dataset.theme === 'dark'"},
		{"t", "KeyT", false, "document.documentElement.dataset.theme === 'light'"},
		{"Home", "Home", false, "cur === 1"},
		{"p", "KeyP", false, "timer && cur > 2"},
		{"p", "KeyP", false, "!timer"},
		{"?", "Slash", true, "document.querySelector('#dialog').open"},
	} {
		p.key(c.key, c.code, c.shift)
		p.until(c.then)
	}
	p.eval("document.querySelector('#dialog').close()", nil)
	var bad []string
	p.eval(`(() => { const bad = []
		for (const el of document.querySelectorAll('button')) {
			if (!el.checkVisibility() || el.disabled || el.id === 'bar') continue
			el.focus({ focusVisible: true })
			const is = el.outerHTML.slice(0, 90), shown = getComputedStyle(el).outlineStyle !== 'none'
			if (document.activeElement !== el || !shown) bad.push(is)
			if (!(el.textContent.trim() || el.ariaLabel)) bad.push('without a name: ' + is)
		}
		return bad })()`, &bad)
	assert.Empty(t, bad, "buttons that the keyboard cannot reach, or that say nothing")
	p.key("l", "KeyL", false)
	p.eval("document.querySelector('[data-open=\"cache|db-1\"]').focus()", nil)
	s.do(t, "update", "key", "default/db-1")
	p.until("state().cache.objects.some(o => o.key === 'default/db-1' && o.rv === '8')")
	p.until("document.activeElement.dataset.open === 'cache|db-1'") // a redraw keeps the focus
	b.quiet()
}

func TestBrowserHeedsWhatTheReaderPrefers(t *testing.T) {
	b := newBrowser(t)
	s := newLive(t, options{})
	p := s.at(b)
	p.until("document.documentElement.dataset.theme === 'light'")
	moving := `(p => { cur = seen = p; show(1); return document.getAnimations().length })(
		[...log.values()].findLast(e => e.lane === 'cache' && e.from).seq)`
	var n int
	p.eval(moving, &n)
	assert.Equal(t, 1, n, "one mark runs, along one pipe")
	p.eval(strings.Replace(moving, "show(1)", "show(-1)", 1), &n)
	assert.Zero(t, n, "only a step forward moves anything")
	p.prefers("prefers-reduced-motion", "reduce")
	p.eval(moving, &n)
	assert.Zero(t, n, "something moves")
	p.live()
	p.pressUntil("500s", "state().reflector.pauseMs > 0 && $('.pause')?.runs")
	p.eval("document.getAnimations().length", &n)
	assert.Zero(t, n, "the pause moves")
	p.press("heal")
	p.prefers("prefers-color-scheme", "dark")
	p.visit(s.url())
	p.until("document.body.dataset.link === 'watching' && document.documentElement.dataset.theme === 'dark'")
	b.quiet()
}

// holdFetches takes all events but the last from a page, and holds what it fetches until release().
const holdFetches = `(() => { const real = fetch, held = new Promise(go => globalThis.release = go)
	globalThis.fetch = async (...of) => { await held; return real(...of) }
	for (let n = low; n < head; n++) log.delete(n)
	low = head; draw() })()`

// What a dialog shows may be still on its way when it opens: it is drawn when it has come.
func TestBrowserDialogWaitsForOlderEvents(t *testing.T) {
	b := newBrowser(t)
	s := newLive(t, options{})
	p := s.at(b)
	p.frames(2)
	p.eval(holdFetches, nil)
	p.click("#cache .tok[data-open='cache|db-1']")
	p.until(`/Looking for the event/.test(document.querySelector('#dialog').textContent)`)
	p.eval("release()", nil)
	p.until(`/Touched last by event[^]*indexer\/[a-z]+.go[^]*func /.test(
		$('#dialog').textContent)`)
	p.until("document.activeElement.dataset.do === 'close'")
	b.quiet()
}

// What happened in a place stands below it: each place has a lane, and an update crosses all of
// them from left to right.
func TestBrowserEachPlaceHasALane(t *testing.T) {
	b := newBrowser(t)
	s := newLive(t, options{})
	p := s.at(b)
	p.live()
	p.pressUntil("update", "state().handlers.every(h => h.told === 4) && cur === head")
	for _, place := range []string{words.API, words.Wire, words.Reflector, words.Queue, words.Cache,
		words.Processor} {
		p.until(fmt.Sprintf(`(lane => { const left = x => x.getBoundingClientRect().left
			const cells = all('.cell').filter(c => log.get(+c.dataset.seq).lane === lane)
			return cells.length && cells.every(c => Math.abs(left(c) - left($('#' + lane))) < 6)
		})(%q)`, place))
	}
	p.until(`all('.row').some(r => [...r.children].map(c => log.get(+c.dataset.seq).lane).join(' ')
		=== 'api wire reflector queue' && r.querySelectorAll('u').length === 3)`)
	b.quiet()
}
