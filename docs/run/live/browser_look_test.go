package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/docs/run/live/static"
	"example.com/watchglass/docs/tools/tape"
	"example.com/watchglass/docs/tools/words"
	"example.com/watchglass/reflector/wire"
)

// How the page looks: it draws what it was sent and nothing else, an object is one mark on its way,
// and all of it can be read in any window.

// differing compares, event by event, what the page draws with the state that it was sent, and the
// picture reached by stepping with the picture reached by a jump: event N alone gives the picture.
// What an event moves was drawn in the place that it leaves, and is drawn in the place that it comes
// to, unless there are too many to draw each.
const differing = `(async () => {
	const wrong = [], text = q => $(q)?.textContent ?? '', texts = q => all(q).map(x => x.textContent)
	const tokens = id => texts('#' + id + ' .line .tok:not(.gone)').map(x => x.trim())
	const same = (n, what, drawn, sent) => {
		drawn = JSON.stringify(drawn)
		sent = JSON.stringify(sent)
		if (drawn !== sent) wrong.push(['event', n, what, 'drawn', drawn, 'sent', sent].join(' '))
	}
	const picture = () => {
		all('.flier, .pause').forEach(x => x.remove())
		return $('#stage').innerHTML
	}
	const draw = n => { cur = n; seen = Math.max(seen, n); note = null; show(1) }
	const inRow = o => view.keys.includes(name(o.key))
	const rows = list => list.filter(inRow).map(o => name(o.key) + '@' + o.rv).sort()
	const stepped = new Map()
	for (let n = low; n <= head; n++) {
		const e = log.get(n), s = e.state, moves = e.from && e.key
		const drawn = place => spots(place, e.key).length || $('#' + placeOf(place) + ' .crowd')
			|| !place.startsWith('handler') && $('#' + placeOf(place) + ' .deltas .soft')
		const left = n === low || !moves || drawn(e.from)
		draw(n)
		const hidden = chosen && look(chosen).slot === look(e.key).slot
		if (!hidden && !left) wrong.push(['event', n, e.text, 'comes out of nowhere in', e.from].join(' '))
		if (!hidden && moves && s.listeners.length && !drawn(e.to)) wrong.push(['event', n, e.text, 'goes nowhere in', e.to].join(' '))
		if (!hidden && moves && /tombstone/.test(e.text) && !spots(e.to, e.key).some(x => x.matches('path') || /†/.test(x.textContent)))
			wrong.push(['event', n, e.text, 'loses its † in', e.to].join(' '))
		same(n, 'server', tokens('api').sort(), rows(s.server.objects))
		same(n, 'cache', tokens('cache').sort(), rows(s.cache.objects))
		same(n, 'size of the cache', text('#cache .big'), String(s.cache.total))
		same(n, 'synced', text('#cache .core b'), s.cache.synced ? '✓ yes' : 'not yet')
		same(n, 'version', text('#api .big'), '@' + s.server.rv)
		same(n, 'state', text('#reflector .on').trim(), s.reflector.state)
		const lines = all('#queue .line').filter(l => l.querySelector('.deltas'))
		if (s.queue.kind === 'DeltaFIFO') same(n, 'keys with deltas',
			lines.map(l => l.querySelector('.name').textContent).sort(),
			s.queue.rows.filter(inRow).map(r => name(r.key)).sort())
		same(n, 'told',
			texts('#handlers .third').map(x => x.match(/told (\d+)/)?.[1]).filter(Boolean),
			s.listeners.map(l => String(s.handlers.find(h => h.name === l.name).told)))
		same(n, 'waiting', texts('#processor .third:not(.none) .ring text'),
			s.listeners.map(l => String(l.pending)))
		same(n, 'valves', texts('.valve .word'),
			[0, 1, 2, 3, 4].map(i => valveAt(s, i)?.mode).filter(Boolean))
		same(n, 'held', all('#wire .tok:not(.through .tok)').length, Math.min(s.wire.before.length, 2 - Math.min(s.wire.behind.length, 1)))
		same(n, 'legend', texts('#queue .legend span').join(), meta.deltas[s.queue.kind].join())
		if (!s.wire.open && !s.wire.held) same(n, 'frames of no stream', text('#wire .low2').trim(), '')
		same(n, 'slots that wait', all('#processor .full').length, s.listeners.reduce((sum, l) => sum + Math.min(l.pending, l.ring.cap, 64), 0))
		if (e.key && s.recent[0] === e.key && !hidden)
			same(n, 'row of the object', view.keys[look(e.key).slot], name(e.key))
		if (e.lane) same(n, 'words', $('.cell.now').title, e.text)
		same(n, 'nothing', /undefined|NaN|null/.exec($('#stage').textContent)?.[0], undefined)
		if (column(e) < 7) same(n, 'lane', Math.abs($('.cell.now').getBoundingClientRect().left - $('#' + e.lane).getBoundingClientRect().left) < 6, true)
		stepped.set(n, picture())
	}
	for (let n = head; n >= low; n -= 10) {
		draw(n)
		if (stepped.get(n) !== picture()) wrong.push('event ' + n + ' looks different after a jump')
	}
	draw(head)
	return wrong.slice(0, 5)
})()`

