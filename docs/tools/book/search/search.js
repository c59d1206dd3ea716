'use strict'
// The search: "/", or whatever has data-search, opens a dialog. The index is loaded when it is opened
// first: from the element #search-index, if the page has one, or else from the address that the script
// element has as data-index. Addresses of results begin where the index is.
{
const script = document.currentScript, SHOWN = 5, MORE = 60
let dialog, input, list, status, index, wide = -1 // wide: the kind that is shown with more results

async function load() {
  const inside = document.getElementById('search-index')
  if (inside) return JSON.parse(inside.textContent)
  const answer = await fetch(script.dataset.index)
  if (!answer.ok) throw new Error(`the server answers ${answer.status}`)
  const bytes = await answer.arrayBuffer(), [a, b] = new Uint8Array(bytes), stream = new Blob([bytes]).stream()
  const isPacked = a === 0x1f && b === 0x8b // else the server has said that it is gzip, and the browser has unpacked it
  return new Response(isPacked ? stream.pipeThrough(new DecompressionStream('gzip')) : stream).json()
}
// prepare makes of the index what each key needs: small letters.
function prepare({ kinds, pages, texts, entries }) {
  const small = texts.map(t => t.toLowerCase())
  return { kinds, entries: entries.map(([kind, title, page, anchor, text]) => ({
    kind, title, small: title.toLowerCase(), text: texts[text], smallText: small[text],
    at: pages[page] + (anchor && '#' + anchor) })) }
}
// rank says how well an entry fits, 0 is best, -1 is not at all: the name itself, its beginning, all
// words in the title, the whole in the text, all words somewhere.
function rank({ small, smallText }, whole, words) {
  if (small === whole || small.endsWith('.' + whole)) return 0
  if (small.startsWith(whole) || small.includes('.' + whole)) return 1
  if (words.every(w => small.includes(w))) return small.includes(whole) ? 2 : 3
  if (!words.every(w => small.includes(w) || smallText.includes(w))) return -1
  return smallText.includes(whole) ? 4 : 5
}
// search returns the groups, the one with the best entry first, and the words that were searched for.
// An error message has other numbers wherever it occurs, so words with digits need not be there.
function search(typed) {
  const whole = typed.trim().toLowerCase().replace(/\s+/g, ' ')
  const words = whole.split(' ').map(w => w.replace(/^[("'`]+|[)"'`:,;.]+$/g, '')).filter(w => w)
  if (!words.length) return { groups: [], words }
  const groups = index.kinds.map((name, kind) => ({ name, kind, found: [] }))
  for (const e of index.entries) {
    const fit = rank(e, whole, words)
    if (fit >= 0) groups[e.kind].found.push({ e, fit })
  }
  for (const g of groups) g.found.sort((a, b) => a.fit - b.fit || (a.fit < 2 ? a.e.small.length - b.e.small.length : 0))
  const some = groups.filter(g => g.found.length).sort((a, b) => a.found[0].fit - b.found[0].fit)
  const plain = words.filter(w => !/\d/.test(w))
  return some.length || !plain.length || plain.length === words.length ? { groups: some, words } : search(plain.join(' '))
}

function element(name, attributes, ...children) {
  const e = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value)
  e.append(...children)
  return e
}
// marked is a text whose found words stand out.
function marked(text, words) {
  const any = new RegExp(`(${words.map(w => w.replace(/[^\w\s]/g, '\\$&')).join('|')})`, 'gi')
  return text.split(any).map((part, i) => i % 2 ? element('mark', {}, part) : part)
}
// around is the part of a text where the first word was found that the title does not have.
function around({ text, small, smallText }, words) {
  const at = smallText.indexOf(words.find(w => !small.includes(w) && smallText.includes(w)) ?? '')
  const start = at < 50 ? 0 : text.lastIndexOf(' ', at - 40) + 1, part = text.slice(start, start + 160)
  return `${start ? '… ' : ''}${part}${start + 160 < text.length ? ' …' : ''}`
}
function show() {
  if (!index) return
  const { groups, words } = search(input.value)
  let all = 0, n = 0
  list.replaceChildren(...groups.map(({ name, kind, found }) => {
    all += found.length
    const shown = found.slice(0, kind === wide ? MORE : SHOWN), options = shown.map(({ e }) => element('a',
      { role: 'option', id: `found-${n++}`, href: new URL(e.at, base()).href, tabindex: -1 },
      element('b', {}, ...marked(e.title, words)), element('span', {}, ...marked(around(e, words), words))))
    if (kind !== wide && found.length > SHOWN) options.push(element('a', { role: 'option', id: `found-${n++}`,
      'data-more': kind, tabindex: -1 }, `${found.length - SHOWN} more`))
    return element('div', { role: 'group', 'aria-label': name }, element('p', { 'aria-hidden': true }, name), ...options)
  }))
  status.textContent = words.length ? all ? `${all} found` : 'Nothing has all these words.' : ''
  list.scrollTop = 0
  choose(0)
}
const base = () => document.getElementById('search-index') ? location.href : new URL(script.dataset.index, location.href)
const options = () => [...list.querySelectorAll('[role=option]')]
const chosen = () => list.querySelector('[aria-selected=true]')
function choose(n) {
  const all = options(), next = all[(n + all.length) % all.length]
  chosen()?.removeAttribute('aria-selected')
  next?.setAttribute('aria-selected', true)
  if (n) next?.scrollIntoView({ block: 'nearest' })
  input.setAttribute('aria-expanded', all.length > 0)
  if (next) input.setAttribute('aria-activedescendant', next.id)
  else input.removeAttribute('aria-activedescendant')
}
function key(event) {
  const n = options().indexOf(chosen())
  const act = { ArrowDown: () => choose(n + 1), ArrowUp: () => choose(n - 1), Enter: () => chosen()?.click() }[event.key]
  if (!act || event.isComposing) return
  event.preventDefault()
  act()
}
function click(event) {
  const option = event.target.closest('[role=option]')
  if (event.target === dialog || event.target.closest('button')) return dialog.close()
  if (!option) return
  if (!option.dataset.more) return dialog.close() // the link itself leads on
  const n = options().indexOf(option)
  wide = Number(option.dataset.more)
  show()
  choose(n)
  input.focus()
}
async function open() {
  if (!dialog) {
    input = element('input', { type: 'search', role: 'combobox', 'aria-controls': 'found', 'aria-expanded': false,
      'aria-autocomplete': 'list', 'aria-label': 'Search the book', autocomplete: 'off', spellcheck: false,
      placeholder: 'a word, a name, an error message' })
    list = element('div', { role: 'listbox', id: 'found', 'aria-label': 'Results' })
    status = element('p', { role: 'status' })
    dialog = element('dialog', { class: 'search', 'aria-label': 'Search' },
      element('div', {}, input, element('button', { type: 'button' }, 'Close')), status, list)
    input.addEventListener('input', () => { wide = -1; show() })
    input.addEventListener('keydown', key)
    dialog.addEventListener('click', click)
    document.body.append(dialog)
  }
  dialog.showModal()
  input.select()
  if (index) return
  status.textContent = 'Loading the index …'
  try {
    index = prepare(await load())
    show()
  } catch (error) {
    status.textContent = `The index cannot be loaded: ${error.message}`
  }
}
document.addEventListener('keydown', event => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]') ||
    event.target.closest?.('input, textarea, select, [contenteditable]')) return
  event.preventDefault()
  open()
})
document.addEventListener('click', event => { if (event.target.closest?.('[data-search]')) open() })
}
