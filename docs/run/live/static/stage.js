'use strict'
// ---- Drawing: one state in, the whole picture out. PLACES describes what stands on the stage, from
// left to right, or from top to bottom in a narrow window. Pipes join neighbours. A place draws
// what it holds as objects (tok), each with the place and the key of the object: by these a mark flies
// from place to place, is lit wherever it is, and opens.
const at = (cls, ...inner) => html`<div class="at ${cls}">${inner}</div>`
const soft = (text, cls = '') => html`<span class="soft ${cls}">${text}</span>`
const rows = f => [0, 1, 2, 3].map(n => html`<div class="line n${n}">${f(view.keys[n], n)}</div>`)
const rv = x => x === '' || x == null ? '' : '@' + x
// short leaves out the middle of a name: what tells pods apart is at their end. Of a long version the
// end is what changes.
const short = (text, n) => text.length <= n ? text
  : text.slice(0, Math.ceil(n / 2) - 1) + '…' + text.slice(-Math.floor(n / 2))
const shortRV = v => String(v ?? '').length > 5 ? '…' + String(v).slice(-4) : String(v ?? '')
const labelled = (key, v, n) => v === undefined ? short(key, n)
  : short(key, n - 1 - shortRV(v).length) + '@' + shortRV(v)
const wide = text => [...text].length * 7.9 // px of mono at 13 px, as wide as the widest of our fonts
let view, event_

const isOf = (e, key) => e.key && name(key) === name(e.key)
const placeOf = lane => lane.startsWith('handler:') ? 'handlers' : lane
// An object is touched where its event says so: the outline stays until the next event.
const hit = (place, key) => isOf(event_, key) && placeOf(event_.to || event_.lane) === place && 'hit'

// tok is one object in a place. It says at which version it is, if it is a tombstone, and of what
// kind the frame or the delta is that it travels as. Without a key it is a whole list.
function tok(place, o, text, cls = '', open = `${place}|${name(o.key)}|${o.rv ?? ''}`) {
  const what = o.key ? name(o.key) + rv(o.rv) : o.n ? count(o.n, 'object') : o.type
  return html`<button class="tok ${cls} ${o.tombstone && 'tomb'} ${hit(place, o.key)}" ${colour(o.key)}
    data-at="${place}" data-open="${open}" title="${o.type ?? ''} ${o.tombstone ? 'tombstone of ' : ''}${what}">${
    mark(o.key)}<span>${o.tombstone && '†'}${text ?? what}</span></button>`
}
const colour = key => html`data-c="${key ? look(key).slot : ''}" data-key="${name(key)}"`
const dots = keys => keys.map(k => html`<span ${colour(k)} title="${name(k)}">${mark(k)}</span>`)
const plus = (n, place) => n > 0 && html`<button class="soft crowd" data-open="${place}|">+${n} more</button>`
const meaning = id => meta.terms?.find(t => t.word === id)?.says
// word is a word that explains itself: by a click, by Enter and, with a mouse, by pointing at it.
const word = (id, text = id, cls = '') =>
  html`<button class="soft word ${cls}" data-word="${id}" title="${meaning(id)}">${text}</button>`

// rowsOf finds the object of each row: the chosen one, otherwise the one of that row touched last.
function rowsOf(s) {
  const age = new Map((s.recent ?? []).map((k, n) => [name(k), -1 - n])), keys = [null, null, null, null]
  const present = new Set((s.server?.objects ?? []).map(o => name(o.key)))
  const known = new Set([...present, ...(s.cache?.objects ?? []).map(o => name(o.key)),
    ...(s.queue?.rows ?? []).map(r => name(r.key)).filter(Boolean), ...age.keys()])
  const rank = k => k === chosen ? 1 : age.get(k) ?? -100
  for (const k of [...known].sort()) {
    const { slot } = look(k)
    if (keys[slot] === null || rank(k) > rank(keys[slot])) keys[slot] = k
  }
  if (!meta.readOnly && !tape) DEMO.forEach((k, n) => { keys[n] ??= k })
  return { keys, present, known }
}
function chosenOf(s) {
  if (chosen) return chosen
  const { keys, present } = rowsOf(s)
  return keys.find(k => k === 'web-1' && present.has(k)) ?? keys.find(k => present.has(k)) ?? keys.find(Boolean) ?? ''
}
// stored draws an object in its row. It is gone if it is not there, unless only those touched last are sent.
function stored(place, k, objects, total, n) {
  const o = objects.get(k), unsure = !o && total > objects.size && !(event_.state.recent ?? []).some(r => name(r) === k)
  if (o) return tok(place, o, labelled(k, o.rv, n))
  return html`<span class="tok gone ${unsure && 'bare'} ${hit(place, k)}" data-key="${k}" data-c="">${mark(k)}<span>${
    short(k, unsure ? n - 2 : n)}${unsure && ' ?'}</span><i class="aloud"> is not here</i></span>`
}
const byName = objects => new Map((objects ?? []).map(o => [name(o.key), o]))
const hidden = (total, objects) => total - [...objects.keys()].filter(k => view.keys.includes(k)).length