// agrees fails the test where the drawing differs from what was sent.
func (p *tab) agrees() {
	p.t.Helper()
	p.none(differing, "the page draws something else than it was sent")
}

// dumb are the events for which the page has no sentence of its own.
const dumb = `[...new Set([...log.values()]
	.filter(e => e.lane && !['you', 'story'].includes(e.lane))
	.filter(e => !SAY.some(([l, words]) => (!l || l === e.lane.split(':')[0]) && words.test(e.text)))
	.map(e => e.lane + ': ' + e.text))]`

// overlapping finds texts that lie over each other or leave their box. A text is what the innermost
// elements show; an element within another is no conflict, and what is cut off does not count.
const overlapping = `(() => {
	const seen = [], narrow = innerWidth < 80 * unit() // then the page scrolls below caption and footer
	const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
	for (let n; n = walk.nextNode();) {
		const el = n.parentElement
		if (!n.data.trim() || el.closest('dialog, noscript, script, .aloud') || !el.checkVisibility()) continue
		const range = document.createRange()
		range.selectNodeContents(n)
		for (let r of range.getClientRects()) {
			let box = { l: r.left, t: r.top, r: r.right, b: r.bottom }
			for (let up = el; up && up !== document.body; up = up.parentElement) {
				if (getComputedStyle(up).overflow === 'visible') continue
				const c = up.getBoundingClientRect()
				box = { l: Math.max(box.l, c.left), t: Math.max(box.t, c.top),
					r: Math.min(box.r, c.right), b: Math.min(box.b, c.bottom) }
			}
			if (box.r - box.l > 1 && box.b - box.t > 1) seen.push({ el, above: el.closest('footer, #caption'), text: n.data.trim(), ...box })
		}
	}
	const found = all('*').filter(x => getComputedStyle(x).textOverflow === 'ellipsis' && x.scrollWidth > x.clientWidth && x.checkVisibility()
		&& (entitle(x), !x.closest('button, [title]'))).map(x => 'cut, with no way to read it: ' + x.textContent)
	for (const x of seen) {
		const leaves = (left, top, right, bottom) =>
			x.l < left - 1 || x.t < top - 1 || x.r > right + 1 || x.b > bottom + 1
		if (leaves(0, narrow ? -9999 : 0, innerWidth, narrow ? 9999 : innerHeight)) found.push('outside the window: ' + x.text)
		const home = x.el.closest('.place, .do, h3, #lanes, header, footer, #caption')
		const h = home?.getBoundingClientRect()
		if (h && leaves(h.left, h.top, h.right, h.bottom)) found.push('out of its box: ' + x.text)
	}
	for (let i = 0; i < seen.length; i++) for (let j = i + 1; j < seen.length; j++) {
		const a = seen[i], b = seen[j]
		if (a.el === b.el || narrow && a.above !== b.above) continue
		const w = Math.min(a.r, b.r) - Math.max(a.l, b.l), h = Math.min(a.b, b.b) - Math.max(a.t, b.t)
		// Lines of text touch: their boxes are higher than their letters.
		if (w > 1.5 && h > Math.min(a.b - a.t, b.b - b.t) * .3)
			found.push('“' + a.text + '” over “' + b.text + '”')
	}
	return [...new Set(found)]
})()`

