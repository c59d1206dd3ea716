'use strict'

// Drawing of places: one state in, what stands in a place out. PLACES are what can stand on a
// stage, from left to right. Pipes join neighbours. A place draws what it holds as objects (tok),
// each with the place and the key of the object: by these a mark flies from place to place, is lit
// wherever it is, and opens.
const at = (cls, ...inner) => html`<div class="at ${cls}">${inner}</div>`

// View is what is drawn for one event: the event, and which object stands in which row.
class View {
  constructor(stage, e) {
    const s = e.state
    Object.assign(this, { stage, e, s, meta: stage.tape.meta, recorded: !stage.orders })

    // Each row shows the chosen object, otherwise the one of that row touched last.
    const age = new Map((s.recent ?? []).map((k, n) => [nameOf(k), -1 - n]))

    this.keys = [null, null, null, null]
    this.present = new Set((s.server?.objects ?? []).map(o => nameOf(o.key)))

    this.known = new Set([
      ...this.present,
      ...(s.cache?.objects ?? []).map(o => nameOf(o.key)),
      ...(s.queue?.rows ?? []).map(r => nameOf(r.key)).filter(Boolean),
      ...age.keys(),
    ])

    const rank = k => (k === stage.chosen ? 1 : (age.get(k) ?? -100))
    for (const k of [...this.known].sort()) {
      const { slot } = look(k)
      if (this.keys[slot] === null || rank(k) > rank(this.keys[slot])) this.keys[slot] = k
    }

    if (!this.meta.readOnly && !this.recorded)
      DEMO.forEach((k, n) => {
        this.keys[n] ??= k
      })
  }

  get chosen() {
    const there = this.keys.filter(k => this.present.has(k))
    return (
      this.stage.chosen ||
      (there.includes('web-1') ? 'web-1' : (there[0] ?? this.keys.find(Boolean) ?? ''))
    )
  }

  get handler() {
    const there = listeners(this.s)
      .filter(l => !l.removed)
      .map(l => l.name)
    return there.includes(this.stage.chosenHandler)
      ? this.stage.chosenHandler
      : (there.at(-1) ?? '')
  }

  px(id) {
    return this.stage.widths[id] * 16
  }

  // An object is touched where its event says so: the outline stays until the next event.
  hit(place, key) {
    return isOf(this.e, key) && placeOf(this.e.to || this.e.lane) === place && 'hit'
  }

  // tok is one object in a place. It says at which version it is, if it is a tombstone, and of what
  // kind the frame or the delta is that it travels as. Without a key it is a whole list.
  tok(place, o, text, cls = '', open = `${place}|${nameOf(o.key)}|${o.rv ?? ''}`) {
    const what = o.key ? nameOf(o.key) + rv(o.rv) : o.n ? count(o.n, 'object') : o.type
    const title = `${o.type ?? ''} ${o.tombstone ? 'tombstone of ' : ''}${what}`

    return html`<button class="tok ${cls} ${o.tombstone && 'tomb'} ${this.hit(place, o.key)}"
      ${colour(o.key)} data-at="${place}" data-open="${open}" title="${title}">${
        mark(o.key)
      }<span>${o.tombstone && '†'}${text ?? what}</span></button>`
  }

  // stored draws an object in its row. It is gone if it is not there, unless only those touched
  // last are sent.
  stored(place, k, objects, total, n) {
    const o = objects.get(k)
    const unsure = !o && total > objects.size && !(this.s.recent ?? []).some(r => nameOf(r) === k)
    if (o) return this.tok(place, o, labelled(k, o.rv, n))

    return html`<span class="tok gone ${unsure && 'bare'} ${this.hit(place, k)}" data-key="${k}"
      data-c="">${mark(k)}<span>${short(k, unsure ? n - 2 : n)}${
        unsure && ' ?'
      }</span><i class="aloud"> is not here</i></span>`
  }

  rows(f) {
    return this.keys.map((k, n) => html`<div class="line n${n}">${k && f(k, n)}</div>`)
  }

  meaning(id) {
    return this.meta.terms?.find(t => t.word === id)?.says
  }

  // word is a word that explains itself: by a click, by Enter and, with a mouse, by pointing at it.
  word(id, text = id, cls = '') {
    return html`<button class="soft word ${cls}" data-word="${id}"
      title="${this.meaning(id)}">${text}</button>`
  }

