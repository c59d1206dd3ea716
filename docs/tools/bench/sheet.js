'use strict'

// A Sheet is a textarea with numbered lines and the colours of the source pages: the text lies
// below it, and is drawn anew with each change. Typing, selecting and undoing are the textarea's.
const WORDS =
  'break|case|chan|const|continue|default|defer|else|fallthrough|for|func|go|goto|if|import|' +
  'interface|map|package|range|return|select|struct|switch|type|var'

const INK = new RegExp(
  [
    '(?<comment>//.*|/\\*[^]*?(?:\\*/|$))',
    '(?<string>`[^`]*`?|"(?:\\\\.|[^"\\\\\\n])*"?|\'(?:\\\\.|[^\'\\\\\\n])*\'?)',
    `(?<keyword>\\b(?:${WORDS})\\b)`,
  ].join('|'),
  'g',
)

// colours answers the text as lines of [class, part].
const colours = text => {
  const lines = [[]]
  const add = (kind, part) =>
    part.split('\n').forEach((piece, i) => {
      if (i) lines.push([])
      if (piece) lines.at(-1).push([kind, piece])
    })

  let done = 0
  for (const found of text.matchAll(INK)) {
    add('', text.slice(done, found.index))
    add(
      Object.keys(found.groups).find(kind => found.groups[kind]),
      found[0],
    )
    done = found.index + found[0].length
  }

  add('', text.slice(done))
  return lines
}

// What differs from the original is marked at the numbers.
class Sheet {
  constructor(area, isGo, original) {
    Object.assign(this, { area, isGo, original, below: make('pre', 'below') })
    this.below.ariaHidden = 'true'
    this.el = make('div', 'sheet')
    area.before(this.el)
    this.el.append(this.below, area)
    Object.assign(area, { spellcheck: false, autocapitalize: 'off', autocomplete: 'off' })
    area.addEventListener('input', () => this.draw())
    this.draw()
  }

  get text() {
    return this.area.value
  }

  // write replaces the text such that the browser can undo it.
  write(text) {
    this.area.focus({ preventScroll: true })
    this.area.select()
    if (!document.execCommand('insertText', false, text)) this.area.value = text
    this.area.setSelectionRange(0, 0)
    this.draw()
    this.reveal('.changed')
  }

  draw() {
    const lines = this.isGo ? colours(this.text) : this.text.split('\n').map(line => [['', line]])
    const changed = changes(this.original, this.text)
    this.below.replaceChildren(
      ...lines.map((parts, n) => {
        const spans = parts.map(([kind, part]) => (kind ? make('span', kind, part) : part))
        return make('span', changed.has(n) ? 'row changed' : 'row', '', ...spans, '\n')
      }),
    )
  }

  // reveal scrolls to the first line of a kind.
  reveal(kind) {
    const row = this.below.querySelector(kind)
    if (row) this.el.scrollTop = row.offsetTop - this.el.clientHeight / 3
  }

  // mark marks lines, and shows the first of them.
  mark(numbers) {
    this.draw()
    for (const n of numbers) this.below.children[n - 1]?.classList.add('wrong')
    this.reveal('.wrong')
  }
}
