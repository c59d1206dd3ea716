'use strict'

// Differences of two texts, line by line: to be shown, sent as a link, and copied as a patch.

// compare answers the lines of two texts as [sign, line], where the sign is a space for those of
// both, - and + for those of one of them. Both keep as many lines as possible.
const compare = (before, after) => {
  const a = before.split('\n')
  const b = after.split('\n')
  let from = 0
  while (from < a.length && from < b.length && a[from] === b[from]) from++
  let [i, k] = [a.length, b.length]
  while (i > from && k > from && a[i - 1] === b[k - 1]) {
    i--
    k--
  }

  // common[x][y] is how many lines a from x on and b from y on have in common.
  const common = Array.from({ length: i - from + 1 }, () => new Array(k - from + 1).fill(0))
  for (let x = i - from - 1; x >= 0; x--)
    for (let y = k - from - 1; y >= 0; y--)
      common[x][y] =
        a[from + x] === b[from + y]
          ? common[x + 1][y + 1] + 1
          : Math.max(common[x + 1][y], common[x][y + 1])

  const lines = a.slice(0, from).map(line => [' ', line])
  let [x, y] = [0, 0]
  while (x < i - from || y < k - from) {
    const isSame = x < i - from && y < k - from && a[from + x] === b[from + y]
    const isGone = x < i - from && (y === k - from || common[x + 1][y] >= common[x][y + 1])
    if (isSame) {
      lines.push([' ', a[from + x++]])
      y++
    } else if (isGone) {
      lines.push(['-', a[from + x++]])
    } else {
      lines.push(['+', b[from + y++]])
    }
  }

  return [...lines, ...a.slice(i).map(line => [' ', line])]
}

// changes answers which lines of the second text are new, or stand behind one that is gone, from 0.
const changes = (before, after) => {
  const numbers = new Set()
  let n = 0
  for (const [sign] of compare(before, after)) {
    if (sign !== ' ') numbers.add(n)
    n += sign !== '-'
  }

  return numbers
}

// hunks cuts a comparison into what is different, each with so many lines around it.
const hunks = (lines, around = 3) => {
  const all = []
  let [before, after] = [1, 1]
  let same = 0
  lines.forEach(([sign, line], n) => {
    if (sign !== ' ') {
      const last = all.at(-1)
      if (!last || n - last.end > 2 * around) {
        const start = Math.max(0, n - around)
        all.push({ before: before - (n - start), after: after - (n - start), start, end: n + 1 })
      } else {
        last.end = n + 1
      }
    }

    same += sign === ' '
    before += sign !== '+'
    after += sign !== '-'
  })

  return all.map(h => ({ ...h, lines: lines.slice(h.start, h.end + around) }))
}

// patch answers a difference as git apply reads it. Without a text before, the file is new.
const patch = (file, before, after) => {
  // What stands behind the last line end is no line.
  const cut = text => text.replace(/\n$/, '')
  const lines = before
    ? compare(cut(before), cut(after))
    : cut(after)
        .split('\n')
        .map(line => ['+', line])

  const parts = hunks(lines)
  if (!parts.length) return ''
  const count = (h, sign) => h.lines.filter(([s]) => s !== sign).length
  return [
    before ? `--- a/${file}` : '--- /dev/null',
    `+++ b/${file}`,
    ...parts.flatMap(h => [
      `@@ -${before ? h.before : 0},${count(h, '+')} +${h.after},${count(h, '-')} @@`,
      ...h.lines.map(([sign, line]) => sign + line),
    ]),
    '',
  ].join('\n')
}

// packing answers a change as text for an address: where lines are replaced, how many, and by what.
// unpacking answers the changed text, or null if the change does not fit.
const packing = async (before, after) => {
  const changes = hunks(compare(before, after), 0).map(h => [
    h.before,
    h.lines.filter(([sign]) => sign === '-').map(([, line]) => line),
    h.lines.filter(([sign]) => sign === '+').map(([, line]) => line),
  ])

  const json = new Blob([JSON.stringify(changes)])
  const packed = json.stream().pipeThrough(new CompressionStream('deflate-raw'))
  const bytes = new Uint8Array(await new Response(packed).arrayBuffer())
  return btoa(String.fromCharCode(...bytes))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/=+$/, '')
}

const MOST_CHANGE = 100_000 // bytes; a link that unpacks to more is none of ours

const unpacking = async (before, text) => {
  try {
    const bytes = Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), c =>
      c.charCodeAt(0),
    )
    const reader = new Blob([bytes])
      .stream()
      .pipeThrough(new DecompressionStream('deflate-raw'))
      .getReader()

    let json = ''
    const decoder = new TextDecoder()
    for (let got = await reader.read(); !got.done; got = await reader.read()) {
      json += decoder.decode(got.value, { stream: true })
      if (json.length > MOST_CHANGE) return null
    }

    const lines = before.split('\n')
    for (const [at, gone, come] of JSON.parse(json).reverse()) {
      const now = lines.slice(at - 1, at - 1 + gone.length)
      if (now.join('\n') !== gone.join('\n')) return null
      lines.splice(at - 1, gone.length, ...come.map(String))
    }

    return lines.join('\n')
  } catch {
    return null
  }
}