// overlaps fails the test where a text is drawn over another, or out of its box.
func (p *tab) overlaps() {
	p.t.Helper()
	p.none(overlapping, "texts that cannot be read")
}

// unreadable are texts that are smaller than 12 px or that leave the window to the side, and pipes that
// do not lead to the next place.
const unreadable = `(() => {
	const bad = document.documentElement.scrollWidth > innerWidth ? ['the page is wider than its window'] : []
	const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
	for (let n; n = walk.nextNode();) {
		const el = n.parentElement
		if (!n.data.trim() || el.closest('dialog, noscript, script, .aloud, #tabs') || !el.checkVisibility()) continue
		const r = el.getBoundingClientRect(), svg = el.closest('svg')
		const scale = svg ? svg.getBoundingClientRect().width / svg.viewBox.baseVal.width : 1
		if (parseFloat(getComputedStyle(el).fontSize) * scale < 11.9) bad.push('small: ' + n.data)
		if (r.width && (r.right > innerWidth + 1 || r.left < -1)) bad.push('outside: ' + n.data)
	}
	const down = innerWidth < 44 * unit()
	for (const x of all('.pipe')) { const r = x.getBoundingClientRect()
		if (down ? r.width > 4 || r.height < 12 : r.height > 4 || r.width < 12) bad.push('a pipe leads ' + (down ? 'across ' : 'down ') + x.className + JSON.stringify(r)) }
	return [...new Set(bad)].slice(0, 5)
})()`

// stale walks through a recording and finds steps that neither change the picture nor say anything new.
const stale = `(() => {
	const bad = [], drawn = n => { cur = n; note = null; show(0); return $('#stage').innerHTML + $('#says').textContent }
	for (let before = drawn(low), n; cur < head; before = n) {
		n = drawn(onward(1))
		if (n === before || now().kind === 'do') bad.push(cur + ': ' + now().text)
	}
	return bad
})()`

// A question leaves the state visible from which the reader must reason, in any window: below the
// question the page scrolls to its end. It can be closed without a key, and the keys go on stepping
// unless they choose an answer.
func TestBrowserAQuestionLeavesTheStateVisible(t *testing.T) {
	b := newBrowser(t)
	p := b.open(newLive(t, true).url() + "#lost-deletion")
	p.until("tape")
	for _, size := range [][2]int{{1280, 720}, {640, 360}, {390, 844}} {
		p.size(size[0], size[1])
		p.eval("$('#dialog').close(), go(0), scene.asked = false, act.step()", nil)
		p.frames(2)
		p.shot(fmt.Sprint("question-", size[0]))
		p.until(`$('#dialog').getBoundingClientRect().top > 150 && $('#dialog').getBoundingClientRect().bottom <= $('footer').getBoundingClientRect().top + 1`)
		p.eval("scrollTo(0, 0), scrollTo(0, 1e6)", nil)
		p.until(`$('#handlers').getBoundingClientRect().bottom <= $('#dialog').getBoundingClientRect().top`)
		p.key("ArrowLeft", "ArrowLeft", false, "$('#dialog').open && /first event/.test($('#says').textContent)")
		p.eval("$('.choices button').focus()", nil)
		p.key("ArrowDown", "ArrowDown", false, "cur === 0 && document.activeElement.dataset.reply === '1'")
		p.eval("document.activeElement.blur()", nil)
		p.key("ArrowRight", "ArrowRight", false, "cur > 0 && !$('#dialog').open")
		p.eval("go(0), question()", nil)
		p.click("#dialog [data-do=close]", "!$('#dialog').open")
		p.eval("question()", nil)
		p.key("Escape", "Escape", false, "!$('#dialog').open")
	}
	b.quiet()
}

