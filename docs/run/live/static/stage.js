'use strict'
// ---- Drawing: one state in, the whole picture out.
const tok = (place, key, text, cls = '', outlined = true) => html`<button class="tok ${cls} ${outlined && hit(place, key)}" data-c="${look(key).slot}"
  data-open="${place}|${key}" title="${name(key)}">${mark(key)}<span>${text}</span>${cls.includes('gone') && html`<i class="aloud"> is not here</i>`}</button>`
const at = (cls, ...inner) => html`<div class="at ${cls}">${inner}</div>`
const soft = (text, cls = '') => html`<span class="soft ${cls}">${text}</span>`
const lines = f => [0, 1, 2, 3].map(n => html`<div class="line n${n}">${f(view.keys[n], n)}</div>`)
const rv = x => x === '' || x == null ? '' : '@' + x
// short leaves out the middle of a name: what tells pods apart is at their end. Of a long version the
// end is what changes.
const short = (text, n) => text.length <= n ? text : text.slice(0, Math.ceil(n / 2) - 1) + '…' + text.slice(-Math.floor(n / 2))
const shortRV = v => String(v ?? '').length > 5 ? '…' + String(v).slice(-4) : String(v ?? '')
const labelled = (key, v, n) => v === undefined ? short(key, n) : short(key, n - 1 - shortRV(v).length) + '@' + shortRV(v)
const wide = text => [...text].length * 7.9 // px of mono at 13 px, as wide as the widest of our fonts
let view, event_
// An object is touched where its event says so: the outline stays until the next event.
const hit = (place, key) => event_.key && name(key) === name(event_.key) && placeOf(event_.lane) === place ? 'hit' : ''
const placeOf = lane => lane === 'process' ? 'queue' : lane.startsWith('handler:') ? 'handlers' : lane

// rowsOf finds the object of each row: the chosen one, otherwise the one of that row touched last.
function rowsOf(s) {
  const age = new Map((s.recent ?? []).map((k, n) => [name(k), -1 - n]))
  const keys = [null, null, null, null], present = new Set((s.server?.objects ?? []).map(o => name(o.key)))
  const known = new Set([...present, ...(s.cache?.objects ?? []).map(o => name(o.key)),
    ...(s.queue?.rows ?? []).map(r => name(r.key)).filter(Boolean), ...age.keys()])
  const rank = k => k === chosen ? 1 : age.get(k) ?? -100
  for (const k of [...known].sort()) {
    const { slot } = look(k)
    if (keys[slot] === null || rank(k) > rank(keys[slot])) keys[slot] = k
  }
  const shown = keys.filter(k => k !== null).length
  if (!meta.readOnly && !tape) DEMO.forEach((k, n) => { keys[n] ??= k })
  return { keys, present, known, shown }
}
function chosenOf(s) {
  if (chosen) return chosen
  const { keys, present } = rowsOf(s)
  return keys.find(k => k === 'web-1' && present.has(k)) ?? keys.find(k => present.has(k)) ?? keys.find(Boolean) ?? ''
}
const plus = (n, place) => n > 0 && html`<button class="soft" data-open="${place}|">+${n} more</button>`

// missing draws an object that a place does not show: it is gone, unless only those touched last are sent.
const missing = (place, k, n, s, some) => some && !(s.recent ?? []).some(r => name(r) === k)
  ? tok(place, k, short(k, n - 2) + ' ?', 'bare gone') : tok(place, k, short(k, n), 'gone')
