'use strict'

// Drawing of places: one state in, what stands in a place out. PLACES are what can stand on a
// stage, from left to right. Pipes join neighbours. A place draws what it holds as objects (tok),
// each with the place and the key of the object: by these a mark flies from place to place, is lit
// wherever it is, and opens.
const at = (cls, ...inner) => html`<div class="at ${cls}">${inner}</div>`

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
          html`<span class="big">@${a.rv}</span><span class="past">${Array(lost).fill(
            html`<span class="lost" title="compacted"></span>`,
          )}${left.map(
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
                html`<span class="cut">${count_(r.lists, 'list')}, ${count_(
                  r.watches,
                  'watch',
                  'watches',
                )}</span>`,
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
          r.key && v.deltas(r, v.px('process') - 8, 'process'),
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
            html`<button class="cut" data-open="index|">index: ${index.name}</button>`,
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
                `peak ${l.high}`,
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
          data-choose="handler|${h.name}"></button><b>${h.name}</b>${v.word(
            'told',
            count_(h.told, 'call'),
            'right',
          )}</span>
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
