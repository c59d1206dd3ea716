'use strict'

// The live page: one stage with all places, tabs of lessons, and a machine that runs (machine.js).
const $ = q => document.querySelector(q)
const COVER =
  'An informer keeps a copy of a server’s objects in your program, and calls your handlers when ' +
  'one of them changes. Press “begin” to see how.'

// keptTheme is light or dark as the reader has chosen it. A sandboxed page has no storage.
function keptTheme() {
  try {
    return localStorage.theme
  } catch {}
}

// packed is JSON that was packed with gzip, null if it cannot be had.
const packed = address =>
  fetch(address)
    .then(r => new Response(r.body.pipeThrough(new DecompressionStream('gzip'))).json())
    .catch(() => null)

class Page {
  constructor() {
    Object.assign(this, {
      scenes: [],
      scene: null,
      machine: null,
      stage: null,
      addressed: location.hash,
    })
  }

  async start() {
    const theme = keptTheme()
    document.documentElement.dataset.theme =
      theme || (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')

    // A server of its own has none.
    this.scenes = await fetch('scenes.json')
      .then(r => r.json())
      .catch(() => [])

    if (this.scenes.length) {
      Stage.book = '../'
      this.follow()
    } else this.enter('own')
  }

  show(tape, options) {
    this.stage?.end()

    this.stage = new Stage($('#stage'), tape, {
      history: true,
      onshow: () => this.header(),
      ...options,
    })

    this.header()
    return this.stage
  }

  // run makes a machine: one's own, or one at an event of a story.
  async run(story) {
    this.machine?.end()

    this.program ??= new Program({
      progress: ({ loaded, total }) => {
        put($('#mode'), `${Math.floor((loaded / total) * 100)} % of the machine`)
        this.stage?.loads(loaded / total)
      },
    })

    const machine = (this.machine = new Machine(this.program, {
      show: (tape, options) => this.show(tape, options),
      changed: () => this.header(),
    }))

    this.stage?.loads(0)
    const error = await machine.open(story)
    if (!error || machine !== this.machine) return
    if (this.scene) this.machine = null // the scene is still there
    this.stage?.loads(null)
    this.stage?.tell(error, true)
    put($('#self'), error)
  }

  // enter begins a scene, at a moment of it or with a sentence before its beginning, or the
  // machine.
  async enter(name, at, cover = '') {
    const mine = (this.entering = {})
    const { scenes } = this
    const scene = scenes.find(l => l.name === name)

    this.machine?.end()
    this.machine = null
    this.scene = scene ?? null
    if (!scene) return this.run()
    const got = scene.tape ?? (await packed(`scene/${name}.json.gz`))
    if (mine !== this.entering) return
    if (!got)
      return this.stage?.tell('The scene cannot be shown: the server cannot be reached.', true)
    const tape = new Tape(got, { beats: scene.beats ?? [] })
    const later = scenes[scenes.indexOf(scene) + 1] ?? {
      name: 'own',
      title: 'a machine of your own',
    }

    this.show(tape, {
      ...scene,
      verbs: undefined, // here are all buttons
      cover,
      at: this.moment(tape, at),
      next: { title: later.title, enter: () => this.enter(later.name) },
      take: seq => {
        this.taken = tape.name(seq)
        return this.run({ story: scene.story, queue: got.meta.queue, seq })
      },
    })
  }

  // The address leads to a moment: #scene,moment. With #scene,moment,take it leads to a machine at
  // this moment. A moment is "proof", for the event that answers the question, or words of an
  // event.
  moment(tape, at) {
    const words = new URLSearchParams(`at=${at ?? ''}`).get('at') // never throws
    if (!words) return tape.first
    if (words === 'proof') return this.scene?.proof ?? tape.first
    return tape.find(words) ?? tape.first
  }

  address() {
    const { scene, machine, stage } = this
    if (!scene || !stage) return `#${scene?.name ?? 'own'}`
    const at = machine ? this.taken : stage.tape.name(stage.cur)
    return `#${scene.name},${at}${machine ? ',take' : ''}`
  }

  note() {
    clearTimeout(this.noting)
    // The browser's way back leads from scene to scene.
    const sceneOf = hash => hash.slice(1).split(',')[0]
    this.noting = setTimeout(() => {
      if (location.hash !== this.addressed || location.hash === this.address() || this.stage?.cover)
        return // another one is to be followed
      const moves = location.hash && sceneOf(location.hash) !== sceneOf(this.address())
      history[moves ? 'pushState' : 'replaceState'](null, '', this.address())
      this.addressed = location.hash
    }, 200)
  }

  // knows says whether there is a scene of this name. One of the book that has no tab gets one.
  async knows(name) {
    if (this.scenes.some(l => l.name === name)) return true
    if (!/^\w{6,}$/.test(name)) return false
    const got = await packed(`${Stage.book}assets/scene/${name}.json.gz`)
    if (got) this.scenes.push({ ...got, title: got.title || name.replaceAll('_', ' ') })
    return !!got
  }

  async follow() {
    const [name, at, take] = location.hash.slice(1).split(',')
    const known = await this.knows(name)
    if (name === 'own') return this.enter('own')
    if (this.stage && this.scene?.name === name && !this.machine)
      return this.stage.go(this.moment(this.stage.tape, at))
    const cover = known || !this.scenes[0].beats ? '' : COVER
    await this.enter(known ? name : this.scenes[0].name, at, cover)
    if (take === 'take' && known) this.stage?.take(this.stage.cur)
  }

  // header is what is around the stage: where this is, and how the connection stands.
  header() {
    const { stage, machine, scene, scenes } = this
    const link = machine?.link
    if (!stage) return put($('#self'), link === 'lost' ? 'the server cannot be reached' : 'listing')

    if (scenes.length) {
      put(
        $('#tabs'),
        [...scenes, { name: 'own', title: 'your own' }].map(
          l =>
            html`<button data-scene="${l.name}" ${
              (scene?.name ?? 'own') === l.name && new Markup('aria-current="page"')
            }>${l.title}</button>`,
        ),
      )

      const bar = $('#tabs')
      const now = $('#tabs [aria-current]')
      bar.scrollLeft = now.offsetLeft - bar.offsetLeft - 24
    }

    const { tape, cur, seen, follow } = stage
    const { head, low } = tape
    const back = cur < seen
    const coming = head - cur
    put(
      $('#mode'),
      !machine
        ? 'a recorded run'
        : link !== 'watching'
          ? `○ ${link === 'lost' ? 'no server' : 'listing'}`
          : back
            ? `◀ ${seen - cur} back, read only`
            : coming
              ? `▶ ${coming} to come`
              : follow
                ? '● live, following'
                : '● live, paused',
    )

    $('#mode').className = `chip ${back && machine ? 'back' : ''} ${link === 'lost' ? 'alarm' : ''}`

    put(
      $('#self'),
      !machine
        ? count(head - low, 'event')
        : link === 'lost'
          ? `will ask for what came after event ${head}`
          : machine.lists > 1
            ? `connected again, the last event is ${head}`
            : `the last event is ${head}`,
    )

    const file = tape.meta.story
      ?.replace(/\.story$/, '')
      .replace(/^\d+_/, '')
      .replaceAll('_', ' ')

    put(
      $('#story'),
      file && !stage.tape.beats.length
        ? html`<b>${file}</b>&ensp;${stage.e.lane === 'story' ? '' : tape.caption(stage.e)}`
        : '',
    )

    const acts = PLACES.find(p => p.id === placeOf(stage.e.lane))
    if (Stage.book && acts)
      put($('#chapter'), html`<a href="${this.chapter(acts)}">the chapter</a>`)

    document.body.dataset.link = machine ? link : 'watching'
    document.body.toggleAttribute('data-tape', !machine)
    this.note()
  }

  // chapter is where the book tells of a place, at this moment if it shows the same scene.
  chapter({ chapter }) {
    const moment = this.scene ? this.address().replace(/,take$/, '') : ''
    return `${Stage.book}docs/${chapter}.html${moment}`
  }

  self() {
    const { stage, machine } = this
    const { head, low } = stage.tape
    open_(stage, () =>
      !machine
        ? html`<h2>This is a recording</h2>
            <p>The machine has played this story to its end, in virtual time. What is drawn is what
            its stages have reported, event by event, so you can step forward and back.</p>`
        : html`<h2>This page is itself a reflector</h2>
            <p>GET /state is its list, GET /events its watch, and the number of the last event,
            ${head}, its resource version. Again and again it asks for what came after that number.
            If that is too old, it is told <b>410 Gone</b>, and lists again, as the reflector
            does.</p>
            <p>It holds the events ${low} to ${head}, and has listed ${count(
              machine.lists,
              'time',
            )}. Going back is reading only: a machine that runs cannot be turned back.</p>`,
    )
  }

  theme() {
    const root = document.documentElement
    root.dataset.theme = root.dataset.theme === 'dark' ? 'light' : 'dark'
    try {
      localStorage.theme = root.dataset.theme
    } catch {}
    this.stage?.draw()
  }
}

const page = new Page()
document.addEventListener('click', ev => {
  const d = ev.target.closest('header button, #tabs button')?.dataset ?? {}
  if (d.scene) page.enter(d.scene)
  if (d.do === 'theme') page.theme()
  if (d.do === 'self' && page.stage) page.self()
  if (d.do === 'keys' && page.stage) act.keys(page.stage)
  if (d.do || d.scene) ev.target.closest('button').blur()
})

// Whatever has the focus, keys are for the stage of this page.
document.addEventListener('keydown', ev => {
  if (ev.defaultPrevented || !page.stage || ev.metaKey || ev.ctrlKey || ev.altKey) return
  if (ev.key.toLowerCase() === 't' && !document.querySelector('dialog[open]')) return page.theme()
  if (!page.stage.root.contains(ev.target)) key(page.stage, ev)
})

addEventListener('hashchange', () => {
  page.addressed = location.hash
  if (page.addressed !== page.address()) page.follow()
})

page.start()