const paint = {
  api(s) {
    const v = s.server
    if (!v || meta.readOnly) return [at('label soft', 'a real API server'), html`<p class="quiet about"><b class="url">${meta.server}</b> What it stores is not
      shown. What it sends passes the wire.</p>`, at('foot soft', 'read only')]
    const room = Math.max(0, Math.min(4, Math.floor((120 - String(v.rv).length * 14) / 19)))
    const left = room ? (v.log ?? []).slice(-room) : [], lost = v.floor > 1 ? room - left.length : 0
    const objects = new Map((v.objects ?? []).map(o => [name(o.key), o])), own = chosenOf(s)
    const total = v.total ?? objects.size
    return [at('label soft', 'version', soft('history', 'right')),
      at('core', html`<span class="big">@${v.rv}</span><span class="past">${Array(lost).fill(html`<span class="lost" title="compacted"></span>`)}${
        left.map(x => html`<span data-c="${look(x.key).slot}" title="${x.type} ${name(x.key)}@${x.rv}">${mark(x.key)}</span>`)}</span>`),
      at('note soft', soft(v.floor > 1 ? `nothing before @${v.floor}` : 'nothing forgotten', 'right cut')),
      lines(k => k && [html`<button class="radio" role="radio" aria-checked="${String(k === own)}" aria-label="choose ${k}" data-choose="${k}"></button>`,
        objects.has(k) ? tok('api', k, labelled(k, objects.get(k).rv, 11)) : missing('api', k, 11, s, total > objects.size)]),
      at('foot soft', v.fault ? html`<span class="alarm cut">${v.fault}</span>` : v.watchers ? `${v.watchers} watch${v.watchers > 1 ? 'es' : ''}` : 'no watch',
        html`<span class="right">${plus(total - [...objects.keys()].filter(k => view.keys.includes(k)).length, 'api')}</span>`)]
  },
  wire(s) {
    const w = s.wire ?? {}, [, type, key, version] = String(w.last ?? '').match(/^(\S+) (.+)@(.*)$/) ?? []
    return [lines(k => key && k === name(key) && event_.lane === 'wire' && tok('wire', k, labelled(k, version, 8))),
      at('foot low3 soft', html`<span class="cut">${type ? `last ${type}` : ''}</span>`),
      at('foot low2 soft', w.open && w.silent ? html`<b class="alarm">silence</b>` : w.held ? html`<b class="ink">${w.held} held</b>` : `${w.frames ?? 0} frame${w.frames === 1 ? '' : 's'}`),
      at('foot soft', html`<span class="${event_.fault && placeOf(event_.lane) === 'wire' ? 'alarm' : 'mono'} cut">${w.open ? `from ${rv(w.from) || 'now'}` : 'no stream'}</span>`)]
  },
  reflector(s) {
    const r = s.reflector ?? {}
    return [machine(r),
      at('foot low3 soft', html`<span class="cut">lists, watches</span>`, html`<span class="right mono">${r.lists ?? 0}, ${r.watches ?? 0}</span>`),
      r.pauseMs > 0 && html`<i class="pause"></i>`,
      at('foot low2 soft', 'back off', html`<span class="right ${r.pauseMs ? 'alarm' : ''}">${r.pauseMs ? seconds(r.pauseMs) : '–'}</span>`),
      at('foot soft', 'seen up to', html`<span class="right mono ${event_.lane === 'reflector' && event_.key ? 'hit' : ''}">${rv(r.version) || '–'}</span>`)]
  },
  queue(s) {
    const q = s.queue ?? { rows: [] }, rows = q.rows ?? [], real = q.kind === 'RealFIFO'
    const total = q.total ?? rows.length
    let fit = 0, room = 214
    for (const r of rows) if ((room -= wide(short(name(r.key), 24)) + 31) >= (fit + 1 < rows.length ? 30 : 0) || !fit) fit++; else break
    const line = rows.slice(0, fit).reverse().map(r => tok('queue', r.key, short(name(r.key), 24) || 'whole list', '', false))
    const shown = real ? Math.min(8, rows.length) : view.keys.filter(k => rows.some(r => name(r.key) === k)).length
    const note_ = text => at('note soft', html`<span class="cut">${text}</span><span class="right">${plus(total - shown, 'queue')}</span>`)
    const foot = at('foot soft', ['Added', 'Updated', 'Deleted', real ? 'Sync' : 'Replaced'].map(w => html`<span><b class="ink">${w[0]}</b>${w.slice(1)}</span>`))
    const head_ = [at('label soft', real ? 'queue of events' : 'queue of keys', soft('next to pop', 'right')),
      at('core', total > fit && soft(`+${total - fit}`), line.length ? line : soft('empty'))]
    if (real) return [head_, note_('one by one, oldest first'),
      html`<div class="events">${rows.slice(0, 8).map(r => html`<span class="tok bare" data-c="${look(r.key).slot}">${
        mark(r.key)}<span>${short(name(r.key), 8) || 'list'}</span> ${deltas(r, 44, 5)}</span>`)}</div>`, foot]
    return [head_, note_('by key, oldest first'), lines(k => {
      const r = k && rows.find(x => name(x.key) === k)
      return k && [html`<span class="name tok bare ${r ? '' : 'gone'}" data-c="${look(k).slot}">${mark(k)}<span>${short(k, 7)}</span></span>`, r && deltas(r, 136)]
    }), foot]
  },
  cache(s) {
    const c = s.cache ?? {}, objects = new Map((c.objects ?? []).map(o => [name(o.key), o])), total = c.total ?? objects.size
    const [index] = (c.indices ?? []).slice(-1)
    let room = index ? 132 : 0
    const entries = []
    for (const v of index?.values ?? []) {
      let n = Math.min(3, v.keys.length)
      const need = () => v.value.length * 7 + n * 12 + 10
      while (n > 1 && need() > room) n--
      if ((room -= need()) < 0) { entries.push(html`<span class="entry">…</span>`); break }
      entries.push(html`<span class="entry">${v.value}&hairsp;${v.keys.slice(0, n).map(k => html`<span data-c="${look(k).slot}">${mark(k)}</span>`)}</span>`)
    }
    return [at('label soft', 'objects', soft('synced', 'right')),
      at('core', html`<span class="big">${total}</span><b>${c.synced ? '✓ yes' : 'not yet'}</b>`),
      at('note soft', index ? html`<button class="cut" data-open="index|">by ${index.name}, below</button>` : html`<span class="cut">no index</span>`,
        html`<span class="right">${plus(total - [...objects.keys()].filter(k => view.keys.includes(k)).length, 'cache')}</span>`),
      lines(k => k && (objects.has(k) ? tok('cache', k, labelled(k, objects.get(k).rv, 12)) : missing('cache', k, 12, s, total > objects.size))),
      at('foot soft', entries)]
  },
  processor(s) {
    return [0, 1, 2].map(n => {
      const l = three(s)[n]
      if (!l) return html`<div class="third h${n} none">${ring({ ring: { len: 0, cap: 0 } })}<span class="quiet">${n > listeners(s).length ? '' : n ? 'another may join late' : 'no handler yet'}</span></div>`
      return html`<div class="third h${n}">${ring(l)}<div class="stack"><span><b>${l.name}</b></span>${
        soft(l.ended ? 'ended' : l.removed ? 'removed' : l.ring.cap > 99 ? `${l.ring.len}/${l.ring.cap}` : l.ring.cap ? `ring ${l.ring.len}/${l.ring.cap}` : 'no ring yet')}${
        soft(`most ${l.high}`)}</div></div>`
    })
  },
  handlers(s) {
    return [0, 1, 2].map(n => {
      const l = three(s)[n], h = l && s.handlers.find(x => x.name === l.name)
      if (!h) return html`<div class="third h${n}"></div>`
      const last = h.busy || h.last?.at(-1) || '', key = (last.match(/([^\s@]+)@/) ?? last.match(/\s(\S+)$/) ?? [])[1]
      return html`<div class="third h${n}"><div class="stack"><span><button class="radio" role="radio" aria-checked="${String(h.name === handlerOf(s))}" aria-label="choose handler ${h.name}" data-choose="handler|${h.name}"></button><b>${h.name}</b>${soft(`told ${h.told}`, 'right')}</span>
        <span class="soft">${l?.synced ? '✓ synced' : 'syncing'}, ${h.busy ? 'in a call' : 'idle'}</span><span><button class="tok ${h.busy ? '' : 'bare'} ${event_.lane === 'handler:' + h.name ? 'hit' : ''}" data-c="${key ? look(key).slot : ''}" data-open="call|${h.name}" title="${last}">${
        key ? [mark(key), html`<span>${short(name(key), 7)}</span>`] : html`<span>–</span>`}</button>${soft(verb(last), 'cut')}</span></div></div>`
    })
  },
}
const verb = call => call.split(' ')[0].replace(/,$/, '')
// deltas draws the newest that fit into so many px; the others are a number.
function deltas(row, room, most = 99) {
  const text = d => (d.tombstone ? '†' : '') + d.type[0] + (String(d.rv ?? '').length > most ? '' : d.n ?? shortRV(d.rv))
  let from = row.deltas.length
  while (from > 0) {
    const need = wide(text(row.deltas[from - 1])) + 10
    if (room - need < (from > 1 ? 26 : 0) && from < row.deltas.length) break
    room -= need
    from--
  }
  return html`<span class="deltas">${from > 0 && soft('+' + (from + (row.earlier ?? 0)))}${row.deltas.slice(from).map((d, n, shown) =>
    html`<button class="tok delta ${d.tombstone ? 'tomb' : ''} ${n === shown.length - 1 ? hit('queue', row.key) : ''}" data-c="${look(row.key).slot}"
      data-open="delta|${row.key}|${from + n}" title="${d.type} ${name(row.key)}@${d.rv}">${text(d)}</button>`)}</span>`
}
// The states stand in the order of the table. To the right is the way that the last step took, to
// the left where the table leads from here.
function machine(r) {
  const states = meta.states?.length ? meta.states : [r.state], pitch = 164 / states.length, tall = Math.min(24, pitch - 2)
  const y = state => states.indexOf(state) * pitch + pitch / 2
  const last = stepOf(cur), may = new Set((meta.table ?? []).filter(t => t.from === r.state).map(t => t.to))
  const ways = [...may].filter(t => t !== r.state).map(t => html`<path d="M14 ${y(r.state)}H6V${y(t)}H11"/><path class="tip" d="M14 ${y(t)}l-5 -3v6Z"/>`)
  const a = last && y(last.from), b = last && y(last.to) + (last.from === last.to ? 5 : 0)
  const came = last && html`<path class="came" d="M128 ${a - (last.from === last.to ? 5 : 0)}H137V${b}H133"/><path class="came tip" d="M128 ${b}l6 -4v8Z"/>`
  return html`<svg class="machine" viewBox="0 0 142 164" role="img" aria-label="state machine, in ${r.state}">${ways}${came}${states.map(st =>
    html`<g class="${st === r.state ? 'on' : may.has(st) ? 'may' : ''} ${r.pauseMs && st === r.state ? 'wait' : ''}"><rect x="14.5" y="${y(st) - tall / 2}" width="113" height="${tall}" rx="5"/>
      <text x="71" y="${y(st) + 4.2}" ${st.length > 17 ? new Markup('textLength="106" lengthAdjust="spacingAndGlyphs"') : ''}>${st}</text></g>`)}</svg>`
}
const stepOf = () => now()?.state.reflector?.last
// One arc per slot of the ring, clockwise from the top; a thin circle has no slots yet.
function ring(l) {
  const { len, cap } = l.ring, parts = Math.min(cap, 64), full = cap ? Math.ceil(len / cap * parts) : 0
  const p = x => `${(32 + 26 * Math.sin(x)).toFixed(2)} ${(32 - 26 * Math.cos(x)).toFixed(2)}`
  const step = 2 * Math.PI / parts, gap = parts > 32 ? .03 : .06
  const arcs = Array.from({ length: parts }, (_, i) =>
    html`<path class="${i < full ? 'full' : 'free'} ${i ? '' : 'next'}" data-c="${cap <= 64 && l.ring.keys?.[i] ? look(l.ring.keys[i]).slot : ''}" d="M${p(i * step + gap)}A26 26 0 0 1 ${p((i + 1) * step - gap)}"/>`)
  return html`<svg class="ring ${event_.lane === 'processor' && l.name ? 'hit' : ''}" viewBox="0 0 64 64" role="img" aria-label="${l.pending ?? 0} wait">${parts ? arcs : html`<circle cx="32" cy="32" r="26"/>`}
    <text class="${l.pending > 999 ? 'small' : ''}" x="32" y="38.5">${l.pending ?? ''}</text></svg>`
}
const HANDLE = { open: '<path d="M8 15H22"/>', held: '<path d="M15 8V22"/>', one: '<text x="15" y="19.5">1</text>',
  slow: '<path d="M8 15H9M15 15h.1M21 15h1"/>' }