  plus(n, place) {
    return n > 0 && html`<button class="soft crowd" data-open="${place}|">+${n} more</button>`
  }

  hidden(total, objects) {
    return total - [...objects.keys()].filter(k => this.keys.includes(k)).length
  }

  // deltas draws what waits under a key, the newest at the right end. What does not fit with its
  // version is drawn as a slip with the first letter of its type: a pile. Only of more than a pile
  // can show the rest is a number.
  deltas(row, room, place = 'queue', most = 99) {
    const all = row.deltas
    const full = d => d.type[0] + (String(d.rv ?? '').length > most ? '' : (d.n ?? shortRV(d.rv)))
    const text = d => (wide(full(d)) > room - 42 && all.length > 1 ? d.type[0] : full(d))
    const need = d => Math.max(26, wide(text(d)) + (d.tombstone ? 18 : 12))
    const last = all.length - 1
    const open = n => `delta|${row.key}|${n}`
    const tok = n => this.tok(place, { ...all[n], key: row.key }, text(all[n]), 'delta', open(n))
    if (!row.earlier && all.reduce((sum, d) => sum + need(d) + 2, 0) <= room)
      return html`<span class="deltas">${all.map((_, n) => tok(n))}</span>`
    const fit = Math.max(0, Math.floor((room - need(all[last])) / 12))
    const slips = last + (row.earlier ?? 0) <= fit ? last : Math.max(0, fit - 3)
    const more = last - slips + (row.earlier ?? 0)

    const total = count(last + 1 + (row.earlier ?? 0), 'delta')
    const pile = all.slice(last - slips, last)

    return html`<span class="deltas">${more > 0 && soft('+' + more)}<span class="pile"
      ${colour(row.key)} title="${total}">${
        pile.map(d => html`<i>${d.tombstone ? '†' : d.type[0]}</i>`)
      }</span>${last >= 0 && tok(last)}</span>`
  }

  // third gives each of the first three listeners its place, across processor, pipes and handlers.
  thirds(f) {
    return [0, 1, 2].map(n => {
      const l = listeners(this.s)[n]
      return html`<div class="third h${n} ${!l && 'none'}" data-name="${l?.name}">${f(l, n)}</div>`
    })
  }

  // valve gives the valves their places: V1 and V2 have theirs, a handler's is beside its listener.
  valve(n) {
    // Nothing turns a valve in a recording.
    const valves = (this.s.valves ?? []).filter(
      v => !this.recorded || v.mode !== 'open' || v.waiting,
    )

    if (n < 2) return valves.find(v => v.name === ['V1', 'V2'][n])
    const l = listeners(this.s)[n - 2]
    return l && valves.find(v => v.handler === l.name)
  }
}

const byName = objects => new Map((objects ?? []).map(o => [nameOf(o.key), o]))

