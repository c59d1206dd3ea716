'use strict'

// A Bench is a file of a package in an editor, with a button that compiles the package with the
// change, and runs its laws. Its element says which: data-bench is the folder, data-file the file,
// data-judge the arguments of the judge.
const LOADS = 24e6 // bytes that the first run of a browser loads, about
const saved = file => `bench ${file}`

// placeOf is where this browser keeps what a reader has written: in the finale a story for each
// report, and nowhere for a change that the book proposes.
const placeOf = ({ dataset: { finale, edits, file } }) =>
  finale ? `finale ${finale}` : edits ? '' : saved(file)

// forget makes the browser forget a value that it keeps.
const forget = key => {
  try {
    localStorage.removeItem(key)
  } catch {}
}

const mega = bytes => `${Math.round(bytes / 1e6)} MB`
const seconds = ms => `${(ms / 1000).toFixed(1)} s`

// once says how much a run loads, as long as it has to.
const once = (more = 0) => {
  const loads = (Workbench.made?.isOpen ? 0 : LOADS) + (Workbench.made?.hasPipe ? 0 : more)
  return loads ? ` (${mega(loads)} once)` : ''
}

// What a bench says of time: of each step, and of the memory that the largest one took.
const spent = ({ load, compile, main, link, run, memory }) =>
  [
    load > 50 && `loading ${seconds(load)}`,
    compile && `compiling ${seconds(compile + (main ?? 0))}`,
    link && `linking ${seconds(link)}`,
    run !== undefined && `laws ${seconds(run)}`,
    memory && mega(memory),
  ]
    .filter(Boolean)
    .join(', ')

class Bench {
  constructor(el) {
    const { bench: dir, file, judge } = el.dataset
    const area = el.querySelector('textarea')
    Object.assign(this, { el, dir, file, judged: judge.split(' '), original: area.defaultValue })
    this.saved = placeOf(el)
    el.bench = this

    this.sheet = new Sheet(area, file.endsWith('.go'), this.original)
    this.runButton = button(`run ▶${this.once}`, () => this.run())
    this.runButton.classList.add('main')
    this.cancelButton = button('cancel', () => this.cancel())
    this.cancelButton.hidden = true
    this.said = make('span', 'said')
    this.said.role = 'status'
    this.bar = make(
      'p',
      'bar',
      '',
      this.runButton,
      button('reset', () => this.reset()),
      button('copy as a link', () => this.link()),
      button('copy as a patch', () => this.patch()),
      this.cancelButton, // behind the others, which stay where they are while it comes and goes
      this.said,
    )

    this.out = make('pre', 'verdict')
    this.out.hidden = true
    el.append(this.bar, this.out)
    area.addEventListener('input', () => this.keep())
    area.addEventListener('keydown', ev => {
      if (ev.key === 'Enter' && (ev.ctrlKey || ev.metaKey)) this.run()
    })

    const mine = this.saved && kept(this.saved)
    if (mine && mine !== this.original) {
      this.sheet.area.value = mine
      this.sheet.draw()
    }
  }

  keep() {
    if (!this.saved) return
    if (this.sheet.text === this.original) forget(this.saved)
    else kept(this.saved, this.sheet.text)
  }

  write(text) {
    this.sheet.write(text)
    this.keep()
  }

  reset() {
    this.cancel()
    this.write(this.original)
    this.show('')
    this.said.textContent = ' This is the original again. Undo brings your text back.'
  }

  show(text, holds) {
    this.out.hidden = !text
    this.out.textContent = text
    this.out.classList.toggle('holds', !!holds)
  }

  cancel() {
    if (this.el.ariaBusy === 'true') Workbench.one.cancel()
  }

