'use strict'
// The page is a reflector of the machine: GET /state is its list, GET /events its watch, and the
// number of the last event its resource version. It draws the snapshot that came with one event,
// whole, whatever was drawn before, and decides nothing: orders, states and numbers are the machine's.
//
// Here is what it holds and where it stands. stage.js draws a state, words.js says what an event means,
// page.js has the lanes, dialogs and keys, and begins.

// ---- Small tools: markup in which every value is escaped, and the look of an object.
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
  const attr = focus && ['open', 'seq', 'press', 'turn', 'choose', 'word', 'do'].find(a => focus[a]), id = attr && focus[attr]
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
const LIST = 'M0 1H10V3H0ZM0 4.5H10V6.5H0ZM0 8H10V10H0Z' // what has no key is a whole list
const mark = key => html`<svg class="mark" viewBox="0 0 10 10" aria-hidden="true"><path d="${key ? SHAPES[look(key).shape] : LIST}"/></svg>`
const seconds = ms => ms < 1000 ? `${Math.round(ms)} ms` : `${+(ms / 1000).toFixed(1)} s`

// ---- The reflector: a list, a watch that goes on where the last one ended, and a list when it
// is told that its version is gone.
const KEEP = 2000 // as many as the machine holds
const log = new Map() // by number: the events low to head, without a gap
const BACK = 500 // as many of those before its list a page is sent
let meta = {}, run = '', low = 0, head = 0, listed = 0, era = 0, link = 'listing', lists = 0
let tape = null
// unpacked reads the tape of a page that is a recording: gzip in base64 (export.go).
const unpacked = text => new Response(new Blob([Uint8Array.from(atob(text), c => c.charCodeAt(0))])
  .stream().pipeThrough(new DecompressionStream('gzip'))).json()

async function list() {
  const mine = ++era
  link = 'listing'
  try {
    const answer = await (await fetch('state')).json()
    if (mine !== era) return
    run = answer.run
    begin(answer.meta, [{ seq: answer.seq, at: 0, lane: '', kind: '', text: '', state: answer.state }])
    listed = answer.seq
    lists++
    watch(mine, Math.max(answer.floor, head - BACK) - 1)
  } catch {
    if (mine !== era) return
    link = 'lost'
    setTimeout(() => mine === era && list(), 1000)
  }
  draw()
}

function begin(m, events) {
  log.clear()
  for (const e of events) log.set(e.seq, e)
  meta = m
  low = events[0].seq
  head = events.at(-1).seq
  cur = seen = tape ? low : head
  want = 0
  sources.clear()
  fixed()
}

async function watch(mine, after = head) {
  while (mine === era) {
    const answer = await fetch(`events?run=${run}&after=${after}`).catch(() => null), got = await answer?.json().catch(() => null)
    if (mine !== era) return
    if (answer?.status === 410) return list()
    if (answer?.ok) for (const e of got ?? []) if (mine === era) receive(e)
    after = got?.at?.(-1)?.seq ?? after
    const is = answer?.ok ? 'watching' : 'lost'
    if (link !== is) { link = is; draw() }
    if (!answer?.ok) await new Promise(done => setTimeout(done, 1000))
  }
}

function receive(e) {
  if (e.seq <= listed) log.set(e.seq, e) // what was before the list, the oldest first
  if (e.seq === listed) {
    low = Math.min(...log.keys())
    draw()
  }
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
    headers: { 'Content-Type': 'application/json' } }).catch(() => null)
  if (answer?.ok) return true
  want = 0
  const error = answer ? (await answer.json().catch(() => ({}))).error : 'the server cannot be reached'
  tell(`Refused: ${error || answer.status}.${head > cur ? ` (The machine is ${count(head - cur, 'event')} further than this picture.)` : ''}`, true)
}

// ---- The cursor. head is the newest event received, cur the one drawn, seen the furthest drawn.
let cur = 0, seen = 0, want = 0, follow = false, timer = 0, speed = 1, chosen = '', chosenHandler = '', buttons = [], ask = false, note = null
let moved_ = 0, asked = 0
const SPEEDS = [.25, .5, 1, 2, 4]
const now = () => log.get(cur), state = () => log.get(head)?.state

