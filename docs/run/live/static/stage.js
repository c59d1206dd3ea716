'use strict'

// Stage is the player: it draws the state that came with one event of a tape, whole, whatever was
// drawn before, and steps from event to event. Any number of them can be on a page: none knows
// another, and all that it holds stands in its fields.
class Stage extends Foot {
  static book = '' // the address of the book, if the page belongs to one

  // tape: a Tape, or what the program answers for one. places: ids of PLACES. beats, question,
  // answers, proof: those of a lesson. history: with lanes below. orders: of a machine that runs:
  // what buttons and valves do (live.js). follow: goes along with it. at: the event to begin with.
  // cover: says something before the first step. next: what comes after the last one, a title and a
  // function. take: is called with an event, to go on from there on a machine that runs. Of such a
  // machine verbs are the orders that are offered, in the place of all buttons, whole is the
  // address of the page with all, and back leads back. plays: it goes along at the pace of a
  // reader. label names the stage among others.
  constructor(
    el,
    tape,
    {
      places = SPANS,
      beats,
      question,
      answers = [],
      proof,
      history = false,
      orders = null,
      sources,
      follow = false,
      at,
      cover = '',
      next = null,
      take,
      onshow,
      verbs,
      whole,
      back,
      plays = false,
      label = '',
      brief = '',
      ways = '',
    } = {},
  ) {
    super()
    this.tape = tape instanceof Tape ? tape : new Tape(tape, { beats: beats ?? [] })

    Object.assign(this, {
      question,
      answers,
      proof,
      orders,
      follow,
      next,
      cover,
      take,
      onshow,
      verbs,
      whole,
      back,
      brief,
      ways,
      heard: new Set(),
      plays,
      paced: plays,
      seen: 0,
      since: 0,
      want: 0,
      timer: 0,
      speed: 1,
      chosen: '',
      chosenHandler: '',
      note: null,
      said: -1,
      came: null,
      looks: '',
      loaded: null,
      lit: '',
      buttons: [],
      topSeq: 0,
    })

    this.places = PLACES.filter(p => places.includes(p.id))
    if (brief) this.places = this.places.map(p => ({ ...p, ...CALM[p.id] }))
    this.sources = sources ?? (e => this.tape.sources[`${e.file}:${e.line}`] ?? { lines: [] })
    this.ask = question ? this.tape.beats.findIndex(b => b.seq >= proof) - 1 : -1
    this.root = document.createElement('section')

    Object.assign(this.root, {
      className: 'stage',
      tabIndex: -1,
      ariaLabel: label ? `an informer, step by step: ${label}` : 'an informer, step by step',
    })

    this.root.toggleAttribute('data-tape', !orders)
    this.root.toggleAttribute('data-verbs', !!verbs)
    if (brief) this.root.dataset.brief = brief

    put(
      this.root,
      html`<div class="caption">
          <div><h2></h2><p class="says"></p><p class="aloud" role="status"></p></div>
          <button class="source" data-do="source"></button>
        </div>
        <nav class="chips" aria-label="${label} places"></nav>
        <div class="places" tabindex="-1"></div>
        <div class="ask"></div>
        ${
          history &&
          html`<div class="curves"></div>
            <section class="lanes" aria-label="${label} what each stage reported, in order">
              <div class="rows"></div>
            </section>`
        }<div class="controls" role="group" aria-label="${label} steps">${
          brief ? html`<button class="btn main" data-do="step"></button>` : this.controls()
        }</div>
        <dialog></dialog>`,
    )

    el.replaceChildren(this.root)
    this.life = new AbortController()
    this.measure()
    listen(this)
    this.cur = this.seen = at ?? (follow ? this.tape.head : this.tape.first)
    this.show(0)
    if (brief) minute.wait(this, 1000)
  }

  end() {
    clearTimeout(this.timer)
    this.life.abort()
  }

  $(q) {
    return this.root.querySelector(q)
  }

  all(q) {
    return [...this.root.querySelectorAll(q)]
  }

  place(id) {
    return this.$(`.place[data-place=${id}]`)
  }

  get e() {
    return this.tape.at(this.cur)
  }

  get state() {
    return this.tape.at(this.tape.head)?.state
  }

