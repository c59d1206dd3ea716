'use strict'

// One stage beside the text. The text has stops: moments, which are links, and scenes. A stop moves
// the stage when it is pressed, and when the reader scrolls past it. The address says what the
// stage shows, and an address with a moment leads to the stop and shows it.
class Pin {
  constructor(el) {
    Object.assign(this, { el, scenes: new Map(), stops: [], shown: null })
    for (const of of document.querySelectorAll('.moment, .scene')) this.add(of)

    let asked = 0
    addEventListener(
      'scroll',
      () => {
        asked ||= requestAnimationFrame(() => {
          asked = 0
          this.scrolled()
        })
      },
      { passive: true },
    )
    // After a press, or a way to an address, only a reader's own scrolling counts.
    for (const type of ['wheel', 'touchmove', 'keydown', 'pointerdown'])
      addEventListener(type, () => (this.isLed = false), { passive: true, capture: true })
    addEventListener('hashchange', () => this.follow())
    if (!this.follow()) this.show(this.stops.find(s => s.isScene) ?? this.stops[0])
    this.passed = this.last()
  }

  add(of) {
    const [name, ...words] = of.dataset.name.split(',')
    const isScene = of.matches('.scene')
    const stop = { of, name, words: words.join(','), isScene }
    const known = this.scenes.get(name)
    if (!known || isScene) {
      const scene = new Scene({ places: PLACES_OF_A_MOMENT, ...of.dataset, name }, this.el, {
        onshow: stage => this.moved(stage),
      })
      this.scenes.set(name, scene)
    }
    if (isScene) {
      stop.of = document.createElement('button')
      stop.of.textContent = `▸ ${of.dataset.title}`
      of.querySelector('figcaption').prepend(stop.of)
    }

    stop.of.addEventListener('click', ev => {
      if (ev.ctrlKey || ev.metaKey || ev.shiftKey) return
      ev.preventDefault()
      this.isLed = true
      this.show(stop)
    })
    this.stops.push(stop)
  }

  async show(stop, words = stop.words) {
    const scene = this.scenes.get(stop.name)
    const mine = (this.showing = {})
    await scene.load()
    if (mine !== this.showing) return
    if (this.scene !== scene) this.scene?.end()
    this.scene = scene
    await scene.show(words)
    for (const s of this.stops) s.of.toggleAttribute('aria-current', s === stop)
  }

  // last is the stop that the reader has passed last, the first of its line of text. A reader reads
  // in the middle of what the stage leaves free.
  last() {
    const { bottom, left } = this.el.getBoundingClientRect()
    const top = left > 0 ? 0 : bottom
    const line = top + (innerHeight - top) * 0.55
    const seen = this.stops
      .filter(s => s.of.checkVisibility())
      .map(stop => ({ stop, y: stop.of.getBoundingClientRect().top }))
    const { y } = seen.findLast(s => s.y < line) ?? {}
    return seen.find(s => Math.abs(s.y - y) < 8)?.stop
  }

  scrolled() {
    const stop = this.last()
    if (stop === this.passed) return
    this.passed = stop
    if (this.isLed) return
    const isThere = stop?.isScene && stop.name === this.scene?.name
    if (stop && !isThere && !this.scene?.machine && !this.scene?.stage?.timer) this.show(stop)
  }

  // moved writes the address of what the stage shows now. Before a reader has done anything it
  // stays as it is.
  moved({ tape, cur, orders }) {
    const name = `${this.scene.name},${tape.name(cur)}`
    if (orders || name === this.named) return
    const before = this.named
    this.named = name
    if (before) history.replaceState(null, '', `#${this.address(cur) ?? name}`)
  }

  // address is the id of the moment that stands in the text, if the stage shows one.
  address(cur) {
    const { scene } = this
    return this.stops.find(s => !s.isScene && s.name === scene.name && scene.seq(s.words) === cur)
      ?.of.id
  }

  // follow goes to the moment of the address, in the text and on the stage, and says whether there
  // is one.
  follow() {
    const { name, words } = wanted(location.hash) ?? {}
    const scene = this.scenes.get(name)
    if (!scene) return false
    const stops = this.stops.filter(s => s.name === name)
    const stop = stops.find(s => s.words === words) ?? stops.find(s => s.isScene) ?? stops[0]
    for (let el = stop.of; el; el = el.parentElement) if (el.matches('details')) el.open = true
    stop.of.scrollIntoView({ block: 'center' })
    this.isLed = true
    this.passed = this.last()
    this.show(stop, words)
    return true
  }
}

const PLACES_OF_A_MOMENT = 'api reflector queue cache handlers'
const stageOfPage = document.querySelector('.pin')
if (stageOfPage) stageOfPage.pin = new Pin(stageOfPage)
else {
  const scenes = [...document.querySelectorAll('.scene')].map(inPlace)
  const follow = async () => {
    const { page, name, words } = wanted(location.hash) ?? {}
    const within = page ? document.getElementById(page) : document
    const of = name === 'moment' ? '.scene' : `.scene[data-name="${name}"]`
    const figure = name && within?.querySelector(of)
    if (!figure) return
    await figure.scene.begin()
    figure.scene.show(words)
    figure.scrollIntoView({ block: 'start' })
  }

  addEventListener('hashchange', follow)
  if (scenes.length) follow()
}
