'use strict'

// What joins places, drawn once: pipes between neighbours. A place with a valve is itself a piece
// of pipe. Each handler has a pipe and a valve of its own.
const pipe = (from, to, n = '') =>
  html`<i class="pipe p${n}" data-from="${SPANS.indexOf(from)}" data-to="${SPANS.indexOf(to)}"
    data-n="${n}"></i>`

const valve_ = n => html`<div class="valve v${n}" data-n="${n}"></div>`

function build(stage) {
  const { places, orders } = stage
  const { meta } = stage.tape

  const kinds = b => ['DeltaFIFO', 'RealFIFO'].map(kind => ({ ...b, label: kind, args: { kind } }))
  stage.buttons = orders
    ? (meta.buttons ?? [])
        .filter(b => !(meta.readOnly && b.fault))
        .flatMap(b => (b.do === 'queue' ? kinds(b) : [b]))
    : []

  const before = i => places[i - 1].id
  const { fit } = stage.root.dataset
  const w = fit === 'compact' ? 'c' : 'w'
  put(
    stage.$('.places'),
    places.map((p, i) => [
      i > 0 &&
        stage.gap(i, w) > 0 &&
        html`<div class="gap ${p.id}"><span></span><div>${
          p.id === 'handlers' && places[i - 1].id === 'processor'
            ? [0, 1, 2].map(n => [pipe(before(i), p.id, n), valve_(n + 2)])
            : pipe(before(i), p.id)
        }</div></div>`,
      html`<section class="col ${p.id}" aria-label="${p.title}"><h3
        aria-level="${stage.brief ? 2 : 3}"><button data-about="${p.id}"
        data-title="${p.id}">${p.title}</button><span class="soft ${p.sub ? 'right' : ''}"
        data-sub="${p.id}"></span></h3>${
          p.valve === undefined
            ? html`<div class="place" data-place="${p.id}"></div>`
            : html`<div class="way">${i > 0 && pipe(before(i), p.id, 'a')}${
                places[i + 1] && pipe(p.id, places[i + 1].id, 'b')
              }${valve_(p.valve)}<div class="place" data-place="${p.id}"></div></div>`
        }${
          orders &&
          html`<div class="do">${stage.buttons.map(
            (b, n) =>
              (b.place || 'api') === p.id &&
              html`<button class="${b.fault ? 'fault' : ''}" data-press="${n}"
              data-label="${b.label}"
              data-kind="${b.args?.kind}" title="${b.expect ?? ''}">${b.label}</button>`,
          )}${
            meta.readOnly && p.id === 'api' && soft('A real cluster: this page only reads from it.')
          }</div>`
        }</section>`,
    ]),
  )

  // The policy of the page allows no style in markup.
  const width = (q, rem) => {
    if (stage.$(q)) stage.$(q).style.width = rem + 'rem'
  }

  places.forEach((p, i) => {
    width('.col.' + p.id, p[w])
    if (i) width('.gap.' + p.id, stage.gap(i, w))
  })

  if (stage.$('[data-sub=api]') && (meta.server || meta.source))
    put(stage.$('[data-sub=api]'), (meta.server ?? meta.source).replace(/^https?:\/\//, ''))
}

const HANDLE = {
  open: '<path d="M8 15H22"/>',
  held: '<path d="M15 8V22"/>',
  one: '<text x="15" y="19.5">1</text>',
  slow: '<path d="M8 15H9M15 15h.1M21 15h1"/>',
}

function drawValves(stage, v) {
  for (const el of stage.all('.valve')) {
    const valve = v.valve(+el.dataset.n)
    const state =
      valve && `valve ${valve.name}, ${valve.mode}${valve.waiting ? ', something waits' : ''}`

    el.dataset.mode = valve?.mode ?? ''
    el.dataset.valve = valve?.name ?? ''
    el.classList.toggle('hit', !!valve && v.e.to === valve.name)
    const disc =
      valve &&
      html`<svg viewBox="0 0 30 30"><circle cx="15" cy="15" r="13.5"/>${new Markup(
        HANDLE[valve.mode] ?? '',
      )}</svg>`

    put(
      el,
      !valve
        ? ''
        : [
            html`<span>${valve.waiting ? '● ' : ''}${valve.name}</span>`,
            stage.orders
              ? html`<button class="disc" data-turn="${valve.name}|disc" aria-label="${state}"
                  title="${valve.label ?? ''}${
                    valve.waiting ? ': something waits' : ''
                  }">${disc}</button>
                <button class="word" data-turn="${valve.name}|word"
                  aria-label="next mode of ${valve.name}">${valve.mode}</button>`
              : [html`<span class="disc">${disc}</span><span class="word">${valve.mode}</span>`],
          ],
    )
  }
}

// A pipe is lit when the event says that something moved along it. What the queue takes from the
// cache moves against the pipe of the process loop, and lights none.
function drawPipes(stage, v) {
  const { e, s } = v
  const a = SPANS.indexOf(placeOf(e.from ?? ''))
  const b = SPANS.indexOf(placeOf(e.to ?? ''))
  const l = listeners(s)
  for (const el of stage.all('.pipe')) {
    const from = +el.dataset.from
    const to = +el.dataset.to
    const of = l[el.dataset.n]
    const own = el.dataset.n >= '0' && el.dataset.n <= '2'
    const lit =
      a >= 0 &&
      b >= 0 &&
      b !== a - 2 &&
      Math.min(a, b) < to &&
      Math.max(a, b) > from &&
      (!own || e.to === 'handler:' + of?.name)

    const state =
      from < 2 && !v.meta.readOnly && s.wire && !s.wire.open
        ? e.fault || /refused/.test(s.server?.fault)
          ? 'broken'
          : 'off'
        : own && !of
          ? 'none'
          : ''

    el.classList.remove('flow', 'back', 'off', 'broken', 'none')
    for (const c of [lit && 'flow', lit && b < a && 'back', state]) if (c) el.classList.add(c)
    if (lit) el.dataset.c = e.key ? look(e.key).slot : ''
    else delete el.dataset.c
  }
}

// spots are where an object is drawn in a place: of several, what comes last is the newest.
function spots(stage, where, key) {
  const place = placeOf(where)
  const of = k =>
    stage.all(`[data-place=${place}] [data-at=${place}]`).filter(el => el.dataset.key === nameOf(k))
  const here = of(key).length ? of(key) : of('')
  return place === where
    ? here
    : here.filter(el => el.closest('.third').dataset.name === where.slice(8))
}

const middleOf = el => {
  const r = el.getBoundingClientRect()
  return [r.x + r.width / 2 + scrollX, r.y + r.height / 2 + scrollY]
}

// spotBefore is where an event's object was drawn before it moved, if the place is on this stage,
// else in the last place before it that has the object.
function spotBefore(stage, e) {
  for (let i = SPANS.indexOf(placeOf(e.from)); i >= 0; i--) {
    const [el] = spots(stage, placeOf(e.from) === SPANS[i] ? e.from : SPANS[i], e.key)
    if (el?.checkVisibility()) return middleOf(el)
    if (stage.place(SPANS[i])) return null
  }
  return null
}

// fly lets the mark of an event's object move from where it was drawn to where it is drawn now, and
// to each listener that is told of it.
const still = matchMedia('(prefers-reduced-motion: reduce)')

function fly(stage, e, from) {
  stage.all('.flier').forEach(x => x.remove())
  if (!from || still.matches) return
  const to = new Map(
    spots(stage, e.to, e.key)
      .filter(el => el.checkVisibility())
      .map(el => [el.closest('.third'), el]),
  )

  const home = stage.root.getBoundingClientRect()
  for (const el of to.values()) {
    const flier = document.createElement('i')
    const shift = ([x, y]) => ({
      transform: `translate(${x - 8 - home.x - scrollX}px, ${y - 8 - home.y - scrollY}px)`,
    })
    flier.className = 'flier'
    flier.innerHTML = flat(html`<span ${colour(e.key)}>${mark(e.key)}</span>`)
    stage.root.append(flier)
    flier.animate([shift(from), shift(middleOf(el))], {
      duration: 320,
      easing: 'ease-in-out',
    }).onfinish = () => flier.remove()
  }
}

// countdown shrinks a bar for as long as the pause lasts: the machine has said how long that is.
function countdown(stage, e) {
  const bar = stage.$('.pause')
  const left = (e.arrived ?? 0) + e.state.reflector?.pauseMs - performance.now()
  if (!bar || bar.runs) return
  bar.runs = true
  if (stage.cur < stage.tape.head || still.matches || !(left > 0)) return
  bar.animate(
    [{ transform: `scaleX(${left / e.state.reflector.pauseMs})` }, { transform: 'scaleX(0)' }],
    { duration: left, fill: 'forwards' },
  )
}

// light shows one object everywhere: in all places, in the lanes and in the words.
function light(stage, el) {
  stage.lit = stage.root.contains(el) ? (el?.closest?.('[data-key]')?.dataset.key ?? '') : ''
  for (const x of stage.all('[data-key]'))
    x.classList.toggle('lit', !!stage.lit && x.dataset.key === stage.lit)
}
