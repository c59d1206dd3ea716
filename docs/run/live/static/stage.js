'use strict'

// Stage is the player: it draws the state that came with one event of a tape, whole, whatever was
// drawn before, and steps from event to event. Any number of them can be on a page: none knows
// another, and all that it holds stands in its fields.
const SPEEDS = [0.25, 0.5, 1, 2, 4]
const CONTROLS = [
  ['first', 'first', 'Home'],
  ['back', '◀ back', '←'],
  ['step', 'step ▶', '→'],
  ['play', 'play', 'P'],
  ['speed', '', ''],
]

class Stage {
  // tape: a Tape, or what the program answers for one. places: ids of PLACES. beats, question,
  // answers, proof: those of a lesson. history: with lanes below. orders: of a machine that runs:
  // what buttons and valves do (live.js). follow: goes along with it. at: the event to begin with.
  // cover: says something before the first step. next: what comes after the last one, a title and a
  // function. take: is called with an event, to go on from there on a machine that runs.
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
      brief = '',
      ways = '',
    } = {},
  ) {
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
      brief,
      ways,
      seen: 0,
      want: 0,
      timer: 0,
      speed: 1,
      chosen: '',
      chosenHandler: '',
      note: null,
      said: -1,
      came: null,
      pins: new Set(orders ? ['api', 'wire'] : []),
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
      ariaLabel: 'an informer, step by step',
    })

    this.root.toggleAttribute('data-tape', !orders)
    if (brief) this.root.dataset.brief = brief

    put(
      this.root,
      html`<div class="caption">
          <div><h2></h2><p class="says"></p><p class="aloud" role="status"></p></div>
          <button class="source" data-do="source"></button>
        </div>
        <div class="places"></div>
        <div class="ask"></div>
        <div class="controls" role="group" aria-label="steps">${
          brief
            ? html`<button class="btn main" data-do="step"></button>`
            : this.controls(!!orders, !!take)
        }</div>
        ${
          history &&
          html`<div class="curves"></div>
            <section class="lanes" aria-label="what each stage reported, in order">
              <div class="rows"></div>
            </section>`
        }<dialog></dialog>`,
    )

    el.replaceChildren(this.root)
    this.life = new AbortController()
    this.measure()
    listen(this)
    this.cur = this.seen = at ?? (follow ? this.tape.head : this.tape.first)
    this.show(0)
    if (brief) minute.wait(this, 1000)
  }

  controls(runs, canTake) {
    return html`<nav class="chips" aria-label="places"></nav>${CONTROLS.map(
        ([id, label, key]) =>
          html`<button class="btn ${id === 'step' && 'main'}" data-do="${id}">${label}${
            key && html`<kbd>${key}</kbd>`
          }</button>`,
      )}
      <div class="timeline"><span></span><input type="range" aria-label="event"></div>
      <span class="pos mono"></span>${this.leads(runs, canTake)}`
  }

  // leads are the buttons at the end of the controls: to where a machine is now, or to one.
  leads(runs, canTake) {
    if (runs)
      return html`<button class="btn" data-do="live"
        aria-pressed="false">live<kbd>L</kbd></button>`

    const size = megabytes(SIZE)

    return (
      canTake &&
      html`<button class="btn" data-do="take"
        title="Go on from this event on a machine of your own: it loads ${size}.">take over (${
          size
        })<kbd>O</kbd></button>`
    )
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
  // takes, or in a column, where only those are open that act.
  measure() {
    const room = this.root.clientWidth / unit()
    const sum = size => this.places.reduce((s, p, i) => s + p[size] + (i && this.gap(i, size)), 0)
    const fit = this.brief ? minute.fit(room) : fitting(room, sum)

    const size = fit === 'compact' || fit === 'rows' ? 'c' : 'w'
    this.widths = Object.fromEntries(
      this.places.map(p => [p.id, fit === 'column' ? room : p[size]]),
    )
    if (this.root.dataset.fit === fit && fit !== 'column') return
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
    if (moved) this.reveal(this.$(this.tells ? '.ask' : '.col:has(.acted)'))

    fly(this, e, e.from ? before : null)
    if (this.brief) minute.leave(this, e, before)
    if (this.$('dialog').open) fill(this)
    if (this.$('.lanes')) {
      drawCurves(this)
      drawLanes(this)
    }

    this.drawControls(v.s)
    if (hadFocus) this.keepFocus()
    light(this, this.root.querySelector('[data-key].lit:hover') ?? document.activeElement)
    this.onshow?.(this)
  }

  // tells says whether the place of the question has something new.
  get tells() {
    return this.asks || (this.cur === this.proof && this.said >= 0)
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
    for (const p of this.places) {
      const el = this.place(p.id)
      const acts = placeOf(e.lane) === p.id
      const isNear = [e.from, e.to].some(lane => placeOf(lane ?? '') === p.id)
      const isOpen = acts || isNear || this.pins.has(p.id)
      const isHeld = (v.valve(p.valve)?.mode ?? 'open') !== 'open'

      put(el, p.draw(v))
      put(this.$(`[data-sub=${p.id}]`), p.sub?.(v.s) ?? '')
      el.classList.toggle('acted', acts)
      el.closest('.col').classList.toggle('shut', !isOpen && !isHeld)

      if (this.root.dataset.fit === 'column') {
        const keys = [...el.querySelectorAll('[data-at]')].map(x => x.dataset.key)
        put(
          this.$(`[data-holds=${p.id}]`),
          dots([...new Set(keys.filter(Boolean))].slice(0, 8)),
        )
      }
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
          }">${p.chip ?? p.title}</button>`,
      ),
    )
  }

  // reveal scrolls to what stands between the caption and the controls.
  reveal(el) {
    if (!el || this.brief || !['wrap', 'column'].includes(this.root.dataset.fit)) return
    const [above, below] = ['.caption', '.controls'].map(q => this.$(q).offsetHeight + 4)
    el.style.scrollMargin = `${above}px 0 ${below}px`
    el.scrollIntoView({
      block: el.matches('.col') && this.root.dataset.fit === 'column' ? 'start' : 'nearest',
    })
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
    put(this.$('h2'), [
      steps > 0 &&
        !this.cover &&
        html`<b class="step">${beat < 0 ? 'before the lesson' : `step ${beat} of ${steps}`}</b>`,
      !this.cover &&
        html`event ${e.seq}${
          e.at ? `, ${seconds(e.at)}` : ''
        }, ${whereOf(e)}&ensp;<b>${e.kind === 'say' ? '' : e.text}</b>`,
    ])

    put(this.$('.aloud'), text + (this.asks ? ' ' + this.question : ''))
    put(this.$('.says'), html`<span class="${bad ? 'alarm' : ''}">${named(text, v)}</span>`)
    this.$('.says').classList.toggle('long', text.length > 170)

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

  // asking is the question at its beat, what came of it at the next, and the answer at the end,
  // each with the way to the event that shows it, and back.
  asking() {
    if (this.brief) return minute.ask(this)
    const { question, answers, said, tape, proof, ask, came, cur } = this
    if (!question || this.cover) return ''
    const right = answers.findIndex(a => !a.reply)
    if (this.asks) return choices(this)
    if (cur !== proof && cur !== tape.last) return ''
    const verdict =
      said >= 0 &&
      said !== right &&
      html`<p><b class="alarm">✗ Not so:</b> “${answers[said].text}” ${answers[said].reply}</p>`

    const [to, what] =
      cur !== proof
        ? [proof, `event ${proof} shows it`]
        : came
          ? [came, `◀ back to event ${came}`]
          : [tape.beats[ask]?.seq, '◀ back to the question']

    return html`${verdict}<p>${
      said === right && html`<b>✓ Right.</b> `
    }${question} <b>${answers[right].text}</b></p>
      <p><button class="btn" data-go="${to}">${what}<kbd>E</kbd></button>${
        cur === proof && soft(`This event, ${proof}, shows it.`)
      }</p>`
  }

  answer(n) {
    if (!this.asks || !this.answers[n]) return
    this.said = n
    if (this.resumes === this.cur) this.play(true)
    else act.step(this)
  }

  drawControls(s) {
    Object.assign(this.root.dataset, { at: this.cur, seen: this.seen })
    if (this.brief) return minute.button(this)
    const { tape, cur, seen, timer, speed, follow, cover, orders, next } = this
    const { low, head } = tape

    for (const b of this.all('.do button')) {
      b.disabled = this.isPast
      put(b, label(this.buttons[b.dataset.press], this.view))
    }

    put(
      this.$('[data-do=step]'),
      html`<span class="cut">${
        cover
          ? 'begin'
          : !orders && cur >= tape.last && next
            ? html`next<span class="hint">: ${next.title}</span>`
            : this.asks && this.said < 0
              ? 'skip'
              : 'step'
      } ▶</span><kbd>→</kbd>`,
    )

    const button = this.$('[data-do=step]')
    button.disabled = !cover && !orders && !next && cur >= tape.last

    // Keys go on to act here.
    if (button.disabled && document.activeElement === button) this.root.focus()
    for (const b of this.all('[data-kind]:not([data-kind=""])'))
      b.setAttribute('aria-pressed', b.dataset.kind === (s.queue?.kind ?? tape.meta.queue))
    this.$('[data-do=live]')?.setAttribute('aria-pressed', follow)
    this.$('[data-do=play]').setAttribute('aria-pressed', !!timer)
    const slow = { 0.25: '¼', 0.5: '½' }[speed] ?? speed
    put(this.$('[data-do=speed]'), `${slow}×`)
    this.$('[data-do=speed]').ariaLabel = `speed of play: ${slow}`

    put(
      this.$('.pos'),
      cover
        ? count(head - low, 'event')
        : `${cur} of ${orders || cur > tape.last ? head : tape.last}`,
    )

    this.root.toggleAttribute('data-cover', !!cover)
    const bar = this.$('input')
    const x = n => (((n - low) / Math.max(1, head - low)) * 1000).toFixed(1)

    Object.assign(bar, {
      min: low,
      max: head,
      value: cur,
      ariaValueText: `event ${cur}: ${this.e.text}`,
    })

    const ticks = tape.beats.length
      ? tape.beats.map(b => b.seq)
      : [...tape.log.values()].filter(e => ['story', 'you'].includes(e.lane)).map(e => e.seq)
    put(
      this.$('.timeline span'),
      html`<svg viewBox="0 0 1000 32" preserveAspectRatio="none">
        <path d="M0 16H1000" stroke="var(--line)" stroke-width="2"/>
        <path d="M0 16H${x(seen)}" stroke="var(--pipe)" stroke-width="4"/>
        <path d="${ticks.map(n => `M${x(n)} 9V23`).join('')}" stroke="var(--soft)"
          stroke-width="1.5"/></svg>`,
    )

    Object.assign(this.root.dataset, { at: cur, head, low, seen })
  }

  go(to, moved = 0) {
    const at = Math.max(this.tape.low, Math.min(to, this.tape.head))
    if (at !== this.cur) this.note = null
    if (this.cover) this.seen = 0 // the end, which it has shown, is to come
    this.cover = ''
    this.follow = false
    this.cur = at
    this.seen = Math.max(this.seen, at)
    this.draw(moved)
    if (this.brief) minute.wait(this)
  }

  // grew shows what a machine that runs has reported. want is how many events a press is to show.
  grew() {
    const { tape } = this
    let moved = 0
    if (this.want) {
      this.want--
      this.cur = tape.head - 1
      moved = 1
    }

    if (this.follow || moved)
      this.seen = this.cur = Math.max(this.follow ? tape.head : this.cur + 1, tape.low)
    this.cur = Math.max(this.cur, tape.low)
    this.seen = Math.max(this.seen, this.cur)
    this.draw(this.follow ? 0 : moved)
  }

  // tell says something about what the reader did. It stays until the reader moves, or for some
  // seconds.
  tell(text, bad) {
    this.note = { text, bad, until: performance.now() + 6000 }
    setTimeout(() => this.draw(), 6100) // a reader who follows reads what happens now
    this.draw()
  }

  // play reads: it stays as long as the words take. At a question it stops until that is answered.
  play(on = !this.timer) {
    clearTimeout(this.timer)
    this.follow = false
    const wait = () => (1200 + 45 * this.words.text.length) / this.speed
    const step = () => {
      if (!this.cover && this.cur >= (this.orders ? this.tape.head : this.tape.last))
        return this.orders ? (this.timer = setTimeout(step, 700)) : this.play(false)
      act.step(this)
      this.timer = setTimeout(step, wait())
      if (this.asks && this.said < 0) {
        this.play(false)
        this.resumes = this.cur
      }
    }

    this.timer = on ? setTimeout(step, 300) : 0
    this.draw()
  }
}

// fitting says how the places stand: in a line, in a compact one, in lines or in a column.
function fitting(room, sum) {
  if (room >= sum('w')) return 'line'
  if (room >= sum('c')) return 'compact'
  return room >= 40 ? 'wrap' : 'column'
}

// choices are the question and its answers. An answer that was given says whether it was right.
function choices({ question, answers, said }) {
  const right = answers.findIndex(a => !a.reply)
  const sign = n => said >= 0 && (n === right ? ' ✓' : n === said && ' ✗')

  return html`<p><b>${question}</b> ${
    said < 0 && soft('Keys A to D answer it, → skips it.', 'hint')
  }</p><div class="choices">${answers.map(
    (a, n) =>
      html`<button class="btn" data-reply="${n}" aria-pressed="${String(n === said)}"><b>${
        'ABCD'[n]
      }${sign(n)}</b> ${a.text}</button>`,
  )}</div>`
}
