'use strict'

// A tape is a list of events, each with the state after it: of a story that has been played, or of
// a machine that runs, which adds to it. It knows at which events a step stops.
class Tape {
  // beats: [{ seq, says }], none: a step leads to the next event that changes the picture or says
  // something new. most: so many events are kept.
  constructor({ meta, events, sources }, { beats = [], most = Infinity } = {}) {
    Object.assign(this, { meta: meta ?? {}, sources: sources ?? {}, most, log: new Map() })
    for (const e of events) this.log.set(e.seq, e)
    this.low = events[0].seq
    this.head = events.at(-1).seq
    this.beats = beats
  }

  at(n) {
    return this.log.get(n)
  }

  add(e) {
    this.log.set((this.head = e.seq), e)
    while (this.head - this.low >= this.most) this.log.delete(this.low++)
  }

  // before puts in an event of before the list. They come in order: with the last there is no gap.
  before(e, isLast) {
    this.log.set(e.seq, e)
    if (isLast) this.low = Math.min(...this.log.keys())
  }

  get first() {
    return this.beats[0]?.seq ?? this.low
  }

  get last() {
    return this.beats.at(-1)?.seq ?? this.head
  }

  beat(n) {
    return this.beats.find(b => b.seq === n)
  }

  // reached is the index of the last beat that is not after n, -1: none.
  reached(n) {
    return this.beats.findLastIndex(b => b.seq <= n)
  }

  // onward is the event that a step leads to. What is before the first beat, and what lies between
  // beats, is reached by fine steps, and by going back from the first beat.
  onward(n, way, fine) {
    if (this.beats.length && !fine && (way > 0 ? n < this.last : n > this.first))
      return (way > 0 ? this.beats.find(b => b.seq > n) : this.beats.findLast(b => b.seq < n)).seq
    let to = n + way
    while (this.log.has(to + way) && !this.isNew(to)) to += way
    return Math.max(this.low, Math.min(to, this.head))
  }

  // isNew says whether an event changes the picture or says something new. What a story types is in
  // the lanes, and is passed over.
  isNew(n) {
    const e = this.at(n)
    const before = this.at(n - 1) ?? e
    const picture = x => JSON.stringify({ ...x.state, recent: 0 })

    return (
      e.kind !== 'do' &&
      !(e.kind === 'say' && this.beats.length) &&
      (picture(e) !== picture(before) || this.says(e) !== this.says(before))
    )
  }

  // command is the event before or after n with which you or the story did something.
  command(n, way) {
    for (n += way; this.log.has(n); n += way)
      if (['you', 'story'].includes(this.at(n).lane)) return n
    return way < 0 ? this.low : this.head
  }

  // find is the event that a name means: words of it, as they stand in an address, and with ~2 the
  // second that has them.
  find(name) {
    const [, words, n = 1] = /^(.*?)(?:~(\d+))?$/s.exec(name)
    return this.having(words)[n - 1]?.seq
  }

  having(words) {
    const all = slug(words)
    const events = [...this.log.values()]
    const same = events.filter(e => slug(e.text) === all)
    return same.length ? same : events.filter(e => slug(e.text).includes(all))
  }

  // name is what an event is called in an address: numbers change with the recording.
  name(seq) {
    const { text } = this.at(seq)
    const n = this.having(text).filter(e => e.seq <= seq).length
    return slug(text) + (n > 1 ? `~${n}` : '')
  }

  says(e) {
    return this.beat(e.seq)?.says ?? spoken(e, this.meta)
  }

  // caption is the prose of the act that an event belongs to.
  caption(e) {
    for (let n = e.seq; this.meta.story && this.log.has(n); n--) {
      const x = this.at(n)
      if (x.lane === 'story' && x.kind === 'say') return x.text
    }
    return ''
  }

  // versions are the states of an object that a stage has shown, in the order in which they were
  // made.
  versions(key) {
    const found = new Map()
    for (const e of this.log.values())
      if (e.object && isOf(e, key))
        found.set(JSON.parse(e.object).metadata?.resourceVersion, e.object)
    return found
  }

  lastTouch(place, key, at) {
    const p = { call: 'handlers', delta: 'queue' }[place] ?? place
    for (let n = at; n >= this.low; n--) {
      const e = this.at(n)
      if (
        e &&
        placeOf(e.lane) === p &&
        (place === 'call' ? e.lane === 'handler:' + key : nameOf(e.key) === nameOf(key))
      )
        return e
    }
  }

  // clock gives each event a place on an axis: a pause of 30 s is longer than one of 0 ms, though
  // not as much longer as it is.
  clock(from, to) {
    const x = new Map()
    for (let n = from, at = 0; n <= to; n++) {
      const pause = n > from ? Math.max(0, this.at(n).at - (this.at(n - 1)?.at ?? 0)) : 0
      x.set(n, (at += 1 + 5 * Math.log10(1 + pause / 100)))
    }
    return x
  }
}

// slug is a text as it stands in an address.
const slug = text => text.replace(/\W+/g, '-').replace(/^-|-$/g, '')
