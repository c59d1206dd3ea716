'use strict'

// A Program is the book's Go program in a worker, so that the page stays responsive. It answers
// what the server of a live page would, and two things more: POST open makes a machine, POST play
// plays a story. Nothing is loaded before the first question. In the book that is one file, the
// files are elements.
const PACKED = 'watchglass.wasm.gz'
const EXEC = 'wasm_exec.js'
const SIZE = 5_200_000 // bytes of it, about

class Program {
  // base: the folder of the program's files. progress: is told { loaded, total } in bytes while
  // they come.
  constructor({ base = '', progress = () => {} } = {}) {
    Object.assign(this, { base, progress, asked: new Map(), last: 0 })
  }

  async read(name) {
    const inside = document.getElementById('machine/' + name)
    if (inside)
      return new Blob([Uint8Array.from(atob(inside.textContent), c => c.charCodeAt(0))]).stream()
    const answer = await fetch(this.base + name)
    if (!answer.ok) throw new Error(`${name}: ${answer.status} ${answer.statusText}`)
    let loaded = 0
    const total = +answer.headers.get('Content-Length') || SIZE
    const tell = this.progress

    return answer.body.pipeThrough(
      new TransformStream({
        transform(part, out) {
          if (name === PACKED) tell({ loaded: (loaded += part.length), total })
          out.enqueue(part)
        },
      }),
    )
  }

  // code is the compiled program and what the worker runs: loaded once for all programs of a page.
  code() {
    return (Program.loaded ??= Promise.all([
      this.read(PACKED)
        .then(s => new Response(s.pipeThrough(new DecompressionStream('gzip'))).arrayBuffer())
        .then(b => WebAssembly.compile(b)),
      this.read(EXEC)
        .then(s => new Response(s).text())
        .then(exec =>
          URL.createObjectURL(new Blob([exec, `\n;(${serve})()`], { type: 'text/javascript' })),
        ),
    ]))
  }

  start() {
    return (this.started ??= this.code().then(
      ([code, url]) =>
        new Promise((ready, failed) => {
          const worker = (this.worker = new Worker(url))
          worker.onmessage = ({ data: m }) => {
            if (m.ready) return ready(worker)
            if (!m.ended) return this.answer(m.id, m.status, m.text)
            this.end(`the program has ended: ${m.ended}`)
            failed(new Error(m.ended))
          }

          worker.onerror = e => {
            this.end(`the program has ended: ${e.message}`)
            failed(new Error(e.message))
          }

          worker.postMessage({ code })
        }),
    ))
  }

  // ask answers as fetch does. After within milliseconds without an answer the program is ended.
  async ask(path, { method = 'GET', body = '', within = 0 } = {}) {
    const refused = (status, error) => new Response(JSON.stringify({ error }), { status })
    try {
      await this.start()
    } catch (err) {
      this.started = Program.loaded = null
      return refused(
        502,
        `The program cannot be loaded (${err.message}). A page that was opened from disk ` +
          'may not load it: the book in one file has it inside.',
      )
    }

    return new Promise(done => {
      const id = ++this.last
      const late =
        within &&
        setTimeout(
          () => this.end(`It has not ended within ${within / 1000} seconds, and was stopped.`),
          within,
        )
      this.asked.set(id, (status, text) => {
        clearTimeout(late)
        done(new Response(status === 204 ? null : text, { status }))
      })

      this.worker.postMessage({ id, method, path, body })
    })
  }

  answer(id, status, text) {
    this.asked.get(id)?.(status, text)
    this.asked.delete(id)
  }

  // end ends the program, and answers what it was asked. The next question starts it anew.
  end(error = 'The program was ended.') {
    this.worker?.terminate()
    this.worker = this.started = null
    for (const id of [...this.asked.keys()]) this.answer(id, 504, JSON.stringify({ error }))
  }
}

// serve runs in the worker, behind Go's own script.
function serve() {
  const printed = []
  const write = globalThis.fs.writeSync
  globalThis.fs.writeSync = (fd, data) => {
    printed.push(new TextDecoder().decode(data))
    return write(fd, data)
  }

  onmessage = async ({ data: { code, id, method, path, body } }) => {
    if (!code)
      return globalThis.watchglassServe(method, path, body, (status, text) =>
        postMessage({ id, status, text }),
      )

    const go = new globalThis.Go()
    globalThis.watchglassReady = () => postMessage({ ready: true })
    await go.run(await WebAssembly.instantiate(code, go.importObject))

    postMessage({
      ended:
        printed
          .join('')
          .split('\n')
          .find(l => /^(panic|fatal)/.test(l)) ?? 'it has returned',
    })
  }
}
