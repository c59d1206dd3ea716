'use strict'

// Small tools, without a state: markup in which every value is escaped, and the look of an object.
class Markup {
  constructor(text) {
    this.text = text
  }
}

const escaped = v => String(v).replace(/[&<>"']/g, c => `&#${c.charCodeAt(0)};`)

const flat = v =>
  v instanceof Markup
    ? v.text
    : Array.isArray(v)
      ? v.map(flat).join('')
      : v == null || v === false
        ? ''
        : escaped(v)

const html = (parts, ...values) =>
  new Markup(parts.reduce((text, part, i) => text + flat(values[i - 1]) + part))

// put redraws what changed, and leaves the focus where it was.
function put(el, markup) {
  const text = flat(markup)
  if (el.drawn === text) return
  const focus = el.contains(document.activeElement) && document.activeElement.dataset
  const attr =
    focus &&
    ['open', 'seq', 'press', 'turn', 'choose', 'word', 'do', 'chip', 'reply', 'verb'].find(
      a => focus[a],
    )
  const id = attr && focus[attr]

  el.innerHTML = el.drawn = text
  if (id) el.querySelector(`[data-${attr}="${CSS.escape(id)}"]`)?.focus()
}

// unit is 1 rem in pixels: the reader's own size of letters, or more in a large window.
const unit = () => parseFloat(getComputedStyle(document.documentElement).fontSize)
const nameOf = key => String(key ?? '').replace(/^default\//, '')
const NUMBERS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine']
const count = (n, one, many = one + 's') => `${NUMBERS[n] ?? n} ${n === 1 ? one : many}`
const count_ = (n = 0, one, many = one + 's') => `${n} ${n === 1 ? one : many}`
const seconds = ms => (ms < 1000 ? `${Math.round(ms)} ms` : `${+(ms / 1000).toFixed(1)} s`)
const soft = (text, cls = '') => html`<span class="soft ${cls}">${text}</span>`
const rv = x => (x === '' || x == null ? '' : '@' + x)

// short leaves out the middle of a name: what tells pods apart is at their end. Of a long version
// the end is what changes.
const short = (text, n) =>
  text.length <= n
    ? text
    : text.slice(0, Math.ceil(n / 2) - 1) + '…' + text.slice(-Math.floor(n / 2))

const shortRV = v => (String(v ?? '').length > 5 ? '…' + String(v).slice(-4) : String(v ?? ''))

const labelled = (key, v, n) =>
  v === undefined ? short(key, n) : short(key, n - 1 - shortRV(v).length) + '@' + shortRV(v)

// wide is the width in px of a text in mono at 13 px, in the widest of our fonts.
const wide = text => [...text].length * 7.9

// An object's row and colour are one number, made of its name alone: so they never change, and
// event N looks the same on every page. db-1, web-1, web-2 and web-3 have the rows 0 to 3.
const DEMO = ['db-1', 'web-1', 'web-2', 'web-3']

function look(key) {
  const [, word, number] = nameOf(key).match(/^(.*?)(\d*)$/s)
  let n = Number(number.slice(-6)) + word.length
  if (!number) for (const c of word) n += c.charCodeAt(0)
  return { slot: n % 4, shape: ((n % 4) + (n >> 2) + 3) % 4 }
}

const SHAPES = [
  'M5 0 10 5 5 10 0 5Z',
  'M5 .3A4.7 4.7 0 1 1 4.99 .3Z',
  'M.8 .8H9.2V9.2H.8Z',
  'M5 .4 10 9.4H0Z',
]

const LIST = 'M0 1H10V3H0ZM0 4.5H10V6.5H0ZM0 8H10V10H0Z' // what has no key is a whole list

const mark = key =>
  html`<svg class="mark" viewBox="0 0 10 10" aria-hidden="true"><path d="${
    key ? SHAPES[look(key).shape] : LIST
  }"/></svg>`

const colour = key => html`data-c="${key ? look(key).slot : ''}" data-key="${nameOf(key)}"`
const dots = keys => keys.map(k => html`<span ${colour(k)} title="${nameOf(k)}">${mark(k)}</span>`)

// What a place is called, and where the places of an event are.
const WHERE = {
  api: 'API server',
  handlers: 'handlers',
  wire: 'wire',
  reflector: 'reflector',
  queue: 'queue',
  process: 'process loop',
  cache: 'indexer',
  processor: 'processor',
  you: 'you',
  story: 'story',
}

const whereOf = e =>
  e.lane.startsWith('handler:') ? 'handler ' + e.lane.slice(8) : (WHERE[e.lane] ?? e.lane)

const placeOf = lane => (lane.startsWith('handler:') ? 'handlers' : lane)
const isOf = (e, key) => e.key && nameOf(key) === nameOf(e.key)
const listeners = s => s.listeners ?? []
