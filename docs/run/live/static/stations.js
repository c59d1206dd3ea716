'use strict'

// What stands in some places: the values of an index, the reflector's machine, a listener's ring.

// entries are the values of an index that fit, with the marks of their objects.
function entries(index) {
  let room = index ? 128 : 0
  const drawn = []
  for (const v of index?.values ?? []) {
    let n = Math.min(3, v.keys.length)
    const need = () => v.value.length * 7 + n * 12 + 10
    while (n > 1 && need() > room) n--
    if ((room -= need()) < 0) {
      drawn.push(html`<span class="entry">…</span>`)
      break
    }

    drawn.push(html`<span class="entry">${v.value}&hairsp;${dots(v.keys.slice(0, n))}</span>`)
  }

  return drawn
}

// The states stand in the order of the table. To the right is the way that the last step took, to
// the left where the table leads from here.
function machine(r, meta) {
  const states = meta.states?.length ? meta.states : [r.state]
  const pitch = 160 / states.length
  const tall = Math.min(24, pitch - 2)
  const y = state => states.indexOf(state) * pitch + pitch / 2
  const last = r.last
  const may = new Set((meta.table ?? []).filter(t => t.from === r.state).map(t => t.to))
  const ways = [...may]
    .filter(t => t !== r.state)
    .map(
      t =>
        html`<path d="M14 ${y(r.state)}H6V${y(t)}H11"/>
          <path class="tip" d="M14 ${y(t)}l-5 -3v6Z"/>`,
    )

  const a = last && y(last.from)
  const b = last && y(last.to) + (last.from === last.to ? 5 : 0)
  const came =
    last &&
    html`<path class="came" d="M128 ${
      a - (last.from === last.to ? 5 : 0)
    }H137V${b}H133"/><path class="came tip" d="M128 ${b}l6 -4v8Z"/>`

  return html`<svg class="machine" viewBox="0 0 142 160" role="img"
    aria-label="state machine, in ${r.state}">${ways}${came}${states.map(
    st =>
      html`<g class="${st === r.state ? 'on' : may.has(st) ? 'may' : ''} ${
        r.pauseMs && st === r.state ? 'wait' : ''
      }"><rect x="14.5" y="${y(st) - tall / 2}" width="113" height="${tall}" rx="5"/>
      <text x="71" y="${y(st) + 4.2}" ${
        st.length > 17 ? new Markup('textLength="106" lengthAdjust="spacingAndGlyphs"') : ''
      }>${st}</text></g>`,
  )}</svg>`
}

// The slots of a ring that are drawn. What waits is drawn before the ring has told of any slot,
// too; the next call has a mark of its own.
const slots = ({ cap, waiting = [] }) =>
  Math.min(cap || (waiting.length > 1 ? waiting.length : 0), 64)

// One arc per slot of the ring, clockwise from the top, coloured by what waits in it: the next call
// first. A thin circle has no slots yet.
function ring(l, v) {
  const { cap, waiting = [] } = l.ring
  const parts = slots(l.ring)
  const p = x => `${(32 + 26 * Math.sin(x)).toFixed(2)} ${(32 - 26 * Math.cos(x)).toFixed(2)}`
  const step = (2 * Math.PI) / parts
  const gap = parts > 32 ? 0.03 : 0.06
  const arcs = Array.from(
    { length: parts },
    (_, i) =>
      html`<path class="${i < (l.pending ?? 0) ? 'full' : 'free'} ${i ? '' : 'next'}" ${colour(
        waiting[i]?.key,
      )} data-at="${
        i > 0 && i < waiting.length && 'processor'
      }" d="M${p(i * step + gap)}A26 26 0 0 1 ${p((i + 1) * step - gap)}"/>`,
  )

  const what = `ring: ${l.pending ?? 0} wait, ${cap ? `${cap} slots` : 'no slots yet'}`

  const text = html`<text class="${l.pending > 999 ? 'small' : ''}" x="32" y="38.5">${
    l.pending ?? ''
  }</text>`

  return html`<button class="ring" data-word="ring" aria-label="${what}"
    title="${what}. ${v.meaning('ring')}"><svg viewBox="0 0 64 64" aria-hidden="true">${
      parts ? arcs : html`<circle cx="32" cy="32" r="26"/>`
    }
    ${text}</svg></button>`
}
