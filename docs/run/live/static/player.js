'use strict'

// A Player moves along a tape: by events, by itself at the pace of a reader, and with a machine
// that reports more of them.
const SPEEDS = [0.25, 0.5, 1, 2, 4]

class Player {
  go(to, moved = 0) {
    const at = Math.max(this.tape.low, Math.min(to, this.tape.head))
    if (at !== this.cur) this.note = null
    this.cover = ''
    this.looks = ''
    this.follow = false
    this.cur = at
    this.since = performance.now()
    this.seen = Math.max(this.seen, at)
    this.draw(moved)
    if (this.brief) minute.wait(this)
  }

  // grew shows what a machine that runs has reported. want is how many events a press is to show.
  grew() {
    const { tape } = this
    let moved = 0
    if (this.plays) {
      this.goOn()
      return this.draw()
    }
    if (this.want) {
      this.want--
      this.cur = tape.head - 1
      moved = 1
    }

    if (this.follow || moved)
      this.seen = this.cur = Math.max(this.follow ? tape.head : this.cur + 1, tape.low)
    this.cur = Math.max(this.cur, tape.low)
    this.seen = Math.max(this.seen, this.cur)
    this.draw(this.follow ? 0 : moved)
  }

  // goOn plays what a machine has reported: it stays at what is new as long as its sentence takes
  // to read. Meanwhile the time of the machine stands still.
  goOn() {
    const { tape, cur, orders } = this
    const isBehind = cur < tape.head
    orders.hold(isBehind)
    if (!this.plays || !isBehind || this.timer) return
    const left = this.since + pace(this.words.text, this.heard) / this.speed - performance.now()
    this.timer = setTimeout(
      () => {
        this.timer = 0
        if (!this.plays || this.life.signal.aborted) return
        this.heard.add(this.words.text)
        this.go(this.onward(), 1)
        this.goOn()
      },
      Math.max(300, left),
    )
  }

  // onward is the next event that is new and happens in a place that stands here.
  onward() {
    const { tape } = this
    let to = tape.onward(this.cur, 1)
    while (to < tape.head && !this.place(placeOf(tape.at(to).lane))) to = tape.onward(to, 1)
    return to
  }

  // begin goes to the first event of a machine, unless the reader has moved.
  begin() {
    if (this.cur !== this.seen || this.follow) return
    const { note } = this
    this.cur = this.seen = this.tape.low
    this.note = note
  }

  // tell says something about what the reader did. It stays until the reader moves, or for some
  // seconds.
  tell(text, bad) {
    this.note = { text, bad, until: performance.now() + 6000 }
    this.since = performance.now()
    setTimeout(() => this.draw(), 6100) // a reader who follows reads what happens now
    this.draw()
  }

  // play reads: it stays as long as the words take. At a question it stops until that is answered.
  play(on = !this.timer) {
    clearTimeout(this.timer)
    this.follow = false
    if (this.paced) {
      this.plays = !this.plays || this.orders.standing
      this.timer = 0
      if (this.orders.standing) this.orders.start()
      this.goOn()
      return this.draw()
    }
    const wait = () => (1200 + 45 * this.words.text.length) / this.speed
    const step = () => {
      if (!this.cover && this.cur >= (this.orders ? this.tape.head : this.tape.last))
        return this.orders ? (this.timer = setTimeout(step, 700)) : this.play(false)
      act.step(this)
      this.timer = setTimeout(step, wait())
      if (this.asks && this.said < 0) {
        this.play(false)
        this.resumes = this.cur
      }
    }

    this.timer = on ? setTimeout(step, 300) : 0
    this.draw()
  }
}

// pace is how many milliseconds a sentence stays: as long as it takes to read, once.
const pace = (text, heard) =>
  heard.has(text) ? 1200 : Math.min(6000, Math.max(1200, 45 * text.length))
