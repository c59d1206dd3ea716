'use strict'

// What the workbench is in other places than source pages: at the ends of chapters, on the pages of
// the workshop, and in its finale.

// A Trial is a change that a chapter proposes. Opening it puts the change into the editor.
class Trial extends Bench {
  static async begin(el) {
    const plan = await Workbench.one.plan(el.dataset.bench)
    const area = make('textarea', '')
    area.ariaLabel = el.dataset.file
    area.defaultValue = plan.solution ?? plan.files[el.dataset.file]
    el.querySelector('.how')?.remove()
    el.append(area)

    const trial = new Trial(el)
    trial.plan = plan
    let text = `\n${trial.original}`
    for (const { Old, New } of JSON.parse(el.dataset.edits))
      text = text.replace(`\n${Old}`, () => `\n${New}`)
    trial.write(text.slice(1))
    trial.runButton.focus({ preventScroll: true })
  }

  // The original of a trial may be an exercise with its solution, which has a page of its own.
  get committed() {
    return this.plan.files[this.file]
  }

  get page() {
    return new URL(this.plan.solution ? `${this.dir}/README.html` : `${this.file}.html`, ROOT)
  }
}

// An Exercise is the bench of an exercise: what is solved goes onto the board, hints come one by
// one, and the solution after the last of them, or when all laws hold.
class Exercise extends Bench {
  constructor(el) {
    super(el)
    this.hints = [...document.querySelectorAll('details')].filter(d =>
      /^\d · /.test(d.querySelector('summary').textContent),
    )

    this.hints.forEach((hint, i) => {
      hint.hidden = i > 0
      hint.addEventListener('toggle', () => {
        const next = this.hints[i + 1]
        if (next) next.hidden = false
        else this.offer()
      })
    })

    el.addEventListener('judged', ({ detail: { holds } }) => {
      if (!holds) return
      const isGiven = this.sheet.text === this.plan.solution
      if (!isGiven || !kept(solvedBy(this.dir))) kept(solvedBy(this.dir), isGiven ? GIVEN : SOLVED)
      this.offer()
      this.el.append(this.next)
    })

    this.next = el.querySelector('.next')
    if (kept(solvedBy(this.dir))) el.append(this.next)
    else this.next.remove()
  }

  // offer offers the solution.
  offer() {
    if (this.offered) return
    const show = button('show the solution', async () => {
      this.plan ??= await Workbench.one.plan(this.dir)
      const take = button('put it into the editor', () => this.write(this.plan.solution))
      this.offered.before(make('pre', 'solution', this.plan.solution))
      show.replaceWith(take)
    })

    this.offered = make('p', 'bar', '', show)
    this.el.append(this.offered)
  }
}

const SOLVED = '✔'
const GIVEN = '◇'
const solvedBy = dir => `solved ${dir}`

// board marks the exercises that this browser has seen solved, and those that are begun.
const board = el => {
  let solved = 0
  for (const item of el.querySelectorAll('[data-exercise]')) {
    const dir = item.dataset.exercise
    const file = `${dir}/${dir.replace(/.*\/\d_\d_/, '')}.go`
    const mark = kept(solvedBy(dir)) ?? (kept(saved(file)) ? '✎' : '·')
    solved += mark === SOLVED
    item.prepend(make('b', '', `${mark} `))
  }

  for (const item of el.querySelectorAll('[data-report]')) {
    const place = `finale ${item.dataset.report}`
    item.prepend(make('b', '', `${kept(solvedBy(place)) ?? (kept(place) ? '✎' : '·')} `))
  }

  const all = el.querySelectorAll('[data-exercise]').length
  el.append(make('p', 'sum', `${solved} of ${all} solved.`))
}

// A Finale is a story against a broken stage. It is played on the correct stage, and on the other.
class Finale extends Bench {
  constructor(el) {
    super(el)
    const accept = button('write the states', () => this.busy(() => this.accept()))
    this.cancelButton.before(accept)
    el.addEventListener('judged', ({ detail: { holds } }) => {
      if (holds) kept(solvedBy(placeOf(el)), SOLVED)
    })
  }