const PLACES = [
  { id: 'api', title: 'API server', chapter: '1-fakeapi', draw(s) {
    const v = s.server
    if (!v || meta.readOnly) return [at('label soft', 'a real API server'), html`<p class="quiet about"><b
      class="url">${meta.server}</b> What it stores is not shown. What it sends passes the wire.</p>`, at('foot soft', 'read only')]
    const room = Math.max(0, Math.min(4, Math.floor((112 - String(v.rv).length * 14) / 19)))
    const left = room ? (v.log ?? []).slice(-room) : [], lost = v.floor > 1 ? room - left.length : 0
    const objects = byName(v.objects), own = chosenOf(s), total = v.total ?? objects.size
    return [at('label soft', word('version'), word('history', 'history', 'right')),
      at('core', html`<span class="big">@${v.rv}</span><span class="past">${
        Array(lost).fill(html`<span class="lost" title="compacted"></span>`)}${
        left.map(x => html`<span ${colour(x.key)} data-at="api" title="${x.type} ${name(x.key)}@${x.rv}">${mark(x.key)}</span>`)}</span>`),
      at('note soft', soft(v.floor > 1 ? `nothing before @${v.floor}` : 'nothing forgotten', 'right cut')),
      rows(k => k && [html`<button class="radio" role="radio" aria-checked="${String(k === own)}" aria-label="choose ${k}"
        data-choose="${k}"></button>`, stored('api', k, objects, total, 10)]),
      at('foot soft', v.fault ? html`<span class="alarm cut">${v.fault}</span>`
        : v.watchers ? `${v.watchers} watch${v.watchers > 1 ? 'es' : ''}` : 'no watch',
      html`<span class="right">${plus(hidden(total, objects), 'api')}</span>`)]
  } },
  { id: 'wire', title: 'wire', chapter: '1-fakeapi', valve: 0, draw(s) {
    const w = s.wire ?? {}, behind = (w.behind ?? []).slice(0, 1), before = (w.before ?? []).slice(0, 2 - behind.length)
    const frame = (o, cls) => html`<div class="framed ${cls}">${
      tok('wire', o, o.key ? labelled(name(o.key), o.rv, 12) : o.type === 'ERROR' ? o.rv : rv(o.rv) || (o.type === 'list' ? 'objects' : '?'))}${soft(o.type, 'cut')}</div>`
    return [html`<div class="heap">${before.map(o => frame(o))}${plus((w.held ?? 0) - before.length, 'wire')}${behind.map(o => frame(o, 'through'))}</div>`,
      at('foot low2 soft', w.open && w.silent ? html`<b class="alarm">silence</b>` : w.held ? word('held', `${w.held} ${valveAt(s, 0) ? 'before V1' : 'under way'}`, 'ink')
        : w.open && count(w.frames ?? 0, 'frame')),
      at('foot soft', html`<span class="${event_.fault && placeOf(event_.lane) === 'wire' ? 'alarm' : 'mono'} cut">${
        w.open ? `from ${rv(w.from) || 'now'}` : 'no stream'}</span>`)]
  } },
  { id: 'reflector', title: 'reflector', chapter: '2-reflector', sub: s => s.reflector?.last?.on, draw(s) {
    const r = s.reflector ?? {}
    return [machine(r), r.hand ? at('foot low3 soft', word('in hand'), html`<span class="right">${
      tok('reflector', r.hand, r.hand.key ? short(name(r.hand.key), 7) : `${r.hand.n ?? 0}`)}</span>`)
      : at('foot low3 soft', html`<span class="cut">lists, watches</span>`, html`<span class="right mono">${r.lists ?? 0}, ${r.watches ?? 0}</span>`),
    r.pauseMs > 0 && html`<i class="pause"></i>`,
    at('foot low2 soft', word('back off'), html`<span class="right ${r.pauseMs ? 'alarm' : ''}">${r.pauseMs ? seconds(r.pauseMs) : '–'}</span>`),
    at('foot soft', word('seen up to'), html`<span class="right mono">${rv(r.version) || '–'}</span>`)]
  } },
  { id: 'queue', title: 'DeltaFIFO', chapter: '3-deltafifo', draw: queue,
    sub: ({ queue: q = {} }) => q.synced ? '✓ first list' : q.populated ? `list: ${q.initial} left` : 'no list yet' },
  { id: 'process', title: 'loop', chapter: '6-informer', valve: 1, draw(s) {
    const popped = s.queue?.popped ?? [], shown = popped.slice(0, popped.length > 3 ? 2 : 3)
    return [html`<div class="heap">${popped.length > 0 && word('in hand')}${shown.map(r => [
      tok('process', { ...r.deltas[0], key: r.key }, r.key ? short(name(r.key), 5) : `${r.deltas[0].n ?? 'all'}`), deltas(r, 66, 'soft')])}${
      plus(popped.length - shown.length, 'process')}</div>`, at('foot soft', popped.length ? '' : '–')]
  } },
  { id: 'cache', title: 'indexer', chapter: '4-indexer', draw(s) {
    const c = s.cache ?? {}, objects = byName(c.objects), total = c.total ?? objects.size
    const [index] = (c.indices ?? []).slice(-1)
    return [at('label soft', word('objects'), word('synced', 'synced', 'right')),
      at('core', html`<span class="big">${total}</span><b>${c.synced ? '✓ yes' : 'not yet'}</b>`),
      at('note soft', index ? html`<button class="cut" data-open="index|">by ${index.name}, below</button>` : html`<span class="cut">no index</span>`,
        html`<span class="right">${plus(hidden(total, objects), 'cache')}</span>`),
      rows(k => k && stored('cache', k, objects, total, 12)), at('foot soft', entries(index))]
  } },
  { id: 'processor', title: 'processor', chapter: '5-processor', draw: s => thirds((l, n) => !l ? [ring({ ring: { cap: 0 } }),
    html`<span class="quiet">${n > listeners(s).length ? '' : n ? 'another may join late' : 'no handler yet'}</span>`]
    : [ring(l), html`<div class="stack"><span><b>${l.name}</b></span>${l.ended ? soft('ended') : l.removed ? soft('removed')
      : word('ring', l.ring.cap ? `${l.ring.cap} slots` : 'no ring yet')}${word('most', `most ${l.high}`)}<span>${
      l.pending > 0 && next(l)}</span></div>`]) },
  { id: 'handlers', title: 'handlers', chapter: '5-processor', draw: s => thirds(l => {
    const h = l && s.handlers.find(x => x.name === l.name)
    if (!h) return ''
    const o = h.hand ?? { key: '', type: '' }
    return html`<div class="stack"><span><button class="radio" role="radio" aria-checked="${String(h.name === handlerOf(s))}"
      aria-label="choose handler ${h.name}" data-choose="handler|${h.name}"></button><b>${h.name}</b>${word('told', `told ${h.told}`, 'right')}</span>
      <span class="soft">${l.synced ? '✓ synced' : 'syncing'}, ${h.busy ? 'in a call' : 'idle'}</span><span>${
      h.hand ? tok('handlers', o, short(name(o.key), 7), `${h.busy ? '' : 'bare'} ${event_.lane === 'handler:' + h.name ? '' : 'calm'}`, `call|${h.name}`)
        : '–'}${soft(o.type, 'cut')}</span></div>`
  }) },
]
const SPANS = PLACES.map(p => p.id)
const thirds = f => [0, 1, 2].map(n => {
  const l = listeners(event_.state)[n]
  return html`<div class="third h${n} ${!l && 'none'}" data-name="${l?.name}">${f(l, n)}</div>`
})
const next = ({ ring: { waiting: [o] } }) => html`${word('next')}${tok('processor', o ?? { key: '' },
  o?.key ? short(name(o.key), 5) : 'list', 'bare')}`

