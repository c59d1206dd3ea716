'use strict'
// ---- The lanes: rows are events that led from one place to the next, cells keep their columns.
const LANES = { api: 0, wire: 1, reflector: 2, queue: 3, process: 3, cache: 4, processor: 5, handler: 6, you: 7, story: 7 }, WHOLE = 7
const column = e => LANES[e.lane.split(':')[0]] ?? WHOLE
const joins = (p, e) => p && p.key === e.key && e.key && column(e) > column(p) && column(e) < WHOLE
const rowStart = n => { while (log.has(n - 1) && joins(log.get(n - 1), log.get(n))) n--; return n }
let topSeq = 0
const unit = () => parseFloat(getComputedStyle(document.documentElement).fontSize)
function lanes() {
  const room = Math.max(1, Math.floor($('#lanes').clientHeight / (1.3125 * unit())))
  const rowsFrom = n => {
    const rows = []
    for (; n <= seen && rows.length < room; n++) {
      const e = log.get(n)
      if (!e) continue
      if (rows.length && joins(log.get(n - 1), e)) rows.at(-1).push(e); else rows.push([e])
    }
    while (log.has(n) && n <= seen && joins(log.get(n - 1), log.get(n))) rows.at(-1).push(log.get(n++))
    return rows
  }
  const up = n => { for (topSeq = rowStart(cur); n > 0 && topSeq > low; n--) topSeq = rowStart(topSeq - 1) }
  if (topSeq >= rowStart(cur)) up(room >> 1) // above an event stays what led to it
  topSeq = rowStart(Math.max(low, Math.min(topSeq, cur)))
  if (topSeq < cur && !rowsFrom(topSeq).some(r => r.at(-1).seq >= cur)) {
    up(room - 1)
  }
  // A page that was loaded again has no rows before its event until they are fetched.
  let rows = rowsFrom(topSeq)
  while (rows.length < room && topSeq > low) rows = rowsFrom(topSeq = rowStart(topSeq - 1))
  put($('#rows'), rows.map(es => html`<div class="row ${es.some(e => e.seq === cur) ? 'now' : ''}">${es.map((e, i) => cell(e, es[i + 1]))}</div>`))
}
// brief leaves out of a lane what its columns say anyway; the words in full are above the caption.
const brief = e => {
  const text = e.brief || e.text
  return e.key ? text.replaceAll(name(e.key), short(name(e.key), [9, 6, 8, 12, 8, 6, 7][column(e)] ?? 99)) : text
}
function cell(e, next) {
  if (!e.lane) return ''
  const key = e.key ? look(e.key).slot : ''
  const arrow = next && next.from && LANES[placeOf(next.from)] === column(e)
  const kind = `l${column(e)} ${e.key ? '' : 'plain'} ${e.fault ? 'fault' : ''} ${e.seq === cur ? 'now' : ''} ${e.seq > cur ? 'later' : ''}`
  return html`<button class="cell ${kind}" data-c="${key}" data-seq="${e.seq}" data-lane="${whereOf(e)}" title="${e.text}">${e.key && column(e) < WHOLE && mark(e.key)}<span>${column(e) === WHOLE && e.kind !== 'say' ? '▸ ' : ''}${brief(e)}</span>${arrow && html`<u></u>`}</button>`
}