  get name() {
    return this.el.dataset.finale
  }

  // patch makes a file of the story, where make finale looks for it.
  patch() {
    const file = `docs/workshop/finale/${this.name.toLowerCase()}.story`
    this.copy(patch(file, '', this.sheet.text), 'The patch is copied: git apply makes the story.')
  }

  get story() {
    return { [`${this.dir}/mine.story`]: this.sheet.text }
  }

  play(mode, times) {
    return Workbench.one.ask('play', {
      plan: this.plan,
      files: this.story,
      argv: ['-test.run=^TestStories$', `-test.count=${times}`],
      env: { STORY: `${mode}:mine.story` },
      take: `/w/${this.dir}/mine.story`,
    })
  }

  // accept writes under each ---- what the correct stage shows.
  async accept() {
    const told = step => this.told(step)
    told('loading')
    this.plan ??= await Workbench.one.plan(this.dir)
    await Workbench.one.open()
    await Workbench.one.build(this.plan, {}, told, {})
    const { exit, text, taken } = await this.play('accept', 1)
    if (exit) return this.show(`The stage cannot play the story:\n${text}`)
    this.write(new TextDecoder().decode(taken))
    this.said.textContent = ' The stage shows this. Read it: it is what you claim.'
  }

  async judge(told) {
    const { one } = Workbench
    const times = {}
    await one.open()
    const broken = await one.mutant(this.el.dataset.finale)
    const files = { story: this.sheet.text }
    for (const [name, changed] of [
      ['printed', {}],
      ['mutant', broken],
    ]) {
      const said = await one.build(this.plan, changed, told, times)
      if (said) return { broken: said, text: said, times }
      told('playing the story')
      const { text, exit, ms } = await this.play('compare', 5)
      files[name] = text
      files[name === 'mutant' ? 'mutant.code' : 'code'] = `${exit}`
      times.run = (times.run ?? 0) + ms
    }

    return { ...(await one.judge(['finale', this.el.dataset.finale], files)), broken: '', times }
  }
}

// A Pipe is the program that calls the exercises: those of the reader, and the solutions of those
// that are open.
const PIPE = 10e6 // bytes that it loads besides, about

class Pipe extends Bench {
  get once() {
    return once(PIPE)
  }

  // parts are the exercises: whether the reader has written them, and their texts.
  get parts() {
    return this.plan.parts.map(part => {
      const text = kept(saved(part.file))
      const isOpen = !text || /panic\("TODO/.test(text)
      return { ...part, text: isOpen ? part.solution : text, isYours: !isOpen }
    })
  }

  async judge(told) {
    const { one } = Workbench
    const times = {}
    const began = performance.now()
    await one.openPipe()
    times.load = Math.round(performance.now() - began)

    const { plan, parts } = this
    const broken = await one.steps(told, times, 'the pipe', [
      ...parts.map(({ path, file, text }, i) => [
        'compile',
        'compiling the exercises',
        { plan: { path, compile: [file], embed: '' }, files: { [file]: text }, isMore: i > 0 },
      ]),
      ['main', 'compiling the pipe', { files: { ...plan.files, [this.file]: this.sheet.text } }],
      ['link', 'linking', {}],
    ])

    let played = { exit: 2, text: broken }
    if (!broken) {
      told('running the pipe')
      this.show('')
      one.heard = text => this.show(this.out.textContent + text)
      const yours = parts.filter(part => part.isYours && part.text !== part.solution)
      const env = { PIPE: yours.map(part => part.id).join(' '), PATIENCE: '18s' }
      played = await one.ask('play', { plan, files: {}, env, isHeard: true })
      one.heard = null
      times.run = played.ms
    }

    const { exit, text } = played
    const verdict = await one.judge(['pipe'], { printed: text, code: String(exit) })
    return { ...verdict, broken: '', times }
  }
}
