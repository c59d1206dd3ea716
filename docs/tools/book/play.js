'use strict'

// Stories in a page: the steps of one that is printed, one at a time, and one that a reader has
// changed, played by the program of the book.
const make = (tag, className, text, ...children) => {
  const el = Object.assign(document.createElement(tag), { className })
  el.append(...(text ? [text] : []), ...children)
  return el
}

const button = (text, press) =>
  Object.assign(make('button', '', text), { type: 'button', onclick: press })

// A Steps shows a printed story from its first step to the one that has been reached.
class Steps {
  constructor(block) {
    const code = block.querySelector('code')
    const lines = code.textContent.split('\n')
    const steps = []
    let done = true // whether the step has its command
    for (const line of lines) {
      if (done && line && !line.startsWith('    ')) steps.push([])
      steps.at(-1)?.push(line)
      done = line.startsWith('▸') || (done && line.startsWith('    ')) || (done && !line)
    }

    this.parts = steps.map(s => make('span', 'part', s.join('\n') + '\n'))
    if (this.parts.length < 2) return
    code.replaceChildren(...this.parts)
    this.bar = make('p', 'bar')
    block.append(this.bar)
    this.show(this.parts.length)
  }

  show(n) {
    const { parts } = this
    this.at = n
    parts.forEach((p, i) => {
      p.hidden = i >= n
      p.classList.toggle('now', i === n - 1 && n < parts.length)
    })

    this.bar.replaceChildren(
      ...(n < parts.length
        ? [
            button('step ▶', () => this.show(n + 1)),
            button('all', () => this.show(parts.length)),
            ` ${n} of ${parts.length}`,
          ]
        : [button('step by step', () => this.show(1))]),
    )
  }
}

for (const block of document.querySelectorAll('.code.story')) new Steps(block)

// An Editor plays a story's text. It waits so many milliseconds for a story to end.
const PATIENCE = 5000

// One program for all editors of the page: a story that does not end takes no machine with it.
let player

class Editor {
  constructor(details) {
    Object.assign(this, {
      stage: details.dataset.stage,
      area: details.querySelector('textarea'),
      out: make('div', 'played'),
    })

    this.bar = make(
      'p',
      'bar',
      '',
      (this.go = button('play ▶', () => this.play())),
      button('reset', () => this.reset()),
      (this.said = make('span', 'said')),
    )

    this.said.role = 'status'
    details.append(this.bar, this.out)
    this.area.onkeydown = ev => {
      if (ev.key === 'Enter' && (ev.ctrlKey || ev.metaKey)) this.play()
    }
  }

  reset() {
    this.run = null
    this.area.value = this.area.defaultValue
    this.out.replaceChildren()
    this.said.textContent = ''
  }

  // point selects the line that an error names, as in "line 7: …".
  point(error) {
    const line = +/\bline (\d+)/.exec(error)?.[1] - 1
    const lines = this.area.value.split('\n')
    if (!(line in lines)) return
    const start = lines.slice(0, line).join('\n').length + (line && 1)

    this.area.focus()
    this.area.setSelectionRange(start, start + lines[line].length)
    this.area.scrollTop =
      (this.area.scrollHeight * line) / lines.length - this.area.clientHeight / 2
  }

  async play() {
    const mine = (this.run = {})

    player ??= new Program({
      base: MACHINE,
      progress: ({ loaded, total }) => {
        const part = loaded / total
        this.go.textContent = part < 1 ? `${Math.floor(part * 100)} %` : 'starting…'
      },
    })

    const text = this.area.value.replaceAll(/^▸ /gm, '')
    const answer = await player.ask('play', {
      method: 'POST',
      body: JSON.stringify({ stage: this.stage, text }),
      within: PATIENCE,
    })

    const got = await answer.json().catch(() => ({}))
    this.go.textContent = 'play ▶'

    if (mine !== this.run) return
    const steps = got.steps ?? []
    const differ = steps.filter(s => s.loud && !same(s)).length
    this.said.textContent = got.error
      ? ` An error after ${count_(steps.length, 'step')}.`
      : differ
        ? ` ${count_(differ, 'step')} now ${differ > 1 ? 'end' : 'ends'} differently: ` +
          'new lines are marked, and those that are gone are struck.'
        : ' All steps end as printed.'

    // A story that was stopped brings no steps.
    const before = steps.length ? [] : [...this.out.children].filter(el => !el.matches('.wrong'))
    this.out.replaceChildren(
      ...(got.error ? [make('p', 'wrong', got.error)] : []),
      ...before,
      ...steps.flatMap(s => this.step(s)),
    )

    // A story of the informer leaves a tape, too.
    if (got.tape?.events) {
      const scene = make('div', '')
      this.out.append(scene)
      new Stage(scene, got.tape, { history: true })
    }

    this.point(got.error)
    if (!got.error) this.out.querySelector('.differs')?.scrollIntoView({ block: 'center' })
  }

  step({ prose, command, loud, state, printed }) {
    const differs = loud && !same({ state, printed })
    const pre = make(
      'pre',
      `step ${differs && 'differs'}`,
      '',
      make('b', '', `▸ ${command}`),
      ...(state ?? []).map(line =>
        make('span', differs && !printed?.includes(line) ? 'new' : '', `\n    ${line}`),
      ),
      ...(differs
        ? (printed ?? [])
            .filter(line => !state?.includes(line))
            .map(line => make('del', '', `\n    ${line}`))
        : []),
    )

    return [...(prose?.length ? [make('p', '', prose.join(' '))] : []), pre]
  }
}

const same = s => JSON.stringify(s.state ?? []) === JSON.stringify(s.printed ?? [])
for (const details of document.querySelectorAll('.editor'))
  details.addEventListener('toggle', () => (details.editor ??= new Editor(details)), { once: true })

// Of a deck one slide is shown at a time: what stands between two headings.
const deck = document.querySelector('main.slides')
if (deck) {
  const slides = [[]]
  for (const el of [...deck.children]) {
    if (el.matches('h2')) slides.push([])
    slides.at(-1).push(el)
  }

  const wanted = () =>
    Math.max(
      0,
      slides.findIndex(s => '#' + s[0]?.id === location.hash),
    )

  let at = 0
  const show = n => {
    at = Math.max(0, Math.min(n, slides.length - 1))
    slides.forEach((s, i) => s.forEach(el => el.classList.toggle('away', i !== at)))
    if (slides[at][0].id) history.replaceState(null, '', '#' + slides[at][0].id)
    scrollTo(0, 0)
  }

  addEventListener('keydown', ev => {
    const way = { ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1 }[ev.key]
    if (way && !ev.target.matches?.('input, textarea') && !document.querySelector('dialog[open]')) {
      ev.preventDefault()
      show(at + way)
    }
  })

  addEventListener('hashchange', () => show(wanted()))

  deck.append(
    make(
      'p',
      'bar',
      '',
      button('◀', () => show(at - 1)),
      button('▶', () => show(at + 1)),
    ),
  )

  show(wanted())
}