// Each scene begins before anything has happened, asks first, and ends with the answer. It fits a
// window, and a phone, and twice as large letters.
func TestBrowserLessons(t *testing.T) {
	browserPath(t)
	s := newLive(t, true)
	for i, l := range tape.Lessons {
		t.Run(l.Name, func(t *testing.T) {
			b := newBrowser(t)
			p := b.open(s.url() + "#" + l.Name)
			p.until("tape && cur === 0 && $('#tabs [aria-current]')?.textContent === " + fmt.Sprintf("%q", l.Title))
			p.overlaps()
			p.says(l.Look[:30])
			p.key("ArrowRight", "ArrowRight", false, "$('#dialog.asking').open && all('[data-reply]').length === 4")
			p.until(`$('#dialog').getBoundingClientRect().top >= $('#stage').getBoundingClientRect().top + 260`) // it covers nothing
			p.shot(l.Name + "-asks")
			p.eval(fmt.Sprintf("$('[data-reply=\"%d\"]').focus()", (l.Right+1)%4), nil)
			p.key(" ", "Space", false, "/^You said: /.test($('#says').textContent)")
			p.key(" ", "Space", false, "cur > 0") // the focus has gone to the step
			p.agrees()
			p.none(stale, "steps that show nothing")
			p.none(dumb, "events for which the page has no sentence")
			p.back(fmt.Sprintf("e.text === %q", l.Proof))
			p.until("location.hash === `#${scene.name},${cur},light`")
			themes := []string{"light", "dark"}
			if os.Getenv("SHOTS") == "" {
				themes = themes[:1] // the other is to be looked at
			}
			for _, theme := range themes {
				for _, size := range [][2]int{{1280, 720}, {1440, 900}, {1024, 768}, {640, 360}, {390, 844}} { // 640: zoom 200 %
					p.size(size[0], size[1])
					p.eval(fmt.Sprintf("document.documentElement.dataset.theme = %q, act.back(), act.step()", theme), nil)
					p.frames(2)
					p.shot(fmt.Sprintf("%s-%d-%s", l.Name, size[0], theme))
					if theme == "light" {
						p.overlaps()
						p.none(unreadable, fmt.Sprint("at ", size))
					}
				}
			}
			p.eval("document.documentElement.dataset.theme = 'light', document.documentElement.style.fontSize = '200%'", nil)
			p.none("parseFloat(getComputedStyle($('.do, .btn')).fontSize) < 24 ? ['buttons do not grow with the letters'] : []", "200 %")
			p.size(1280, 720)
			p.eval("document.documentElement.style.fontSize = '', go(head - 1)", nil)
			p.key("ArrowRight", "ArrowRight", false, "cur === head")
			p.says("Event [0-9]+ shows it. You said: ")
			next := "own"
			if i+1 < len(tape.Lessons) {
				next = tape.Lessons[i+1].Name
			}
			p.key("ArrowRight", "ArrowRight", false, fmt.Sprintf("(scene?.name ?? 'own') === %q", next))
			b.quiet()
		})
	}
}

// An address leads to a moment, with its theme; the reader's own theme outlives a reload; the title of
// a place leads to its chapter; and the last tab is a machine to act on.
func TestBrowserAddressesLeadToMoments(t *testing.T) {
	b := newBrowser(t)
	s := newLive(t, true)
	p := b.open(s.url() + "#panic,12,dark")
	p.until("tape && cur === 12 && document.documentElement.dataset.theme === 'dark'")
	p.eval("location.hash = '#resync,3'", nil)
	p.until("tape && scene.name === 'resync' && cur === 3")
	p.eval("location.hash = '#panic,0'", nil) // which is a number, and in some texts
	p.until("tape && scene.name === 'panic' && cur === 0 && !scene.asked")
	p.eval("location.hash = '#lost-deletion,proof'", nil)
	p.until("tape && scene.name === 'lost-deletion' && now().text === scene.proof && scene.asked")
	p.eval("location.hash = '#lost-deletion,replaced%20at%20version%205,dark'", nil)
	p.until("now().kind === 'replaced' && now().text.includes('1 deletion')")
	p.key("t", "KeyT", false, "document.documentElement.dataset.theme === 'light'")
	p.key("t", "KeyT", false, "document.documentElement.dataset.theme === 'dark'")
	p.none(`Promise.all(all('h3 a').map(async a => { const r = await fetch(a.href)
		return r.ok && /^# /.test(await r.text()) ? '' : a.href })).then(bad => bad.filter(Boolean))`, "chapters that are not there")
	p.until("all('h3 a').length === PLACES.length")
	p.click("[data-scene=own]", loaded+" && "+rest(3))
	p.press("update", rest(4))
	p.until("location.hash.startsWith('#own')")
	p.eval("history.back(), 0", nil)
	p.until("tape && scene.name === 'lost-deletion' && now().kind === 'replaced'")
	p.visit(s.url() + "?again")
	p.until("tape && scene.name === 'first-list' && cur === 0 && document.documentElement.dataset.theme === 'dark'")
	b.quiet()
}

