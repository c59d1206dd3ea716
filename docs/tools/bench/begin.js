'use strict'

// What makes the benches of a page. One in something folded begins when that is opened, or when
// there is something in it: what its reader has written, or the change of a link.
const kindOf = ({ dataset: { finale, judge } }) =>
  finale ? Finale : judge.startsWith('exercise') ? Exercise : Bench

const begin = el => {
  el.querySelector('.how')?.remove()
  return el.bench ?? new (kindOf(el))(el)
}

for (const el of document.querySelectorAll('[data-bench]')) {
  const folded = el.closest('details')
  const isFull = /^#change,/.test(location.hash) || kept(saved(el.dataset.file))
  if (el.dataset.edits) folded.addEventListener('toggle', () => Trial.begin(el), { once: true })
  else if (!el.querySelector('textarea')) continue
  else if (!folded || isFull) begin(el).follow()
  else folded.addEventListener('toggle', () => begin(el), { once: true })
}

for (const el of document.querySelectorAll('[data-board]')) board(el)