function queue(s) {
  const q = s.queue ?? {}, all_ = q.rows ?? [], real = q.kind === 'RealFIFO', total = q.total ?? all_.length
  let fit = 0, room = 182
  for (const r of all_) if ((room -= wide(short(name(r.key), 24)) + 31) >= (fit + 1 < all_.length ? 30 : 0) || !fit) fit++; else break
  const line = all_.slice(0, fit).reverse().map(r => html`<span class="tok" ${colour(r.key)}>${mark(r.key)}<span>${short(name(r.key), 20) || 'whole list'}</span></span>`)
  const shown = real ? Math.min(8, all_.length) : view.keys.filter(k => all_.some(r => name(r.key) === k)).length
  const top = [at('label soft', real ? 'queue of events' : 'queue of keys', word('next to pop', 'next to pop', 'right')),
    at('core', total > fit && soft(`+${total - fit}`), line.length ? line : soft('empty')),
    at('note soft', word(real ? 'one by one, oldest first' : 'by key, oldest first', undefined, 'cut'),
      html`<span class="right">${plus(total - shown, 'queue')}</span>`)]
  const foot = at('legend soft', meta.deltas?.[q.kind].map(w => html`<span title="${w}"><b class="ink">${w[0]}</b>${w.slice(1)}</span>`))
  if (real) return [top, html`<div class="events">${all_.slice(0, 8).map(r => html`<span class="tok bare" ${colour(r.key)}>${
    mark(r.key)}<span>${short(name(r.key), 5) || 'list'}</span> ${deltas(r, 40, 'delta', 4)}</span>`)}</div>`, foot]
  return [top, rows(k => {
    const r = k && all_.find(x => name(x.key) === k)
    return k && [html`<span class="name tok bare ${r ? '' : 'gone'}" ${colour(k)}>${mark(k)}<span>${short(k, 7)}</span></span>`, r && deltas(r, 108)]
  }), foot]
}
// deltas draws the newest that fit into so many px; the others are a number. With cls soft they are
// words beside the object in the hand, else each of them is a mark of the object.
function deltas(row, room, cls = 'delta', most = 99) {
  const text = d => d.type[0] + (String(d.rv ?? '').length > most ? '' : d.n ?? shortRV(d.rv))
  let from = row.deltas.length
  while (from > 0) {
    const d = row.deltas[from - 1], need = wide(text(d)) + (d.tombstone ? 18 : 10)
    if (room - need < (from > 1 ? 26 : 0) && from < row.deltas.length) break
    room -= need
    from--
  }
  return html`<span class="deltas">${from > 0 && soft('+' + (from + (row.earlier ?? 0)))}${row.deltas.slice(from).map((d, n) =>
    cls === 'soft' ? soft(text(d)) : html`${tok('queue', { ...d, key: row.key }, text(d), 'delta', `delta|${row.key}|${from + n}`)}`)}</span>`
}
// entries are the values of an index that fit, with the marks of their objects.
function entries(index) {
  let room = index ? 128 : 0
  const drawn = []
  for (const v of index?.values ?? []) {
    let n = Math.min(3, v.keys.length)
    const need = () => v.value.length * 7 + n * 12 + 10
    while (n > 1 && need() > room) n--
    if ((room -= need()) < 0) { drawn.push(html`<span class="entry">…</span>`); break }
    drawn.push(html`<span class="entry">${v.value}&hairsp;${dots(v.keys.slice(0, n))}</span>`)
  }
  return drawn
}
// The states stand in the order of the table. To the right is the way that the last step took, to
// the left where the table leads from here.
function machine(r) {
  const states = meta.states?.length ? meta.states : [r.state], pitch = 164 / states.length, tall = Math.min(24, pitch - 2)
  const y = state => states.indexOf(state) * pitch + pitch / 2
  const last = r.last, may = new Set((meta.table ?? []).filter(t => t.from === r.state).map(t => t.to))
  const ways = [...may].filter(t => t !== r.state).map(t => html`<path d="M14 ${y(r.state)}H6V${y(t)}H11"/><path class="tip" d="M14 ${y(t)}l-5 -3v6Z"/>`)
  const a = last && y(last.from), b = last && y(last.to) + (last.from === last.to ? 5 : 0)
  const came = last && html`<path class="came" d="M128 ${a - (last.from === last.to ? 5 : 0)}H137V${b}H133"/><path class="came tip" d="M128 ${b}l6 -4v8Z"/>`
  return html`<svg class="machine" viewBox="0 0 142 164" role="img" aria-label="state machine, in ${r.state}">${ways}${came}${states.map(st =>
    html`<g class="${st === r.state ? 'on' : may.has(st) ? 'may' : ''} ${r.pauseMs && st === r.state ? 'wait' : ''}"><rect x="14.5" y="${y(st) - tall / 2}" width="113" height="${tall}" rx="5"/>
      <text x="71" y="${y(st) + 4.2}" ${st.length > 17 ? new Markup('textLength="106" lengthAdjust="spacingAndGlyphs"') : ''}>${st}</text></g>`)}</svg>`
}
// One arc per slot of the ring, clockwise from the top, coloured by what waits in it: the next call
// first. A thin circle has no slots yet.
function ring(l) {
  const { cap, waiting = [] } = l.ring, parts = Math.min(cap, 64)
  const p = x => `${(32 + 26 * Math.sin(x)).toFixed(2)} ${(32 - 26 * Math.cos(x)).toFixed(2)}`
  const step = 2 * Math.PI / parts, gap = parts > 32 ? .03 : .06
  const arcs = Array.from({ length: parts }, (_, i) => html`<path class="${i < (l.pending ?? 0) ? 'full' : 'free'} ${i ? '' : 'next'}" ${
    colour(waiting[i]?.key)} data-at="${i > 0 && i < waiting.length && 'processor'}" d="M${p(i * step + gap)}A26 26 0 0 1 ${p((i + 1) * step - gap)}"/>`)
  return html`<svg class="ring" viewBox="0 0 64 64" role="img" aria-label="${l.pending ?? 0} wait">${parts ? arcs : html`<circle cx="32" cy="32" r="26"/>`}
    <text class="${l.pending > 999 ? 'small' : ''}" x="32" y="38.5">${l.pending ?? ''}</text></svg>`
}

