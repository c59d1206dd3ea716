'use strict'

// What a click shows: an object whole, an event, the code that acted, a collection, and help.
const KEYS = html`<p><b>Keys</b></p>
<pre>→ or space     step: to the next point of a lesson, or the next event
←              back: look at what was (read only)
.  ,           one event on, one back, within a step
1 … 4  A … D   answer a question
E              the event that shows the answer, and back
Home           where the lesson begins
[  ]           the command before, the command after
P  &lt;  &gt;        play, slower, faster
O              take over: go on from here on a machine of your own
L              live (and follow)
1 … 5          turn valve V1 … V5 (open, held; one: lets one through)
Shift 1 … 5    the valve’s next mode: open, held, one, slow
C U D          create an object; update, delete the chosen one
J K            choose the next object, the one before
H              choose the next handler
T  ?           light or dark, this help
Tab Enter      every token, cell, valve and button</pre>
`

const help = ({ tape: { meta } }) => [
  html`<h2>What is drawn</h2><dl class="terms">${(meta.terms ?? [])
    .filter(t => t.help)
    .map(t => html`<dt>${t.word}</dt><dd>${t.says}</dd>`)}</dl>`,
  KEYS,
]

// open_ shows a dialog. An excerpt in it may be still on its way: so it is given a function, and
// fill draws again whenever something has come.
function open_(stage, markup) {
  const d = stage.$('dialog')
  stage.markup = markup
  fill(stage)
  if (!d.open) d.showModal()
}

function fill(stage) {
  const d = stage.$('dialog')
  // close comes first and has the focus: a dialog scrolls to what has it.
  put(d, [
    html`<p class="close"><button class="btn" data-do="close">✕ close<kbd>Esc</kbd></button></p>`,
    stage.markup(),
  ])
  if (d.open && !d.contains(document.activeElement)) d.querySelector('[data-do=close]').focus()
}

// token opens an object: whole, as a difference from its state before, with what the place has of
// it and the line that touched it last.
function token(stage, id) {
  const [place, key, version] = id.split('|')
  const s = stage.e.state
  const at = stage.cur

  if (place === 'index')
    return open_(
      stage,
      () =>
        html`<h2>Indices of the cache</h2><pre>${(s.cache.indices ?? []).map(
          x =>
            `${x.name}\n${x.values
              .map(v => `  ${v.value}: ${v.keys.map(nameOf).join(', ')}\n`)
              .join('')}`,
        )}</pre>`,
    )

  if (!key && MANY[place]?.(s)?.length) return collection(stage, place)
  const is = x => nameOf(x?.key) === nameOf(key)
  const rowsAt = { process: s.queue?.popped, queue: s.queue?.rows, delta: s.queue?.rows }[place]
  const handler = place === 'call' && s.handlers.find(h => h.name === key)
  const delta = place === 'delta' && rowsAt.find(is)?.deltas[version]
  const of = handler ? (handler.hand?.key ?? '') : key
  const at_ = delta ? delta.rv : handler ? handler.hand?.rv : version
  const held =
    {
      wire: s.wire,
      reflector: s.reflector?.hand,
      call: { ...handler, listener: listeners(s).find(l => l.name === key) },
    }[place] ??
    rowsAt?.find(is) ??
    delta

  let last
  open_(
    stage,
    () =>
      html`<h2>${
        of && html`<span ${colour(of)}>${mark(of)}</span>`
      }${nameOf(of) || (handler ? key : 'a whole list')}<span class="soft">in the ${
        { call: 'handlers', delta: 'queue' }[place] ?? WHERE[place]
      }, after event ${at}</span></h2>${of && whole(stage, of, at_)}${
        held &&
        html`<p class="soft">What this place has of it:</p><pre>${JSON.stringify(
          held,
          null,
          1,
        )}</pre>`
      }${
        (last ??= stage.tape.lastTouch(place, key, at))
          ? html`<p>Touched last by event ${last.seq}: ${last.text}</p>${excerpt(stage, last, 40)}`
          : html`<p class="soft">No event at hand has touched it.</p>`
      }`,
  )
}

function whole(stage, key, version) {
  const found = [...stage.tape.versions(key)]
  const n = found.findIndex(([v]) => v === String(version))
  if (n < 0)
    return html`<p class="soft">No stage has shown ${nameOf(key)}${rv(version)} whole,
      as far as events are held.</p>`

  const text = i =>
    i < 0
      ? []
      : JSON.stringify(JSON.parse(found[i][1]), null, 2).replaceAll(',\n', '\n').split('\n')

  const lines = n > 0 ? difference(text(n - 1), text(n)) : text(n).map(l => [' ', l])
  const what =
    n > 0
      ? html`Whole, with what differs from <b>${rv(found[n - 1][0])}</b>, the state before:`
      : 'The whole object, in the first state that is known:'

  return html`<p>${what}</p><pre class="whole">${lines.map(
    ([sign, l]) => html`<span class="${{ '+': 'plus', '-': 'minus' }[sign]}">${sign} ${l}\n</span>`,
  )}</pre>`
}

