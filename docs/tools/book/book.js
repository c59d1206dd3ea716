'use strict'

// The book's script: scenes begin to play when they come into view, what has been read is marked,
// and the theme is kept, all of it in this browser only. Without it every page can be read.
const ROOT = new URL(
  document.currentScript.src ? '..' : '.',
  document.currentScript.src || location.href,
)

const MACHINE = new URL('machine/', ROOT).href

// kept reads or writes what this browser keeps. A file may have no storage.
const kept = (key, value) => {
  try {
    return value === undefined ? localStorage[key] : (localStorage[key] = value)
  } catch {}
}

const rooted = document.documentElement
rooted.dataset.theme =
  kept('theme') || (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')

// unpack answers the JSON of a file that is compressed. In the book that is one file it is an
// element.
const unpack = async name => {
  const inside = document.getElementById(name)
  const data = inside
    ? new Blob([Uint8Array.from(atob(inside.textContent), c => c.charCodeAt(0))]).stream()
    : (await fetch(name)).body
  return new Response(data.pipeThrough(new DecompressionStream('gzip'))).json()
}

// A Scene is a stage in the place of its picture. A reader can take it over: then it is a machine
// that runs.
class Scene {
  constructor(figure) {
    Object.assign(this, { figure, stage: null })
    figure.scene = this
    new IntersectionObserver(
      (seen, o) => {
        if (seen.some(e => e.isIntersecting)) {
          o.disconnect()
          this.begin()
        }
      },
      { rootMargin: '400px' },
    ).observe(figure)
  }

  begin() {
    return (this.begun ??= unpack(this.figure.dataset.tape).then(got => {
      this.el = document.createElement('div')
      this.figure.classList.add('alive')
      this.figure.querySelector('picture').after(this.el) // print shows the picture
      this.got = got
      this.tell()
    }))
  }

  put(tape, options) {
    this.stage?.end()
    return (this.stage = new Stage(this.el, tape, options))
  }

  tell(at) {
    const { got } = this
    const { places } = this.figure.dataset

    this.machine?.end()
    this.program?.end()
    this.figure.querySelector('.back')?.remove()

    this.put(got.tape, {
      ...got,
      at,
      places: places ? places.split(' ') : undefined,
      history: !places,
      take: seq => this.take(seq),
    })
  }

  async take(seq) {
    const told = this.stage
    this.program ??= new Program({
      base: MACHINE,
      progress: ({ loaded, total }) =>
        told.tell(`Loading the machine: ${megabytes(loaded)} of ${megabytes(total)}.`),
    })

    this.machine = new Machine(this.program, {
      show: (tape, options) => this.put(tape, { ...options, history: true }),
    })
    const error = await this.machine.open({
      story: this.got.story,
      queue: this.got.tape.meta.queue,
      seq,
    })

    if (error) return told.tell(error, true)
    const back = Object.assign(document.createElement('button'), {
      className: 'back',
      textContent: '◀ back to the story',
      onclick: () => this.tell(seq),
    })

    this.el.before(back)
  }

  // show goes to the event that has these words.
  async show(words) {
    await this.begin()
    if (this.stage.orders) this.tell()
    this.stage.go(
      /^\d+$/.test(words) ? +words : (this.stage.tape.find(words) ?? this.stage.tape.first),
    )
    this.figure.scrollIntoView({ block: 'center' })
  }
}

const scenes = [...document.querySelectorAll('.scene')].map(figure => new Scene(figure))

// A link to a moment is followed in the scene of the same story, if the page has it, or else where
// it leads.
const wanted = address => /[#:]moment,(.*)/.exec(address)?.[1]

const follow = () => {
  const words = wanted(location.hash)
  const page = words && document.getElementById(location.hash.slice(1).split(':moment,')[0])
  if (words)
    (page ? scenes.find(s => page.contains(s.figure)) : scenes[0])?.show(decodeURIComponent(words))
}

addEventListener('hashchange', follow)
follow()
document.addEventListener('click', ev => {
  if (ev.target.closest('[data-do=theme]'))
    kept('theme', (rooted.dataset.theme = rooted.dataset.theme === 'dark' ? 'light' : 'dark'))
  const address = ev.target.closest('a')?.getAttribute('href')
  const words = wanted(address ?? '')
  const scene =
    words &&
    scenes.find(
      s =>
        address.startsWith(s.figure.dataset.story) &&
        s.figure.closest('article') === ev.target.closest('article'),
    )

  if (scene) {
    ev.preventDefault()
    scene.show(decodeURIComponent(words))
  }
})

// A chapter whose end has been seen is read.
const reads = new Set(kept('read')?.split(' '))
const path = url => new URL(url, ROOT).pathname.slice(ROOT.pathname.length) || 'index.html'
const end = document.querySelector('.turn')

const marks = () => {
  for (const a of document.querySelectorAll('.chapters > li > a'))
    a.classList.toggle('read', reads.has(path(a.href)))
}

if (end)
  new IntersectionObserver(seen => {
    if (seen.some(e => e.isIntersecting)) {
      kept('read', [...reads.add(path(location.href.split('#')[0]))].join(' '))
      marks()
    }
  }).observe(end)

marks()

// Print shows the answers, too.
addEventListener('beforeprint', () => {
  for (const d of document.querySelectorAll('details')) d.open = true
})
