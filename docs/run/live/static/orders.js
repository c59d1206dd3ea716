'use strict'

// What a reader orders from a machine that runs: buttons, verbs and valves, and what they promise.

// expected is what a button promises, as the machine stands now.
function expected(b, { s }) {
  const { reflector: r = {}, wire = {}, server } = s
  const fault = server?.fault ?? ''
  const pause = r.pauseMs ? `after the pause that is running (${seconds(r.pauseMs)})` : ''
  const writes = ['create', 'update', 'delete', 'fill', 'lose'].includes(b.do)
  const shaky = s.handlers.filter(h => h.panics).map(h => h.name)
  const later =
    r.state === 'stopped'
      ? 'when one is started'
      : /refused|status/.test(fault)
        ? 'after “heal”'
        : pause || 'with the next list or watch'

  if (b.do === 'heal' && r.state !== 'watching')
    return `No fault is armed any more. The next attempt succeeds${pause && ', '}${pause}.`
  if (b.do === 'heal') return 'No fault is armed any more.'
  if (writes && (!wire.open || wire.silent))
    return `Only the server changes: ${
      wire.silent ? 'the open watch is silent' : 'no watch is open'
    }. The informer learns of it ${later}.`

  const young =
    ['drop', 'disconnect'].includes(b.do) && wire.open && !wire.frames
      ? ' But no frame has come on this watch: if it is younger than a second, ' +
        'the reflector pauses, and lists.'
      : ''

  return (
    b.expect +
    young +
    (writes && fault ? ` But a fault is armed: ${fault}.` : '') +
    (writes && shaky.length ? ` ${shaky.join(' and ')} will panic in the call.` : '')
  )
}

// label is that of a button, with the name that it will use.
function label(b, v) {
  let n = 1
  while (v.present.has('web-' + n)) n++
  // Then only the machine knows which names are free.
  const many = v.s.server?.total > v.present.size
  const name = {
    create: !v.present.has(v.chosen) ? v.chosen : many ? '' : 'web-' + n,
    panic: v.handler,
    'remove-handler': v.handler,
  }[b.do]

  return name ? `${b.label} ${short(name, 9)}` : b.label
}

// press sends what a button says.
function press(stage, b) {
  const { orders, view: v, follow } = stage
  if (stage.isPast)
    return stage.tell(
      orders
        ? 'This is what was. Press L for live, then act.'
        : 'This is a recording: it can be stepped through, not acted on.',
    )

  let key = b.needsKey || b.do === 'create' ? v.chosen : ''
  if (b.do === 'create' && v.present.has(key)) key = '' // the machine finds a new name
  const args = { ...b.args }
  const held = v.s.valves.filter(x => ['held', 'one'].includes(x.mode)).map(x => x.name)

  if (b.do === 'remove-handler' || b.do === 'panic') args.name = stage.chosenHandler = v.handler
  if (key && !key.includes('/')) key = 'default/' + key
  stage.want = follow ? 0 : 1

  stage.tell(
    `“${
      key ? `${b.label} ${nameOf(key)}` : label(b, v)
    }”. ${b.expect ? `Expect: ${expected(b, v)}` : ''}${
      held.length
        ? ` But ${held.join(' and ')} ${held.length > 1 ? 'hold' : 'holds'} back what comes there.`
        : ''
    }${follow || stage.plays ? '' : ' Step on and see.'}`,
  )

  return orders.post({ do: b.do, key, args })
}

// VERBS are short words for what buttons do.
const VERBS = { cut: 'disconnect', 'break-frame': 'cut' }

// verb does what a short sentence says, such as "delete web-2".
function verb(stage, text) {
  const [word, key = ''] = text.split(' ')
  const b = (stage.tape.meta.buttons ?? []).find(x => x.do === (VERBS[word] ?? word))
  if (key) stage.chosen = key
  stage.show(0)
  return press(stage, b)
}

function turn(stage, id, how) {
  const { orders } = stage
  const v = stage.state?.valves?.find(x => x.name === id)
  if (!v || !orders) return
  if (stage.isPast) return stage.tell('This is what was. Press L for live, then act.')
  stage.want = stage.follow ? 0 : 1
  stage.note = null // what the valve does is told now
  const { wire, queue, listeners } = stage.state
  const waits = { V1: [wire.held, 'frame'], V2: [queue.total, 'key'] }[id] ?? [
    (listeners.find(l => l.name === v.handler)?.pending ?? 0) + v.waiting,
    'call',
  ]

  if (how === 'disc' && v.mode === 'held')
    stage.tell(
      `${id} opens. ${
        v.waiting ? `What has waited comes now: ${count(...waits)}.` : 'Nothing has waited there.'
      }`,
    )

  if (how === 'disc' && v.mode === 'one') return orders.post({ do: 'admit', args: { name: id } })
  const cycle = ['open', 'held', 'one', 'slow']
  const mode =
    how === 'disc' ? (v.mode === 'open' ? 'held' : 'open') : cycle[(cycle.indexOf(v.mode) + 1) % 4]
  return orders.post({ do: 'valve', args: { name: id, mode } })
}
