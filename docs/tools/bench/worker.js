'use strict'

// What a worker of the frame does. That of the tools keeps its disk and its modules, and runs
// compiler, linker and judge one after another. A program gets a worker of its own, which ends with
// it: so one that does not end can be stopped, and none reaches the tools.
//
// The frame sends { id, op, … } and gets { id, … } or { id, error }, and of a program { began }
// when it starts, and { text } while it prints.
const MOST = 1_000_000 // letters of output that are sent while a program runs

const modules = {}
let sent = 0
let tail = '' // what was printed after that; of it only the end is kept

const print = bytes => {
  const text = DECODED.decode(bytes)
  sent += text.length
  if (sent <= MOST) postMessage({ text })
  else tail = (tail + text).slice(-MOST / 10)
}

const disk = new Disk({ print })
globalThis.fs = disk.system()
globalThis.process = disk.process()
globalThis.path = { resolve: (...parts) => parts.join('/') }

const unpacked = packed => packed.stream().pipeThrough(new DecompressionStream('gzip'))

const OPS = {
  // load gets a program of the tools, as a packed blob. It is compiled while other things happen.
  load({ name, packed }) {
    const headers = { 'Content-Type': 'application/wasm' }
    modules[name] = WebAssembly.compileStreaming(new Response(unpacked(packed), { headers }))
    modules[name].catch(() => {}) // run says it
  },

  // archives gets the compiled packages, one behind another, and where each is.
  async archives({ packed, at }) {
    const bytes = new Uint8Array(await new Response(unpacked(packed)).arrayBuffer())
    let config = DECODED.decode(disk.take('/pkg/config') ?? new Uint8Array())
    for (const [name, [start, size]] of Object.entries(at)) {
      disk.put(`/pkg/${name}.a`, bytes.subarray(start, start + size))
      config += `packagefile ${name}=/pkg/${name}.a\n`
    }

    disk.put('/pkg/config', config)
  },

  put({ files }) {
    for (const [name, data] of Object.entries(files)) disk.put(name, data)
  },

  take({ name }) {
    return { data: disk.take(name)?.slice() }
  },

  // run runs a program of Go to its end: one that was loaded, or its code.
  async run({ name, code, argv, env = {}, cwd = '/w' }) {
    const go = new Go()
    const module = await (code ? WebAssembly.compile(code) : modules[name])
    const instance = await WebAssembly.instantiate(module, go.importObject)
    let exit = 0

    Object.assign(disk, { cwd, isLate: !!code })
    sent = 0
    tail = ''
    go.argv = argv
    go.env = { TMPDIR: '/tmp', GOROOT: '/goroot', PWD: cwd, ...env }
    go.exit = c => {
      exit = c
    }

    postMessage({ began: true })
    await go.run(instance)
    return { exit, tail, memory: instance.exports.mem.buffer.byteLength }
  },
}

const answer = async ({ id, op, ...rest }) => {
  try {
    postMessage({ id, ...(await OPS[op](rest)) })
  } catch (err) {
    postMessage({ id, error: String(err.message ?? err) })
  }
}

// One thing after another: a compiler that is asked for early finds all archives.
let last = Promise.resolve()
onmessage = ({ data }) => {
  last = last.then(() => answer(data))
}
