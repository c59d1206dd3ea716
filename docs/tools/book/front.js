'use strict'

// The front page: one minute, and seven lines. Both are brief stages (minute.js).

// stageOf makes the stage of an element that says which tape, and which places.
async function stageOf(place, { dataset: { tape, places } }, options) {
  const got = await unpack(tape)
  return new Stage(place, got.tape, {
    ...got,
    verbs: undefined,
    places: places.split(' '),
    ...options,
  })
}

for (const el of document.querySelectorAll('.minute')) {
  const ways = html`<p class="ways">
    <a href="${el.dataset.break}#lost-deletion,DELETED web-2,take"><b>Break it yourself</b>
      this machine, at this moment, with all its valves</a>
    <a href="${el.dataset.build}"><b>Build one in seven steps</b>
      300 lines of Go, under an hour</a></p>`
  stageOf(el, el, { brief: 'minute', ways })
}

// The lines: what comes of one is told when it has been judged, and the sum when all have been.
const lines = [...document.querySelectorAll('.lines li')]

function judge(li, verdict) {
  if (!li.dataset.verdict) {
    const place = li.appendChild(document.createElement('div'))
    stageOf(place, li, { brief: 'small', question: '', label: `line ${lines.indexOf(li) + 1}` })
  }

  li.dataset.verdict = verdict
  for (const b of li.querySelectorAll('[data-as]')) b.ariaPressed = b.dataset.as === verdict

  const n = lines.filter(l => l.dataset.verdict === 'approve').length
  if (lines.every(l => l.dataset.verdict))
    put(document.querySelector('.sum'), html`You approved <b>${n} of 7</b>.`)
}

for (const li of lines) {
  const buttons = ['approve', 'reject'].map(
    as => html`<button data-as="${as}" aria-pressed="false">${as}</button>`,
  )
  const verdicts = html`<div class="verdicts">${buttons}</div>`

  li.querySelector('code').insertAdjacentHTML('afterend', flat(verdicts))
  li.addEventListener('click', ev => {
    if (ev.target.dataset.as) judge(li, ev.target.dataset.as)
  })
}
