'use strict'
// The page is a reflector of the machine: GET /state is its list, GET /events its watch, and the
// number of the last event its resource version. It draws the snapshot that came with one event,
// whole, whatever was drawn before, and decides nothing: orders, states and numbers are the machine's.

// ---- 1. Small tools: markup in which every value is escaped, and the look of an object.
class Markup { constructor(text) { this.text = text } }
const escaped = v => String(v).replace(/[&<>"']/g, c => `&#${c.charCodeAt(0)};`)
const flat = v => v instanceof Markup ? v.text : Array.isArray(v) ? v.map(flat).join('')
  : v == null || v === false ? '' : escaped(v)
const html = (parts, ...values) =>
  new Markup(parts.reduce((text, part, i) => text + flat(values[i - 1]) + part))
const $ = q => document.querySelector(q)
const all = q => [...document.querySelectorAll(q)]

// put redraws what changed, and leaves the focus where it was.
function put(el, markup) {
  const text = flat(markup)
  if (el.drawn === text) return
  const focus = el.contains(document.activeElement) && document.activeElement.dataset
  const attr = focus && ['open', 'seq', 'press', 'turn', 'choose', 'do'].find(a => focus[a]), id = attr && focus[attr]
  el.innerHTML = el.drawn = text
  if (id) el.querySelector(`[data-${attr}="${CSS.escape(id)}"]`)?.focus()
}

const name = key => String(key ?? '').replace(/^default\//, '')
// An object's row and colour are one number, made of its name alone: so they never change, and event
// N looks the same on every page. db-1, web-1, web-2 and web-3 have the rows 0 to 3.
function look(key) {
  const [, word, number] = name(key).match(/^(.*?)(\d*)$/s)
  let n = Number(number.slice(-6)) + word.length
  if (!number) for (const c of word) n += c.charCodeAt(0)
  return { slot: n % 4, shape: ((n % 4) + (n >> 2) + 3) % 4 }
}
const SHAPES = ['M5 0 10 5 5 10 0 5Z', 'M5 .3A4.7 4.7 0 1 1 4.99 .3Z', 'M.8 .8H9.2V9.2H.8Z', 'M5 .4 10 9.4H0Z']
const DEMO = ['db-1', 'web-1', 'web-2', 'web-3']
const mark = key => html`<svg class="mark" viewBox="0 0 10 10" aria-hidden="true"><path d="${SHAPES[look(key).shape]}"/></svg>`
const seconds = ms => ms < 1000 ? `${Math.round(ms)} ms` : `${+(ms / 1000).toFixed(1)} s`
const sum = list => list.reduce((n, x) => n + x, 0)

// ---- 2. The reflector: a list, a watch that goes on where the last one ended, and a list when it
// is told that its version is gone.
const KEEP = 500
const log = new Map() // by number: the events low to head, without a gap
let meta = {}, run = '', low = 0, head = 0, floor = 0, era = 0, stream = null, link = 'listing', fetching = Promise.resolve(), lists = 0
const tape = $('#tape') && JSON.parse($('#tape').textContent)

async function list() {
  const mine = ++era
  stream?.close()
  link = 'listing'
  try {
    const answer = await (await fetch('state')).json()
    const newest = await fetch('event/' + answer.seq)
    const bare = { seq: answer.seq, at: 0, lane: '', kind: '', text: '', state: answer.state }
    if (mine !== era) return
    run = answer.run
    begin(answer.meta, [newest.ok ? await newest.json() : bare], answer.floor)
    watch(mine)
  } catch {
    if (mine !== era) return
    link = 'lost'
    setTimeout(() => mine === era && list(), 1000)
  }
  draw()
}

function begin(m, events, oldest) {
  log.clear()
  for (const e of events) log.set(e.seq, e)
  meta = m
  low = events[0].seq
  head = events.at(-1).seq
  floor = oldest ?? low
  cur = seen = tape ? low : head
  want = 0
  lists++
  sources.clear()
  asked_.clear()
  fixed()
}

function watch(mine) {
  stream = new EventSource(`events?run=${run}&after=${head}`)
  stream.onopen = () => {
    if (link === 'listing') older(head - 60)
    link = 'watching'
    draw()
  }
  stream.onerror = () => {
    link = 'lost'
    draw()
    if (stream.readyState === EventSource.CLOSED) setTimeout(() => mine === era && list(), 1000)
  }
  stream.addEventListener('gone', () => { if (mine === era) list() })
  stream.addEventListener('step', m => { if (mine === era) receive(JSON.parse(m.data)) })
}

function receive(e) {
  if (e.seq <= head) return
  if (e.seq !== head + 1) return list() // something is missing, and only a list can help
  e.arrived = performance.now()
  log.set(head = e.seq, e)
  while (head - low >= KEEP) log.delete(low++)
  let moved = 0
  if (want) { want--; cur = head - 1; moved = 1 }
  if (follow || moved) seen = cur = Math.max(follow ? head : cur + 1, low)
  cur = Math.max(cur, low)
  seen = Math.max(seen, cur)
  draw(follow ? 0 : moved)
}

// older fetches events before those at hand, newest first, after a reload: one can walk back to what
// the server still holds.
const older = to => tape ? fetching : fetching = fetching.then(() => fetchBack(to))
async function fetchBack(to) {
  const mine = era
  while (low > Math.max(to, floor, head - KEEP + 1, 1)) {
    const answer = await fetch('event/' + (low - 1)).catch(() => null)
    if (mine !== era || !answer) break
    if (!answer.ok) { floor = low; break }
    const e = await answer.json()
    if (mine !== era || e.seq !== low - 1) break
    log.set(low = e.seq, e)
  }
  draw()
}

// sources holds the excerpts by file:line: the function that holds the line which acted.
const sources = new Map()
function source(e) {
  if (!e.file) return null
  const id = `${e.file}:${e.line}`
  if (tape) return tape.sources?.[id] ?? { lines: [] }
  if (!sources.has(id)) {
    sources.set(id, null)
    fetch(`source?file=${encodeURIComponent(e.file)}&line=${e.line}`)
      .then(async r => { sources.set(id, r.ok ? await r.json() : { lines: [], error: (await r.json()).error }) })
      .catch(() => sources.set(id, { lines: [], error: 'The source cannot be read now.' })).then(() => draw())
  }
  return sources.get(id)
}

async function post(body) {
  const answer = await fetch('do', { method: 'POST', body: JSON.stringify(body),
    headers: { 'Content-Type': 'application/json', 'X-Watchglass': '1' } }).catch(() => null)
  if (answer?.ok) return true
  want = 0
  const error = answer ? (await answer.json().catch(() => ({}))).error : 'the server cannot be reached'
  tell(`Refused: ${error || answer.status}`, true)
}

// ---- 3. The cursor. head is the newest event received, cur the one drawn, seen the furthest drawn.
let cur = 0, seen = 0, want = 0, follow = false, timer = 0, speed = 1, chosen = '', chosenHandler = '', firstHandler = Infinity, buttons = [], ask = false, note = null
let moved_ = 0, asked = 0
const asked_ = new Set() // commands of the story that were asked about
const SPEEDS = [.25, .5, 1, 2, 4]
const now = () => log.get(cur), state = () => log.get(head)?.state

// draw asks for one drawing with the next frame: ten events at once draw the tenth state.
function draw(moved = 0) {
  moved_ = moved
  asked ||= requestAnimationFrame(() => { asked = 0; if (!down) { show(moved_); moved_ = 0 } })
}
// While a button is held down nothing is drawn: a new button in its place would not get the click.
let down = false
addEventListener('pointerdown', ev => { down = !ev.button }, true)
const released = () => { if (down) { down = false; draw(moved_) } }
addEventListener('pointerup', released, true)
addEventListener('pointercancel', released, true)
addEventListener('blur', released) // of the window: without true, that of an element does not come here
function go(to, moved = 0) {
  const at = Math.max(low, Math.min(to, head))
  if (at !== cur) note = null
  follow = false
  moved_ = moved
  cur = at
  seen = Math.max(seen, cur)
  if (cur - 40 < low) older(cur - 80)
  draw(moved)
}
// tell says something about what the reader did. It stays until the reader moves, or much has happened.
function tell(text, bad) { note = { text, bad, head }; draw() }

const act = {
  step() {
    note = null
    if (cur < head) return go(cur + 1, 1)
    const waiting = (now()?.state.valves ?? []).filter(v => v.mode === 'one' && v.waiting)
    if (tape) return tell('The recording ends here.')
    if (meta.story && !waiting.length) { want = 1; return post({ do: 'story' }) }
    if (waiting.length === 1) { want = 1; return post({ do: 'admit', args: { name: waiting[0].name } }) }
    tell(waiting.length ? `${waiting.map(v => v.name).join(' and ')} each hold something: turn the one that is to let it through.`
      : 'Nothing has happened since. Press a button, or open a valve.')
  },
  back() {
    note = null
    if (cur > low) return go(cur - 1, -1)
    tell(low > 1 ? 'Events before this one are no longer held.' : 'This is the first event.')
  },
  async first() { // what is not here yet is fetched before
    await older(0)
    go(low)
  },
  live() { note = null; go(head); follow = !tape },
  play(on = !timer) {
    clearInterval(timer)
    follow = false
    timer = on ? setInterval(() => cur < head ? go(cur + 1, 1) : tape && act.play(false), 700 / speed) : 0
    draw()
  },
  speed() { speed = SPEEDS[(SPEEDS.indexOf(speed) + 1) % SPEEDS.length]; act.play(!!timer) },
  predict() { ask = !ask; draw() },
  theme() {
    const root = document.documentElement
    root.dataset.theme = root.dataset.theme === 'dark' ? 'light' : 'dark'
  },
  handlers() {
    const s = now().state, top = first(s), last = listeners(s).length - ROOM
    firstHandler = top < last ? Math.min(top + ROOM, last) : 0
    draw()
  },
  keys: () => open(() => KEYS), self: () => open(selfText),
  prose() { const e = now(); open(() => html`<h2>event ${e.seq}</h2><p>${spoken(e)}</p><p class="soft">${caption(e)}</p>${facts(e)}`) },
  source() { const e = now(); if (e?.file) open(() => html`<h2>The code that acted</h2>${excerpt(e, 40)}`) },
  seek(ev) {
    const box = $('#bar').getBoundingClientRect()
    if (ev?.detail) go(Math.round(low + (ev.clientX - box.left) / box.width * (head - low)))
  },
}
const WAS = tape ? 'This is a recording: it can be stepped through. go run ./docs/live has the machine itself.' : 'This is what was. Press L for live, then act.'
const past = () => tape || cur < seen
const listeners = s => s.listeners ?? []
const handlerOf = s => {
  const there = listeners(s).filter(l => !l.removed).map(l => l.name)
  return there.includes(chosenHandler) ? chosenHandler : there.at(-1) ?? ''
}
// There is room for three handlers. first is the index of the one on top: the last three are shown
// until the reader chooses others.
const ROOM = 3
const first = s => Math.max(0, Math.min(firstHandler, listeners(s).length - ROOM))
const three = s => listeners(s).slice(first(s), first(s) + ROOM)
// reveal shows a handler that is not drawn, and leaves the others where they are otherwise.
function reveal(s, handler) {
  const n = listeners(s).findIndex(l => l.name === handler), top = first(s)
  if (n >= 0) firstHandler = n < top ? n : Math.max(top, n - ROOM + 1)
}
function chooseHandler(handler) { chosenHandler = handler; reveal(now().state, handler); draw() }

// press sends what a button says. A fault asks first, if that is wanted.
function press(b, sure) {
  const s = now()?.state
  if (!s || past()) return tell(WAS)
  if (b.fault && ask && !sure) return predict(b)
  const keys = rowsOf(s).present
  let key = b.needsKey ? chosenOf(s) : ''
  if (b.do === 'create') key = chosenOf(s)
  if (b.do === 'create' && (keys.has(key) || !key)) {
    let n = 1
    while (keys.has(`web-${n}`)) n++
    key = `web-${n}`
  }
  const args = { ...b.args }
  if (b.do === 'remove-handler' || b.do === 'panic') args.name = handlerOf(s)
  if (key && !key.includes('/')) key = 'default/' + key
  want = follow ? 0 : 1
  tell(`“${b.label}${key ? " " + name(key) : ""}”. ${b.expect ? `Expect: ${b.expect}` : ""}`)
  return post({ do: b.do, key, args })
}
function predict(b) {
  const others = buttons.filter(x => x.fault && x.expect && x.expect !== b.expect)
  const from = buttons.indexOf(b)
  const two = others.length < 3 ? others : [others[from % others.length], others[(from + 1) % others.length]]
  const choices = [b, ...two].sort((x, y) => x.expect < y.expect ? -1 : 1)
  open(() => html`<h2>${b.label}: what will come of it?</h2><p>Answer first, then see.</p><div class="choices">${choices.map(c =>
    html`<button class="btn" data-guess="${c.do}" data-of="${b.do}">${c.expect}</button>`)}</div>`)
}
// quiz asks before a command of a story, when the reader has stepped to it, and once.
function quiz(e) {
  asked_.add(e.seq)
  act.play(false)
  open(() => html`<h2>What will the handlers be told?</h2><p>The next command is <b>${e.text}</b>. Answer first, then step on and see.</p>
    <div class="choices">${e.ask.answers.map((a, n) => html`<button class="btn" data-answer="${n}">${a}</button>`)}</div>`)
}
function answered(n) {
  const { answers, right } = now().ask, said = answers[right].replaceAll('\n', '; ')
  tell(n === right ? `That is what happens. Step on and see: ${said}` : `Not that. Step on and see: ${said}`)
}
function turn(id, how) {
  const v = now()?.state.valves?.find(x => x.name === id)
  if (!v) return
  if (past()) return tell(WAS)
  want = follow ? 0 : 1
  if (how === 'disc' && v.mode === 'one') return post({ do: 'admit', args: { name: id } })
  const cycle = ['open', 'held', 'one', 'slow']
  const mode = how === 'disc' ? (v.mode === 'open' ? 'held' : 'open') : cycle[(cycle.indexOf(v.mode) + 1) % 4]
  return post({ do: 'valve', args: { name: id, mode } })
}

// ---- 4. Drawing: one state in, the whole picture out.
const tok = (place, key, text, cls = '', outlined = true) => html`<button class="tok ${cls} ${outlined && hit(place, key)}" data-c="${look(key).slot}"
  data-open="${place}|${key}" title="${name(key)}">${mark(key)}<span>${text}</span></button>`
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
  if (!meta.readOnly) DEMO.forEach((k, n) => { keys[n] ??= k })
  return { keys, present, known, shown }
}
function chosenOf(s) {
  if (chosen) return chosen
  const { keys, present } = rowsOf(s)
  return keys.find(k => k === 'web-1' && present.has(k)) ?? keys.find(k => present.has(k)) ?? keys.find(Boolean) ?? ''
}
const plus = (n, place) => n > 0 && html`<button class="soft" data-open="${place}|">+${n} more</button>`

const paint = {
  api(s) {
    const v = s.server
    if (!v || meta.readOnly) return [at('label soft', 'a real API server'), html`<p class="quiet about">What it stores is not
      ours to see. What it sends passes the wire.</p>`, at('foot soft', 'read only')]
    const room = Math.max(0, Math.min(4, Math.floor((120 - String(v.rv).length * 14) / 19)))
    const left = room ? (v.log ?? []).slice(-room) : [], lost = v.floor > 1 ? room - left.length : 0
    const objects = new Map((v.objects ?? []).map(o => [name(o.key), o])), own = chosenOf(s)
    const total = v.total ?? objects.size
    return [at('label soft', 'version', soft('history', 'right')),
      at('core', html`<span class="big">@${v.rv}</span><span class="past">${Array(lost).fill(html`<span class="lost" title="compacted"></span>`)}${
        left.map(x => html`<span data-c="${look(x.key).slot}" title="${x.type} ${name(x.key)}@${x.rv}">${mark(x.key)}</span>`)}</span>`),
      at('note soft', soft(v.floor > 1 ? `nothing before @${v.floor}` : 'nothing forgotten', 'right cut')),
      lines(k => k && [html`<button class="radio" role="radio" aria-checked="${k === own}" aria-label="choose ${k}" data-choose="${k}"></button>`,
        objects.has(k) ? tok('api', k, labelled(k, objects.get(k).rv, 11)) : tok('api', k, short(k, 11), 'gone')]),
      at('foot soft', v.fault ? html`<span class="alarm cut">${v.fault}</span>` : v.watchers ? `${v.watchers} watch${v.watchers > 1 ? 'es' : ''}` : 'no watch',
        html`<span class="right">${plus(total - [...objects.keys()].filter(k => view.keys.includes(k)).length, 'api')}</span>`)]
  },
  wire(s) {
    const w = s.wire ?? {}, [, type, key, version] = String(w.last ?? '').match(/^(\S+) (.+)@(.*)$/) ?? []
    return [lines(k => key && k === name(key) && event_.lane === 'wire' && tok('wire', k, labelled(k, version, 8))),
      at('foot low3 soft', html`<span class="cut">${type ? `last ${type}` : ''}</span>`),
      at('foot low2 soft', w.held ? html`<b class="ink">${w.held} held</b>` : `${w.frames ?? 0} frame${w.frames === 1 ? '' : 's'}`),
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
    return [head_, note_('deltas by key, oldest first'), lines(k => {
      const r = k && rows.find(x => name(x.key) === k)
      return k && [html`<span class="name tok bare ${r ? '' : 'gone'}" data-c="${look(k).slot}">${mark(k)}<span>${short(k, 6)}</span></span>`, r && deltas(r, 144)]
    }), foot]
  },
  cache(s) {
    const c = s.cache ?? {}, objects = new Map((c.objects ?? []).map(o => [name(o.key), o])), total = c.total ?? objects.size
    const [index] = (c.indices ?? []).slice(-1)
    let room = index ? 128 - index.name.length * 7 : 0
    const entries = []
    for (const v of index?.values ?? []) {
      room -= v.value.length * 7 + Math.min(3, v.keys.length) * 12 + 10
      if (room < 0) { entries.push(html`<span class="entry">…</span>`); break }
      entries.push(html`<span class="entry">${v.value}&hairsp;${v.keys.slice(0, 3).map(k => html`<span data-c="${look(k).slot}">${mark(k)}</span>`)}</span>`)
    }
    return [at('label soft', 'objects', soft('synced', 'right')),
      at('core', html`<span class="big">${total}</span><b>${c.synced ? '✓ yes' : 'not yet'}</b>`),
      at('note soft', html`<span class="cut">latest state by key</span><span class="right">${plus(total - [...objects.keys()].filter(k => view.keys.includes(k)).length, 'cache')}</span>`),
      lines(k => k && (objects.has(k) ? tok('cache', k, labelled(k, objects.get(k).rv, 12)) : tok('cache', k, short(k, 12), 'gone'))),
      at('foot soft', index ? html`<button class="cut" data-open="index|">${index.name}</button><span class="right"></span>` : soft('no index'), entries)]
  },
  processor(s) {
    return [0, 1, 2].map(n => {
      const l = three(s)[n]
      if (!l) return html`<div class="third h${n} none">${ring({ ring: { len: 0, cap: 0 } })}<span class="quiet">${n > listeners(s).length ? '' : n ? 'another may join late' : 'no handler yet'}</span></div>`
      return html`<div class="third h${n}">${ring(l)}<div class="stack"><span><b>${l.name}</b></span>${
        soft(l.removed ? 'removed' : l.ring.cap > 99 ? `${l.ring.len}/${l.ring.cap}` : l.ring.cap ? `ring ${l.ring.len}/${l.ring.cap}` : 'no ring yet')}${
        soft(l.hand ? `in hand ${l.hand}` : `most ${l.high}`)}</div></div>`
    })
  },
  handlers(s) {
    return [0, 1, 2].map(n => {
      const l = three(s)[n], h = l && s.handlers.find(x => x.name === l.name)
      if (!h) return html`<div class="third h${n}"></div>`
      const last = h.busy || h.last?.at(-1) || '', key = (last.match(/([^\s@]+)@/) ?? last.match(/\s(\S+)$/) ?? [])[1]
      return html`<div class="third h${n}"><div class="stack"><span><button class="radio" role="radio" aria-checked="${h.name === handlerOf(s)}" aria-label="choose handler ${h.name}" data-choose="handler|${h.name}"></button><b>${h.name}</b>${soft(`told ${h.told}`, 'right')}</span>
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
  const last = stepOf(cur), may = new Set((meta.table ?? []).filter(t => t.from === r.state && t.to !== 'stopped').map(t => t.to))
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
    html`<path class="${i < full ? 'full' : 'free'}" d="M${p(i * step + gap)}A26 26 0 0 1 ${p((i + 1) * step - gap)}"/>`)
  return html`<svg class="ring ${event_.lane === 'processor' && l.name ? 'hit' : ''}" viewBox="0 0 64 64" role="img" aria-label="${l.pending ?? 0} wait">${parts ? arcs : html`<circle cx="32" cy="32" r="26"/>`}
    <text class="${l.pending > 999 ? 'small' : ''}" x="32" y="38.5">${l.pending ?? ''}</text></svg>`
}
const HANDLE = { open: '<path d="M8 15H22"/>', held: '<path d="M15 8V22"/>', one: '<text x="15" y="19.5">1</text>',
  slow: '<path d="M8 15H9M15 15h.1M21 15h1"/>' }
// slots gives the valves their places: V1 and V2 have theirs, a handler's is beside its listener.
function valveAt(s, n) {
  const valves = s.valves ?? []
  if (n < 2) return valves.find(v => v.name === ['V1', 'V2'][n])
  const l = three(s)[n - 2]
  return l && valves.find(v => v.handler === l.name)
}
function valves(s) {
  all('.valve').forEach((el, n) => {
    const v = valveAt(s, n), acted = v && event_.to === v.name
    el.dataset.mode = v?.mode ?? ''
    el.classList.toggle('hit', !!acted)
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
    if (on && event_.key) el.dataset.c = look(event_.key).slot; else delete el.dataset.c
    if (on) el.dataset.c ??= ''
    el.innerHTML = on && moved > 0 ? mark(event_.key).text : ''
  }
}

// What a teacher would say of an event, by its lane and the words of the stories. It only words what
// the event tells; a story brings its own prose.
const count = (n, one, many = one + 's') => `${['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'][n] ?? n} ${n === 1 ? one : many}`
const rowOf = (s, key) => (s.queue?.rows ?? []).find(r => r.key === key)
const SAY = [
  ['api', /^GET list, version "0"/, () => 'The reflector asks for everything. Any version will do: the server may answer from its cache.'],
  ['api', /^GET list/, () => 'The reflector lists: it asks for a state at least as new as the one it has seen.'],
  ['api', /^GET watch, version "?([^"]*)"?/, (e, m) => `A watch asks for whatever comes after version ${m[1]}.`],
  ['api', /^ADDED (\S+), version (\d+)/, (e, m) => `${m[1]} is created on the server, which remembers it as version ${m[2]}.`],
  ['api', /^MODIFIED (\S+), version (\d+)/, (e, m) => `${m[1]} is changed on the server, which remembers the change as version ${m[2]}.`],
  ['api', /^DELETED (\S+), version (\d+)/, (e, m) => `${m[1]} is deleted on the server. The deletion has a version of its own, ${m[2]}.`],
  ['api', /^sends BOOKMARK/, () => 'A bookmark: no object, only the version up to which the client has seen everything.'],
  ['api', /^sends ERROR/, () => 'The answer comes inside the stream, as an event: an error.'],
  ['api', /^sends \S+ (\S+)@/, (e, m) => `The server writes a frame about ${m[1]} to the open watch. Nobody had to ask for it.`],
  ['api', /^fault: /, () => 'A fault was armed: this is what the server does instead of what it should.'],
  ['api', /^watch ended/, () => 'The server’s side of the watch is over.'],
  ['wire', /^([A-Z]+) (\S+)@/, (e, m) => `One frame passes the wire: ${m[1]} ${m[2]}.`],
  ['wire', /^list: 200/, () => 'The list has arrived, as one answer: every object, and the version at which they were read.'],
  ['wire', /^(list|watch): /, (e, m) => `The ${m[1]} has failed. What to do now is the reflector’s decision.`],
  ['wire', /^stream open/, () => 'The answer to a watch has no end: one frame an event, for as long as it lasts.'],
  ['wire', /^stream closed/, () => 'The client has closed the stream: it has read enough.'],
  ['wire', /^stream (ended|broken)/, () => 'No more frames will come from this stream. What was read is read; the rest must be asked for again.'],
  ['wire', /^ERROR (\d+)/, (e, m) => `Inside the stream comes no object but an error: ${m[1]}.`],
  ['wire', /^BOOKMARK/, () => 'A bookmark passes the wire: a version, and no object.'],
  ['wire', /part of a frame/, () => 'Half a frame has come. It must not become an event.'],
  ['reflector', /^(\d+) objects?, version (\d+)/, (e, m) => `The list has ${m[1]} objects and is of version ${m[2]}. Whatever comes after ${m[2]} is for the watch.`],
  ['reflector', /^skipped/, () => 'One object could not be read. It is left out, and the others are not held up.'],
  ['reflector', /^version went back/, () => 'The server shows an older state than before: it was restored, or another one answers.'],
  ['reflector', /^compared/, () => 'The cache was compared with what the server has.'],
  ['reflector', /→ stopped/, () => 'The informer stops, from its source to its end: the reflector is the first.'],
  ['reflector', /: (?:failed|very short|cut short|idle|busy)/, () => 'That did not work. The table says where to go from here, and whether to wait first.'],
  ['reflector', /^list at/, () => 'The list is under way. Until it is answered there is nothing to queue.'],
  ['reflector', /^watch from version $/, () => 'The reflector opens a watch that begins with everything there is: a streaming list.'],
  ['reflector', /^watch from version (\S+)/, (e, m) => `The reflector opens a watch from version ${m[1]}: it has seen everything up to there.`],
  ['reflector', /: listed/, () => 'The store has taken the whole list, so the reflector knows from where to watch.'],
  ['reflector', /opening (?:latest )?stream: opened/, () => 'The server agrees. It streams every object it has, then a bookmark says that these were all.'],
  ['reflector', /opening watch: opened/, () => 'The server agrees to the watch. This stream is meant to last.'],
  ['reflector', /: streamed/, () => 'The initial events are complete. The same stream goes on as a plain watch.'],
  ['reflector', /watching: ended/, () => 'The stream is over, as every stream will be. The next begins where this one ended: no list.'],
  ['reflector', /expired/, () => 'The version is older than anything the server remembers. Only a list can help now.'],
  ['reflector', /back(s|ing)? off/, () => 'Something failed, so the reflector waits before the next attempt. Each pause is longer.'],
  ['reflector', /^(ADDED|MODIFIED|DELETED) (\S+)@(\S+)/, (e, m) => `The reflector reads ${m[1]} ${m[2]} and hands it to the queue.`],
  ['reflector', /^BOOKMARK/, () => 'A bookmark: the reflector notes the version, and tells nobody.'],
  ['queue', /tombstone/, e => `${name(e.key)} is in the cache but not in the list. The queue makes a tombstone, with the last state that the cache knows.`],
  ['queue', /two deletions in a row/, e => `${name(e.key)} has been deleted twice in a row. One deletion says it all.`],
  ['queue', /ignores/, e => `${name(e.key)} is neither queued nor known, so there is nothing to delete.`],
  ['queue', /Sync /, e => `A resync: what the cache holds of ${name(e.key)} is queued again. The server is not asked.`],
  ['queue', /: Replaced/, e => `${name(e.key)} is in the list. It is queued under its key, as Replaced.`],
  ['queue', /^replaced at version/, () => 'The whole list is queued before the first of it is popped.'],
  ['queue', /^ReplacedAll/, () => 'The whole list is queued as one event, in its place among the others.'],
  ['queue', /^(SyncAll|Bookmark)/, () => 'An event about the whole collection takes its place among the others.'],
  ['queue', /put back/, e => `${name(e.key)} could not be processed and is queued again.`],
  ['queue', /^(synced|the first list)/, () => 'The last key of the first list has been processed: the queue has synced.'],
  ['queue', /: /, e => {
    const r = rowOf(e.state, e.key), n = r ? r.deltas.length + (r.earlier ?? 0) : 1
    return n > 1 ? `${name(e.key)} keeps its one place in the queue, now with ${count(n, 'delta')}. Nothing is merged away.`
      : `${name(e.key)} joins the queue with one delta.`
  }],
  ['queue', /^(\S+) (\S+)@/, (e, m) => `${m[2]} joins the end of the queue as one event. RealFIFO keeps the order of all of them.`],
  ['process', /^pop/, e => e.key ? `The process loop takes ${name(e.key)} out of the queue, with all its deltas.` : 'The process loop takes a batch out of the queue.'],
  ['cache', /^indexed by (\S+)/, (e, m) => `The cache has gone through all it holds, and now also finds objects by ${m[1]}.`],
  ['cache', /has synced/, () => 'The cache holds the whole first list: the informer has synced. Handlers may still be at it.'],
  ['cache', /[+=]/, e => `The cache is brought up to date first. Only then are handlers told${e.key ? ` of ${name(e.key)}` : ''}.`],
  ['cache', /~/, e => `The cache now has the new state of ${name(e.key)}. Handlers are told after that.`],
  ['cache', / - /, e => `${name(e.key)} leaves the cache. Handlers are told after that.`],
  ['processor', /due/, () => 'Nothing has changed, so only the handlers that want resyncs, and are due, are told.'],
  ['processor', /^tells/, () => 'The processor hands the same notifications to every listener. It never waits for a handler.'],
  ['processor', /^(\S+): (\d+) wait/, (e, m) => `${m[1]} is not through with what it has, so ${count(+m[2], 'notification')} wait for it. Nothing else does.`],
  ['processor', /^(\S+) joins, (\d+)/, (e, m) => +m[2] ? `${m[1]} joins late. What the cache holds comes to it as ${count(+m[2], 'add')}, a first list of its own.` : `${m[1]} joins. The cache is empty, so there is nothing to tell yet.`],
  ['processor', /^(\S+) has synced/, (e, m) => `${m[1]} has been told of its whole first list: it has synced.`],
  ['processor', /^(\S+) is removed/, (e, m) => `${m[1]} is told nothing more. Its call that is under way may end.`],
  ['handler', /^has ended/, (e, m, who) => `The goroutines of ${who} have ended.`],
  ['handler', /^added (\S+)@.*initial/, (e, m, who) => `${who} is told of ${m[1]}, as part of its initial list.`],
  ['handler', /^added (\S+)@/, (e, m, who) => `${who} is told that ${m[1]} was added.`],
  ['handler', /^updated (\S+)@(\S+) from version (\S+)/, (e, m, who) => m[2] === m[3]
    ? `${who} is told of ${m[1]} again: old and new state are the same. That is a resync.` : `${who} is told that ${m[1]} went from version ${m[3]} to ${m[2]}.`],
  ['handler', /^deleted tombstone/, (e, m, who) => `${who} is told that ${name(e.key)} is gone, by a tombstone: the last state that the cache had.`],
  ['handler', /^deleted (\S+)@/, (e, m, who) => `${who} is told that ${m[1]} was deleted.`],
  ['handler', /^(?:has returned|returns) from (\S+)/, (e, m, who) => `${who} has returned from ${m[1]} and can be told of the next.`],
  ['handler', /waits at (\S+)/, (e, m, who) => `${who} is called, and the call does not get past ${m[1]}: what comes after it has to wait.`],
  ['process', /waits at (\S+)/, (e, m) => `Something is queued, and the process loop waits at ${m[1]} before it pops. Whatever comes gathers in the queue.`],
  ['wire', /waits at (\S+)/, (e, m) => `A frame has come, and waits at ${m[1]}: nothing behind it is read.`],
  ['', /passes (V\d)/, (e, m) => `${m[1]} lets it pass.`],
  ['handler', /panic/, (e, m, who) => `${who} panics in its call. The other handlers notice nothing.`],
]
function spoken(e) {
  if (e.lane === 'story' || e.caption) return caption(e) || e.text
  const lane = e.lane.split(':')[0]
  for (const [l, words, f] of SAY) {
    const m = (l === lane || !l) && e.text.match(words)
    if (m) return f(e, m, e.lane.slice(8))
  }
  return e.text ? e.text[0].toUpperCase() + e.text.slice(1) : 'This is how the machine stands. Press a button, or step on.'
}
// caption is the prose in force: that of the story's last step up to this event.
function caption(e) {
  if (e.caption) return e.caption
  for (let n = e.seq; meta.story && n >= low && n > e.seq - KEEP; n--) {
    const x = log.get(n)
    if (x?.lane === 'story' && x.kind === 'say') return x.text
  }
  return ''
}
// named sets names of objects and handlers in bold, objects with their mark.
function named(text) {
  const known = [...view.known, ...DEMO].filter(k => k.length > 2), who = listeners(event_.state).map(l => l.name)
  return text.split(/([\w./-]*[\w-]\w*)/).map(w => known.includes(w) ? html`<b data-c="${look(w).slot}">${mark(w)}${w}</b>`
    : who.includes(w) ? html`<b>${w}</b>` : w)
}
const WHERE = { api: 'API server', wire: 'wire', reflector: 'reflector', queue: 'queue', process: 'process loop', cache: 'indexer', processor: 'processor', you: 'you', story: 'story' }
const whereOf = e => e.lane.startsWith('handler:') ? 'handler ' + e.lane.slice(8) : WHERE[e.lane] ?? e.lane
// excerpt shows the line that acted: four lines above the stage, all of its function in a dialog,
// where the trace's call is marked, too, and who called.
function excerpt(e, most) {
  const src = source(e), whole = most > 4
  if (!e.file) return html`<div class="code"><em>${NO_LINE[e.lane] ?? 'No trace reports this. The page waits for it with a channel, as any caller can.'}</em></div>`
  const rows = src?.lines ?? [], i = Math.max(0, rows.findIndex(l => l.n === e.line))
  const from = whole ? 0 : Math.max(0, Math.min(i - 1, rows.length - most)), some = rows.slice(from, from + most)
  const indent = Math.min(...some.filter(l => l.text.trim()).map(l => l.text.match(/^\t*/)[0].length), 9)
  const own = `${e.file}:${e.line}`, what = e.report === own ? 'the line that reported it' : 'the line that acted'
  const reports = l => whole && e.report !== own && e.report === `${e.file}:${l.n}` && html`<u>reports it</u>`
  return html`<div class="code"><b>${own}<span class="cut">in ${e.func || src?.func}</span><span class="right">${what}</span></b>${
    some.map(l => html`<div class="${l.n === e.line ? 'now' : ''}"><i>${l.n}</i>${l.text.slice(indent).replaceAll('\t', '  ')}${reports(l)}</div>`)}${
    src?.error && html`<em>${src.error}</em>`}${whole && callers(e)}</div>`
}
const NO_LINE = { you: 'This was you: no line of the machine acted.', story: 'This is the story: no line of the machine acted.' }
const callers = e => html`<p>${(e.callers ?? []).map(c => html`<span>called by <b>${c.func}</b>, ${c.file}:${c.line}</span>`)}</p>`

// ---- 5. The lanes: rows are events that led from one place to the next, cells keep their columns.
const LANES = { api: 0, wire: 1, reflector: 2, queue: 3, process: 3, cache: 4, processor: 5, handler: 6, you: 7, story: 7 }, WHOLE = 7
const column = e => LANES[e.lane.split(':')[0]] ?? WHOLE
const joins = (p, e) => p && p.key === e.key && e.key && column(e) > column(p) && column(e) < WHOLE
const rowStart = n => { while (log.has(n - 1) && joins(log.get(n - 1), log.get(n))) n--; return n }
let topSeq = 0
function lanes() {
  const unit = parseFloat(getComputedStyle(document.documentElement).fontSize)
  const room = Math.max(1, Math.floor($('#lanes').clientHeight / (1.3125 * unit)))
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
const brief = e => e.key ? terse(e).replaceAll(name(e.key), short(name(e.key), [9, 6, 8, 12, 8, 8, 7][column(e)] ?? 99)) : terse(e)
function terse(e) {
  if (e.lane === 'api') return e.text.replace(/, version "?(\d+)"?/, '@$1').replace(/^(GET \w+)@/, '$1 @').replace(/^(sends) [A-Z]+ (?=\S+@)/, '$1 ')
  if (e.lane === 'wire') return e.text.replace(/^stream (?=broken|closed)|, from version.*/g, '').replace(/^[A-Z]+ (?=\S+@)/, '')
    .replace(/^(closed) by.*|^(broken): .*/, '$1$2').replace(/^.* ((waits at|passes) V)/, '$1').replace('connection ', '').replace(/^(list|watch): (\d+) .*/, '$1: $2')
  if (e.lane === 'cache') return e.text.replace(/^the (?=informer)/, '')
  if (e.lane === 'queue' && e.key) return e.text.replace(/: .*, /, ': … ')
  if (e.lane === 'reflector') return e.text.replace(/^[a-z ]+: (.* → )/, '$1').replace(', back off →', ' ⇢')
  return e.lane.startsWith('handler:') ? e.text.replace(/(, in the initial| from version).*/, '').replace(/has returned from (\S+).*/, 'ends $1') : e.text
}
function cell(e, next) {
  if (!e.lane) return ''
  const key = e.key ? look(e.key).slot : '', who = e.lane.startsWith('handler:') ? e.lane.slice(8) + ' ' : ''
  const arrow = next && next.from && LANES[placeOf(next.from)] === column(e)
  const kind = `l${column(e)} ${e.key ? '' : 'plain'} ${e.fault ? 'fault' : ''} ${e.seq === cur ? 'now' : ''} ${e.seq > cur ? 'later' : ''}`
  return html`<button class="cell ${kind}" data-c="${key}" data-seq="${e.seq}" title="${e.text}">${e.key && column(e) < WHOLE && mark(e.key)}<span>${column(e) === WHOLE && e.kind !== 'say' ? '▸ ' : ''}${who}${brief(e)}</span>${arrow && html`<u></u>`}</button>`
}

// ---- 6. The whole page for event cur.
function show(moved) {
  const e = now()
  if (!e) return put($('#self'), link === 'lost' ? 'the server cannot be reached' : 'listing')
  const s = e.state
  event_ = e
  view = rowsOf(s)
  for (const id in paint) {
    put($('#' + id), paint[id](s))
    $('#' + id).classList.toggle('acted', placeOf(e.lane) === id)
  }
  countdown(e)
  valves(s)
  pipes(s, moved)
  const q = s.queue ?? {}
  put($('#kind'), q.kind || meta.queue || 'queue')
  put($('#sub-queue'), q.synced ? '✓ first list' : q.populated ? `list: ${q.initial} left` : 'no list yet')
  put($('#sub-reflector'), s.reflector?.last?.on ?? '')
  const top = first(s), many = listeners(s).length, unseen = [e.lane, e.to].some(x => /^handler:/.test(x) && !three(s).some(l => 'handler:' + l.name === x))
  put($('#sub-processor'), many > ROOM && html`<button class="tok bare ${unseen ? 'hit' : ''}" data-do="handlers" title="show others (H)">${top + 1}–${top + ROOM} of ${many} ▾</button>`)
  const told = note && head - note.head < 30 ? note : null, words = told?.text ?? spoken(e)
  put($('#caption h2'), html`event ${e.seq}${e.at ? `, ${seconds(e.at)}` : ''}, ${whereOf(e)}&ensp;<b>${e.kind === 'say' ? '' : e.text}</b>`)
  put($('#says p'), html`<span class="${told?.bad ? 'alarm' : ''}">${named(words)}</span>`)
  $('#says p').className = words.length > 230 ? 'longer' : words.length > 115 ? 'long' : ''
  const file = meta.story?.file.split('/').at(-1).replace(/\.story$/, '').replace(/^\d+_/, '').replaceAll('_', ' ')
  put($('#story'), file ? html`<b>${file}</b>&ensp;${e.lane === 'story' ? '' : caption(e)}` : '')
  put($('#source'), excerpt(e, 4))
  if (ask && moved > 0 && e.ask && !asked_.has(e.seq)) quiz(e)
  if ($('#dialog').open) fill()
  lanes()
  transport(s)
}
function transport(s) {
  const back = cur < seen, coming = head - cur
  const mode = tape ? '● recording' : link !== 'watching' ? `○ ${link === 'lost' ? 'no server' : 'listing'}` : back ? `◀ ${seen - cur} back, read only`
    : coming ? `▶ ${coming} to come` : follow ? '● live, following' : '● live, paused'
  put($('#mode'), mode)
  $('#mode').className = `chip ${back && !tape ? 'back' : ''} ${link === 'lost' ? 'alarm' : ''}`
  put($('#self'), tape ? `a recording of ${count(head - low + 1, 'event')}` : link === 'lost' ? `will ask for what came after event ${head}`
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
  for (let n = low; n <= head; n++) if (log.get(n)?.lane === 'story' || log.get(n)?.lane === 'you') steps.push(stroke(`${x(n)} 10V22`, 'soft', 1.5))
  put($('#bar'), html`<svg viewBox="0 0 1000 32" preserveAspectRatio="none">${stroke('4 16H996', 'line', 2)}${stroke(`4 16H${x(seen)}`, 'pipe', 4)}${steps}${stroke(`${x(cur)} 4V28`, 'ink', 4)}</svg>`)
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
  $('#predict').hidden = tape ? !tape.events.some(e => e.ask) : !buttons.some(b => b.fault)
}

// ---- 7. Dialogs.
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
Q              ask before a fault, and before a command of a story
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
function open(markup) {
  const d = $('#dialog')
  d.markup = markup
  fill()
  if (!d.open) d.showModal()
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
  const what = { api: () => (s.server?.objects ?? []).find(is) ?? 'not on the server', wire: () => s.wire, cache: () => (s.cache?.objects ?? []).find(is) ?? 'not in the cache',
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

// ---- 8. Mouse and keyboard.
document.addEventListener('click', ev => {
  const t = ev.target.closest('button')
  if (!t) return
  const d = t.dataset
  if (ev.detail) t.blur() // by mouse: the space bar goes on to step
  if (d.do === 'close') return $('#dialog').close()
  if (d.go || d.choose || d.guess || d.answer) $('#dialog').close()
  if (d.do) act[d.do](ev)
  else if (d.press) press(buttons[d.press])
  else if (d.turn) turn(...d.turn.split('|'))
  else if (d.choose) { if (d.choose.startsWith('handler|')) chooseHandler(d.choose.slice(8)); else chosen = d.choose; draw() }
  else if (d.open) token(d.open)
  else if (d.seq) event(+d.seq)
  else if (d.go) go(+d.go)
  else if (d.guess) guessed(d)
  else if (d.answer) answered(+d.answer)
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
document.documentElement.dataset.theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
if (tape) { begin(tape.meta, tape.events); draw() } else list()