// ---- The whole page for event cur.
function show(moved) {
  const e = now()
  tabs()
  if (!e) return put($('#self'), link === 'lost' ? 'the server cannot be reached' : 'listing')
  note_address()
  const s = e.state
  event_ = e
  view = rowsOf(s)
  for (const id in paint) {
    put($('#' + id), paint[id](s))
    $('#' + id).classList.toggle('acted', placeOf(e.lane) === id)
  }
  if (moved && innerWidth < 80 * unit()) $('.place.acted')?.scrollIntoView({ block: 'nearest' })
  countdown(e)
  valves(s)
  pipes(s, moved)
  const q = s.queue ?? {}
  put($('#kind'), q.kind || meta.queue || 'queue')
  put($('#sub-queue'), q.synced ? '✓ first list' : q.populated ? `list: ${q.initial} left` : 'no list yet')
  put($('#sub-reflector'), s.reflector?.last?.on ?? '')
  const top = first(s), many = listeners(s).length, unseen = [e.lane, e.to].some(x => /^handler:/.test(x) && !three(s).some(l => 'handler:' + l.name === x))
  put($('#sub-processor'), many > ROOM && html`<button class="tok bare ${unseen ? 'hit' : ''}" data-do="handlers" title="show others (H)">${top + 1}–${top + ROOM} of ${many} ▾</button>`)
  const told = note && (!follow || head - note.head < 30) ? note : null, words = told?.text ?? spoken(e)
  put($('#caption h2'), html`event ${e.seq}${e.at ? `, ${seconds(e.at)}` : ''}, ${whereOf(e)}&ensp;<b>${e.kind === 'say' ? '' : e.text}</b>`)
  put($('#aloud'), words)
  put($('#says p'), html`<span class="${told?.bad ? 'alarm' : ''}">${named(words)}</span>`)
  $('#says p').className = words.length > 230 ? 'longer' : words.length > 115 ? 'long' : ''
  const file = meta.story?.file.split('/').at(-1).replace(/\.story$/, '').replace(/^\d+_/, '').replaceAll('_', ' ')
  put($('#story'), file ? html`<b>${file}</b>&ensp;${e.lane === 'story' ? '' : caption(e)}` : '')
  put($('#source'), excerpt(e, 4))
  if ($('#dialog').open) fill()
  lanes()
  transport(s)
}
function transport(s) {
  const back = cur < seen, coming = head - cur
  const mode = tape ? '● recording' : link !== 'watching' ? `○ ${{ lost: 'no server', full: 'not watching' }[link] ?? 'listing'}` : back ? `◀ ${seen - cur} back, read only`
    : coming ? `▶ ${coming} to come` : follow ? '● live, following' : '● live, paused'
  put($('#mode'), mode)
  $('#mode').className = `chip ${back && !tape ? 'back' : ''} ${link === 'lost' ? 'alarm' : ''}`
  put($('#self'), tape ? `a recording of ${count(head - low + 1, 'event')}` : link === 'lost' ? `will ask for what came after event ${head}`
    : link === 'full' ? 'five pages watch already, as many as a browser allows: close one of them'
    : lists > 1 ? `listed again at a new version, watches from event ${head + 1}` : `this page watches from event ${head + 1}`)
  put($('#pos'), `${cur} of ${head}`)
  for (const b of all('.do button')) b.disabled = past()
  for (const b of all('[data-kind]')) b.setAttribute('aria-pressed', b.dataset.kind === (s.queue?.kind ?? meta.queue))
  $('[data-do=live]').setAttribute('aria-pressed', follow)
  $('[data-do=play]').setAttribute('aria-pressed', !!timer)
  $('#predict').setAttribute('aria-pressed', ask)
  put($('#speed'), `${{ .25: '¼', .5: '½' }[speed] ?? speed}×`)
  Object.assign(document.body.dataset, { at: cur, head, low, seen, link })
  const x = n => ((n - low) / Math.max(1, head - low) * 992 + 4).toFixed(1), stroke = (d, c, w) => html`<path d="M${d}" stroke="var(--${c})" stroke-width="${w}"/>`
  const steps = []
  for (let n = low; n <= head; n++) if (log.get(n)?.lane === 'story' || log.get(n)?.lane === 'you') steps.push(`${x(n)} 10V22`)
  put($('#bar'), html`<svg viewBox="0 0 1000 32" preserveAspectRatio="none">${stroke('4 16H996', 'line', 2)}${stroke(`4 16H${x(seen)}`, 'pipe', 4)}${steps.length > 0 && stroke(steps.join('M'), 'soft', 1.5)}${stroke(`${x(cur)} 4V28`, 'ink', 4)}</svg>`)
}

