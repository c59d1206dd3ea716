'use strict'

// What the workbench is in other places than source pages: at the ends of chapters, on the pages of
// the workshop, and in its finale.

// A Trial is a change that a chapter proposes. Opening it makes the change, and runs the tests.
class Trial extends Bench {
  static async begin(el) {
    const plan = await Workbench.one.plan(el.dataset.bench)
    const area = make('textarea', '')
    area.ariaLabel = el.dataset.file
    area.defaultValue = plan.solution ?? plan.files[el.dataset.file]
    el.querySelector('.how')?.remove()
    el.append(area)

    const trial = new Trial(el)
    let text = `\n${trial.original}`
    for (const { Old, New } of JSON.parse(el.dataset.edits))
      text = text.replace(`\n${Old}`, () => `\n${New}`)
    trial.write(text.slice(1))
    trial.run()
  }

  // A trial is the book's, and not its reader's: nothing is kept.
  place() {
    return ''
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
    })
  }

  // offer offers the solution.
  offer() {
    if (this.offered) return
    const show = button('show the solution', async () => {
      this.plan ??= await Workbench.one.plan(this.dir)
      const take = button('put it into the editor', () => this.write(this.plan.solution))
      show.replaceWith(make('pre', 'solution', this.plan.solution), take)
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

  const all = el.querySelectorAll('[data-exercise]').length
  el.append(make('p', 'sum', `${solved} of ${all} solved.`))
}

// A Finale is a story against a broken stage. It is played on the correct stage, and on the other.
class Finale extends Bench {
  constructor(el) {
    super(el)
    const accept = button('write the states', () => this.busy(() => this.accept()))
    this.cancelButton.after(accept)
  }

  place() {
    return `finale ${this.el.dataset.finale}`
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