  get beat() {
    return this.tape.beats[this.tape.reached(this.cur)]
  }

  get isPast() {
    return !this.orders || this.cur < this.seen
  }

  get asks() {
    return this.ask >= 0 && !this.cover && this.tape.beats[this.ask].seq === this.cur
  }

  // measure chooses how the places stand: in one line, in a compact one, in as many lines as it
  // takes, or in a pair: the one that acts and a neighbour.
  measure() {
    const room = this.root.clientWidth / unit()
    const sum = size => this.places.reduce((s, p, i) => s + p[size] + (i && this.gap(i, size)), 0)
    const fit = this.brief ? minute.fit(room) : fitting(room, sum)

    const size = fit === 'line' || fit === 'wrap' ? 'w' : 'c'
    this.widths = Object.fromEntries(
      this.places.map(p => [p.id, fit === 'pair' ? (room - 1.25) / 2 : p[size]]),
    )
    if (this.root.dataset.fit === fit) return
    this.root.dataset.fit = fit
    build(this)
  }

  // gap is the width of what stands before a place: a pipe, or pipes with the valves of handlers.
  gap(i, size) {
    const p = this.places[i]
    const joined = p.valve !== undefined || this.places[i - 1].valve !== undefined
    return joined ? 0 : size === 'c' ? 0.875 : p.id === 'handlers' ? 2.75 : 1.25
  }

  // draw asks for one drawing with the next frame: ten events at once draw the tenth state. While a
  // button is held down nothing is drawn: a new button in its place would not get the click.
  draw(moved = 0) {
    this.moved = moved || this.moved
    this.asked ||= requestAnimationFrame(() => {
      this.asked = 0
      if (!this.down) {
        this.show(this.moved)
        this.moved = 0
      }
    })
  }

  show(moved) {
    const e = this.e
    if (!e || this.life.signal.aborted) return
    const hadFocus = this.root.contains(document.activeElement)
    const cameFrom = this.brief ? { ...e, from: 'queue' } : e
    const before = moved > 0 && cameFrom.from && this.view ? spotBefore(this, cameFrom) : null
    const v = (this.view = new View(this, e))

    this.drawPlaces(v)
    countdown(this, e)
    drawValves(this, v)
    drawPipes(this, v)
    this.speak(v)
    put(this.$('.ask'), this.asking())
    this.fitRows()
    if (moved) this.reveal(this.$('.col:has(.acted)'))

    fly(this, e, e.from ? before : null)
    if (this.brief) minute.leave(this, e, before)
    if (this.$('dialog').open) fill(this)
    if (this.$('.lanes')) {
      drawCurves(this)
      drawLanes(this)
    }

    this.drawControls(v.s)
    if (this.brief) minute.reveal(this)
    if (hadFocus) this.keepFocus()
    light(this, this.root.querySelector('[data-key].lit:hover') ?? document.activeElement)
    this.onshow?.(this)
  }

  // keepFocus gives the focus, if what had it is gone, to what came in its place: otherwise keys
  // would do nothing any more.
  keepFocus() {
    const now = document.activeElement
    if (this.root.contains(now) && now.checkVisibility()) return
    const asked = this.$('.ask :is(button, a)')
    const next = asked ?? this.$('.main:not([hidden], :disabled)') ?? this.root
    next.focus({ preventScroll: true })
  }

  drawPlaces(v) {
    const { e } = v
    const open = this.pair(e)
    for (const p of this.places) {
      const el = this.place(p.id)
      put(el, p.draw(v))
      put(this.$(`[data-sub=${p.id}]`), p.sub?.(v.s) ?? '')
      el.classList.toggle('acted', placeOf(e.lane) === p.id)
      el.closest('.col').classList.toggle('shut', !open.includes(p.id))
    }

    const queue = this.$('[data-title=queue]')
    if (this.brief) return
    if (queue) put(queue, v.s.queue?.kind || v.meta.queue || 'DeltaFIFO')

    put(
      this.$('.chips'),
      this.places.map(
        p =>
          html`<button data-chip="${p.id}" class="${
            placeOf(e.lane) === p.id && 'acted'
          }" aria-pressed="${String(open.includes(p.id))}">${p.chip ?? p.title}</button>`,
      ),
    )
  }

