'use strict'

// The book's script: what has been read is marked, and the theme is kept, all of it in this browser
// only. Without it every page can be read.
const ROOT = new URL(
  document.currentScript.src ? '..' : '.',
  document.currentScript.src || location.href,
)

const MACHINE = new URL('machine/', ROOT).href

// kept reads or writes what this browser keeps. A file may have no storage.
const kept = (key, value) => {
  try {
    return value === undefined ? localStorage[key] : (localStorage[key] = value)
  } catch {}
}

const rooted = document.documentElement
rooted.dataset.theme =
  kept('theme') || (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')

// unpack answers the JSON of a file that is compressed. In the book that is one file it is an
// element.
const unpack = async name => {
  const inside = document.getElementById(name)
  const data = inside
    ? new Blob([Uint8Array.from(atob(inside.textContent), c => c.charCodeAt(0))]).stream()
    : (await fetch(name)).body
  return new Response(data.pipeThrough(new DecompressionStream('gzip'))).json()
}

document.addEventListener('click', ev => {
  if (ev.target.closest('[data-do=theme]'))
    kept('theme', (rooted.dataset.theme = rooted.dataset.theme === 'dark' ? 'light' : 'dark'))
  const menu = document.querySelector('.menu[open]')
  if (menu && (!menu.contains(ev.target) || ev.target.closest('.book a'))) menu.open = false
})

document.addEventListener('keydown', ev => {
  const menu = document.querySelector('.menu[open]')
  if (ev.key !== 'Escape' || !menu) return
  menu.open = false
  menu.querySelector('summary').focus()
})

// A narrow bar begins at the stage of this chapter.
const here = document.querySelector('.pipe .here')
if (here) here.closest('.pipe').scrollLeft = here.offsetLeft - here.closest('.pipe').offsetLeft - 24

// What is scrolled sideways can be scrolled by keys, too.
for (const pre of document.querySelectorAll('pre, .table'))
  if (pre.scrollWidth > pre.clientWidth) pre.tabIndex = 0

// A chapter whose end has been seen is read.
const reads = new Set(kept('read')?.split(' '))
const path = url => new URL(url, ROOT).pathname.slice(ROOT.pathname.length) || 'index.html'
const end = document.querySelector('.turn')

const marks = () => {
  for (const a of document.querySelectorAll('.chapters > li > a'))
    a.classList.toggle('read', reads.has(path(a.href)))
}

if (end)
  new IntersectionObserver(seen => {
    if (seen.some(e => e.isIntersecting)) {
      kept('read', [...reads.add(path(location.href.split('#')[0]))].join(' '))
      marks()
    }
  }).observe(end)

marks()

// Print shows the answers, too.
addEventListener('beforeprint', () => {
  for (const d of document.querySelectorAll('details')) d.open = true
})
