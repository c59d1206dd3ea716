'use strict'

// What a hand does on a stage: buttons, keys, answers. A key means the stage that has the focus.
const act = {
  step(stage, fine) {
    const { tape, cur, orders, cover } = stage
    if (cover) return stage.go(tape.first)
    stage.came = null
    if (cur < (fine || orders ? tape.head : tape.last))
      return stage.go(tape.onward(cur, 1, fine), 1)
    if (!orders) return stage.next ? stage.next.enter() : stage.tell('The recording ends here.')
    if (orders.standing) return orders.start()
    const { pauseMs } = stage.e.state.reflector ?? {}
    if (stage.plays && pauseMs) {
      stage.tell(`The reflector waits ${seconds(pauseMs)}. That is skipped.`)
      return orders.skip(pauseMs)
    }
    const waiting = (stage.e?.state.valves ?? []).filter(v => v.mode === 'one' && v.waiting)
    if (waiting.length === 1) {
      stage.want = 1
      return orders.post({ do: 'admit', args: { name: waiting[0].name } })
    }

    stage.tell(
      waiting.length
        ? `${waiting
            .map(v => v.name)
            .join(' and ')} each hold something: turn the one that is to let it through.`
        : `Nothing has happened since. Press a button${
            (stage.state.valves ?? []).some(v => v.mode !== 'open') ? ', or open a valve' : ''
          }.`,
    )
  },
  back(stage, fine) {
    const { tape, cur } = stage
    if (stage.plays) stage.play()
    if (cur > tape.low) return stage.go(tape.onward(cur, -1, fine), -1)
    stage.tell(
      tape.low > 1 ? 'Events before this one are no longer held.' : 'This is the first event.',
    )
  },
  first: stage => stage.go(stage.tape.first),
  live(stage) {
    stage.go(stage.tape.head)
    stage.follow = !!stage.orders
    if (stage.paced) stage.orders.hold(false)
    stage.plays = false
  },
  play: stage => stage.play(),
  take: stage => stage.loaded === null && stage.take?.(stage.cur),
  leave: stage => stage.back?.(),
  speed(stage) {
    stage.speed = SPEEDS[(SPEEDS.indexOf(stage.speed) + 1) % SPEEDS.length]
    if (stage.timer) stage.play(true)
    stage.draw()
  },
  source(stage) {
    const e = stage.line
    if (e) open_(stage, () => html`<h2>The code that acted</h2>${excerpt(stage, e, 40)}`)
  },
  keys: stage => open_(stage, () => help(stage)),
  close: stage => stage.$('dialog').close(),
}

const CLICK = {
  do: (stage, d) => act[d.do](stage),
  press: (stage, d) => press(stage, stage.buttons[d.press]),
  turn: (stage, d) => turn(stage, ...d.turn.split('|')),
  choose(stage, { choose }) {
    if (choose.startsWith('handler|')) stage.chosenHandler = choose.slice(8)
    else stage.chosen = choose
    stage.draw()
  },
  open: (stage, d) => token(stage, d.open),
  word: (stage, { word }) =>
    open_(stage, () => html`<h2>${word}</h2><p>${stage.view.meaning(word)}</p>`),
  seq: (stage, d) => event(stage, +d.seq),
  go(stage, d) {
    const from = stage.cur
    stage.go(+d.go, -1)
    stage.came = stage.came ? null : from
  },
  reply: (stage, d) => stage.answer(+d.reply),
  chip(stage, { chip }) {
    stage.looks = chip
    stage.show(0)
    stage.reveal(stage.$('.col.' + chip))
  },
  verb: (stage, d) => verb(stage, d.verb),
  about(stage, d) {
    const p = PLACES.find(x => x.id === d.about)

    const at = Stage.book && html`href="${Stage.book}docs/${p.chapter}.html"`
    open_(
      stage,
      () =>
        html`<h2>${WHERE[p.id]}</h2><p>${p.about}</p>
          <p class="soft">The book has a chapter on it: <a ${at}>${p.chapter}</a>.</p>`,
    )
  },
}

// entitle lets the mouse show a text that is cut off.
function entitle(el) {
  for (; el?.parentElement; el = el.parentElement)
    if (
      el.scrollWidth > el.clientWidth &&
      getComputedStyle(el).textOverflow === 'ellipsis' &&
      !el.closest('[title]')
    )
      el.title = el.closest('[data-key]')?.dataset.key || el.textContent
}