// draw asks for one drawing with the next frame: ten events at once draw the tenth state.
function draw(moved = 0) {
  moved_ = moved || moved_
  asked ||= requestAnimationFrame(() => { asked = 0; if (!down) { show(moved_); moved_ = 0 } })
}
// While a button is held down nothing is drawn: a new button in its place would not get the click.
let down = false
addEventListener('pointerdown', ev => { down = !ev.button && !ev.target.closest?.('#bar') }, true)
const released = () => { if (down) { down = false; draw(moved_) } }
addEventListener('pointerup', released, true)
addEventListener('pointercancel', released, true)
addEventListener('blur', released) // of the window: without true, that of an element does not come here
function go(to, moved = 0) {
  const at = Math.max(low, Math.min(to, head))
  if (at !== cur) note = null
  if ($('#dialog').matches('.asking')) $('#dialog').close() // a step is an answer, too
  follow = false
  moved_ = moved
  cur = at
  seen = Math.max(seen, cur)
  draw(moved)
}
// onward is the event that a step leads to: the next one that changes the picture or says something new.
// What a story types is in the lanes, and is passed over; so is what draws and says the same again.
const picture = e => JSON.stringify({ ...e.state, recent: 0 })
const isNew = (e, before) => e.kind !== 'do' && (picture(e) !== picture(before) || spoken(e) !== spoken(before))
function onward(way) {
  let n = cur + way
  while (log.has(n + way) && !isNew(log.get(n), log.get(n - 1) ?? log.get(n))) n += way
  return n
}
// tell says something about what the reader did. It stays until the reader moves, or for some seconds.
function tell(text, bad) {
  note = { text, bad, until: performance.now() + 6000 }
  setTimeout(draw, 6100) // a reader who follows reads what happens now
  draw()
}

const act = {
  step() {
    if (scene?.question && !scene.asked) return question()
    note = null
    if (cur < head) return go(onward(1), 1)
    if (scene) return enter(nextScene()?.name ?? 'own')
    const waiting = (now()?.state.valves ?? []).filter(v => v.mode === 'one' && v.waiting)
    if (tape) return tell('The recording ends here.')
    if (waiting.length === 1) { want = 1; return post({ do: 'admit', args: { name: waiting[0].name } }) }
    tell(waiting.length ? `${waiting.map(v => v.name).join(' and ')} each hold something: turn the one that is to let it through.`
      : 'Nothing has happened since. Press a button, or open a valve.')
  },
  back() {
    note = null
    if (cur > low) return go(onward(-1), -1)
    tell(low > 1 ? 'Events before this one are no longer held.' : 'This is the first event.')
  },
  first: () => go(low),
  live() { note = null; go(head); follow = !tape },
  play(on = !timer) {
    clearInterval(timer)
    follow = false
    timer = on ? setInterval(() => cur < head ? go(onward(1), 1) : tape && act.play(false), 700 / speed) : 0
    draw()
  },
  speed() { speed = SPEEDS[(SPEEDS.indexOf(speed) + 1) % SPEEDS.length]; act.play(!!timer) },
  predict() { ask = !ask; draw() },
  theme() {
    const root = document.documentElement
    root.dataset.theme = root.dataset.theme === 'dark' ? 'light' : 'dark'
    try { localStorage.theme = root.dataset.theme } catch { } // a sandboxed page has none
    draw()
  },
  keys: () => open(help), self: () => open(selfText),
  prose() { const e = now(); open(() => html`<h2>event ${e.seq}</h2><p>${spoken(e)}</p><p class="soft">${caption(e)}</p>${facts(e)}`) },
  source() { const e = now(); if (e?.file) open(() => html`<h2>The code that acted</h2>${excerpt(e, 40)}`) },
}
const was = () => scene ? 'This is a recording: it can be stepped through. The tab “your own” has a machine to act on.'
  : tape ? 'This is a recording: it can be stepped through. go run ./docs/run/live has the machine itself.' : 'This is what was. Press L for live, then act.'
const past = () => tape || cur < seen
const listeners = s => s.listeners ?? []
const handlerOf = s => {
  const there = listeners(s).filter(l => !l.removed).map(l => l.name)
  return there.includes(chosenHandler) ? chosenHandler : there.at(-1) ?? ''
}
// press sends what a button says. A fault asks first, if that is wanted.
function press(b, sure) {
  const s = now()?.state
  if (!s || past()) return tell(was())
  if (b.fault && ask && !sure) return predict(b)
  let key = b.needsKey || b.do === 'create' ? chosenOf(s) : ''
  if (b.do === 'create' && rowsOf(s).present.has(key)) key = '' // the machine finds a new name
  const args = { ...b.args }
  if (b.do === 'remove-handler' || b.do === 'panic') args.name = chosenHandler = handlerOf(s)
  if (key && !key.includes('/')) key = 'default/' + key
  want = follow ? 0 : 1
  tell(`“${b.label}${key ? " " + name(key) : ""}”. ${b.expect ? `Expect: ${b.expect}` : ""}${follow ? '' : ' Step on and see.'}`)
  return post({ do: b.do, key, args })
}
function predict(b) {
  const others = buttons.filter(x => x.fault && x.expect && x.expect !== b.expect)
  const from = buttons.indexOf(b)
  const choices = [b, ...[0, 1, 2].map(n => others[(from + n) % others.length])].sort((x, y) => x.expect < y.expect ? -1 : 1)
  open(() => html`<h2 tabindex="-1" autofocus>${b.label}: what will come of it?</h2><p>Answer first, then see.</p><div class="choices">${choices.map(c =>
    html`<button class="btn" data-guess="${c.do}" data-of="${b.do}">${c.expect}</button>`)}</div>`, 'asking')
}
function turn(id, how) {
  const v = now()?.state.valves?.find(x => x.name === id)
  if (!v) return
  if (past()) return tell(was())
  want = follow ? 0 : 1
  if (how === 'disc' && v.mode === 'one') return post({ do: 'admit', args: { name: id } })
  const cycle = ['open', 'held', 'one', 'slow']
  const mode = how === 'disc' ? (v.mode === 'open' ? 'held' : 'open') : cycle[(cycle.indexOf(v.mode) + 1) % 4]
  return post({ do: 'valve', args: { name: id, mode } })
}

