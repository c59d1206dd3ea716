'use strict'

Stage.book = ROOT.href

// A Scene is the tape of a story on a stage. A reader can take it over: then the stage is that of a
// machine that runs, with the same places, at the same event.
class Scene {
  // el holds the stage. It is the place of the picture, or one that several scenes share.
  constructor({ name, tape, story, places, title }, el, options = {}) {
    Object.assign(this, { name, tape, story, places, title, el, options, stage: null })
  }

  load() {
    return (this.loading ??= unpack(this.tape).then(got => (this.got = got)))
  }

  put(tape, options) {
    this.stage?.end()
    return (this.stage = new Stage(this.el, tape, { label: this.title, ...options }))
  }

  // tell shows the recording, at an event or from its beginning.
  tell(at) {
    const { got, places, options } = this

    this.machine?.end()
    this.machine = null
    this.put(got.tape, {
      ...got,
      verbs: undefined, // those are for a machine
      at,
      places: places ? places.split(' ') : undefined,
      history: !places,
      take: seq => this.take(seq),
      ...options,
    })
  }

  async take(seq) {
    const told = this.stage
    this.program ??= new Program({
      base: MACHINE,
      progress: ({ loaded, total }) => this.stage?.loads(loaded / total),
    })

    const at = told.tape.name(seq)
    const machine = new Machine(this.program, {
      show: (tape, options) =>
        this.put(tape, {
          ...this.options,
          ...options,
          places: this.places ? this.places.split(' ') : undefined,
          history: !this.places,
          verbs: this.got.verbs,
          whole: `${MACHINE}index.html#${this.name},${at},take`,
          back: () => this.tell(seq),
        }),
    })
    told.loads(0)
    const error = await machine.open({
      story: this.got.story,
      queue: this.got.tape.meta.queue,
      seq,
    })

    if (error) {
      told.loads(null)
      return told.tell(error, true)
    }
    this.machine = machine
  }

  // seq is the event that has these words, or this number, or at which the lesson asks its
  // question.
  seq(words) {
    const { beats, proof } = this.got
    this.heard ??= new Tape(this.got.tape)
    if (!words) return undefined
    if (words === 'question') return beats?.findLast(b => b.seq < proof)?.seq
    return /^\d+$/.test(words) ? +words : this.heard.find(words)
  }

  // show goes to the event that has these words, or to the beginning.
  async show(words) {
    await this.load()
    const at = this.seq(words) ?? this.got.beats?.[0]?.seq
    if (!this.stage || this.stage.orders || this.stage.root.parentElement !== this.el) this.tell(at)
    else this.stage.go(at ?? this.stage.tape.first, 1)
  }

  end() {
    this.machine?.end()
    this.stage?.end()
    this.machine = this.stage = null
  }
}

// inPlace makes a figure a scene of its own, which begins when it comes into view.
function inPlace(figure) {
  const el = document.createElement('div')
  const scene = new Scene(figure.dataset, el)
  figure.scene = scene
  scene.begin = async () => {
    if (scene.begun) return
    scene.begun = true
    await scene.load()
    figure.classList.add('alive')
    figure.querySelector('picture').after(el) // print shows the picture
    scene.tell()
  }

  new IntersectionObserver(
    (seen, o) => {
      if (seen.some(e => e.isIntersecting)) {
        o.disconnect()
        scene.begin()
      }
    },
    { rootMargin: '400px' },
  ).observe(figure)
  return scene
}

// wanted are the scene and the words that an address names: #scene,words, in the book that is one
// file #page:scene,words. On the page of a story the scene is called moment.
function wanted(address) {
  const [, page, name, words] = /#(?:(.*?):)?([\w-]+),(.*)/.exec(address) ?? []
  return name && { page, name, words: decoded(words) }
}

function decoded(text) {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
