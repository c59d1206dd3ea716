package main

import "example.com/watchglass/docs/tools/browser"

// Laws of what is drawn, as expressions that find what breaks them: lists of sentences.

// differing compares what a stage draws with the state that it was sent, event by event, and a step
// with a jump. What an event moves was drawn in the place that it leaves, and is drawn where it
// comes to.
const differing = `(() => {
	const wrong = [], { tape } = stage, text = q => stage.$(q)?.textContent ?? '', texts = q => stage.all(q).map(x => x.textContent.trim())
	const in_ = (id, q) => '[data-place=' + id + '] ' + q
	let v
	const same = (n, what, drawn, sent) => JSON.stringify(drawn) === JSON.stringify(sent) ||
		wrong.push(['event', n, what, 'drawn', JSON.stringify(drawn), 'sent', JSON.stringify(sent)].join(' '))
	const picture = () => { stage.all('.flier, .pause').forEach(x => x.remove()); return stage.$('.places').innerHTML }
	const draw = n => { stage.cur = n; stage.seen = Math.max(stage.seen, n); stage.note = null; stage.cover = ''; stage.show(1); v = stage.view }
	const rows = list => list.filter(o => v.keys.includes(nameOf(o.key))).map(o => nameOf(o.key) + '@' + o.rv).sort()
	const stepped = new Map()
	for (let n = tape.low; n <= tape.head; n++) {
		const e = tape.at(n), s = e.state, moves = n > tape.low && e.from && e.key && s.listeners.length
		const drawn = place => spots(stage, place, e.key).length || stage.$(in_(placeOf(place), '.crowd')), left = !moves || drawn(e.from)
		draw(n)
		if (!left) wrong.push('event ' + n + ' ' + e.text + ' comes out of nowhere in ' + e.from)
		if (moves && !drawn(e.to)) wrong.push('event ' + n + ' ' + e.text + ' goes nowhere in ' + e.to)
		if (moves && /tombstone/.test(e.text) && !spots(stage, e.to, e.key).some(x => x.matches('path') || /†/.test(x.textContent))) wrong.push('event ' + n + ' loses its † in ' + e.to)
		for (const [id, list] of [['api', s.server.objects], ['cache', s.cache.objects]])
			same(n, id, texts(in_(id, '.line .tok:not(.gone)')).sort(), s.server.rv > 1 || id === 'cache' ? rows(list) : [])
		same(n, 'cache, version, state', [text(in_('cache', '.big')), text(in_('cache', '.core b')), text(in_('api', '.big')), text('.machine .on').trim()],
			[String(s.cache.total), s.cache.synced ? '✓ yes' : 'not yet', s.server.rv > 1 ? '@' + s.server.rv : '', s.reflector.state])
		if (s.queue.kind === 'DeltaFIFO') for (const r of s.queue.rows.filter(r => v.keys.includes(nameOf(r.key)))) {
			const line = stage.all(in_('queue', '.line')).find(l => l.querySelector('.name')?.textContent === short(nameOf(r.key), 7))
			same(n, 'deltas of ' + r.key, line?.querySelectorAll('.pile i, .delta').length, Math.min(r.deltas.length, 99))
		}
		same(n, 'told, waiting, slots, valves, curves', [texts(in_('handlers', '.third')).map(x => x.match(/(\d+) calls?/)?.[1]).filter(Boolean), texts('.ring text'), stage.all('.full').length, texts('.valve .word'), texts('.curve b')],
			[s.handlers.map(h => String(h.told)), s.listeners.map(l => String(l.pending)), s.listeners.reduce((sum, l) => sum + Math.min(l.pending, slots(l.ring)), 0),
				[0, 1, 2, 3, 4].map(i => v.valve(i)?.mode).filter(Boolean), CURVES.map(c => String(c.says(c.of(s))))])
		if (e.lane && e.kind !== 'say' && !stage.$('.cell.now')?.title.startsWith(e.text)) wrong.push('event ' + n + ' is not in the lanes')
		same(n, 'nothing', /undefined|NaN|null/.exec(stage.root.textContent)?.[0], undefined)
		if (e.lane && !['you', 'story'].includes(e.lane) && !legend(tape.meta, e)) wrong.push('no words for ' + e.lane + ': ' + e.brief)
		stepped.set(n, picture())
	}
	for (let n = tape.head; n >= tape.low; n -= 10) { draw(n); if (stepped.get(n) !== picture()) wrong.push('event ' + n + ' looks different after a jump') }
	return wrong.slice(0, 5)
})()`

