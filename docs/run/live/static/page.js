'use strict'
// ---- The lanes: rows are events that led from one place to the next, cells keep their columns.
const LANES = { api: 0, wire: 1, reflector: 2, queue: 3, process: 4, cache: 5, processor: 6, handler: 7, handlers: 7 }, WHOLE = 8
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
  const text = e.lane === 'process' && e.key ? name(e.key) : e.brief || e.text
  return e.key ? text.replaceAll(name(e.key), short(name(e.key), [9, 8, 8, 10, 5, 8, 6, 7][column(e)] ?? 99)) : text
}
function cell(e, next) {
  if (!e.lane) return ''
  const arrow = next?.from
  const kind = `l${column(e)} ${e.key ? '' : 'plain'} ${e.fault ? 'fault' : ''} ${e.seq === cur ? 'now' : ''} ${e.seq > cur ? 'later' : ''}`
  return html`<button class="cell ${kind}" ${colour(e.key)} data-seq="${e.seq}" data-lane="${whereOf(e).replace(/^(handler) .*/, '$1')}" title="${e.text}">${
    e.key && column(e) < WHOLE && mark(e.key)}<span>${column(e) === WHOLE && e.kind !== 'say' ? '▸ ' : ''}${brief(e)}</span>${arrow && html`<u></u>`}</button>`
}