  // pair are the places that are open where there is room for two: the one that acts, or that the
  // reader looks at, and the neighbour from where or to where its event goes.
  pair(e) {
    const ids = this.places.map(p => p.id)
    if (this.root.dataset.fit !== 'pair') return ids
    const place = lane => ids.indexOf(placeOf(lane ?? ''))
    const acts = place(e.lane)
    const i = this.looks ? ids.indexOf(this.looks) : acts < 0 ? place(this.lastLane(ids)) : acts
    const near = [e.from, e.to].map(place).find(n => n >= 0 && Math.abs(n - i) === 1)
    const j = !this.looks && near >= 0 ? near : i > 0 ? i - 1 : 1
    return [ids[Math.max(0, i)], ids[j]]
  }

  // lastLane is the lane of the last event before this one that a place of the stage had.
  lastLane(ids) {
    for (let n = this.cur; n >= this.tape.low; n--) {
      const lane = this.tape.at(n)?.lane
      if (ids.includes(placeOf(lane ?? ''))) return lane
    }
    return ids[0]
  }

  // fitRows ends the places below the last row that fits: half a row cannot be read.
  fitRows() {
    const box = this.$('.places')
    box.style.maxHeight = ''
    if (this.root.dataset.fit !== 'wrap') return
    const edge = EDGE * unit()
    const ends = this.all('.col').map(el => el.offsetTop + el.offsetHeight - box.offsetTop + edge)
    const fits = ends.filter(y => y <= box.clientHeight + 1)
    if (fits.length) box.style.maxHeight = `${Math.max(...fits)}px`
  }

  // reveal scrolls the places, and nothing else, to the one that acts.
  reveal(el) {
    const box = this.$('.places')
    if (!el || this.root.dataset.fit !== 'wrap') return
    const edge = EDGE * unit()
    const top = el.offsetTop - box.offsetTop - edge
    const below = top + el.offsetHeight + 2 * edge - box.clientHeight
    if (top < box.scrollTop) box.scrollTop = top
    else if (below > box.scrollTop) box.scrollTop = below
  }

  // words are what is said now: what the reader's own press has led to, the cover, or what
  // happened.
  get words() {
    const told =
      this.note && (!this.follow || performance.now() < this.note.until) ? this.note : null
    return told ?? { text: this.cover || this.tape.says(this.e) }
  }

  speak(v) {
    const { e } = this
    const { text, bad } = this.words
    const beat = this.tape.reached(this.cur)
    const steps = this.tape.beats.length - 1
    const where = `${whereOf(e)}${e.at ? `, ${seconds(e.at)}` : ''}`
    put(this.$('h2'), [
      !this.cover &&
        html`<b class="step">${
          steps <= 0
            ? `event ${e.seq} of ${this.tape.head}`
            : beat < 0
              ? 'before the lesson'
              : `step ${beat} of ${steps}`
        }</b>`,
      !this.cover && html`<span>${where}&ensp;<b>${e.kind === 'say' ? '' : e.text}</b></span>`,
    ])

    put(this.$('.aloud'), text + (this.asks ? ' ' + this.question : ''))
    put(this.$('.says'), html`<span class="${bad ? 'alarm' : ''}">${named(text, v)}</span>`)
    for (const [name, most] of LONG) this.$('.says').classList.toggle(name, text.length > most)

    const line = this.cover ? null : this.line
    put(this.$('.source'), line ? excerpt(this, line, 4) : '')
    this.$('.source').disabled = !line
  }

  // line is the event whose line of source is shown: in a brief stage, where the sentence is about
  // it.
  get line() {
    const e = this.brief ? this.tape.at(this.beat?.line) : this.e
    return e?.file ? e : null
  }
}

// fitting says how the places stand: in a line, in a compact one, in lines or as a pair.
function fitting(room, sum) {
  if (room >= sum('w')) return 'line'
  if (room >= sum('c')) return 'compact'
  return room >= 36 ? 'wrap' : 'pair'
}

// EDGE is the padding of the box of the places, in rem: the frame of the place that acts is there.
const EDGE = 0.1875

// LONG are the classes of what is said, from so many letters on.
const LONG = [
  ['long', 150],
  ['longer', 210],
]