const PLACES = [
  {
    id: 'api',
    title: 'API server',
    chip: 'API',
    w: 9.5,
    c: 8,
    chapter: '1-fakeapi',
    about:
      'Stores the objects. Each write has a version. ' +
      'It answers lists, and sends changes to the watches that are open.',
    draw(v) {
      const a = v.s.server
      if (!a || v.meta.readOnly)
        return [
          at('label soft', 'a real API server'),
          html`<p class="quiet about"><b class="url">${v.meta.server}</b>
            What it stores is not shown. What it sends passes the wire.</p>`,
          at('foot soft', 'read only'),
        ]

      if (a.rv <= 1) return at('label soft', 'nothing is stored yet')
      const room = Math.max(
        0,
        Math.min(4, Math.floor((v.px('api') - 40 - String(a.rv).length * 14) / 19)),
      )

      const left = room ? (a.log ?? []).slice(-room) : []
      const lost = a.floor > 1 ? room - left.length : 0
      const objects = byName(a.objects)
      const own = v.chosen
      const total = a.total ?? objects.size

      return [
        at('label soft', v.word('version'), v.word('history', 'history', 'right')),
        at(
          'core',
          html`<span class="big">@${a.rv}</span><span class="past">${
            Array(lost).fill(html`<span class="lost" title="compacted"></span>`)
          }${left.map(
            x =>
              html`<span ${colour(x.key)} data-at="api" title="${x.type} ${nameOf(x.key)}@${
                x.rv
              }">${mark(x.key)}</span>`,
          )}</span>`,
        ),
        at('note soft', a.floor > 1 && soft(`from @${a.floor} on`, 'right cut')),
        v.rows(k => [
          html`<button class="radio" role="radio" aria-checked="${String(k === own)}"
            aria-label="choose ${k}" data-choose="${k}"></button>`,
          v.stored('api', k, objects, total, 10),
        ]),
        at(
          'foot soft',
          a.fault
            ? html`<span class="alarm cut">${a.fault}</span>`
            : a.watchers
              ? `${a.watchers} watch${a.watchers > 1 ? 'es' : ''}`
              : 'no watch',
          html`<span class="right">${v.plus(v.hidden(total, objects), 'api')}</span>`,
        ),
      ]
    },
  },
  {
    id: 'wire',
    title: 'wire',
    w: 7.5,
    c: 6.5,
    chapter: '1-fakeapi',
    valve: 0,
    about: 'The connection: answers to requests, and the frames of a watch.',
    draw(v) {
      const w = v.s.wire ?? {}
      const behind = (w.behind ?? []).slice(0, 1)
      const before = (w.before ?? []).slice(0, 2 - behind.length)
      const frame = (o, cls) =>
        html`<div class="framed ${cls}">${v.tok(
          'wire',
          o,
          o.key
            ? labelled(nameOf(o.key), o.rv, 12)
            : o.type === 'ERROR'
              ? o.rv
              : rv(o.rv) || (o.type === 'list' ? 'objects' : '?'),
        )}${soft(o.type, 'cut')}</div>`

      return [
        html`<div class="heap">${before.map(o => frame(o))}${v.plus(
          (w.held ?? 0) - before.length,
          'wire',
        )}${behind.map(o => frame(o, 'through'))}</div>`,
        at(
          'foot low2 soft',
          w.open && w.silent
            ? html`<b class="alarm">silence</b>`
            : w.held
              ? v.word('held', `${w.held} ${v.valve(0) ? 'before V1' : 'under way'}`, 'ink')
              : w.open && w.frames > 0 && count(w.frames, 'frame'),
        ),
        at(
          'foot soft',
          html`<span class="${v.e.fault && placeOf(v.e.lane) === 'wire' ? 'alarm' : 'mono'} cut">${
            w.open ? `from ${rv(w.from) || 'now'}` : 'no stream'
          }</span>`,
        ),
      ]
    },
  },
  {
    id: 'reflector',
    title: 'reflector',
    w: 9.5,
    c: 9,
    chapter: '2-reflector',
    sub: s => s.reflector?.last?.on,
    about:
      'Asks the server: a list first, then a watch that goes on where the list ended. ' +
      'Writes what it learns into the queue.',
    draw(v) {
      const r = v.s.reflector ?? {}
      return [
        machine(r, v.meta),
        r.hand
          ? at(
              'foot low3 soft',
              v.word('in hand'),
              html`<span class="right">${v.tok(
                'reflector',
                r.hand,
                r.hand.key ? short(nameOf(r.hand.key), 7) : `${r.hand.n ?? 0}`,
              )}</span>`,
            )
          : r.lists || r.watches
            ? at(
                'foot low3 soft',
                html`<span class="cut">lists, watches</span>`,
                html`<span class="right mono">${r.lists ?? 0}, ${r.watches ?? 0}</span>`,
              )
            : '',
        r.pauseMs > 0 && html`<i class="pause"></i>`,
        r.pauseMs > 0 &&
          at(
            'foot low2 soft',
            v.word('back off'),
            html`<span class="right alarm">${seconds(r.pauseMs)}</span>`,
          ),
        r.version &&
          at(
            'foot soft',
            v.word('seen up to'),
            html`<span class="right mono">${rv(r.version)}</span>`,
          ),
      ]
    },
  },
  {
    id: 'queue',
    title: 'DeltaFIFO',
    chip: 'queue',
    w: 13.25,
    c: 11.75,
    chapter: '3-deltafifo',
    draw: queue,
    about:
      'Stands between the network and the cache. ' +
      'It queues keys, and gathers under each key what has happened to its object.',
    sub: ({ queue: q = {} }) =>
      q.synced ? '✓ first list' : q.populated ? `list: ${q.initial} left` : '',
  },
  {
    id: 'process',
    title: 'loop',
    w: 5,
    c: 5,
    chapter: '6-informer',
    valve: 1,
    about:
      'The process loop pops a key with all its deltas, writes to the cache, ' +
      'and then tells the processor.',
    draw(v) {
      const popped = v.s.queue?.popped ?? []
      const shown = popped.slice(0, popped.length > 3 ? 2 : 3)
      return [
        html`<div class="heap">${popped.length > 0 && v.word('in hand')}${shown.map(r => [
          v.tok(
            'process',
            { ...r.deltas[0], key: r.key, tombstone: false },
            r.key ? short(nameOf(r.key), 5) : `${r.deltas[0].n ?? 'all'}`,
          ),
          r.key &&
            v.deltas(
              r,
              v.px('process') - (v.stage.root.dataset.fit === 'column' ? 110 : 8),
              'process',
            ),
        ])}${v.plus(popped.length - shown.length, 'process')}</div>`,
      ]
    },
  },
  {
    id: 'cache',
    title: 'indexer',
    w: 9.25,
    c: 8,
    chapter: '4-indexer',
    about:
      'The cache: the last state of each object that the informer knows, with indices. ' +
      'Listers read here, without a request.',
    draw(v) {
      const c = v.s.cache ?? {}
      const objects = byName(c.objects)
      const total = c.total ?? objects.size
      const [index] = (c.indices ?? []).slice(-1)

      return [
        at('label soft', v.word('objects'), v.word('synced', 'synced', 'right')),
        at('core', html`<span class="big">${total}</span><b>${c.synced ? '✓ yes' : 'not yet'}</b>`),
        at(
          'note soft',
          total > 0 &&
            index &&
            html`<button class="cut" data-open="index|">by ${index.name}, below</button>`,
          html`<span class="right">${v.plus(v.hidden(total, objects), 'cache')}</span>`,
        ),
        v.rows(k => v.stored('cache', k, objects, total, 12)),
        at('foot soft', entries(index)),
      ]
    },
  },
  {
    id: 'processor',
    title: 'processor',
    w: 9.25,
    c: 8.5,
    chapter: '5-processor',
    about:
      'Hands each notification to the listener of every handler. ' +
      'A listener has a ring, so that no handler holds up another.',
    draw: v =>
      v.thirds((l, n) =>
        !l
          ? [
              n <= listeners(v.s).length &&
                html`<span class="quiet">${n ? 'another may join late' : 'no handler yet'}</span>`,
            ]
          : [
              ring(l, v),
              html`<div class="stack"><span><b>${l.name}</b></span><span>${v.word(
                'most',
                `most ${l.high}`,
              )}</span><span>${
                l.pending > 0 ? next(l, v) : l.ended ? soft('ended') : l.removed && soft('removed')
              }</span></div>`,
            ],
      ),
  },
  {
    id: 'handlers',
    title: 'handlers',
    w: 9.5,
    c: 8.25,
    chapter: '5-processor',
    about: 'Your code: OnAdd, OnUpdate and OnDelete. Each handler has one call at a time.',
    draw: v =>
      v.thirds(l => {
        const h = l && v.s.handlers.find(x => x.name === l.name)
        if (!h) return ''
        const o = h.hand ?? { key: '', type: '' }

        return html`<div class="stack"><span><button class="radio" role="radio"
          aria-checked="${String(h.name === v.handler)}" aria-label="choose handler ${h.name}"
          data-choose="handler|${h.name}"></button><b>${h.name}</b>${
            v.word('told', `told ${h.told}`, 'right')
          }</span>
      ${
        h.panicked || h.panics
          ? html`<span class="alarm cut">${
              h.panicked ? 'panicked, pauses' : 'will panic next'
            }</span>`
          : html`<span class="soft">${l.synced ? '✓ synced' : 'syncing'}, ${
              h.busy ? 'in a call' : l.ended ? 'ended' : 'idle'
            }</span>`
      }<span>${
        h.hand
          ? v.tok(
              'handlers',
              o,
              short(nameOf(o.key), 7),
              `${h.busy ? '' : 'bare'} ${v.e.lane === 'handler:' + h.name ? '' : 'calm'}`,
              `call|${h.name}`,
            )
          : '–'
      }${soft(o.type, 'cut')}</span></div>`
      }),
  },
]

const SPANS = PLACES.map(p => p.id)

function next(listener, v) {
  const [o] = listener.ring.waiting
  return v.tok('processor', o ?? { key: '' }, o?.key ? short(nameOf(o.key), 7) : 'list', 'bare')
}

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
