'use strict'

// The Foot of a stage: the question, which is asked there, and the controls.
const CONTROLS = [
  ['back', '◀', '←'],
  ['step', 'step ▶', '→'],
  ['play', 'play', 'P'],
  ['speed', '', ''],
]

class Foot extends Player {
  controls() {
    return html`${
      this.verbs &&
      html`<div class="verbs">${this.verbs.map(
        v => html`<button class="btn" data-verb="${v}">${said(v)}</button>`,
      )}<a class="btn" href="${this.whole}">the whole machine</a></div>`
    }<div class="timeline"><span></span><input type="range" aria-label="step"></div>
      ${CONTROLS.map(
        ([id, label, key]) =>
          html`<button class="btn ${id === 'step' && 'main'}" data-do="${id}" ${
            id === 'back' && new Markup('aria-label="back"')
          }>${label}${key && html`<kbd>${key}</kbd>`}</button>`,
      )}${this.leads()}`
  }

  // leads are the buttons at the end of the controls: to where a machine is now, or to one.
  leads() {
    if (this.verbs) return html`<button class="btn" data-do="leave">the story</button>`
    if (this.orders)
      return html`<button class="btn" data-do="live"
        aria-pressed="false">live<kbd>L</kbd></button>`

    const size = megabytes(SIZE)

    return (
      this.take &&
      html`<button class="btn" data-do="take"
        title="Go on from this event on a machine of your own: it loads ${size}.">take over<span
        class="hint"> (${size})</span></button>`
    )
  }

  // loads tells, in the button, how much of the machine has come: a part of 1, or null when there
  // is nothing to tell any more.
  loads(part) {
    this.loaded = part
    const button = this.$('[data-do=take]')
    if (!button) return
    const text =
      part === null ? 'take over' : part < 1 ? `${Math.floor(part * 100)} %` : 'starting…'
    put(button, html`${text}`)
    button.disabled = part !== null
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
    const { head } = tape

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
    this.$('[data-do=play]').setAttribute('aria-pressed', this.plays || !!timer)
    const slow = { 0.25: '¼', 0.5: '½' }[speed] ?? speed
    put(this.$('[data-do=speed]'), `${slow}×`)
    this.$('[data-do=speed]').ariaLabel = `speed of play: ${slow}`

    this.root.toggleAttribute('data-cover', !!cover)
    this.slider(seen)
    if (this.loaded !== null) this.loads(this.loaded)
    Object.assign(this.root.dataset, { at: cur, head, low: tape.low, seen })
  }

  // slider counts what a step leads to: beats or, where there are none, events.
  slider(seen) {
    const { tape, cur } = this
    const { beats, low, head } = tape
    const [from, to] = beats.length ? [0, beats.length - 1] : [low, head]
    const n = seq => (beats.length ? Math.max(0, tape.reached(seq)) : seq)
    const x = at => (((at - from) / Math.max(1, to - from)) * 1000).toFixed(1)
    const ticks = beats.length
      ? beats.map((_, i) => i)
      : [...tape.log.values()].filter(e => ['story', 'you'].includes(e.lane)).map(e => e.seq)

    Object.assign(this.$('input'), {
      min: from,
      max: to,
      value: n(cur),
      ariaValueText: `${beats.length ? 'step' : 'event'} ${n(cur)}: ${this.e.text}`,
    })
    put(
      this.$('.timeline span'),
      html`<svg viewBox="0 0 1000 32" preserveAspectRatio="none">
        <path d="M0 16H1000" stroke="var(--line)" stroke-width="2"/>
        <path d="M0 16H${x(n(seen))}" stroke="var(--pipe)" stroke-width="4"/>
        <path d="${ticks.map(at => `M${x(at)} 9V23`).join('')}" stroke="var(--soft)"
          stroke-width="1.5"/></svg>`,
    )
  }

  slide(value) {
    const { beats } = this.tape
    this.go(beats.length ? beats[value].seq : value)
  }
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

// said is a verb as it is read: "add-handler" is "add handler", and "delete web-2" stays.
const said = verb => verb.replace(/^[\w-]+/, word => word.replaceAll('-', ' '))