// difference compares two texts line by line: what both have in common stays, as much as possible.
function difference(old, now) {
  const common = Array.from({ length: old.length + 1 }, () => Array(now.length + 1).fill(0))
  const lines = []
  for (let i = old.length; i--;)
    for (let k = now.length; k--;)
      common[i][k] =
        old[i] === now[k] ? common[i + 1][k + 1] + 1 : Math.max(common[i + 1][k], common[i][k + 1])

  for (let i = 0, k = 0; i < old.length || k < now.length;) {
    if (i < old.length && old[i] === now[k]) {
      lines.push([' ', now[k++]])
      i++
    } else if (i < old.length && (k === now.length || common[i + 1][k] >= common[i][k + 1]))
      lines.push(['-', old[i++]])
    else lines.push(['+', now[k++]])
  }

  return lines
}

const MANY = {
  api: s => s.server?.objects,
  cache: s => s.cache?.objects,
  queue: s => s.queue?.rows,
  wire: s => s.wire?.before,
  process: s => s.queue?.popped,
}

function collection(stage, place) {
  const rows = MANY[place](stage.e.state)
  const at = stage.cur
  open_(
    stage,
    () => html`<h2>Everything in the ${WHERE[place]}, after event ${at}</h2>
    <p class="soft">Those touched last, at most 100. Choose one and it gets its row.</p>
    <p>${rows.map(
      r =>
        html`<button class="tok" ${colour(r.key)} data-choose="${nameOf(r.key)}">${mark(
          r.key,
        )}<span>${nameOf(r.key)}${
          r.deltas ? ` ${r.deltas.length + (r.earlier ?? 0)}` : rv(r.rv)
        }</span>${r.type && soft(r.type)}</button> `,
    )}</p>`,
  )
}

function event(stage, seq) {
  const e = stage.tape.at(seq)
  const facts = {
    event: e.seq,
    at: seconds(e.at),
    lane: e.lane,
    kind: e.kind,
    key: e.key,
    text: e.text,
    from: e.from,
    to: e.to,
  }

  open_(
    stage,
    () => html`<h2>event ${seq}<span class="soft">${whereOf(e)}</span></h2><p>${spoken(
      e,
      stage.tape.meta,
    )}</p>
    <dl>${Object.entries(facts)
      .filter(([, x]) => x !== '' && x != null)
      .map(([k, x]) => html`<dt>${k}</dt><dd>${x}</dd>`)}</dl>
    <p><button class="btn" data-go="${seq}">${
      seq < stage.cur ? 'go back to it' : 'go to it'
    }</button></p>${excerpt(stage, e, 40)}`,
  )
}

// excerpt shows the line that acted: four lines above the stage, all of its function in a dialog,
// where the trace's call is marked, too, and who called.
const NO_LINE = {
  you: 'This was you: no line of the machine acted.',
  story: 'This is the story: no line of the machine acted.',
}

function excerpt(stage, e, most) {
  const src = e.file ? stage.sources(e) : null
  const whole = most > 4

  if (!e.file)
    return html`<div class="code"><em>${
      NO_LINE[e.lane] ?? 'No stage reports this. The page has waited for it, as any program can.'
    }</em></div>`

  const rows = src?.lines ?? []
  const i = Math.max(
    0,
    rows.findIndex(l => l.n === e.line),
  )

  const from = whole ? 0 : Math.max(0, Math.min(i - 1, rows.length - most))
  const some = rows.slice(from, from + most)
  const indent = Math.min(
    ...some.filter(l => l.text.trim()).map(l => l.text.match(/^\t*/)[0].length),
    9,
  )

  const own = `${e.file}:${e.line}`
  const what = e.report === own ? 'the line that reported it' : 'the line that acted'
  const reports = l =>
    whole && e.report !== own && e.report === `${e.file}:${l.n}` && html`<u>reports it</u>`

  const page = whole && Stage.book && `${Stage.book}${e.file}.html#L${e.line}`
  const at = page ? html`<a href="${page}">${own}</a>` : own
  const head = html`<b><span class="at_">${at}</span><span class="cut">in ${
    e.func || src?.func
  }</span><span class="right">${what}</span></b>`

  return html`<div class="code">${head}${some.map(
    l =>
      html`<div class="${l.n === e.line ? 'now' : ''}"><i>${l.n}</i>${l.text
        .slice(indent)
        .replaceAll('\t', '  ')}${reports(l)}</div>`,
  )}${src?.error && html`<em>${src.error}</em>`}${
    whole &&
    html`<p>${(e.callers ?? []).map(
      c => html`<span>called by <b>${c.func}</b>, ${c.file}:${c.line}</span>`,
    )}</p>`
  }</div>`
}
