'use strict'

// The history below the places. Rows are events that led from one place to the next, cells keep
// their columns. Above them stand curves: what waits in the queue and in the rings, and how long a
// pause is.
const LANES = {
  api: 0,
  wire: 1,
  reflector: 2,
  queue: 3,
  process: 4,
  cache: 5,
  processor: 6,
  handler: 7,
  handlers: 7,
}

const WHOLE = 8
const column = e => LANES[e.lane.split(':')[0]] ?? WHOLE
const joins = (p, e) => p && p.key === e.key && e.key && column(e) > column(p) && column(e) < WHOLE
const PAUSE = 500 // ms without an event, from which on the lanes show it as a row

function drawLanes(stage) {
  const { tape, seen } = stage
  const { log, low } = tape
  const remark = n => tape.beats.length && log.get(n).kind === 'say'
  const cur = stage.cur - (remark(stage.cur) ? 1 : 0)
  const narrow = ['wrap', 'pair'].includes(stage.root.dataset.fit)
  const room = narrow ? 8 : Math.max(1, Math.floor(stage.$('.lanes').clientHeight / (1.5 * unit())))
  const start = n => {
    while (!narrow && log.has(n - 1) && joins(log.get(n - 1), log.get(n))) n--
    return n
  }

  const rowsFrom = n => {
    const rows = []
    const goesOn = e => !narrow && rows.at(-1)?.at && joins(log.get(e.seq - 1), e)
    for (let e; n <= seen && (e = log.get(n)) && (rows.length < room || goesOn(e)); n++) {
      // In a lesson the beats speak, and the story's own words would answer its question.
      if (remark(n)) continue
      const pause = e.at - (log.get(n - 1)?.at ?? e.at)
      if (goesOn(e)) {
        rows.at(-1).push(e)
        continue
      }

      if (rows.length && pause >= PAUSE) rows.push({ pause })
      rows.push([e])
    }

    return rows
  }

  const up = n => {
    for (stage.topSeq = start(cur); n > 0 && stage.topSeq > low; n--)
      stage.topSeq = start(stage.topSeq - 1)
  }

  if (stage.topSeq >= start(cur)) up(room >> 1) // above an event stays what led to it
  stage.topSeq = start(Math.max(low, Math.min(stage.topSeq, cur)))
  let rows = rowsFrom(stage.topSeq)
  const shows = rows => rows.slice(0, room).some(r => r.at?.(-1).seq >= cur)
  for (let n = room; stage.topSeq < cur && !shows(rows); n--) {
    up(n - 1)
    rows = rowsFrom(stage.topSeq)
  }

  // A page that was loaded again has no rows before its event until they are fetched.
  while (rows.length < room && stage.topSeq > low) {
    const from = start(stage.topSeq - 1)
    const more = rowsFrom(from)
    if (!shows(more)) break
    rows = more
    stage.topSeq = from
  }

  // A step can be several events.
  const last = tape.beats.length ? (tape.beats.findLast(b => b.seq < cur)?.seq ?? cur - 1) : cur - 1
  put(
    stage.$('.rows'),
    rows.map(es =>
      es.pause
        ? html`<div class="row"><span class="cell l8">${seconds(
            es.pause,
          )} without an event</span></div>`
        : html`<div class="row ${
            es.some(e => e.seq > last && e.seq <= cur) ? 'now' : ''
          }">${es.map((e, i) => cell(stage, e, es[i + 1]))}</div>`,
    ),
  )
}

// brief leaves out of a lane what its columns say anyway; the words in full are above the caption.
const brief = e => {
  const text = e.lane === 'process' && e.key ? nameOf(e.key) : e.brief || e.text
  return e.key
    ? text.replaceAll(
        nameOf(e.key),
        short(nameOf(e.key), [9, 8, 8, 10, 5, 8, 6, 7][column(e)] ?? 99),
      )
    : text
}

function cell(stage, e, next) {
  if (!e.lane) return ''
  const kind = `l${column(e)} ${e.key ? '' : 'plain'} ${e.fault ? 'fault' : ''} ${
    e.seq === stage.cur ? 'now' : ''
  } ${e.seq > stage.cur ? 'later' : ''}`
  const says = legend(stage.tape.meta, e)

  const lane = whereOf(e).replace(/^(handler) .*/, '$1')
  const text = html`<span>${column(e) === WHOLE && e.kind !== 'say' ? '▸ ' : ''}${brief(e)}</span>`

  return html`<button class="cell ${kind}" ${colour(e.key)} data-seq="${e.seq}"
    data-lane="${lane}" title="${e.text}${says && `. ${says}`}">${
      e.key && column(e) < WHOLE && mark(e.key)
    }${text}${next?.from && html`<u></u>`}</button>`
}

// CURVES are what backs up, each above the lane of its place.
const CURVES = [
  {
    place: 'reflector',
    label: 'pause',
    of: s => s.reflector?.pauseMs ?? 0,
    says: n => (n ? seconds(n) : 'none'),
  },
  {
    place: 'queue',
    label: 'queued',
    says: n => n,
    of: s =>
      (s.queue?.rows ?? []).reduce((n, r) => n + r.deltas.length + (r.earlier ?? 0), 0) +
      Math.max(0, (s.queue?.total ?? 0) - (s.queue?.rows ?? []).length),
  },
  {
    place: 'processor',
    label: 'calls waiting',
    says: n => n,
    of: s => listeners(s).reduce((n, l) => n + (l.pending ?? 0), 0),
  },
]

function drawCurves(stage) {
  const { tape, seen, cur } = stage
  const from = Math.max(tape.low, seen - 400)
  const clock = tape.clock(from, seen)
  const end = clock.get(seen) || 1
  const x = n => ((clock.get(n) / end) * 100).toFixed(2)
  put(
    stage.$('.curves'),
    CURVES.map(({ place, label, of, says }) => {
      const points = []
      let most = 0
      for (let n = from; n <= seen; n++) {
        points.push([x(n), of(tape.at(n).state)])
        most = Math.max(most, points.at(-1)[1])
      }

      const y = value => (most ? (18 - (value / most) * 16).toFixed(1) : 18)
      const line = points.map(([at, value], i) => `${i ? `H${at}V` : `M0 `}${y(value)}`).join('')
      const now = says(of(stage.e.state))
      const top = says(most)

      return html`<div class="curve ${place}" title="${label}: ${now} now, at most ${top}"><span
        class="soft">${label} <b>${now}</b></span><svg viewBox="0 0 100 20"
        preserveAspectRatio="none" role="img" aria-label="${label}, at most ${top}"><path
        class="area" d="${line}V18H0Z"/><path d="${line}"/><path
        class="cursor" d="M${x(Math.max(from, cur))} 0V20"/></svg></div>`
    }),
  )
}