function tabs() {
  if (!scenes.length) return
  put($('#tabs'), [...scenes, { name: 'own', title: 'your own' }].map(l =>
    html`<button data-scene="${l.name}" ${(scene?.name ?? 'own') === l.name && new Markup('aria-current="page"')}>${l.title}</button>`))
  const bar = $('#tabs'), now = $('#tabs [aria-current]')
  bar.scrollLeft = now.offsetLeft - bar.offsetLeft - 24
}
// fixed draws what no event changes: the buttons, and where the objects come from.
const PLACE = { drop: 'wire', hang: 'wire', cut: 'wire', disconnect: 'wire',
  resync: 'reflector', stop: 'reflector', start: 'reflector', queue: 'queue', index: 'cache', panic: 'handlers' }
const placeOfButton = b => b.place ?? PLACE[b.do] ?? (/handler|add|remove/.test(b.do) ? 'processor' : 'api')
function fixed() {
  const queues = b => ['DeltaFIFO', 'RealFIFO'].map(kind => ({ ...b, label: kind, args: { kind } }))
  buttons = (meta.buttons ?? []).filter(b => !(meta.readOnly && b.fault)).flatMap(b => b.do === 'queue' ? queues(b) : [b])
  for (const el of all('.do')) {
    const place = el.id.slice(3)
    put(el, buttons.map((b, n) => placeOfButton(b) === place && html`<button class="${b.fault ? 'fault' : ''}" data-press="${n}" title="${b.expect ?? ''}">${b.label}</button>`))
    for (const button of el.querySelectorAll('button')) {
      const kind = buttons[button.dataset.press].args?.kind
      if (kind) button.dataset.kind = kind
    }
  }
  if (meta.readOnly) put($('#do-api'), html`<span class="quiet">A real cluster: this page only reads from it.</span>`)
  put($('#sub-api'), (meta.server ?? meta.source ?? '').replace(/^https?:\/\//, ''))
  $('[data-do=live]').hidden = !!tape
  document.body.toggleAttribute('data-tape', !!tape)
  $('#predict').hidden = tape || !buttons.some(b => b.fault)
}

// ---- Dialogs.
const KEYS = html`<h2>Keys</h2><pre>→ or space     step: look at the next event
←              back: look at what was (read only)
Home  L        first event held, live (and follow)
[  ]           the command before, the command after
P  &lt;  &gt;        play, slower, faster
1 … 9          turn valve V1 … V9 (open, held; one: lets one through)
Shift 1 … 9    the valve’s next mode: open, held, one, slow
C U D          create, update, delete the chosen object
J K            choose the next object, the one before
H              choose the next handler: three of them are drawn
Q              ask before a fault
T  ?           light or dark, this help
Tab Enter      every token, cell, valve and button</pre>
<p>Each lane belongs to one goroutine or one lock: read it downwards, that is the exact order. Between lanes only the arrows promise one. A dashed arrow (⇢) is a step that waits first.</p>`
const selfText = () => html`<h2>This page is itself a reflector</h2><p>GET /state is its list, GET /events its watch, and the number of the last event,
  ${head}, its resource version. If the connection breaks, it asks for what came after that number (Last-Event-ID). If that is too old, it is told <b>gone</b>, and
  lists again: as the reflector does on 410 Expired.</p><p>It holds the events ${low} to ${head}, and has listed ${count(lists, 'time')}. Going back is reading only: a machine that
  runs cannot be turned back.</p>`
function facts(e) {
  return html`<dl>${Object.entries({ event: e.seq, at: seconds(e.at), lane: e.lane, kind: e.kind, key: e.key, text: e.text, from: e.from, to: e.to })
    .filter(([, v]) => v !== '' && v != null).map(([k, v]) => html`<dt>${k}</dt><dd>${v}</dd>`)}</dl>`
}
// open shows a dialog. What it draws may be still on its way, an excerpt or an older event: so it is
// given a function, and fill draws again whenever something has come.
function open(markup, kind = '') {
  const d = $('#dialog')
  d.className = kind
  d.markup = markup
  fill()
  if (!d.open) d.showModal()
  d.querySelector('.choices button')?.focus() // so that Enter answers a question
}
function fill() {
  const d = $('#dialog')
  // close comes first and has the focus: a dialog scrolls to what has it.
  put(d, [html`<p class="close"><button class="btn" data-do="close">close</button><span class="soft">Esc closes.</span></p>`, d.markup()])
  if (d.open && !d.contains(document.activeElement)) d.querySelector('[data-do=close]').focus()
}
// token opens what the state says of an object in a place, and the line that touched it last. That
// line may belong to an event which is still to be fetched.
function token(id) {
  const [place, key, n] = id.split('|'), s = now().state, at = cur
  if (!key && place !== 'index') return collection(place)
  if (place === 'index') return open(() => html`<h2>Indices of the cache</h2><pre>${(s.cache.indices ?? []).map(x => `${x.name}\n${x.values.map(v => `  ${v.value}: ${v.keys.map(name).join(', ')}\n`).join('')}`)}</pre>`)
  const is = x => name(x.key) === name(key)
  let last, fetched = false
  const what = { api: () => (s.server?.objects ?? []).find(is) ?? 'not among the objects of the server that are shown', wire: () => s.wire, cache: () => (s.cache?.objects ?? []).find(is) ?? 'not among the objects of the cache that are shown',
    queue: () => (s.queue?.rows ?? []).find(is) ?? 'not in the queue', delta: () => (s.queue?.rows ?? []).find(r => r.key === key)?.deltas[n],
    call: () => ({ ...(s.handlers ?? []).find(h => h.name === key), listener: listeners(s).find(l => l.name === key) }) }[place]
  open(() => html`<h2>${place === 'call' ? '' : html`<span data-c="${look(key).slot}">${mark(key)}</span>`}${name(key)}<span class="soft">in the ${
    { api: 'API server', call: 'handlers', delta: 'queue', cache: 'indexer' }[place] ?? place}, after event ${at}</span></h2><pre>${JSON.stringify(what?.(), null, 2)}</pre>${
    (last ??= lastTouch(place, key, at)) ? html`<p>Touched last by event ${last.seq}: ${last.text}</p>${excerpt(last, 40)}`
      : html`<p class="soft">${fetched ? 'No event at hand has touched it.' : 'Looking for the event that touched it last.'}</p>`}`)
  if (!last) older(0).then(() => { fetched = true; draw() })
}
function lastTouch(place, key, at) {
  const p = { call: 'handlers', delta: 'queue' }[place] ?? place
  for (let n = at; n >= low; n--) {
    const e = log.get(n)
    if (e && placeOf(e.lane) === p && (place === 'call' ? e.lane === 'handler:' + key : name(e.key) === name(key))) return e
  }
}
function collection(place) {
  const s = now().state
  const rows = { api: s.server?.objects, cache: s.cache?.objects, queue: s.queue?.rows }[place] ?? []
  const at = cur
  open(() => html`<h2>Everything ${{ api: 'on the API server', cache: 'in the cache', queue: 'in the queue' }[place]}, after event ${at}</h2>
    <p class="soft">Those touched last, at most 100. Choose one and it gets its row.</p><p>${rows.map(r => html`<button class="tok" data-c="${look(r.key).slot}" data-choose="${name(r.key)}">${
    mark(r.key)}<span>${name(r.key)}${r.rv ? '@' + r.rv : ` ${r.deltas.length + (r.earlier ?? 0)}`}</span></button> `)}</p>`)
}
function event(seq) {
  const e = log.get(seq)
  open(() => html`<h2>event ${seq}<span class="soft">${whereOf(e)}</span></h2>${facts(e)}
    <p><button class="btn" data-go="${seq}">${seq < cur ? 'go back to it' : 'go to it'}</button></p>${excerpt(e, 40)}`)
}

// ---- Mouse and keyboard.
document.addEventListener('click', ev => {
  const t = ev.target.closest('button')
  if (!t) return
  const d = t.dataset
  if (ev.detail) t.blur() // by mouse: the space bar goes on to step
  if (d.do === 'close') return $('#dialog').close()
  if (d.go || d.choose || d.guess || d.reply) $('#dialog').close()
  if (d.do) act[d.do](ev)
  else if (d.press) press(buttons[d.press])
  else if (d.turn) turn(...d.turn.split('|'))
  else if (d.choose) { if (d.choose.startsWith('handler|')) chooseHandler(d.choose.slice(8)); else chosen = d.choose; draw() }
  else if (d.open) token(d.open)
  else if (d.seq) event(+d.seq)
  else if (d.go) go(+d.go)
  else if (d.guess) guessed(d)
  else if (d.reply) replied(+d.reply)
  else if (d.scene) enter(d.scene)
})
async function guessed({ guess, of }) {
  const b = buttons.find(x => x.do === of)
  await press(b, true)
  tell(guess === of ? `That is what to expect. Step on and see: ${b.expect}` : `Not that. Expect: ${b.expect}`)
}
// story goes to the command before or after: what you or the story did.
function command(way) {
  for (let n = cur + way; n >= low && n <= head; n += way) if (['you', 'story'].includes(log.get(n)?.lane)) return go(n)
  go(way < 0 ? low : head)
}
function choose(way) {
  const keys = view.keys.filter(Boolean), i = keys.indexOf(chosenOf(now().state))
  chosen = keys[(i + way + keys.length) % keys.length]
  draw()
}
function nextHandler() {
  const s = now().state, there = listeners(s).filter(l => !l.removed).map(l => l.name)
  if (there.length) chooseHandler(there[(there.indexOf(handlerOf(s)) + 1) % there.length])
}
const byDo = id => { const b = buttons.find(x => x.do === id); if (b) press(b) }
const faster = way => { speed = SPEEDS[Math.max(0, Math.min(4, SPEEDS.indexOf(speed) + way))]; act.play(!!timer) }
const ON = { ArrowRight: act.step, ' ': act.step, ArrowLeft: act.back, Home: act.first, l: act.live, End: act.live, p: () => act.play(), t: act.theme, '?': act.keys,
  q: act.predict, '[': () => command(-1), ']': () => command(1), '<': () => faster(-1), '>': () => faster(1), j: () => choose(1), k: () => choose(-1), h: nextHandler,
  c: () => byDo('create'), u: () => byDo('update'), d: () => byDo('delete') }
document.addEventListener('keydown', ev => {
  if ($('#dialog').open || ev.metaKey || ev.ctrlKey || ev.altKey || !now()) return
  if (ev.key === ' ' && ev.target.closest?.('button')) return
  const digit = ev.code.match(/^(?:Digit|Numpad)([1-9])$/), s = now().state
  const v = digit && s.valves.find(x => x.name === 'V' + digit[1])
  if (v?.handler) reveal(s, v.handler)
  const f = v ? () => turn(v.name, ev.shiftKey ? 'word' : 'disc') : ON[ev.key] ?? ON[ev.key.toLowerCase()]
  if (f) { ev.preventDefault(); f() }
})
addEventListener('resize', () => draw())
addEventListener('hashchange', () => { if (location.hash !== address()) follow_address() })
$('#bar').addEventListener('pointermove', ev => { if (ev.buttons & 1) act.seek(ev) })
let theme = ''
try { theme = localStorage.theme } catch { } // a sandboxed page has none
document.documentElement.dataset.theme = theme || (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')
async function start() {
  if (tape) begin(tape.meta, unreel(tape.events))
  else scenes = await fetch('scenes').then(r => r.json()).catch(() => [])
  if (tape || scenes.length) follow_address(); else list()
}
start()