// ---- The whole page for event cur.
function show(moved) {
  const e = now()
  tabs()
  if (!e) return put($('#self'), link === 'lost' ? 'the server cannot be reached' : 'listing')
  note_address()
  const s = e.state, start = moved > 0 && e.from && view ? spots(e.from, e.key)[0] : null, from = start && middle_(start)
  event_ = e
  view = rowsOf(s)
  for (const p of PLACES) {
    put($('#' + p.id), p.draw(s))
    put($('#sub-' + p.id), p.sub?.(s) ?? '')
    $('#' + p.id).classList.toggle('acted', placeOf(e.lane) === p.id)
  }
  put($('#title-queue'), s.queue?.kind || meta.queue || 'queue')
  if (meta.server || meta.source) put($('#sub-api'), (meta.server ?? meta.source).replace(/^https?:\/\//, ''))
  countdown(e)
  valves(s)
  pipes(s)
  if (moved && innerWidth < 80 * unit()) $('.place.acted')?.scrollIntoView({ block: 'nearest' })
  fly(e, from)
  const told = note && (!follow || performance.now() < note.until) ? note : null, words = told?.text ?? spoken(e)
  put($('#caption h2'), html`event ${e.seq}${e.at ? `, ${seconds(e.at)}` : ''}, ${whereOf(e)}&ensp;<b>${e.kind === 'say' ? '' : e.text}</b>`)
  put($('#aloud'), words)
  put($('#says p'), html`<span class="${told?.bad ? 'alarm' : ''}">${named(words)}</span>`)
  $('#says p').className = words.length > 230 ? 'longer' : words.length > 115 ? 'long' : ''
  const file = meta.story?.replace(/\.story$/, '').replace(/^\d+_/, '').replaceAll('_', ' ')
  put($('#story'), file ? html`<b>${file}</b>&ensp;${e.lane === 'story' ? '' : caption(e)}` : '')
  put($('#source'), excerpt(e, 4))
  if ($('#dialog').open) fill()
  lanes()
  transport(s)
  light(document.querySelector('[data-key].lit:hover') ?? document.activeElement)
}
function transport(s) {
  const back = cur < seen, coming = head - cur
  const mode = tape ? '● recording' : link !== 'watching' ? `○ ${link === 'lost' ? 'no server' : 'listing'}` : back ? `◀ ${seen - cur} back, read only`
    : coming ? `▶ ${coming} to come` : follow ? '● live, following' : '● live, paused'
  put($('#mode'), mode)
  $('#mode').className = `chip ${back && !tape ? 'back' : ''} ${link === 'lost' ? 'alarm' : ''}`
  put($('#self'), tape ? `a recording of ${count(head - low, 'event')}` : link === 'lost' ? `will ask for what came after event ${head}`
    : lists > 1 ? `listed again at a new version, watches from event ${head + 1}` : `this page watches from event ${head + 1}`)
  put($('#pos'), `${cur} of ${head}`)
  for (const b of all('.do button')) b.disabled = past()
  for (const b of all('[data-kind]:not([data-kind=""])')) b.setAttribute('aria-pressed', b.dataset.kind === (s.queue?.kind ?? meta.queue))
  $('[data-do=live]').setAttribute('aria-pressed', follow)
  $('[data-do=play]').setAttribute('aria-pressed', !!timer)
  $('#predict').setAttribute('aria-pressed', ask)
  put($('#speed'), `${{ .25: '¼', .5: '½' }[speed] ?? speed}×`)
  Object.assign(document.body.dataset, { at: cur, head, low, seen, link })
  const bar = $('#bar'), x = n => (n - low) / Math.max(1, head - low) * 1000, steps = []
  Object.assign(bar, { min: low, max: head, value: cur, ariaValueText: `event ${cur}: ${now().text}` })
  for (let n = low; n <= head; n++) if (['story', 'you'].includes(log.get(n)?.lane)) steps.push(`M${x(n).toFixed(1)} 10V22`)
  put($('#line span'), html`<svg viewBox="0 0 1000 32" preserveAspectRatio="none"><path d="M0 16H1000" stroke="var(--line)" stroke-width="2"/><path
    d="M0 16H${x(seen)}" stroke="var(--pipe)" stroke-width="4"/><path d="${steps.join('')}" stroke="var(--soft)" stroke-width="1.5"/></svg>`)
}

function tabs() {
  if (!scenes.length) return
  put($('#tabs'), [...scenes, { name: 'own', title: 'your own' }].map(l =>
    html`<button data-scene="${l.name}" ${(scene?.name ?? 'own') === l.name && new Markup('aria-current="page"')}>${l.title}</button>`))
  const bar = $('#tabs'), now = $('#tabs [aria-current]')
  bar.scrollLeft = now.offsetLeft - bar.offsetLeft - 24
}
// fixed draws what no event changes: places, pipes and buttons.
function fixed() {
  const queues = b => ['DeltaFIFO', 'RealFIFO'].map(kind => ({ ...b, label: kind, args: { kind } }))
  buttons = (meta.buttons ?? []).filter(b => !(meta.readOnly && b.fault)).flatMap(b => b.do === 'queue' ? queues(b) : [b])
  build()
  for (const { id } of PLACES) put($('#do-' + id), buttons.map((b, n) => (b.place || 'api') === id && html`<button class="${b.fault ? 'fault' : ''}"
    data-press="${n}" data-kind="${b.args?.kind}" title="${b.expect ?? ''}">${b.label}</button>`))
  if (meta.readOnly) put($('#do-api'), html`<span class="quiet">A real cluster: this page only reads from it.</span>`)
  $('[data-do=live]').hidden = !!tape
  document.body.toggleAttribute('data-tape', !!tape)
  $('#predict').hidden = tape || !buttons.some(b => b.fault)
}

// ---- Dialogs.
const KEYS = html`<p><b>Keys</b></p><pre>→ or space     step: to the next event that shows something new
←              back: look at what was (read only)
Home  L        first event held, live (and follow)
[  ]           the command before, the command after
P  &lt;  &gt;        play, slower, faster
1 … 5          turn valve V1 … V5 (open, held; one: lets one through)
Shift 1 … 5    the valve’s next mode: open, held, one, slow
C U D          create an object; update, delete the chosen one
J K            choose the next object, the one before
H              choose the next handler
Q              ask before a fault
T  ?           light or dark, this help
Tab Enter      every token, cell, valve and button</pre>
`
const help = () => [html`<h2>What is drawn</h2><dl class="terms">${meta.terms.filter(t => t.help).map(t => html`<dt>${t.word}</dt><dd>${t.says}</dd>`)}</dl>`, KEYS]
const selfText = () => tape ? html`<h2>This is a recording</h2><p>The machine has played this story to its end, in virtual time. What is drawn is what its stages
  have reported, event by event, so you can step forward and back.</p>` : html`<h2>This page is itself a reflector</h2><p>GET /state is its list, GET /events its watch, and the number of the last event,
  ${head}, its resource version. Again and again it asks for what came after that number. If that is too old, it is told <b>410 Gone</b>, and
  lists again, as the reflector does.</p><p>It holds the events ${low} to ${head}, and has listed ${count(lists, 'time')}. Going back is reading only: a machine that
  runs cannot be turned back.</p>`
function facts(e) {
  return html`<dl>${Object.entries({ event: e.seq, at: seconds(e.at), lane: e.lane, kind: e.kind, key: e.key, text: e.text, from: e.from, to: e.to })
    .filter(([, v]) => v !== '' && v != null).map(([k, v]) => html`<dt>${k}</dt><dd>${v}</dd>`)}</dl>`
}
// open shows a dialog. An excerpt in it may be still on its way: so it is given a function, and fill
// draws again whenever something has come.
function open(markup, kind = '') {
  const d = $('#dialog')
  if (d.className !== kind) d.close()
  d.className = kind
  d.markup = markup
  fill()
  if (!d.open) kind ? d.show() : d.showModal()
  if (kind && innerWidth < 80 * unit()) $('#caption').scrollIntoView()
}
function fill() {
  const d = $('#dialog')
  // close comes first and has the focus: a dialog scrolls to what has it. A question has the focus itself.
  put(d, [html`<p class="close"><button class="btn" data-do="close">✕ close<kbd>Esc</kbd></button></p>`, d.markup()])
  if (d.matches(':modal') && !d.contains(document.activeElement)) d.querySelector('[data-do=close]').focus()
}
// token opens an object: whole, as a difference from its state before, with what the place has of it
// and the line that touched it last.
function token(id) {
  const [place, key, version] = id.split('|'), s = now().state, at = cur
  if (place === 'index') return open(() => html`<h2>Indices of the cache</h2><pre>${(s.cache.indices ?? []).map(x => `${x.name}\n${x.values.map(v => `  ${v.value}: ${v.keys.map(name).join(', ')}\n`).join('')}`)}</pre>`)
  if (!key && hasMany(place)) return collection(place)
  const is = x => name(x?.key) === name(key), rowsAt = { process: s.queue?.popped, queue: s.queue?.rows, delta: s.queue?.rows }[place]
  const handler = place === 'call' && s.handlers.find(h => h.name === key), delta = place === 'delta' && rowsAt.find(is)?.deltas[version]
  const of = handler ? handler.hand?.key ?? '' : key, at_ = delta ? delta.rv : handler ? handler.hand?.rv : version
  const held = { wire: s.wire, reflector: s.reflector?.hand, call: { ...handler, listener: listeners(s).find(l => l.name === key) } }[place] ?? delta ?? rowsAt?.find(is)
  let last
  open(() => html`<h2>${of && html`<span ${colour(of)}>${mark(of)}</span>`}${name(of) || (handler ? key : 'a whole list')}<span class="soft">in the ${
    { call: 'handlers', delta: 'queue' }[place] ?? WHERE[place]}, after event ${at}</span></h2>${of && whole(of, at_)}${
    held && html`<p class="soft">What this place has of it:</p><pre>${JSON.stringify(held, null, 1)}</pre>`}${
    (last ??= lastTouch(place, key, at)) ? html`<p>Touched last by event ${last.seq}: ${last.text}</p>${excerpt(last, 40)}`
      : html`<p class="soft">No event at hand has touched it.</p>`}`)
}
// versions are the states of an object that a stage has shown, in the order in which they were made.
function versions(key) {
  const found = new Map()
  for (const e of log.values()) if (e.object && isOf(e, key)) found.set(JSON.parse(e.object).metadata?.resourceVersion, e.object)
  return found
}
function whole(key, version) {
  const found = [...versions(key)], n = found.findIndex(([v]) => v === String(version))
  if (n < 0) return html`<p class="soft">No stage has shown ${name(key)}${rv(version)} whole, as far as events are held.</p>`
  const text = i => i < 0 ? [] : JSON.stringify(JSON.parse(found[i][1]), null, 2).replaceAll(',\n', '\n').split('\n')
  return html`<p>${n > 0 ? html`Whole, with what differs from <b>${rv(found[n - 1][0])}</b>, the state before:` : 'The whole object, in the first state that is known:'}</p><pre class="whole">${
    (n > 0 ? difference(text(n - 1), text(n)) : text(n).map(l => [' ', l])).map(([sign, l]) => html`<span class="${{ '+': 'plus', '-': 'minus' }[sign]}">${sign} ${l}\n</span>`)}</pre>`
}
// difference compares two texts line by line: what both have in common stays, as much as possible.
function difference(old, now) {
  const common = Array.from({ length: old.length + 1 }, () => Array(now.length + 1).fill(0)), lines = []
  for (let i = old.length; i--;) for (let k = now.length; k--;)
    common[i][k] = old[i] === now[k] ? common[i + 1][k + 1] + 1 : Math.max(common[i + 1][k], common[i][k + 1])
  for (let i = 0, k = 0; i < old.length || k < now.length;) {
    if (i < old.length && old[i] === now[k]) { lines.push([' ', now[k++]]); i++ }
    else if (i < old.length && (k === now.length || common[i + 1][k] >= common[i][k + 1])) lines.push(['-', old[i++]])
    else lines.push(['+', now[k++]])
  }
  return lines
}
function lastTouch(place, key, at) {
  const p = { call: 'handlers', delta: 'queue' }[place] ?? place
  for (let n = at; n >= low; n--) {
    const e = log.get(n)
    if (e && placeOf(e.lane) === p && (place === 'call' ? e.lane === 'handler:' + key : name(e.key) === name(key))) return e
  }
}
const MANY = { api: s => s.server?.objects, cache: s => s.cache?.objects, queue: s => s.queue?.rows, wire: s => s.wire?.before, process: s => s.queue?.popped }
const hasMany = place => MANY[place]?.(now().state)?.length
function collection(place) {
  const rows = MANY[place](now().state), at = cur
  open(() => html`<h2>Everything in the ${WHERE[place]}, after event ${at}</h2>
    <p class="soft">Those touched last, at most 100. Choose one and it gets its row.</p><p>${rows.map(r => html`<button class="tok" ${colour(r.key)} data-choose="${name(r.key)}">${
    mark(r.key)}<span>${name(r.key)}${r.deltas ? ` ${r.deltas.length + (r.earlier ?? 0)}` : rv(r.rv)}</span>${r.type && soft(r.type)}</button> `)}</p>`)
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
  if (d.reply && !ev.detail) $('[data-do=step]').focus() // by key: Enter steps on
  if (d.do) act[d.do](ev)
  else if (d.press) press(buttons[d.press])
  else if (d.turn) turn(...d.turn.split('|'))
  else if (d.choose) { if (d.choose.startsWith('handler|')) chosenHandler = d.choose.slice(8); else chosen = d.choose; draw() }
  else if (d.open) token(d.open)
  else if (d.word) open(() => html`<h2>${d.word}</h2><p>${meaning(d.word)}</p>`)
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
// entitle lets the mouse show a text that is cut off.
function entitle(el) {
  for (; el?.parentElement; el = el.parentElement)
    if (el.scrollWidth > el.clientWidth && getComputedStyle(el).textOverflow === 'ellipsis' && !el.closest('[title]'))
      el.title = el.closest('[data-key]')?.dataset.key || el.textContent
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
  chosenHandler = there[(there.indexOf(handlerOf(s)) + 1) % there.length]
  draw()
}
const byDo = id => { const b = buttons.find(x => x.do === id); if (b) press(b) }
const faster = way => { speed = SPEEDS[Math.max(0, Math.min(4, SPEEDS.indexOf(speed) + way))]; act.play(!!timer) }
const ON = { ArrowRight: act.step, ' ': act.step, ArrowLeft: act.back, Home: act.first, l: act.live, End: act.live, p: () => act.play(), t: act.theme, '?': act.keys,
  q: act.predict, '[': () => command(-1), ']': () => command(1), '<': () => faster(-1), '>': () => faster(1), j: () => choose(1), k: () => choose(-1), h: nextHandler,
  c: () => byDo('create'), u: () => byDo('update'), d: () => byDo('delete') }
document.addEventListener('keydown', ev => {
  const question = $('#dialog.asking[open]'), answers = all('#dialog .choices button')
  if (question && ev.key === 'Escape') return question.close()
  if (answers.includes(ev.target) && ev.key.startsWith('Arrow')) {
    ev.preventDefault()
    const way = /Down|Right/.test(ev.key) ? 1 : answers.length - 1
    return answers[(answers.indexOf(ev.target) + way) % answers.length].focus()
  }
  if ($('#dialog').matches(':modal') || ev.metaKey || ev.ctrlKey || ev.altKey || !now()) return
  if (ev.key === ' ' && ev.target.closest?.('button, a')) return
  const digit = ev.code.match(/^(?:Digit|Numpad)([1-5])$/), s = now().state
  const v = digit && s.valves.find(x => x.name === 'V' + digit[1])
  const f = v ? () => turn(v.name, ev.shiftKey ? 'word' : 'disc') : ON[ev.key] ?? ON[ev.key.toLowerCase()]
  if (f) { ev.preventDefault(); f() }
})
addEventListener('resize', () => draw())
for (const type of ['pointerover', 'focusin']) document.addEventListener(type, ev => { light(ev.target); entitle(ev.target) })
addEventListener('hashchange', () => {
  addressed = location.hash
  if (addressed !== address()) follow_address()
})
$('#bar').addEventListener('input', () => go(+$('#bar').value))
let theme = ''
try { theme = localStorage.theme } catch { } // a sandboxed page has none
document.documentElement.dataset.theme = theme || (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')
async function start() {
  if ($('#tape')) begin((tape = await unpacked($('#tape').textContent)).meta, tape.events)
  else scenes = await fetch('scenes').then(r => r.json()).catch(() => [])
  if (tape || scenes.length) follow_address(); else enter('own')
}
start()
