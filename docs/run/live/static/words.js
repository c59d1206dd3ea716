'use strict'
// What a teacher would say of an event, by its lane and the words of the stories. It only words what
// the event tells; a story brings its own prose.
const SAY = [
  ['api', /^GET list, version "0"/, () => 'The reflector asks for everything. Any version will do: the server may answer from its cache.'],
  ['api', /^GET list/, () => 'The reflector lists: it asks for a state at least as new as the one it has seen.'],
  ['api', /^GET watch, version "?([^"]*)"?/, (e, m) => `A watch asks for everything after version ${m[1]}.`],
  ['api', /^ADDED (\S+), version (\d+)/, (e, m) => `${m[1]} is created on the server, which remembers it as version ${m[2]}.`],
  ['api', /^MODIFIED (\S+), version (\d+)/, (e, m) => `${m[1]} is changed on the server, which remembers the change as version ${m[2]}.`],
  ['api', /^DELETED (\S+), version (\d+)/, (e, m) => `${m[1]} is deleted on the server. The deletion has a version of its own, ${m[2]}.`],
  ['api', /^sends BOOKMARK/, () => 'A bookmark: no object, only the version up to which the client has seen everything.'],
  ['api', /^sends ERROR/, () => 'The server has forgotten what came after the version that was asked for. The status 200 is sent already, so the answer is an event in the stream: ERROR, with the code 410 (Expired).'],
  ['api', /^sends \S+ (\S+)@/, (e, m) => `The server writes a frame about ${m[1]} to the open watch. The client has sent no request for it.`],
  ['api', /^fault: /, () => 'A fault was armed: this is what the server does instead of what it should.'],
  ['api', /^watch ended: expired/, () => 'The server ends the watch after its ERROR: it has nothing to send from that version on.'],
  ['api', /^watch ended/, () => 'The server’s side of the watch is over.'],
  ['wire', /waits at (\S+)/, (e, m) => `A frame has come, and waits at ${m[1]}: nothing behind it is read.`],
  ['wire', /^([A-Z]+) (\S+)@/, (e, m) => `One frame passes the wire: ${m[1]} ${m[2]}.`],
  ['wire', /^list: 200/, () => 'The list has arrived, as one answer: every object, and the version at which they were read.'],
  ['wire', /^(list|watch): /, (e, m) => `The request for a ${m[1]} has failed. The reflector decides what to do next.`],
  ['wire', /^stream open/, () => 'The server answers the watch with a stream. Each event will come on it, in a frame of its own.'],
  ['wire', /^stream closed/, () => 'The client has closed the stream, and reads no more of it.'],
  ['wire', /^stream (ended|broken)/, () => 'No more frames will come from this stream. What was read is read; the rest must be asked for again.'],
  ['wire', /^ERROR 410/, () => 'The stream brings no object but an error, 410 (Expired): the server no longer has the changes that this watch asked for, so no watch can bring them.'],
  ['wire', /^ERROR (\d+)/, (e, m) => `The stream brings no object but an error of the server, ${m[1]}.`],
  ['wire', /^BOOKMARK/, () => 'A bookmark passes the wire: a version, and no object.'],
  ['wire', /part of a frame/, () => 'Half a frame has come. It must not become an event.'],
  ['reflector', /^(\d+) objects?, version (\d+)/, (e, m) => `The list has ${count(+m[1], 'object')} and is of version ${m[2]}. Whatever comes after ${m[2]} is for the watch.`],
  ['reflector', /^skipped/, () => 'One object could not be read. It is left out, and the others are not held up.'],
  ['reflector', /^version went back/, () => 'The server shows an older state than before: it was restored, or another one answers.'],
  ['reflector', /→ stopped/, () => 'The informer stops, from its source to its end: the reflector is the first.'],
  ['reflector', /: (?:failed|busy).*→ ([a-z ]+)/, (e, m) => `That attempt has failed. By its table the reflector ${/back off/.test(e.text) ? 'waits, and then goes' : 'goes'} on with ${m[1].trim()}.`],
  ['reflector', /^list at/, () => 'The list is under way. Until it is answered there is nothing to queue.'],
  ['reflector', /^streaming list/, () => 'The reflector opens a watch that begins with everything there is: a streaming list.'],
  ['reflector', /^watch from version (\S+)/, (e, m) => `The reflector opens a watch from version ${m[1]}: it has seen everything up to there.`],
  ['reflector', /: listed/, () => 'The store has taken the whole list, so the reflector knows from where to watch.'],
  ['reflector', /opening stream: opened/, () => 'The server agrees. It streams every object it has, then a bookmark says that these were all.'],
  ['reflector', /opening watch: opened/, e => `The server has answered 200. The reflector reads this stream until it ends: every change after version ${e.state.wire?.from} should come on it.`],
  ['reflector', /: streamed/, () => 'The initial events are complete. The same stream goes on as a plain watch.'],
  ['reflector', /watching: ended/, () => 'The stream is over. That is routine: the next watch begins at the version where this one has ended, without a list.'],
  ['reflector', /expired/, e => `410 tells the reflector that a watch would miss changes. So it lists everything anew${/back off/.test(e.text) ? ', after a pause' : ''}, and watches from the version of that list.`],
  ['reflector', /back(s|ing)? off/, () => 'Something failed, so the reflector waits before the next attempt. Each failure in a row makes the pause longer.'],
  ['reflector', /^(ADDED|MODIFIED|DELETED) (\S+)@(\S+)/, (e, m) => `The reflector reads ${m[1]} ${m[2]} and hands it to the queue.`],
  ['reflector', /^BOOKMARK/, () => 'A bookmark: the reflector notes the version, and queues nothing.'],
  ['queue', /tombstone/, e => `${nameOf(e.key)} is in the cache but not in the list. The queue makes a tombstone, with the last state that the cache knows.`],
  ['queue', /two deletions in a row/, e => `${nameOf(e.key)} has been deleted twice in a row. The queue keeps one of the two.`],
  ['queue', /ignores/, e => `${nameOf(e.key)} is neither queued nor known, so there is nothing to delete.`],
  ['queue', /Sync /, e => `A resync: what the cache holds of ${nameOf(e.key)} is queued again. The server is not asked.`],
  ['queue', /: Replaced/, e => `${nameOf(e.key)} is in the list. It is queued under its key, as Replaced.`],
  ['queue', /^replaced at version \S+: 0/, () => 'The list is empty, so nothing of it is queued.'],
  ['queue', /^replaced at version/, () => 'The whole list is queued before the first of it is popped.'],
  ['queue', /^ReplacedAll/, () => 'The whole list is queued as one event, in its place among the others.'],
  ['queue', /^(SyncAll|Bookmark)/, () => 'An event about the whole collection takes its place among the others.'],
  ['queue', /put back/, e => `${nameOf(e.key)} could not be processed and is queued again.`],
  ['queue', /^synced/, e => e.state.cache.total ? 'The last of the first list has been processed: the queue has synced.'
    : 'The first list is empty, so nothing has to be processed: the queue has synced.'],
  ['queue', /: /, e => {
    const r = rowOf(e.state, e.key), n = r ? r.deltas.length + (r.earlier ?? 0) : 1
    return n > 1 ? `${nameOf(e.key)} keeps its one place in the queue, now with ${count(n, 'delta')}. Nothing is merged away.`
      : `${nameOf(e.key)} joins the queue with one delta.`
  }],
  ['queue', /^(\S+) (\S+)@/, (e, m) => `${m[2]} joins the end of the queue as one event. RealFIFO keeps the order of all of them.`],
  ['process', /^pop/, e => e.key ? `The process loop takes ${nameOf(e.key)} out of the queue, with all its deltas.` : 'The process loop takes a batch out of the queue.'],
  ['cache', /^indexed by (\S+)/, (e, m) => `The cache has gone through all it holds, and now also finds objects by ${m[1]}.`],
  ['cache', /has synced/, () => 'The whole first list has been processed into the cache: the informer has synced. Handlers may not have been told of all of it yet.'],
  ['cache', /[+=]/, e => `The cache is brought up to date first. ${afterwards(e)}`],
  ['cache', /~/, e => isSync(e) ? `A resync: the cache gets the state of ${nameOf(e.key)} that it has. Handlers that are due are told after that.` : `The cache now has the new state of ${nameOf(e.key)}. ${afterwards(e)}`],
  ['cache', / - /, e => `${nameOf(e.key)} leaves the cache. ${afterwards(e)}`],
  ['processor', /due/, () => 'Nothing has changed, so only the handlers that want resyncs, and are due, are told.'],
  ['processor', /^tells/, e => !listeners(e.state).length ? 'No handler has joined yet, so the processor has no listener to hand this to.' : 'The processor hands the same notifications to every listener. It never waits for a handler.'],
  ['processor', /^(\S+): (\d+) wait/, (e, m) => {
    const wait = `${count(+m[2], 'notification')} ${m[2] === '1' ? 'waits' : 'wait'} for ${m[1]}`
    return e.kind === 'given' ? `Now ${wait}, in its ring. No other handler is told.` : e.state.handlers.find(h => h.name === m[1])?.busy
      ? `${m[1]} is not through with what it has, so ${wait.replace(m[1], 'it')}. Nothing else does.` : `Now ${wait}, whose goroutine has not taken them yet. Nothing else waits.`
  }],
  ['processor', /^(\S+) joins, (\d+)/, (e, m) => +m[2] ? `${m[1]} joins late. What the cache holds comes to it as ${count(+m[2], 'add')}, a first list of its own.` : `${m[1]} joins. The cache is empty, so there is nothing to tell yet.`],
  ['processor', /^(\S+) has synced/, (e, m) => `${m[1]} has been told of its whole first list: it has synced.`],
  ['processor', /^(\S+) is removed/, (e, m) => `${m[1]} is told nothing more. Its call that is under way may end.`],
  ['handler', /^has ended/, (e, m, who) => `The goroutines of ${who} have ended.`],
  ['handler', /^added (\S+)@.*initial/, (e, m, who) => `${who} is told of ${m[1]}, as part of its initial list.`],
  ['handler', /^added (\S+)@/, (e, m, who) => `${who} is told that ${m[1]} was added.`],
  ['handler', /^updated (\S+)@(\S+) from version (\S+)/, (e, m, who) => m[2] === m[3]
    ? `${who} is told of ${m[1]} again: old and new state are the same. So it is with a resync, and with a list that found nothing new.` : `${who} is told that ${m[1]} went from version ${m[3]} to ${m[2]}.`],
  ['handler', /^deleted tombstone/, (e, m, who) => `${who} is told that ${nameOf(e.key)} is gone, by a tombstone: the last state that the cache had.`],
  ['handler', /^deleted (\S+)@/, (e, m, who) => `${who} is told that ${m[1]} was deleted.`],
  ['handler', /^(?:has returned|returns) from (\S+)/, (e, m, who) => `${who} has returned from ${m[1]} and can be told of the next.`],
  ['handler', /waits at (\S+)/, (e, m, who) => `${who} is called, and the call does not get past ${m[1]}: what comes after it has to wait.`],
  ['process', /waits at (\S+)/, (e, m) => `Something is queued, and the process loop waits at ${m[1]} before it pops. Whatever comes gathers in the queue.`],
  ['', /passes (V\d)/, (e, m) => `${m[1]} lets it pass.`],
  ['handler', /panic/, (e, m, who) => `${who} panics in its call. The other handlers are not affected.`],
]
// isSync says whether the process loop writes to the cache what came from it.
const isSync = e => (e.state.queue?.popped ?? []).some(r => r.key === e.key && r.deltas.every(d => d.type === 'Sync'))
function spoken(e) {
  if (e.kind === 'open' && e.lane !== 'wire') return 'Nothing has happened yet. Step on: the story begins.'
  if (e.kind === 'say') return e.text
  if (e.kind === 'do') return `The story: ${e.text}.`
  const lane = e.lane.split(':')[0]
  for (const [l, words, f] of SAY) {
    const m = (l === lane || !l) && e.text.match(words)
    if (m) return f(e, m, e.lane.slice(8))
  }
  return e.text ? e.text[0].toUpperCase() + e.text.slice(1) : 'This is how the machine stands. Press a button, or step on.'
}
// named sets names of objects and handlers in bold, objects with their mark.
function named(text, v) {
  const known = [...v.known, ...DEMO].filter(k => k.length > 2), who = listeners(v.s).map(l => l.name)
  return text.split(/([\w./-]*[\w-]\w*)/).map(w => known.includes(w) ? html`<b data-c="${look(w).slot}">${mark(w)}${w}</b>`
    : who.includes(w) ? html`<b>${w}</b>` : w)
}
// afterwards is what becomes of a change of the cache: handlers are told, unless valves hold all calls.
function afterwards(e) {
  const held = (e.state.valves ?? []).filter(v => v.handler && ['held', 'one'].includes(v.mode)), there = listeners(e.state)
  return !there.length ? 'There is no handler to tell.' : held.length < there.length ? 'Handlers are told after that.'
    : `What handlers are told of it will wait at ${held.map(v => v.name).join(' and ')}.`
}
