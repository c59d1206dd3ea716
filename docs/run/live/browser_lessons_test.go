package main

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Each scene begins before anything has happened, asks first, and ends with the answer. It fits a
// window, and a phone.
func TestBrowserLessons(t *testing.T) {
	b := newBrowser(t)
	s := newLessons(t)
	for i, l := range lessons {
		t.Run(l.Name, func(t *testing.T) {
			b.turnTo(t)
			p := b.open(s.url() + "#" + l.Name)
			p.until("tape && cur === 0 && $('#tabs [aria-current]').textContent === " + fmt.Sprintf("%q", l.Title))
			p.overlaps()
			p.says(l.Look[:30])
			p.shot(l.Name + "-0")
			p.keyUntil("ArrowRight", "ArrowRight", "$('#dialog.asking').open && all('[data-reply]').length === 4")
			var covered bool
			p.eval(`$('#dialog').getBoundingClientRect().top < $('#stage').getBoundingClientRect().top + 260`, &covered)
			assert.False(t, covered, "the question covers what it is about")
			p.shot(l.Name + "-1-asks")
			p.click(fmt.Sprintf("[data-reply='%d']", (l.Right+1)%4))
			p.says("^You said: ")
			p.keyUntil("ArrowRight", "ArrowRight", "cur === 1")
			p.keyUntil("ArrowRight", "ArrowRight", "cur === 2")
			p.agrees()
			p.overlaps()
			assert.Empty(t, p.dumb(), "events for which the page has no sentence")
			p.back(fmt.Sprintf("e.text === %q", l.Proof))
			p.eval("draw()", nil)
			p.until("location.hash === `#${scene.name},${cur},light`")
			p.shot(l.Name + "-2-proof")
			p.eval("go(head)", nil)
			p.keyUntil("ArrowRight", "ArrowRight", "scene.over")
			p.says("Event [0-9]+ shows it. You said: ")
			for _, width := range []int{390, 640, 1024} {
				p.size(width, 844)
				p.frames(2)
				p.shot(fmt.Sprintf("%s-%d", l.Name, width))
				var bad []string
				p.eval(unreadable, &bad)
				assert.Empty(t, bad, "at %d", width)
			}
			next := "own"
			if i+1 < len(lessons) {
				next = lessons[i+1].Name
			}
			p.keyUntil("ArrowRight", "ArrowRight", fmt.Sprintf("(scene?.name ?? 'own') === %q", next))
			b.quiet()
		})
	}
}

// unreadable are texts that are smaller than 12 px or that leave the window to the side.
const unreadable = `(() => {
	const bad = document.documentElement.scrollWidth > innerWidth ? ['the page is wider than its window'] : []
	const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
	for (let n; n = walk.nextNode();) {
		const el = n.parentElement
		if (!n.data.trim() || el.closest('dialog, noscript, script, .aloud, #tabs') || !el.checkVisibility()) continue
		const r = el.getBoundingClientRect()
		if (parseFloat(getComputedStyle(el).fontSize) < 12) bad.push('small: ' + n.data)
		if (r.width && (r.right > innerWidth + 1 || r.left < -1)) bad.push('outside: ' + n.data)
	}
	return [...new Set(bad)].slice(0, 5)
})()`

// An address leads to a moment, with its theme; the reader's own theme outlives a reload; and the
// last tab is a machine to act on.
func TestBrowserAddressesLeadToMoments(t *testing.T) {
	b := newBrowser(t)
	s := newLessons(t)
	p := b.open(s.url() + "#panic,12,dark")
	p.until("tape && cur === 12 && document.documentElement.dataset.theme === 'dark'")
	p.eval("location.hash = '#resync,3'", nil)
	p.until("tape && scene.name === 'resync' && cur === 3")
	p.keyUntil("t", "KeyT", "document.documentElement.dataset.theme === 'light'")
	p.keyUntil("t", "KeyT", "document.documentElement.dataset.theme === 'dark'")
	p.click("[data-scene=own]")
	p.until(loaded + " && " + rest(3))
	p.pressUntil("update", rest(4))
	p.visit(s.url() + "?again")
	p.until("tape && scene.name === 'first-list' && cur === 0")
	p.until("document.documentElement.dataset.theme === 'dark'")
	b.quiet()
}