// slots gives the valves their places: V1 and V2 have theirs, a handler's is beside its listener.
function valveAt(s, n) {
  const valves = (s.valves ?? []).filter(v => !tape || v.mode !== 'open' || v.waiting) // nothing turns one in a recording
  if (n < 2) return valves.find(v => v.name === ['V1', 'V2'][n])
  const l = three(s)[n - 2]
  return l && valves.find(v => v.handler === l.name)
}
function valves(s) {
  all('.valve').forEach((el, n) => {
    const v = valveAt(s, n), acted = v && event_.to === v.name
    el.dataset.mode = v?.mode ?? ''
    el.classList.toggle('hit', !!acted)
    if (tape && v) return put(el, html`<span>${v.waiting ? '● ' : ''}${v.name}</span><span class="disc"><svg viewBox="0 0 30 30"><circle cx="15" cy="15" r="13.5"/>${new Markup(HANDLE[v.mode] ?? '')}</svg></span><span class="word">${v.mode}</span>`)
    put(el, v ? html`<span>${v.waiting ? '● ' : ''}${v.name}</span>
      <button class="disc" data-turn="${v.name}|disc" aria-label="valve ${v.name}, ${v.mode}${v.waiting ? ', something waits' : ''}" title="${v.label ?? ''}${v.waiting ? ': something waits' : ''}"><svg viewBox="0 0 30 30"><circle cx="15" cy="15" r="13.5"/>${new Markup(HANDLE[v.mode] ?? '')}</svg></button>
      <button class="word" data-turn="${v.name}|word" aria-label="next mode of ${v.name}">${v.mode}</button>` : '')
  })
}
// countdown shrinks a bar for as long as the pause lasts: the machine has said how long that is.
const still = matchMedia('(prefers-reduced-motion: reduce)')
function countdown(e) {
  const bar = $('.pause'), left = (e.arrived ?? 0) + e.state.reflector?.pauseMs - performance.now()
  if (!bar || bar.runs) return
  bar.runs = true
  if (cur < head || still.matches || !(left > 0)) return
  bar.animate([{ transform: `scaleX(${left / e.state.reflector.pauseMs})` }, { transform: 'scaleX(0)' }], { duration: left, fill: 'forwards' })
}
// A pipe is lit when the event says that something moved along it; the mark runs only on a step on.
function pipes(s, moved) {
  const to = event_.from && placeOf(event_.to ?? ''), l = three(s), run = { api: 'back', wire: 'half', reflector: 'rest' }[to] ?? ''
  const lit = { api: 'wire', wire: 'wire', reflector: 'wire', queue: 'queue', cache: 'cache', processor: 'processor' }[to]
    ?? (to === 'handlers' ? String(l.findIndex(x => event_.to === 'handler:' + x.name)) : '')
  for (const el of all('.pipe')) {
    const id = el.id.slice(5), on = id === lit && event_.from !== event_.to
    const state = id === 'wire' && !meta.readOnly && s.wire && !s.wire.open ? (event_.fault ? 'broken' : 'off') : /\d/.test(id) && !l[id] ? 'none' : ''
    el.className = `pipe ${on ? `flow ${run}` : ''} ${state}`
    el.classList.toggle('go', moved > 0)
    if (on && event_.key) el.dataset.c = look(event_.key).slot; else delete el.dataset.c
    if (on) el.dataset.c ??= ''
    el.innerHTML = on && event_.key ? mark(event_.key).text : ''
  }
}