// Where the mouse or the focus is, the object is lit in every place and in the lanes. A click shows it
// whole and what differs from the state before. Words explain themselves, and lines show their source.
func TestBrowserShowsAnObjectWhole(t *testing.T) {
	b := newBrowser(t)
	s, p := newPage(b)
	p.key("2", "Digit2", false, "state().valves[1].mode === 'held'")
	s.update(t, 1)
	p.until("state().queue.rows[0]?.deltas.length === 1 && state().valves[1].waiting === 1 && cur === head")
	p.mouse("mouseMoved", p.middle("#api .tok[data-key='web-1']"))
	p.until("['api', 'queue', 'cache', 'rows'].every(id => $('#' + id + ' .lit')?.dataset.key === 'web-1')")
	p.until("all('.lit').every(x => x.dataset.key === 'web-1') && all('[data-key=web-1]').every(x => x.matches('.lit'))")
	for _, c := range []struct{ click, words string }{
		{"#api .tok[data-key='web-1']", `differs from @3[^]*"labels"[^]*- [^]*"resourceVersion": "3"[^]*[+] [^]*"resourceVersion": "5"[^]*"spec"[^]*sends MODIFIED web-1@5[^]*fakeapi/`},
		{"#queue .delta", `differs from @3[^]*"type": "Updated"[^]*deltafifo/enqueue.go[^]*reports it[^]*called by`},
		{"#cache .tok[data-key='db-1']", `first state that is known[^]*"resourceVersion": "2"[^]*indexer/[a-z]+.go`},
		{"#handlers [data-open='call|beta']", `web-2[^]*whole object[^]*"told": 3[^]*processor/run.go`},
		{"#cache [data-open='index|']", `app[^]*web: web-1, web-2`},
		{".cell.l3", `queue[^]*deltafifo/`},
		{"#source", `the line that acted[^]*called by`},
		{"#self", `itself a reflector[^]*410 Gone`},
		{"[data-do=keys]", `informer[^]*mark[^]*†[^]*valve[^]*lane[^]*synced[^]*turn valve`},
		{"#says", `event`},
		{"[data-word=most]", `The most notifications that ever waited`},
	} {
		p.click(c.click, fmt.Sprintf("$('#dialog').open && RegExp(%q).test($('#dialog').textContent)", c.words))
		p.shot("dialog-" + strings.Trim(c.click, "#.[]")[:3])
		p.click("#dialog [data-do=close]", "!$('#dialog').open")
	}
	p.none("all('[data-word]').filter(x => !meaning(x.dataset.word)).map(x => x.textContent)", "words that explain nothing")
	p.until("log.has(6)")
	p.eval("event(6)", nil)
	p.click("[data-go='6']", "cur === 6")
	b.quiet()
}

