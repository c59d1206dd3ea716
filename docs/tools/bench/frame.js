'use strict'

// The script of the frame: it makes the workers, and does with them what the page asks. The frame
// has an origin of its own, and a policy that lets nothing in or out but messages. Its workers are
// made of blobs, so they have this policy, too.
//
// The page sends { id, op, … } and gets { id, … } or { id, error }. Texts of a program come from a
// stranger: nobody may take them for anything but text.
const LIMIT = 20_000 // milliseconds that a program may run; its own loading does not count

const ENDLESS =
  'is there a loop that does not end, a lock that is not released, or a channel on which one ' +
  'side waits forever?'

// A Crew is a worker, which is asked one thing after another.
class Crew {
  constructor(script) {
    Object.assign(this, { worker: new Worker(script), waits: new Map(), last: 0, text: '' })
    this.worker.onmessage = ({ data: { id, began, text, error, ...rest } }) => {
      if (began) this.began?.()
      if (text) {
        this.text += text
        this.told?.(text)
      }
      const wait = this.waits.get(id)
      this.waits.delete(id)
      if (error) wait?.failed(new Error(error))
      else wait?.done(rest)
    }

    this.worker.onerror = ev => this.end(ev.message)
  }

  ask(op, rest, transfer = []) {
    return new Promise((done, failed) => {
      this.waits.set(++this.last, { done, failed })
      this.worker.postMessage({ id: this.last, op, ...rest }, transfer)
    })
  }

  // run runs a program, and returns how it ended and what it printed.
  async run(rest, transfer) {
    this.text = ''
    const began = performance.now()
    const { exit, tail, memory } = await this.ask('run', rest, transfer)
    return { exit, memory, text: this.text + tail, ms: Math.round(performance.now() - began) }
  }

  end(why) {
    this.worker.terminate()
    for (const { failed } of this.waits.values()) failed(new Error(why))
    this.waits.clear()
  }
}

// What the tools were given, for a new worker after one that was ended.
const given = []
let script
let tools
let program

const hire = () => {
  tools = new Crew(script)
  for (const { what, rest } of given) tools.ask(what, rest)
}

// tool runs one of the tools. What it leaves goes with its memory: to collect it on the way would
// take a third of its time.
const tool = (name, argv) => tools.run({ name, argv: [name, ...argv], env: { GOGC: 'off' } })

// under moves files into the folder in which programs run.
const under = files =>
  Object.fromEntries(Object.entries(files).map(([name, text]) => [`/w/${name}`, text]))

const OPS = {
  script({ text }) {
    script = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }))
    hire()
  },

  async give({ what, ...rest }) {
    await tools.ask(what, rest)
    given.push({ what, rest })
  },

  // compile compiles a package with its tests. Then main can import it, and if isMore also what
  // was compiled before it. Its answer's exit is not 0 if that fails, and text is then what the
  // compiler says.
  async compile({ plan, files, isMore }) {
    const { data } = await tools.ask('take', { name: isMore ? '/w/config' : '/pkg/config' })
    const known = new TextDecoder().decode(data)
    const archive = `/w/${plan.path}.a`

    await tools.ask('put', {
      files: {
        ...under({ ...plan.files, ...files }),
        '/w/embed': plan.embed,
        '/w/config': `${known}packagefile ${plan.path}=${archive}\n`,
      },
    })

    const embed = plan.embed ? ['-embedcfg', '/w/embed'] : []
    return tool('compile', [
      ...['-o', archive, '-p', plan.path, '-importcfg', '/pkg/config', ...embed],
      ...['-complete', '-c=1', '-pack', ...plan.compile],
    ])
  },

  // main compiles the main package, and link links the program.
  async main({ files }) {
    await tools.ask('put', { files: under(files) })
    return tool('compile', [
      ...['-o', '/w/main.a', '-p', 'main', '-importcfg', '/w/config'],
      ...['-complete', '-c=1', '-pack', ...Object.keys(files)],
    ])
  },

  link() {
    return tool('link', [
      ...['-o', '/w/tests.wasm', '-importcfg', '/w/config', '-buildmode=exe'],
      ...['-s', '-w', '/w/main.a'],
    ])
  },

  // play runs the program that was linked last. take names a file of which it answers the text.
  // If isHeard, the page gets { told } while the program prints.
  async play({ plan, files, argv = [], env = {}, take, isHeard }) {
    const { data: code } = await tools.ask('take', { name: '/w/tests.wasm' })
    const crew = (program = new Crew(script))
    if (isHeard) crew.told = told => answer({ told })
    let late
    try {
      await crew.ask('put', { files: under({ ...plan.files, ...files }) })
      const cwd = `/w/${plan.dir}`
      const over = new Promise(done => {
        crew.began = () => (late = setTimeout(done, LIMIT))
      })

      const ran = crew.run({ code, argv: ['tests', ...argv], env, cwd }, [code.buffer])
      const got = (await Promise.race([ran.catch(err => why(crew, err)), over])) ?? endless(crew)
      if (take && !got.late) got.taken = (await crew.ask('take', { name: take })).data
      return got
    } finally {
      clearTimeout(late)
      crew.end('over')
    }
  },

  async judge({ argv, files }) {
    await tools.ask('put', { files })
    return tool('judge', argv)
  },

  cancel() {
    program?.end('cancelled')
    tools.end('cancelled')
    hire()
  },
}

// why is how a run ends that the worker itself could not carry out: for example without memory.
const why = ({ text }, err) => ({ exit: 2, text: `${text}\nfatal error: ${err.message}\n` })

// endless is how a run ends that was stopped. The last test that has begun is the one.
const endless = crew => {
  const test = [...crew.text.matchAll(/=== RUN +(\S+)/g)].at(-1)?.[1] ?? 'The program'
  const text = `${crew.text}\n${test} still runs after ${LIMIT / 1000}s: ${ENDLESS}\n`
  return { exit: 2, text, ms: LIMIT, late: true }
}

const answer = message => parent.postMessage(message, '*')

// A page elsewhere could show this frame without a sandbox. Then what it sends would run in the
// origin of the book.
if (origin === 'null') {
  addEventListener('message', async ({ source, data: { id, op, ...rest } }) => {
    if (source !== parent) return
    try {
      answer({ id, ...(await OPS[op](rest)) })
    } catch (err) {
      answer({ id, error: String(err.message ?? err) })
    }
  })

  answer({ ready: true })
}