function choose(stage, way) {
  const keys = stage.view.keys.filter(Boolean)
  stage.chosen = keys[(keys.indexOf(stage.view.chosen) + way + keys.length) % keys.length]
  stage.draw()
}

function nextHandler(stage) {
  const there = listeners(stage.view.s)
    .filter(l => !l.removed)
    .map(l => l.name)
  stage.chosenHandler = there[(there.indexOf(stage.view.handler) + 1) % there.length]
  stage.draw()
}

const byDo = id => stage => {
  const b = stage.buttons.find(x => x.do === id)
  if (b || !stage.orders) press(stage, b ?? {})
}

const faster = way => stage => {
  stage.speed = SPEEDS[Math.max(0, Math.min(4, SPEEDS.indexOf(stage.speed) + way))]
  if (stage.timer) stage.play(true)
  stage.draw()
}

const KEY = {
  ArrowRight: act.step,
  ' ': act.step,
  ArrowLeft: act.back,
  Home: act.first,
  End: act.live,
  l: act.live,
  p: act.play,
  o: act.take,
  '?': act.keys,
  e: stage => stage.$('.ask [data-go]')?.click(),
  '.': stage => act.step(stage, true),
  ',': stage => act.back(stage, true),
  '[': stage => stage.go(stage.tape.command(stage.cur, -1)),
  ']': stage => stage.go(stage.tape.command(stage.cur, 1)),
  '<': faster(-1),
  '>': faster(1),
  j: stage => choose(stage, 1),
  k: stage => choose(stage, -1),
  h: nextHandler,
  c: byDo('create'),
  u: byDo('update'),
  d: byDo('delete'),
}

// key does what a key means, and says whether it means anything here.
function key(stage, ev) {
  if (stage.$('dialog').open || ev.metaKey || ev.ctrlKey || ev.altKey || !stage.e) return false

  if (
    (ev.key === ' ' && ev.target.closest?.('button, a')) ||
    (ev.target.matches?.('input') && /^Arrow|Home|End/.test(ev.key))
  )
    return false

  const digit = ev.code.match(/^(?:Digit|Numpad)([1-5])$/)?.[1]
  const reply =
    !stage.asks || ev.shiftKey ? -1 : digit ? digit - 1 : 'abcd'.indexOf(ev.key.toLowerCase())
  const f =
    reply >= 0
      ? () => stage.answer(reply)
      : digit
        ? () => turn(stage, 'V' + digit, ev.shiftKey ? 'word' : 'disc')
        : (KEY[ev.key] ?? KEY[ev.key.toLowerCase()])

  if (!f) return false
  ev.preventDefault()
  f(stage)
  return true
}

function listen(stage) {
  const { root } = stage
  const { signal } = stage.life

  root.addEventListener('click', ev => {
    const t = ev.target.closest('button')
    const d = t?.dataset ?? {}
    const what = Object.keys(CLICK).find(k => d[k])
    if (!what) return

    // By mouse: the space bar goes on to step.
    if (ev.detail && !stage.$('dialog').contains(t)) root.focus({ preventScroll: true })
    if (what === 'go' || what === 'choose') stage.$('dialog').close()
    CLICK[what](stage, d)
  })

  root.addEventListener('keydown', ev => key(stage, ev))
  root.addEventListener('input', ev => stage.slide(+ev.target.value))

  root.addEventListener(
    'pointerdown',
    ev => {
      stage.down = !ev.button && !ev.target.closest('input')
    },
    true,
  )

  const released = () => {
    if (stage.down) {
      stage.down = false
      stage.draw()
    }
  }

  for (const type of ['pointerup', 'pointercancel'])
    addEventListener(type, released, { capture: true, signal })

  // Of the window: without capture, that of an element does not come here.
  addEventListener('blur', released, { signal })

  for (const type of ['pointerover', 'focusin'])
    root.addEventListener(type, ev => {
      light(stage, ev.target)
      entitle(ev.target)
    })

  const size = new ResizeObserver(() => {
    stage.measure()
    stage.draw()
  })

  size.observe(root)
  signal.addEventListener('abort', () => size.disconnect())
}