// ugly finds texts over each other, out of their box, small or pale, and targets that are too
// small.
const ugly = `(() => {` + browser.Contrast + `
	const found = [], fit = stage.root.dataset.fit, scrolls = fit !== 'line', px = unit() / 16
	if (document.documentElement.scrollWidth > innerWidth) found.push('the page is wider than its window')
	const seen = [], walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
	for (let n; n = walk.nextNode();) {
		const el = n.parentElement, css = getComputedStyle(el), svg = el.closest('svg'), what = n.data.trim()
		if (!what || el.closest('dialog, noscript, script, .aloud, #tabs') || !el.checkVisibility({ visibilityProperty: true })) continue
		const scale = svg ? svg.getBoundingClientRect().width / svg.viewBox.baseVal.width : 1
		if (parseFloat(css.fontSize) * scale < (svg ? 10.4 : 11.9)) found.push('small: ' + what)
		const box = svg && [...el.parentElement.querySelectorAll('rect')].at(-1), under = box ? rgb(getComputedStyle(box).fill) : ground(el)
		const ratio = contrast(rgb(svg ? css.fill : css.color), under)
		if (ratio < 4.5 && !el.closest(':disabled')) found.push('pale: ' + what + ' ' + ratio.toFixed(2))
		const range = document.createRange()
		range.selectNodeContents(n)
		for (const r of range.getClientRects()) {
			let c = { l: r.left, t: r.top, r: r.right, b: r.bottom }
			for (let up = el, o; up && up !== document.body; up = up.parentElement) if (getComputedStyle(up).overflow !== 'visible') {
				o = up.getBoundingClientRect()
				c = { l: Math.max(c.l, o.left), t: Math.max(c.t, o.top), r: Math.min(c.r, o.right), b: Math.min(c.b, o.bottom) }
			}
			if (c.r - c.l > 1 && c.b - c.t > 1) seen.push({ ...c, el, what, above: el.closest('.controls, .caption') })
		}
	}
	for (const x of stage.all('*')) if (getComputedStyle(x).textOverflow === 'ellipsis' && x.scrollWidth > x.clientWidth && x.checkVisibility() && (entitle(x), !x.closest('button, [title]')))
		found.push('cut, with no way to read it: ' + x.textContent)
	for (const x of seen) {
		const out = h => x.l < h.left - 1.5 || x.r > h.right + 1.5 || x.t < h.top - 1.5 || x.b > h.bottom + 1.5, home = x.el.closest('.place, .do, h3, header, .controls, .caption')
		if (x.l < -1 || x.r > innerWidth + 1 || !scrolls && (x.t < -1 || x.b > innerHeight + 1)) found.push('outside the window: ' + x.what)
		if (home && out(home.getBoundingClientRect())) found.push('out of its box: ' + x.what)
	}
	for (let i = 0; i < seen.length; i++) for (let j = i + 1; j < seen.length; j++) {
		const a = seen[i], b = seen[j], w = Math.min(a.r, b.r) - Math.max(a.l, b.l), h = Math.min(a.b, b.b) - Math.max(a.t, b.t)
		if (a.el !== b.el && (!scrolls || a.above === b.above) && w > 1.5 && h > Math.min(a.b - a.t, b.b - b.t) * .3) found.push('“' + a.what + '” over “' + b.what + '”')
	}
	for (const el of document.querySelectorAll('button, input, a')) {
		const r = el.getBoundingClientRect(), need = (fit === 'pair' && el.matches('.controls > .btn, input') ? 40 : 24) * px - .6
		if (!el.checkVisibility({ visibilityProperty: true }) || el.closest('dialog')) continue
		if (r.height < need || r.width < need) found.push('a target of ' + r.width.toFixed() + ' x ' + r.height.toFixed() + ': ' + el.outerHTML.slice(0, 80))
		if (!(el.textContent.trim() || el.ariaLabel)) found.push('without a name: ' + el.outerHTML.slice(0, 80))
	}
	if (scrolls && stage.$('.lanes')?.clientHeight < 24 * Math.min(5, stage.cur - stage.tape.low)) found.push('a history of less than 5 rows')
	return [...new Set(found)].slice(0, 8)
})()`

// crowd shows a machine with much of everything, whose objects have a name and a number.
const crowd = `(name => {
	const s = structuredClone(state), key = i => 'default/' + name + i, of = (n, f) => Array.from({ length: n }, (_, i) => f(i))
	const deltas = n => of(n, i => ({ type: 'Updated', rv: String(1234000 + i), tombstone: i === 3 })), objects = of(60, i => ({ key: key(i), rv: String(1234567 - i) }))
	s.recent = objects.slice(0, 12).map(o => o.key)
	Object.assign(s.server, { rv: 1234567, floor: 1234000, watchers: 12, fault: 'status 500, silence, cut', total: 999, objects, log: objects })
	Object.assign(s.wire, { from: '1234000', frames: 99999, held: 17, before: [{ type: 'part of a frame' }], behind: [{ key: key(2), type: 'BOOKMARK', rv: '1234567' }] })
	Object.assign(s.reflector, { version: '1234567', pauseMs: 30000, lists: 99, watches: 999, hand: { key: key(3), type: 'MODIFIED' } })
	Object.assign(s.queue, { total: 99, initial: 123, synced: false, rows: objects.map((o, i) => ({ key: o.key, deltas: deltas(s.queue.kind === 'RealFIFO' ? 1 : 1 + i * 3 % 17) })),
		popped: [{ key: key(1), deltas: deltas(50) }, { key: '', deltas: [{ type: 'ReplacedAll', n: 99999 }] }] })
	Object.assign(s.cache, { total: 999, objects, indices: [{ name: 'a-rather-long-index', values: [{ value: 'a-long-value', keys: [key(1)] }] }] })
	for (const l of s.listeners) Object.assign(l, { pending: 12345, high: 99999, ring: { cap: 1024, waiting: [{ key: key(1) }] } })
	for (const h of s.handlers) Object.assign(h, { busy: 'OnAdd', told: 1234567, hand: { key: key(1), tombstone: true, type: 'delete' } })
	for (const v of s.valves) Object.assign(v, { mode: 'held', waiting: 1 })
	const text = 'a long text '.repeat(9), lanes = ['api', 'wire', 'reflector', 'queue', 'process', 'cache', 'processor', 'handler:alpha']
	page.show(new Tape({ meta, events: lanes.map((lane, seq) => ({ seq, at: seq * 30000, lane, kind: 'x', key: key(0), text, brief: text, fault: seq % 3 === 0, file: 'x.go', line: 1, func: 'x', state: s })) }),
		{ orders: {}, sources: () => ({ lines: [] }) })
	return 0
})`