// ---- The stage itself, drawn once: places, and the pipes between neighbours. A place with a valve is
// itself a piece of pipe. Each handler has a pipe and a valve of its own.
const pipe = (from, n = '') => html`<i class="pipe p${n}" data-from="${from}" data-n="${n}"></i>`
const valve_ = n => html`<div class="valve v${n}" data-n="${n}"></div>`
const build = () => put($('#stage'), PLACES.map((p, i) => [
  i > 0 && !p.valve && p.valve !== 0 && PLACES[i - 1].valve === undefined && html`<div class="gap ${p.id}"><span></span><div>${
    p.id === 'handlers' ? [0, 1, 2].map(n => [pipe(i - 1, n), valve_(n + 2)]) : pipe(i - 1)}</div></div>`,
  html`<section class="col ${p.id}" aria-label="${p.title}"><h3>${/^http/.test(location.protocol)
    ? html`<a href="/docs/${p.chapter}.md" id="title-${p.id}" target="_blank" title="its chapter, in a new tab">${p.title}</a>` : html`<span id="title-${p.id}">${p.title}</span>`}<span
    class="soft ${p.sub ? 'right' : ''}" id="sub-${p.id}"></span></h3>${p.valve === undefined ? html`<div class="place" id="${p.id}"></div>`
    : html`<div class="way">${pipe(i - 1, 'a')}${pipe(i, 'b')}${valve_(p.valve)}<div class="place" id="${p.id}"></div></div>`}<div
    class="do" id="do-${p.id}"></div></section>`]))

