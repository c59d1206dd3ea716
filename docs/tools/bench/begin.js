'use strict'

// What makes the benches of a page. One in something folded begins when that is opened, or when
// there is something in it: what its reader has written, or the change of a link.
const KINDS = { exercise: Exercise, finale: Finale, pipe: Pipe }
const kindOf = el => KINDS[el.dataset.judge.split(' ')[0]] ?? Bench

const begin = el => {
  el.querySelector('.how')?.remove()
  for (const part of el.querySelectorAll('[hidden]')) part.hidden = false
  return el.bench ?? new (kindOf(el))(el)
}

for (const el of document.querySelectorAll('[data-bench]')) {
  const folded = el.closest('details')
  const isKept = kept(placeOf(el))
  const isFull = /^#change,/.test(location.hash) || isKept
  if (el.dataset.edits) folded.addEventListener('toggle', () => Trial.begin(el), { once: true })
  else if (!el.querySelector('textarea')) continue
  else if (!folded || isFull) begin(el).follow()
  else folded.addEventListener('toggle', () => begin(el), { once: true })
  if (isKept && folded) folded.open = true
}

for (const el of document.querySelectorAll('[data-board]')) board(el)
