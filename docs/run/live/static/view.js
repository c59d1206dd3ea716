'use strict'

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
    const changed = place === 'cache' && this.s.cache.changed?.[o?.key]
    if (o)
      return [
        this.tok(place, o, labelled(k, o.rv, n)),
        changed && html`<span class="alarm set" title="written by a reader">+${changed}</span>`,
      ]

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