const HANDLE = { open: '<path d="M8 15H22"/>', held: '<path d="M15 8V22"/>', one: '<text x="15" y="19.5">1</text>',
  slow: '<path d="M8 15H9M15 15h.1M21 15h1"/>' }
// valveAt gives the valves their places: V1 and V2 have theirs, a handler's is beside its listener.
function valveAt(s, n) {
  const valves = (s.valves ?? []).filter(v => !tape || v.mode !== 'open' || v.waiting) // nothing turns one in a recording
  if (n < 2) return valves.find(v => v.name === ['V1', 'V2'][n])
  const l = listeners(s)[n - 2]
  return l && valves.find(v => v.handler === l.name)
}
function valves(s) {
  for (const el of all('.valve')) {
    const v = valveAt(s, +el.dataset.n), state = v && `valve ${v.name}, ${v.mode}${v.waiting ? ', something waits' : ''}`
    el.dataset.mode = v?.mode ?? ''
    el.dataset.valve = v?.name ?? ''
    el.classList.toggle('hit', !!v && event_.to === v.name)
    const disc = v && html`<svg viewBox="0 0 30 30"><circle cx="15" cy="15" r="13.5"/>${new Markup(HANDLE[v.mode] ?? '')}</svg>`
    put(el, !v ? '' : [html`<span>${v.waiting ? '● ' : ''}${v.name}</span>`, tape ? [html`<span class="disc">${disc}</span><span class="word">${v.mode}</span>`]
      : html`<button class="disc" data-turn="${v.name}|disc" aria-label="${state}" title="${v.label ?? ''}${v.waiting ? ': something waits' : ''}">${disc}</button>
      <button class="word" data-turn="${v.name}|word" aria-label="next mode of ${v.name}">${v.mode}</button>`])
  }
}
// A pipe is lit when the event says that something moved along it. What the queue takes from the cache
// moves against the pipe of the process loop, and lights none.
function pipes(s) {
  const a = SPANS.indexOf(placeOf(event_.from ?? '')), b = SPANS.indexOf(placeOf(event_.to ?? '')), l = listeners(s)
  for (const el of all('.pipe')) {
    const from = +el.dataset.from, of = l[el.dataset.n], own = from === SPANS.length - 2
    const lit = a >= 0 && b >= 0 && b !== a - 2 && from >= Math.min(a, b) && from < Math.max(a, b) && (!own || event_.to === 'handler:' + of?.name)
    const state = from < 2 && !meta.readOnly && s.wire && !s.wire.open ? (event_.fault ? 'broken' : 'off') : own && !of ? 'none' : ''
    el.classList.remove('flow', 'back', 'off', 'broken', 'none')
    for (const c of [lit && 'flow', lit && b < a && 'back', state]) if (c) el.classList.add(c)
    if (lit) el.dataset.c = event_.key ? look(event_.key).slot : ''; else delete el.dataset.c
  }
}
// spots are where an object is drawn in a place: of several, what comes last is the newest.
function spots(where, key) {
  const place = placeOf(where), of = k => all(`#${place} [data-at=${place}]`).filter(el => el.dataset.key === name(k))
  const here = of(key).length ? of(key) : of('')
  return place === where ? here : here.filter(el => el.closest('.third').dataset.name === where.slice(8))
}
// fly lets the mark of an event's object move from where it was drawn to where it is drawn now, and
// to each listener that is told of it.
const still = matchMedia('(prefers-reduced-motion: reduce)')
const middle_ = el => { const r = el.getBoundingClientRect(); return [r.x + r.width / 2 + scrollX, r.y + r.height / 2 + scrollY] }
function fly(e, from) {
  all('.flier').forEach(x => x.remove())
  if (!from || still.matches) return
  const to = new Map(spots(e.to, e.key).map(el => [el.closest('.third'), el]))
  for (const el of to.values()) {
    const flier = document.createElement('i'), shift = ([x, y]) => ({ transform: `translate(${x - 8}px, ${y - 8}px)` })
    flier.className = 'flier'
    flier.innerHTML = flat(html`<span ${colour(e.key)}>${mark(e.key)}</span>`)
    document.body.append(flier)
    flier.animate([shift(from), shift(middle_(el))], { duration: 320, easing: 'ease-in-out' }).onfinish = () => flier.remove()
  }
}
// countdown shrinks a bar for as long as the pause lasts: the machine has said how long that is.
function countdown(e) {
  const bar = $('.pause'), left = (e.arrived ?? 0) + e.state.reflector?.pauseMs - performance.now()
  if (!bar || bar.runs) return
  bar.runs = true
  if (cur < head || still.matches || !(left > 0)) return
  bar.animate([{ transform: `scaleX(${left / e.state.reflector.pauseMs})` }, { transform: 'scaleX(0)' }], { duration: left, fill: 'forwards' })
}
// light shows one object everywhere: in all places, in the lanes and in the words.
let lit = ''
function light(el) {
  lit = el?.closest?.('[data-key]')?.dataset.key ?? ''
  for (const x of all('[data-key]')) x.classList.toggle('lit', !!lit && x.dataset.key === lit)
}
