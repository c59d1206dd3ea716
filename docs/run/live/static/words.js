'use strict'

// What is said of an event: the story's own words, else the entry of the legend for what it means.
// The program shares the legend with the tour (package tape). A test there finds an entry for each
// event of every scenario.
const legend = (meta, e) =>
  ['you', 'story'].includes(e.lane) ? undefined : meta.legend?.[e.means]

function spoken(e, meta) {
  if (e.kind === 'open' && e.lane === 'story')
    return 'Nothing has happened yet. Step on: the story begins.'
  if (e.kind === 'say') return e.text
  if (e.kind === 'do') return `The story: ${e.text}.`
  const about = [e.lane.startsWith('handler:') && e.lane.slice(8), e.key && nameOf(e.key)]
    .filter(Boolean)
    .join(', ')
  const says = legend(meta, e)
  if (says) return about ? `${about}: ${says}` : says
  return e.text
    ? e.text[0].toUpperCase() + e.text.slice(1)
    : 'This is how the machine stands. Press a button, or step on.'
}

// named sets names of objects and handlers in bold, objects with their mark.
function named(text, v) {
  const known = [...v.known, ...DEMO].filter(k => k.length > 2)
  const who = listeners(v.s).map(l => l.name)
  return text
    .split(/([\w./-]*[\w-]\w*)/)
    .map(w =>
      known.includes(w)
        ? html`<b data-c="${look(w).slot}">${mark(w)}${w}</b>`
        : who.includes(w)
          ? html`<b>${w}</b>`
          : w,
    )
}
