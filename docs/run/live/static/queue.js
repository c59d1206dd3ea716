'use strict'

// The queue as a place, with either of its two kinds.

function queue(v) {
  const q = v.s.queue ?? {}
  const all = q.rows ?? []
  const real = q.kind === 'RealFIFO'
  const total = q.total ?? all.length

  if (!all.length) return at('core', soft('empty', 'right'))
  let fit = 0
  let room = v.px('queue') - 30
  for (const r of all)
    if ((room -= wide(short(nameOf(r.key), 24)) + 31) >= (fit + 1 < all.length ? 30 : 0) || !fit)
      fit++
    else break

  const line = all
    .slice(0, fit)
    .reverse()
    .map(
      r =>
        html`<span class="tok" ${colour(r.key)}>${mark(r.key)}<span>${
          short(nameOf(r.key), 20) || 'whole list'
        }</span></span>`,
    )

  const shown = real
    ? Math.min(8, all.length)
    : v.keys.filter(k => all.some(r => nameOf(r.key) === k)).length
  const top = [
    at(
      'label soft',
      real ? 'queue of events' : 'queue of keys',
      v.word('next to pop', 'next to pop', 'right'),
    ),
    at('core', total > fit && soft(`+${total - fit}`), line),
    at(
      'note soft',
      v.word(real ? 'one by one, oldest first' : 'by key, oldest first', undefined, 'cut'),
      html`<span class="right">${v.plus(total - shown, 'queue')}</span>`,
    ),
  ]

  const foot = at(
    'legend soft',
    v.meta.deltas?.[q.kind].map(
      w => html`<span title="${w}"><b class="ink">${w[0]}</b>${w.slice(1)}</span>`,
    ),
  )

  if (real)
    return [
      top,
      html`<div class="events">${all
        .slice(0, 8)
        .map(
          r =>
            html`<span class="tok bare" ${colour(r.key)}>${mark(r.key)}<span>${
              short(nameOf(r.key), 5) || 'list'
            }</span> ${v.deltas(r, 40, 'queue', 4)}</span>`,
        )}</div>`,
      foot,
    ]

  return [
    top,
    v.rows(k => {
      const r = all.find(x => nameOf(x.key) === k)
      return [
        html`<span class="name tok bare ${r ? '' : 'gone'}" ${colour(k)}>${
          mark(k)
        }<span>${short(k, 7)}</span></span>`,
        r && v.deltas(r, v.px('queue') - 104),
      ]
    }),
    foot,
  ]
}
