package main

import "github.com/stretchr/testify/require"

// overlapping finds texts that lie over each other or leave their box. A text is what the innermost
// elements show; an element within another is no conflict, and what is cut off does not count.
const overlapping = `(() => {
	const seen = [], narrow = innerWidth < 80 * unit() // then the page scrolls below caption and footer
	const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
	for (let n; n = walk.nextNode();) {
		const el = n.parentElement
		if (!n.data.trim() || el.closest('dialog, noscript, script') || !el.checkVisibility()) continue
		const range = document.createRange()
		range.selectNodeContents(n)
		for (let r of range.getClientRects()) {
			let box = { l: r.left, t: r.top, r: r.right, b: r.bottom }
			for (let up = el; up && up !== document.body; up = up.parentElement) {
				if (getComputedStyle(up).overflow === 'visible') continue
				const c = up.getBoundingClientRect()
				box = { l: Math.max(box.l, c.left), t: Math.max(box.t, c.top),
					r: Math.min(box.r, c.right), b: Math.min(box.b, c.bottom) }
			}
			if (box.r - box.l > 1 && box.b - box.t > 1) seen.push({ el, above: el.closest('footer, #caption'), text: n.data.trim(), ...box })
		}
	}
	const found = []
	for (const x of seen) {
		const leaves = (left, top, right, bottom) =>
			x.l < left - 1 || x.t < top - 1 || x.r > right + 1 || x.b > bottom + 1
		if (leaves(0, narrow ? -9999 : 0, innerWidth, narrow ? 9999 : innerHeight)) found.push('outside the window: ' + x.text)
		const home = x.el.closest('.place, .do, #lanes, header, footer, #caption')
		const h = home?.getBoundingClientRect()
		if (h && leaves(h.left, h.top, h.right, h.bottom)) found.push('out of its box: ' + x.text)
	}
	for (let i = 0; i < seen.length; i++) for (let j = i + 1; j < seen.length; j++) {
		const a = seen[i], b = seen[j]
		if (a.el === b.el || narrow && a.above !== b.above) continue
		const w = Math.min(a.r, b.r) - Math.max(a.l, b.l), h = Math.min(a.b, b.b) - Math.max(a.t, b.t)
		// Lines of text touch: their boxes are higher than their letters.
		if (w > 1.5 && h > Math.min(a.b - a.t, b.b - b.t) * .3)
			found.push('“' + a.text + '” over “' + b.text + '”')
	}
	return [...new Set(found)]
})()`

// overlaps fails the test where a text is drawn over another, or out of its box.
func (p *tab) overlaps() {
	p.t.Helper()
	var found []string
	p.eval(overlapping, &found)
	require.Empty(p.t, found, "texts that cannot be read")
}