  // busy does something that takes long, one thing at a time in a page.
  async busy(what) {
    if (Bench.working) {
      this.said.textContent = ' Another bench of this page works: it has to end first.'
      return
    }

    Bench.working = true
    Workbench.one.begin()
    this.el.ariaBusy = 'true'
    this.runButton.disabled = true
    this.cancelButton.hidden = false
    try {
      await what()
    } catch (err) {
      const { aborted } = Workbench.one.stop.signal
      this.show(aborted ? 'It was cancelled.' : `This failed: ${err.message}`)
      this.said.textContent = ''
    } finally {
      Bench.working = false
      Workbench.one.progress = null
      this.el.ariaBusy = 'false'
      this.runButton.disabled = false
      this.cancelButton.hidden = true
      this.runButton.textContent = `run ▶${this.once}`
    }
  }

  // told shows what is being done, and how much has come.
  told(step) {
    const { one } = Workbench
    this.said.textContent = ` ${step} …`
    one.progress = () => {
      this.said.textContent =
        ` loading: ${mega(one.loaded)} of ${mega(one.total)}, ` +
        "Go's own compiler and linker, which this browser keeps"
    }
  }

  run() {
    return this.busy(async () => {
      this.sheet.mark([])
      const told = step => this.told(step)
      told('loading')
      this.plan ??= await Workbench.one.plan(this.dir, Workbench.one.stop.signal)
      const verdict = await this.judge(told)
      this.said.textContent = ` ${spent(verdict.times)}`
      this.show(verdict.broken ? verdict.broken.trimEnd() : verdict.text, verdict.holds)
      this.point(verdict.broken)
      this.el.dispatchEvent(new CustomEvent('judged', { detail: verdict }))
    })
  }

  judge(told) {
    const files = { [this.file]: this.sheet.text }
    return Workbench.one.try(this.plan, files, this.judged, told)
  }

  // point marks the lines that the compiler names.
  point(errors) {
    const lines = [...errors.matchAll(/^(\S+\.go):(\d+):/gm)]
    this.sheet.mark(lines.filter(([, file]) => file === this.file).map(([, , line]) => +line))
  }

  // copy puts a text where it can be pasted from. A page that came without TLS from another machine
  // may not do that.
  async copy(text, what) {
    const isCopied = await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    )

    if (!isCopied) this.show(text)
    this.said.textContent = isCopied ? ` ${what}` : ' This page may not copy it: it stands below.'
  }

  get once() {
    return once()
  }

  // committed is the file as the repository has it.
  get committed() {
    return this.original
  }

  // page is the address of the page on which a link opens this bench, and name what the link says
  // of it where a page has several.
  get page() {
    return location.href
  }

  get name() {
    return ''
  }

  async link() {
    const { text } = this.sheet
    if (text === this.committed) return this.unchanged()
    const url = new URL(this.page)
    url.hash = `change,${await packing(this.committed, text)},${this.name}`
    this.copy(url.href, 'The link is copied. It has your change in it, and nothing is sent.')
  }

  patch() {
    const text = patch(this.file, this.committed, this.sheet.text)
    if (text) this.copy(text, 'The patch is copied: git apply reads it.')
    else this.unchanged()
  }

  unchanged() {
    this.said.textContent = ' Nothing is changed.'
  }

  // follow shows the change of a link. It is a stranger's, so it runs only when the reader asks.
  async follow() {
    const [, packed, name] = /^#change,([^,]+),(.*)/.exec(location.hash) ?? []
    if (!packed || name !== this.name) return
    this.open()
    const text = await unpacking(this.original, packed)
    if (text === null) return this.show('The change of this link does not fit this file.')
    const box = make('div', 'change')
    const changed = hunks(compare(this.original, text)).flatMap(h => h.lines)
    box.append(
      make('p', '', 'This link brings a change. Nothing has run yet:'),
      make(
        'pre',
        '',
        '',
        ...changed.map(([sign, line]) =>
          make(sign === '+' ? 'ins' : sign === '-' ? 'del' : 'span', '', `${sign} ${line}\n`),
        ),
      ),
      make(
        'p',
        'bar',
        '',
        button(`put it into the editor, and run it${once()}`, () => {
          box.remove()
          this.write(text)
          this.run()
        }),
      ),
    )

    this.el.prepend(box)
    box.scrollIntoView({ block: 'center' })
  }

  open() {
    const around = this.el.closest('details')
    if (around) around.open = true
  }
}
