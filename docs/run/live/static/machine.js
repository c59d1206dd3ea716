'use strict'

// A Machine is one that runs: the page's side of it. For that a page is a reflector: GET /state is
// its list, GET /events its watch, and the number of the last event its resource version.
const KEEP = 2000 // events, as many as the machine holds
const BACK = 500 // as many of those before its list a page is sent
const json = answer => answer?.json().catch(() => null)
const megabytes = bytes => `${(bytes / 1e6).toFixed(1)} MB`

class Machine {
  // show makes the stage of a tape with options, changed is called when the link changes.
  constructor(program, { show, changed = () => {} }) {
    Object.assign(this, {
      program,
      show,
      changed,
      lists: 0,
      link: 'listing',
      found: new Map(),
      standing: false,
    })
  }

  // open makes the machine, at an event of a story or, without one, at rest. It answers a sentence
  // if that fails.
  async open(story = {}) {
    const mine = (this.era = {})
    const answer = await this.program.ask('open', { method: 'POST', body: JSON.stringify(story) })
    if (mine !== this.era) return
    if (!answer.ok) {
      this.linked('lost')
      return (await json(answer))?.error ?? `the program answers ${answer.status}`
    }

    this.story = story.story
    this.standing = !!story.story
    await this.list()
  }

  // list begins with the state as it is now. A machine that is left or has listed again has another
  // era.
  async list() {
    const mine = (this.era = {})

    this.link = 'listing'
    const got = await this.program
      .ask('state')
      .then(r => (r.ok ? r.json() : null))
      .catch(() => null)

    if (mine !== this.era) return
    if (!got) {
      this.linked('lost')
      return setTimeout(() => mine === this.era && this.list(), 1000)
    }

    const { run, seq, floor, state, meta } = got
    Object.assign(this, { run, listed: seq, lists: this.lists + 1 })
    this.tape = new Tape(
      { meta, events: [{ seq, at: 0, lane: '', kind: '', text: '', state }] },
      { most: KEEP },
    )

    this.stage = this.show(this.tape, {
      orders: this,
      sources: e => this.source(e),
      follow: !this.story && this.lists > 1 && this.stage?.follow,
      plays: !!this.story,
      at: this.story ? seq : undefined,
    })

    if (this.lists === 1)
      this.stage.tell(
        this.standing
          ? `This is event ${seq} on a machine of your own, and its time stands still. ` +
              'Press a button, step or play: then it goes on.'
          : `This machine is yours, and runs in real time. So far it has made ${seq} events: ` +
              'step through them, or press a button below a place.',
      )

    this.watch(mine, Math.max(floor, seq - BACK) - 1)
  }

  // watch asks for what came after the last event, again and again, and lists when that is gone.
  async watch(mine = this.era, after = this.tape.head) {
    while (mine === this.era) {
      const answer = await this.program
        .ask(`events?run=${this.run}&after=${after}`)
        .catch(() => null)
      const got = await json(answer)

      if (mine !== this.era) return
      if (answer?.status === 410) return this.list()
      if (answer?.ok) for (const e of got ?? []) if (mine === this.era) this.receive(e)
      after = got?.at?.(-1)?.seq ?? after
      this.linked(answer?.ok ? 'watching' : 'lost')
      if (!answer?.ok) await new Promise(done => setTimeout(done, 1000))
    }
  }

  receive(e) {
    const { tape, stage } = this
    // What was before the list comes too, the oldest first.
    if (e.seq <= this.listed) {
      tape.before(e, e.seq === this.listed)
      if (e.seq === this.listed && this.lists === 1 && !this.story) stage.begin()
      stage.draw()
    }

    if (e.seq <= tape.head) return

    // Something is missing, and only a list can help.
    if (e.seq !== tape.head + 1) return this.list()
    e.arrived = performance.now()
    tape.add(e)
    stage.grew()
  }

  linked(is) {
    if (this.link === is) return
    this.link = is
    this.changed()
  }

  source(e) {
    const id = `${e.file}:${e.line}`
    if (!this.found.has(id)) {
      this.found.set(id, null)
      this.program
        .ask(`source?file=${encodeURIComponent(e.file)}&line=${e.line}`)
        .then(async r => (r.ok ? await r.json() : { lines: [], error: (await r.json()).error }))
        .catch(() => ({ lines: [], error: 'The source cannot be read now.' }))
        .then(got => {
          this.found.set(id, got)
          this.stage.draw()
        })
    }

    return this.found.get(id)
  }

  async post(body) {
    this.standing = this.isHeld = false
    const answer = await this.program
      .ask('do', { method: 'POST', body: JSON.stringify(body) })
      .catch(() => null)
    if (answer?.ok) return
    const { stage } = this
    const error = answer ? (await json(answer))?.error : 'the server cannot be reached'
    const behind = this.tape.head - stage.cur

    stage.want = 0

    stage.tell(
      `Refused: ${error || answer.status}.${
        behind > 0 ? ` (The machine is ${count(behind, 'event')} further than this picture.)` : ''
      }`,
      true,
    )
  }

  // start lets the time of a machine pass that stands at an event.
  start() {
    this.standing = false
    this.isHeld = false
    this.time()
  }

  // hold lets the time of the machine stand still, or pass again, and skip lets some pass at once.
  hold(is) {
    if (is === this.isHeld || this.standing) return
    this.isHeld = is
    this.time()
  }

  skip(ms) {
    this.time(ms)
  }

  time(skip = 0) {
    const body = JSON.stringify({ hold: !!this.isHeld, skip })
    this.program.ask('go', { method: 'POST', body })
  }

  end() {
    this.era = null
  }
}
