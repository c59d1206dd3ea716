'use strict'

// A brief stage tells one thing: it has one button, which says what it does, and no slider, counts
// or keys. Its beats say when they pass by themselves and which line of source is theirs. What is
// asked, and where to go on, stands in a place of its own, so that nothing moves.

// CALM are places that say less than those of the live page: words in the place of letters.
const CALM = {
  cache: { title: 'cache' },
  queue: { title: 'queue', draw: calmQueue },
  handlers: { title: 'your handlers', draw: calmHandlers },
}

function calmQueue(v) {
  const all = v.s.queue?.rows ?? []
  if (!all.length) return ''

  return v.rows(k => {
    const d = all.find(r => nameOf(r.key) === k)?.deltas.at(-1)
    const what = d && `${d.tombstone ? 'tombstone' : d.type}@${d.rv}`
    return [
      html`<span class="name tok bare ${!d && 'gone'}" ${colour(k)}>${mark(k)}<span>${
        k
      }</span></span>`,
      d && v.tok('queue', { ...d, key: k }, what, 'delta'),
    ]
  })
}

function calmHandlers(v) {
  return v.thirds(l => {
    const o = v.s.handlers.find(h => h.name === l?.name)?.hand
    const acts = placeOf(v.e.lane) === 'handlers'
    return (
      o &&
      html`<div class="call"><b>On<span>${o.type}</span></b>${
        v.tok('handlers', o, labelled(nameOf(o.key), o.rv, 12), acts ? '' : 'calm bare')
      }</div>`
    )
  })
}

const minute = {
  // fit: on a phone the places stand in three lines, and all of them stay open.
  fit: room => (room >= 50 ? 'line' : 'rows'),

  // passes says whether the beat goes by. If the reader wants less motion, none does.
  passes: stage =>
    !stage.beat.press && !stage.asks && stage.cur < stage.tape.last && !still.matches,

  // wait lets a beat go by that has no button, when its sentence can have been read.
  wait(stage, ms = 1100 + 40 * stage.beat.says.length) {
    clearTimeout(stage.timer)
    if (minute.passes(stage)) stage.timer = setTimeout(() => act.step(stage), ms)
  },

  // ask is the question, then what came of it, and at the end the ways on.
  ask(stage) {
    const { cur, tape, proof, answers, said } = stage
    if (stage.asks) return choices(stage)
    if (cur >= tape.last) return stage.ways
    const { reply, text } = (cur === proof && answers[said]) || {}

    return (
      text &&
      (reply
        ? html`<p><b class="alarm">✗ Not so:</b> “${text}” ${reply}</p>`
        : html`<p><b>✓ Right.</b></p>`)
    )
  },

  // reveal scrolls to the question, and to the ways on, where a window is too low for them: once,
  // because the reader has pressed.
  reveal(stage) {
    if (stage.revealed === stage.cur || !(stage.asks || stage.cur >= stage.tape.last)) return
    stage.revealed = stage.cur
    const { bottom } = stage.$('.ask').getBoundingClientRect()
    if (bottom > innerHeight) stage.root.scrollIntoView({ block: 'nearest' })
  },

  // button is the one that there is. While a beat passes it still says what has been pressed.
  button(stage) {
    const { beats, last } = stage.tape
    const so = beats.slice(0, beats.indexOf(stage.beat) + 1)
    const text = still.matches && !stage.beat.press ? 'go on' : so.findLast(b => b.press)?.press
    const button = stage.$('[data-do=step]')

    put(button, html`${text} ▶`)
    button.classList.toggle('passes', minute.passes(stage))
    button.hidden = stage.asks || stage.cur >= last || !text
  },

  // leave lets an object fly to a place that it leaves, too: so a deletion goes along the row.
  leave(stage, e, from) {
    for (const gone of stage.all(`.place.acted .gone[data-key="${nameOf(e.key)}"]`)) {
      gone.dataset.at = e.lane
      fly(stage, { ...e, to: e.lane }, from)
    }
  },
}
