package main

import "github.com/stretchr/testify/require"

// differing compares, event by event, what the page draws with the state that it was sent, and the
// picture reached by stepping with the picture reached by a jump: event N alone gives the picture.
const differing = `(async () => {
	const wrong = [], text = q => $(q)?.textContent ?? '', texts = q => all(q).map(x => x.textContent)
	const tokens = id => texts('#' + id + ' .line .tok:not(.gone)').map(x => x.trim())
	const same = (n, what, drawn, sent) => {
		drawn = JSON.stringify(drawn)
		sent = JSON.stringify(sent)
		if (drawn !== sent) wrong.push(['event', n, what, 'drawn', drawn, 'sent', sent].join(' '))
	}
	const picture = () => {
		all('.pipe .mark, .pause').forEach(x => x.remove())
		return $('#stage').innerHTML
	}
	const draw = n => { cur = n; seen = Math.max(seen, n); note = null; show(1) }
	const inRow = o => view.keys.includes(name(o.key))
	const rows = list => list.filter(inRow).map(o => name(o.key) + '@' + o.rv).sort()
	const stepped = new Map()
	for (let n = low; n <= head; n++) {
		draw(n)
		const s = log.get(n).state, from = first(s)
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
			s.handlers.slice(from, from + 3).map(h => String(h.told)))
		same(n, 'waiting', texts('#processor .third:not(.none) .ring text'),
			three(s).map(l => String(l.pending)))
		same(n, 'valves', texts('.valve .word'),
			[0, 1, 2, 3, 4].map(i => valveAt(s, i)?.mode).filter(Boolean))
		const e = log.get(n)
		const hidden = chosen && look(chosen).slot === look(e.key).slot
		if (e.key && s.recent[0] === e.key && !hidden)
			same(n, 'row of the object', view.keys[look(e.key).slot], name(e.key))
		if (e.lane) same(n, 'words', $('.cell.now').title, e.text)
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
	var wrong []string
	p.eval(differing, &wrong)
	require.Empty(p.t, wrong, "the page draws something else than it was sent")
}

// dumb are the events for which the page has no sentence of its own.
func (p *tab) dumb() (texts []string) {
	p.t.Helper()
	p.eval(`[...new Set([...log.values()]
		.filter(e => e.lane && !['you', 'story'].includes(e.lane))
		.filter(e => !SAY.some(([l, words]) => (!l || l === e.lane.split(':')[0]) && words.test(e.text)))
		.map(e => e.lane + ': ' + e.text))]`, &texts)
	return texts
}