// ---- Lessons: scenes that the machine has played, and a tab for a machine of one's own.
let scenes = [], scene = null
const nextScene = () => scenes[scenes.findIndex(l => l.name === scene?.name) + 1]
async function enter(name, at) {
  const mine = ++era
  $('#dialog').close() // a question of the scene that is left
  act.play(false)
  note = null
  chosen = chosenHandler = ''
  scene = scenes.find(l => l.name === name) ?? null
  tape = null
  if (!scene) return list().then(() => state() && tell(`This machine is yours, and runs in real time. So far it has made ${
    head} events, and its cache holds ${count(state().cache.total, 'object')}. Press a button below a place, or go back to see what has happened.`))
  link = 'listing'
  draw()
  const answer = await fetch('scene/' + scene.name).catch(() => null), got = await answer?.json().catch(() => null)
  if (mine !== era) return
  if (!answer?.ok || !got) {
    link = 'lost'
    return tell(`The scene cannot be shown: ${got?.error ?? 'the server cannot be reached'}`, true)
  }
  tape = got
  link = 'watching'
  const events = tape.events, last = events.at(-1)
  if (scene.question) events.push({ ...last, seq: last.seq + 1, kind: 'asked', text: 'what was asked', of: scene })
  begin(tape.meta, events)
  Object.assign(scene, { asked: moment(at) > 0, said: -1 })
  go(moment(at))
}
function question() {
  scene.asked = true
  open(() => html`<h2 tabindex="-1" autofocus>${scene.question}</h2><p>Answer first, then step on (→) and see. You can step on without an answer, too.</p>
    <div class="choices">${scene.answers.map((a, n) => html`<button class="btn" data-reply="${n}">${a}</button>`)}</div>`, 'asking')
}
function replied(n) {
  scene.said = n
  tell(`You said: “${scene.answers[n]}” Step on and see whether it is so.`)
}
// answer ends a scene, as an event of its own: what was asked, what is so, and where it was to be seen.
function answer({ question, answers, right, said, proof }) {
  const shown = [...log.values()].find(e => e.text === proof)
  return `${question} ${answers[right]} Event ${shown?.seq} shows it.${said < 0 ? '' : said === right ? ' You said so.' : ` You said: “${answers[said]}”`} Step on: ${nextScene()?.title ?? 'your own machine'}.`
}
// The address leads to a moment: #scene,event,theme. Numbers differ from recording to recording, by
// which goroutine was first, so a link to a moment says "proof", for the event that answers the
// question, or words: of the first event that has them.
function moment(at) {
  const words = at === 'proof' ? scene?.proof : new URLSearchParams(`at=${at ?? ''}`).get('at') // never throws
  return /^\d*$/.test(words ?? '') ? +(words ?? 0) : [...log.values()].find(e => e.text.includes(words))?.seq ?? 0
}
const address = () => `#${scene ? scene.name : tape ? 'replay' : 'own'},${tape ? cur : ''},${document.documentElement.dataset.theme}`
let addressing = 0, addressed = location.hash // the address that the page has made or followed
function note_address() {
  clearTimeout(addressing)
  const sceneOf = hash => hash.slice(1).split(',')[0] // the browser's way back leads from scene to scene
  addressing = setTimeout(() => {
    if (location.hash !== addressed || location.hash === address()) return // another one is to be followed
    const moves = location.hash && sceneOf(location.hash) !== sceneOf(address())
    history[moves ? 'pushState' : 'replaceState'](null, '', address())
    addressed = location.hash
  }, 200)
}
function follow_address() {
  const [name, at, theme] = location.hash.slice(1).split(',')
  if (theme) document.documentElement.dataset.theme = theme
  if (name === 'own') return enter('own')
  if (tape && !scenes.length || scene?.name === name && tape) return go(moment(at))
  enter(scenes.some(l => l.name === name) ? name : scenes[0].name, at)
}