// The mark of an object flies from place to place on a step forward, to each handler that is told, and
// not for a reader who wants no motion.
func TestBrowserHeedsWhatTheReaderPrefers(t *testing.T) {
	b := newBrowser(t)
	s, p := newPage(b)
	p.until("document.documentElement.dataset.theme === 'light'")
	moving := `(e => { cur = seen = e.seq - 1; show(0); cur = seen = e.seq; show(%d); return all('.flier').length
		+ document.getAnimations().length })([...log.values()].findLast(e => e.kind === '%s' && e.key === 'default/web-1'))`
	s.update(t, 1)
	p.until(rest(4))
	count := func(what string, n int, kind string, moved int) {
		t.Helper()
		var got int
		p.eval(fmt.Sprintf(moving, moved, kind), &got)
		assert.Equal(t, n, got, what)
	}
	for _, kind := range []string{"sent", "frame", "event", "queued", "pop", "update", "call"} {
		count(kind+" moves one mark", 2, kind, 1)
	}
	count("both listeners are told", 4, "distribute", 1)
	count("only a step forward moves anything", 0, "distribute", -1)
	p.prefers("prefers-reduced-motion", "reduce")
	count("nothing moves", 0, "distribute", 1)
	p.key("l", "KeyL", false, "follow")
	p.press("500s", "state().reflector.pauseMs > 0 && $('.pause')?.runs && !document.getAnimations().length")
	p.press("heal", "true")
	p.prefers("prefers-color-scheme", "dark")
	p.visit(s.url())
	p.until("document.body.dataset.link === 'watching' && document.documentElement.dataset.theme === 'dark'")
	b.quiet()
}

// crowded is a machine with much of everything: what does not fit must become a number.
func crowded(kind string, objects int, name func(int) string) tape.State {
	s := tape.State{
		Server: &tape.ServerState{RV: 1234567, Floor: 1234000, Watchers: 12, Fault: "status 500, silence, cut",
			Total: objects + 900},
		Wire: &tape.WireState{Open: true, From: "1234000", Frames: 99999,
			Last: "MODIFIED " + name(1) + "@7", Held: 17, Before: []tape.Mark{{Type: "part of a frame"}},
			Behind: []tape.Mark{{Key: name(2), Type: "BOOKMARK", RV: "1234567"}}},
		Reflector: &tape.ReflectorState{State: "watching", Version: "1234567", PauseMs: 30000, Lists: 99,
			Watches: 999, Hand: &tape.Mark{Key: name(3), Type: "MODIFIED"}},
		Queue: &tape.QueueState{Kind: kind, Total: objects + 50, Populated: true, Initial: 123,
			Popped: []tape.QueueRow{{Key: name(1), Deltas: slices.Repeat([]tape.Mark{{Type: "Updated", RV: "7"}}, 50)}, {Deltas: []tape.Mark{{Type: "ReplacedAll", N: 99999}}}}},
		Cache: &tape.CacheState{Total: objects + 900, Indices: []tape.IndexState{{Name: "a-rather-long-index",
			Values: []tape.IndexValue{{Value: "a-long-value"}}}}},
		Recent: []string{},
	}
	for i := range objects {
		key := "default/" + name(i)
		o := tape.ObjectState{Key: key, RV: fmt.Sprint(1234567 - i)}
		s.Server.Objects = append(s.Server.Objects, o)
		s.Cache.Objects = append(s.Cache.Objects, o)
		s.Server.Log = append(s.Server.Log, tape.LogEntry{RV: uint64(1234567 - i), Type: "MODIFIED", Key: key})
		row := tape.QueueRow{Key: key}
		for n := range 1 + i%9*queues(kind) {
			row.Deltas = append(row.Deltas, tape.Mark{Type: "Updated", RV: fmt.Sprint(1234000 + n),
				Tombstone: n == 3})
		}
		s.Queue.Rows = append(s.Queue.Rows, row)
		if i < 12 {
			s.Recent = append(s.Recent, key)
		}
		s.Cache.Indices[0].Values[0].Keys = append(s.Cache.Indices[0].Values[0].Keys, key)
	}
	for i, handler := range []string{"fast", "slow", "a-handler-with-a-lo"} {
		s.Listeners = append(s.Listeners, tape.ListenerState{Name: handler, Ring: tape.RingState{Cap: 1024, Waiting: []tape.Mark{{Key: name(i)}}},
			Pending: 12345, High: 99999, Synced: i%2 == 0})
		s.Handlers = append(s.Handlers, tape.HandlerState{Name: handler, Busy: "OnUpdate " + "default@1234567",
			Hand: &tape.Mark{Key: name(i), Tombstone: true, Type: "delete"}, Told: 1234567})
	}
	for i, handler := range []string{"", "", "fast", "slow", "a-handler-with-a-lo"} {
		s.Valves = append(s.Valves, tape.ValveState{Name: fmt.Sprintf("V%d", i+1), Label: "x", Handler: handler,
			Mode: []string{"open", "held", "one", "slow"}[i%4], Waiting: i % 2})
	}
	return s
}

