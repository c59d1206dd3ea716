'use strict'

// The workbench of a page: a sandboxed frame in which Go's compiler and linker run, and what they
// build. It loads nothing before the first job.
const BENCH = new URL('bench/', ROOT).href

// The names of what is loaded, and what the frame is told to do with it.
const TOOLS = ['compile', 'link', 'judge']

class Workbench {
  // one is the workbench of the page. A page has one, however many benches are on it.
  static get one() {
    return (Workbench.made ??= new Workbench())
  }

  constructor() {
    Object.assign(this, { waits: new Map(), last: 0, loaded: 0, total: 0 })
  }

  // begin begins a job. After cancel each further step fails until then: it is of the job that was
  // cancelled.
  begin() {
    this.stop = new AbortController()
  }

  // get is a fetch of a file that cancel ends.
  get(name) {
    return fetch(BENCH + name, { signal: this.stop.signal })
  }

  ask(op, rest = {}) {
    return new Promise((done, failed) => {
      this.stop.signal.throwIfAborted()
      this.waits.set(++this.last, { done, failed })
      this.frame.contentWindow.postMessage({ id: this.last, op, ...rest }, '*')
    })
  }

  // fetch answers a file of the workbench as a blob, and counts its bytes.
  async fetch(name) {
    const answer = await this.get(name)
    if (!answer.ok)
      throw new Error(`${name} cannot be loaded: ${(await answer.text()).trim() || answer.status}`)
    const count = new TransformStream({
      transform: (part, out) => {
        this.loaded += part.length
        this.progress?.()
        out.enqueue(part)
      },
    })

    return new Response(answer.body.pipeThrough(count)).blob()
  }

  // plan answers the plan of a folder. A job gives the signal with which cancel ends its loading.
  async plan(dir, signal = null) {
    const name = dir.split('/').at(-1) + '.json.gz'
    const packed = await (await fetch(BENCH + name, { signal })).blob()
    const text = packed.stream().pipeThrough(new DecompressionStream('gzip'))
    return new Response(text).json()
  }

  // mutant answers the broken file of a report of the finale.
  async mutant(letter) {
    const packed = await (await this.get('finale.json.gz')).blob()
    const text = packed.stream().pipeThrough(new DecompressionStream('gzip'))
    return (await new Response(text).json())[letter]
  }

  open() {
    return (this.opened ??= this.load().catch(err => {
      this.frame?.remove()
      this.opened = null
      throw err
    }))
  }

  async load() {
    this.loaded = 0
    const answer = await this.get('index.json')
    if (!answer.ok) throw new Error((await answer.text()).trim() || `index.json: ${answer.status}`)
    const { sizes, archives: at, pipe } = await answer.json()
    this.besides = pipe
    this.total = Object.values(sizes).reduce((sum, n) => sum + n, 0)

    const came = this.show()
    const script = Promise.all(['wasm_exec.js', 'worker.js'].map(name => this.fetch(name)))
    const packed = this.fetch('archives.gz')
    const programs = TOOLS.map(name => this.fetch(`${name}.wasm.gz`))
    Promise.all([script, packed, ...programs]).catch(() => {}) // what fails is told below

    await came
    await this.ask('script', { text: await new Blob(await script).text() })
    await Promise.all([
      packed.then(blob => this.ask('give', { what: 'archives', packed: blob, at })),
      ...programs.map(async (blob, i) =>
        this.ask('give', { what: 'load', name: TOOLS[i], packed: await blob }),
      ),
    ])
    this.isOpen = true
  }

  // openPipe loads what only the pipe needs, too.
  async openPipe() {
    await this.open()
    const { size, archives: at } = this.besides
    this.hasPipe ??= (async () => {
      this.loaded = 0
      this.total = size
      return this.ask('give', { what: 'archives', packed: await this.fetch('pipe.gz'), at })
    })().catch(err => {
      this.hasPipe = null
      throw err
    })

    return this.hasPipe
  }

  // show makes the frame. It has an origin of its own, so nothing in it reaches what this page or
  // any other has stored.
  show() {
    const frame = document.createElement('iframe')
    Object.assign(frame, { hidden: true, src: BENCH + 'frame.html', title: 'the workbench' })
    frame.sandbox = 'allow-scripts'
    this.frame = frame
    document.body.append(frame)

    const { signal } = this.stop
    return new Promise((came, failed) => {
      signal.addEventListener('abort', () => failed(signal.reason))
      addEventListener('message', ({ source, data: { id, ready, told, error, ...rest } }) => {
        if (source !== frame.contentWindow) return
        if (ready) return came()
        if (told) return this.heard?.(told)
        const wait = this.waits.get(id)
        this.waits.delete(id)
        if (error) wait?.failed(new Error(error))
        else wait?.done(rest)
      })
    })
  }

  // cancel ends the job that is under way. What it waits for fails: files that have not come, and
  // answers of the frame. While the tools are loaded, that ends the frame, too.
  cancel() {
    const why = new Error('cancelled')
    this.built = ''
    this.stop.abort(why)
    for (const { failed } of this.waits.values()) failed(why)
    this.waits.clear()
    if (this.isOpen) this.frame.contentWindow.postMessage({ op: 'cancel' }, '*')
  }

  // build makes the test program of a plan with changed files, unless it is the last that was made.
  build(plan, files, told, times) {
    const what = JSON.stringify([plan.dir, files])
    if (what === this.built) return ''
    return this.steps(told, times, what, [
      ['compile', 'compiling', { plan, files }],
      ['main', 'compiling the laws', { files: { 'main.go': plan.main } }],
      ['link', 'linking', {}],
    ])
  }

  // steps does one step after another, which make what. It returns what the compiler says if that
  // fails, and else nothing. told is called with each step; times gets how long it took.
  async steps(told, times, what, all) {
    this.built = ''
    for (const [op, name, rest] of all) {
      told(name)
      const { exit, text, ms, memory } = await this.ask(op, rest)
      times[op] = (times[op] ?? 0) + ms
      times.memory = Math.max(times.memory ?? 0, memory)
      if (exit) return text
    }

    this.built = what
    return ''
  }

  // try builds a plan with changed files, runs its laws, and answers { holds, text }. judged are
  // the arguments of the judge.
  async try(plan, files, judged, told) {
    const times = {}
    const began = performance.now()
    told('loading')
    await this.open()
    times.load = Math.round(performance.now() - began)

    const broken = await this.build(plan, files, told, times)
    let played = { exit: 2, text: '' }
    if (!broken) {
      told('running the laws')
      played = await this.ask('play', { plan, files, argv: ['-test.v=test2json'] })
      times.run = played.ms
    }

    const verdict = await this.judge(judged, {
      broken,
      printed: played.text,
      code: String(played.exit),
      ...files,
    })

    return { ...verdict, broken, times, printed: played.text }
  }

  // judge answers what the laws' output means.
  async judge(argv, files) {
    const at = Object.entries(files).map(([name, text]) => [
      name.includes('/') ? `/w/${name}` : `/judge/${name}`,
      text,
    ])
    const { exit, text } = await this.ask('judge', { argv, files: Object.fromEntries(at) })
    return { holds: exit === 0, text: text.trimEnd() }
  }
}
