'use strict'

// The search: "/", or whatever has data-search, opens a dialog. The index is loaded when it is
// opened first: from the element #search-index, if the page has one, or else from the address that
// the script element has as data-index. Addresses of results begin where the index is.
{
  const script = document.currentScript
  const SHOWN = 5
  const MORE = 60
  let dialog
  let input
  let list
  let status
  let index
  let wide = -1 // the kind that is shown with more results

  async function load() {
    const inside = document.getElementById('search-index')
    if (inside) return JSON.parse(inside.textContent)
    const answer = await fetch(script.dataset.index)
    if (!answer.ok) throw new Error(`the server answers ${answer.status}`)
    const bytes = await answer.arrayBuffer()
    const [a, b] = new Uint8Array(bytes)
    const stream = new Blob([bytes]).stream()

    // Else the server has said that it is gzip, and the browser has unpacked it.
    const isPacked = a === 0x1f && b === 0x8b
    return new Response(
      isPacked ? stream.pipeThrough(new DecompressionStream('gzip')) : stream,
    ).json()
  }

  // words are those of a text in small letters, each between spaces; those of MixedCaps, too.
  const words = text =>
    ' ' +
    (text + ' ' + text.replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 '))
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ') +
    ' '

  // prepare makes of the index what each key needs. An entry without an anchor is a page, and names
  // the page for the entries inside it.
  function prepare({ kinds, pages, texts, entries }) {
    const titles = []
    for (const [, title, page, anchor] of entries) if (!anchor) titles[page] = title
    return {
      kinds,
      entries: entries.map(([kind, title, page, anchor, text]) => {
        const inside = (anchor && titles[page]) || ''
        return {
          kind,
          title,
          inside,
          text: texts[text],
          at: pages[page] + (anchor && '#' + anchor),
          isStep: /docs\/(grow|workshop)\//.test(pages[page]), // those of the stages come first
          small: title.toLowerCase(),
          near: words(title),
          far: words(`${title} ${inside} ${texts[text]}`),
        }
      }),
    }
  }

  // rank says how well an entry fits, 0 is best: it is the name itself, it begins so or has three
  // words or more as they were typed, its title has all words, its text has them. Words that only
  // begin so, or are in others, come after each.
  function rank({ small, near, far }, typed, all) {
    if (!all.every(w => far.includes(w.slice(1)))) return -1
    if (small === typed || small.endsWith('.' + typed)) return 0

    if (
      small.startsWith(typed) ||
      small.includes('.' + typed) ||
      (all.length > 2 && far.includes(all.join('') + ' '))
    )
      return 1

    const forms = [w => w + ' ', w => w, w => w.slice(1)]
    const n = [near, far]
      .flatMap(text => forms.map(form => all.every(w => text.includes(form(w)))))
      .indexOf(true)
    return n + 2
  }

  // ALSO are other words for what a reader may look for, where the book does not have theirs.
  const ALSO = {
    stale: ['behind'],
    lag: ['behind'],
    missed: ['lost'],
    duplicate: ['twice'],
    reconnect: ['again'],
  }

  // others are texts with one word replaced by another one for it.
  const others = all =>
    all.flatMap((w, i) => (ALSO[w] ?? []).map(other => all.toSpliced(i, 1, other).join(' ')))

  // once leaves out what shows the same row of a table again.
  function once(found) {
    const seen = new Set()
    return found.filter(({ e }) => {
      const row = e.text && `${e.at} ${e.text}`
      return !row || (!seen.has(row) && seen.add(row))
    })
  }

  // search returns the groups, the one with the best entry first, and the words that were searched
  // for. An error message has other numbers wherever it occurs, so words with digits need not be
  // there.
  function search(text) {
    const typed = text.trim().toLowerCase()
    const all = typed.split(/[^\p{L}\p{N}]+/u).filter(w => w)
    if (!all.length) return { groups: [], all }
    const groups = index.kinds.map((name, kind) => ({ name, kind, found: [] }))
    for (const e of index.entries) {
      const fit = rank(
        e,
        typed,
        all.map(w => ' ' + w),
      )
      if (fit >= 0) groups[e.kind].found.push({ e, fit })
    }

    for (const g of groups)
      g.found = once(
        g.found.sort(
          (a, b) =>
            a.fit - b.fit ||
            a.e.isStep - b.e.isStep ||
            (a.fit === 1 ? a.e.title.length - b.e.title.length : 0),
        ),
      )
    const some = groups.filter(g => g.found.length).sort((a, b) => a.found[0].fit - b.found[0].fit)
    const plain = all.filter(w => !/\d/.test(w))
    if (some.length) return { groups: some, all }
    for (const other of others(all)) {
      const found = search(other)
      if (found.groups.length) return found
    }
    return !plain.length || plain.length === all.length
      ? { groups: some, all }
      : search(plain.join(' '))
  }

  function element(name, attributes, ...children) {
    const e = document.createElement(name)
    for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value)
    e.append(...children)
    return e
  }

  // marked is a text whose found words stand out.
  const marked = (text, all) =>
    text
      .split(new RegExp(`(${all.join('|')})`, 'giu'))
      .map((part, i) => (i % 2 ? element('mark', {}, part) : part))

  // around is the part of a text where the first word was found that the title does not have.
  function around({ text, small }, all) {
    const word = all.find(w => !small.includes(w))
    const at = word ? text.search(new RegExp(word, 'iu')) : 0
    const start = at < 50 ? 0 : text.lastIndexOf(' ', at - 40) + 1
    const end = start + 160
    return `${start ? '… ' : ''}${text.slice(start, end)}${end < text.length ? ' …' : ''}`
  }

  function show() {
    if (!index) return
    const { groups, all } = search(input.value)
    let total = 0
    let n = 0
    list.replaceChildren(
      ...groups.map(({ name, kind, found }) => {
        total += found.length
        const options = found
          .slice(0, kind === wide ? MORE : SHOWN)
          .map(({ e }) =>
            element(
              'a',
              { role: 'option', id: `found-${n++}`, href: addressed(e), tabindex: -1 },
              element('b', {}, ...marked(e.title, all)),
              element(
                'span',
                {},
                e.inside,
                e.inside && e.text ? ' · ' : '',
                ...marked(around(e, all), all),
              ),
            ),
          )
        if (kind !== wide && found.length > SHOWN)
          options.push(
            element(
              'a',
              { role: 'option', id: `found-${n++}`, 'data-more': kind, tabindex: -1 },
              `${found.length - SHOWN} more`,
            ),
          )

        return element(
          'div',
          { role: 'group', 'aria-label': name },
          element('p', { 'aria-hidden': true }, name),
          ...options,
        )
      }),
    )

    status.textContent = all.length
      ? total
        ? `${total} found`
        : 'Nothing has all these words.'
      : ''

    list.scrollTop = 0
    choose(0)
  }

  // addressed is where an entry is. The browser marks what was typed there, by the words around it:
  // where it does not find them, the place alone is shown.
  const addressed = ({ at, title, text }) => {
    const url = new URL(at, base())
    const typed = input.value.trim().toLowerCase()
    const within = [text, `${title} ${text}`].find(t => t.toLowerCase().includes(typed))
    if (!typed || !within || !('fragmentDirective' in document)) return url.href
    const start = within.toLowerCase().indexOf(typed)
    const end = start + typed.length
    const part = t => encodeURIComponent(t).replaceAll('-', '%2D')
    const [before] = /(\S+\s+)?\S*$/.exec(within.slice(0, start).trimEnd())
    const [after] = /^\S*(\s+\S+)?/.exec(within.slice(end).trimStart())
    url.hash += `:~:text=${before && part(before) + '-,'}${part(
      within.slice(start, end),
    )}${after && ',-' + part(after)}`
    return url.href
  }

  const base = () =>
    document.getElementById('search-index')
      ? location.href
      : new URL(script.dataset.index, location.href)

  const options = () => [...list.querySelectorAll('[role=option]')]
  const chosen = () => list.querySelector('[aria-selected=true]')
  function choose(n) {
    const all = options()
    const next = all[(n + all.length) % all.length]

    chosen()?.removeAttribute('aria-selected')
    next?.setAttribute('aria-selected', true)
    if (n) next?.scrollIntoView({ block: 'nearest' })
    input.setAttribute('aria-expanded', all.length > 0)
    if (next) input.setAttribute('aria-activedescendant', next.id)
    else input.removeAttribute('aria-activedescendant')
  }

  function key(event) {
    const n = options().indexOf(chosen())
    const act = {
      ArrowDown: () => choose(n + 1),
      ArrowUp: () => choose(n - 1),
      Enter: () => chosen()?.click(),
    }[event.key]

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
      input = element('input', {
        enterkeyhint: 'go',
        role: 'combobox',
        'aria-controls': 'found',
        'aria-expanded': false,
        'aria-autocomplete': 'list',
        'aria-label': 'Search the book',
        autocomplete: 'off',
        spellcheck: false,
        placeholder: 'a word, a name, an error message',
      })

      list = element('div', { role: 'listbox', id: 'found', 'aria-label': 'Results' })
      status = element('p', { role: 'status' })

      dialog = element(
        'dialog',
        { class: 'search', 'aria-label': 'Search' },
        element('div', {}, input, element('button', { type: 'button' }, 'Close')),
        status,
        list,
      )

      input.addEventListener('input', () => {
        wide = -1
        show()
      })

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
    if (
      event.key !== '/' ||
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      document.querySelector('dialog[open]') ||
      event.target.closest?.('input, textarea, select, [contenteditable]')
    )
      return

    event.preventDefault()
    open()
  })

  document.addEventListener('click', event => {
    if (event.target.closest?.('[data-search]')) open()
  })
}