// queues is 0 for the queue that has one delta a row.
func queues(kind string) int {
	if kind == tape.RealFIFO {
		return 0
	}
	return 1
}

// tapePage opens a recording of these events.
func tapePage(t *testing.T, b *browser, meta tape.Meta, events []tape.Event) *tab {
	t.Helper()
	made := &tape.Tape{Meta: meta}
	for i := range events {
		made.Events = append(made.Events, &events[i])
	}
	text, err := static.Page(made)
	require.NoError(t, err)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write(text)
	}))
	t.Cleanup(server.Close)
	p := b.open(server.URL)
	p.until("document.body.dataset.head")
	return p
}

// newMeta is the description of a machine, which may be changed.
func newMeta(t *testing.T, stream, readOnly bool) tape.Meta {
	t.Helper()
	o := tape.Options{Stream: stream}
	if readOnly {
		o.Real = &wire.ClientOptions{URL: "http://127.0.0.1:1/x", HTTPClient: http.DefaultClient}
	}
	m, err := tape.New(o)
	require.NoError(t, err)
	defer m.Close()
	return m.Meta()
}

func TestBrowserBoxesDoNotOverlap(t *testing.T) {
	browserPath(t)
	web := func(i int) string { return fmt.Sprintf("web-%d", i) }
	long := func(i int) string { return fmt.Sprintf("coredns-%s-%d", strings.Repeat("x", 70), i) }
	meta := func(stream, readOnly bool) tape.Meta {
		m := newMeta(t, stream, readOnly)
		if readOnly {
			m.Server = "https://" + strings.Repeat("long.", 12) + "example.com:6443"
		}
		return m
	}
	sizes := [][2]int{{1280, 720}, {1366, 768}, {1440, 900}, {1024, 768}, {1920, 1080}, {2560, 1080},
		{640, 360}, {390, 844}}
	for _, c := range []struct {
		name  string
		meta  tape.Meta
		state tape.State
	}{
		{"many", meta(false, false), crowded(tape.DeltaFIFO, 100, web)},
		{"real-fifo", meta(false, false), crowded(tape.RealFIFO, 100, web)},
		{"long-names", meta(false, false), crowded(tape.DeltaFIFO, 30, long)},
		{"long-real-fifo", meta(false, false), crowded(tape.RealFIFO, 30, long)},
		{"streaming", meta(true, false), crowded(tape.DeltaFIFO, 7, web)},
		{"real-cluster", meta(false, true), crowded(tape.DeltaFIFO, 100, long)},
		{"empty", meta(false, false), tape.State{Server: &tape.ServerState{RV: 1, Floor: 1}, Wire: &tape.WireState{},
			Reflector: &tape.ReflectorState{State: "stopped"}, Queue: &tape.QueueState{Kind: tape.DeltaFIFO}, Cache: &tape.CacheState{}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBrowser(t)
			var events []tape.Event
			if c.meta.ReadOnly {
				c.state.Server = nil
			}
			if len(c.meta.Table) > 20 {
				c.state.Reflector.State = "streaming"
				c.state.Reflector.Last = &tape.Step{From: "opening stream", To: "streaming", On: "opened"}
			}
			for i, lane := range []string{"you", words.API, words.Wire, words.Reflector, words.Queue, words.Process, words.Cache,
				words.Processor, "handler:slow", words.API, words.Reflector, words.Queue} {
				e := tape.Event{Event: words.Event{Lane: lane, Kind: "x", Text: strings.Repeat("a long text ", 12)}}
				e.Seq, e.At, e.Fault, e.State = int64(i+1), 1234567, i%5 == 0, c.state
				e.Call = tape.Call{File: "deltafifo/x.go", Line: 1, Func: "DeltaFIFO.x"}
				if len(c.state.Recent) > 0 {
					e.Key = c.state.Recent[0]
				}
				events = append(events, e)
			}
			p := tapePage(t, b, c.meta, events)
			for i, size := range sizes {
				p.size(size[0], size[1])
				for seq := range events {
					if i > 0 && seq%4 > 0 { // every event once, some of them everywhere
						continue
					}
					p.eval(fmt.Sprintf("cur = seen = %d, show(0)", seq+1), nil)
					p.overlaps()
				}
				p.shot(fmt.Sprintf("boxes-%s-%d", c.name, size[0]))
			}
			if c.meta.ReadOnly {
				p.none("$('.url').textContent === meta.server && $('.url').scrollWidth <= $('.url').parentElement.clientWidth + 1 ? [] : ['cut']", "the address of the server")
			}
			b.quiet()
		})
	}
}

// What comes from a server is text, and never becomes markup. A recording has no policy against
// scripts: only the page itself stands between them and the reader.
func TestBrowserShowsTextsAsTexts(t *testing.T) {
	b := newBrowser(t)
	const evil = `"><img id=evil src=x onerror="evil = 1"><b id=evil>'`
	s := crowded(tape.DeltaFIFO, 4, func(i int) string { return fmt.Sprint(evil, i) })
	s.Server.Fault, s.Wire.Last, s.Reflector.State = evil, "ADDED "+evil+"@1", evil
	s.Handlers[0].Name, s.Listeners[0].Name, s.Valves[2].Handler = evil, evil, evil
	m := newMeta(t, false, false)
	m.Server, m.States = evil, []string{evil}
	m.Buttons[0].Label, m.Buttons[0].Expect = evil, evil
	e := tape.Event{Event: words.Event{Lane: words.API, Kind: evil, Key: s.Recent[0], Text: evil, Brief: evil},
		Seq: 1, From: evil, To: evil, State: s, Call: tape.Call{File: evil, Line: 1, Func: evil}, Report: evil,
		Callers: []tape.Call{{File: evil, Line: 1, Func: evil}}}
	p := tapePage(t, b, m, []tape.Event{e})
	for _, open := range []string{"0", "event(1)", "token('api|' + now().key + '|1')", "token('call|' + now().state.handlers[0].name)",
		"collection('queue')", "token('index|')", "act.prose()", "act.source()", "predict(buttons[4])", "tell(now().text)"} {
		p.eval(open, nil)
		p.frames(2)
		var found int
		p.eval("document.querySelectorAll('#evil').length + (globalThis.evil === 1 ? 1 : 0)", &found)
		assert.Zero(t, found, open)
	}
	b.quiet()
}

// Each story of the informer that is no scene, as a recording: one file, opened without any server.
// A test of package tape compares what is recorded with the story.
func TestBrowserDrawsEveryStory(t *testing.T) {
	browserPath(t)
	files, err := filepath.Glob("../../../informer/testdata/*.story")
	require.NoError(t, err)
	for _, file := range files {
		name := filepath.Base(file)
		if slices.ContainsFunc(tape.Lessons, func(l tape.Lesson) bool { return filepath.Base(l.Story) == name }) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			b := newBrowser(t)
			out := filepath.Join(t.TempDir(), "story.html")
			scenes, err := options{story: file}.scenes(source)
			require.NoError(t, err)
			html, err := static.Page(scenes[0].tape)
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(out, html, 0o644))
			p := b.open("file://" + out)
			p.until("document.body.dataset.head && $('#mode').textContent === '● recording' && cur === low")
			p.agrees()
			p.overlaps()
			p.none(dumb, "events for which the page has no sentence")
			p.back("e.lane === 'story' && e.kind === 'do'")
			p.overlaps()
			p.none("all('.do button, .third.none *, h3 a').filter(x => x.checkVisibility()).map(x => x.outerHTML)", "what does nothing in a recording")
			p.key("Home", "Home", false, "cur === 0")
			p.key("ArrowRight", "ArrowRight", false, "cur > 0")
			p.key("u", "KeyU", false, "/recording/.test($('#says').textContent)")
			b.quiet()
		})
	}
}
