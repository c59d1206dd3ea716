package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// A story is typed by steps: at the newest event, a step types the next command.
func TestBrowserStepsThroughAStory(t *testing.T) {
	b := newBrowser(t)
	s := newLive(t, options{story: "../../../informer/testdata/03_a_late_handler_gets_what_the_cache_holds.story"})
	p := b.open(s.url())
	p.until("document.body.dataset.link === 'watching'")
	p.until("/a late handler gets/.test(document.querySelector('#story').textContent)")
	typed := "[...log.values()].filter(e => e.lane === 'story' && e.kind === 'do').length"
	for steps := 0; steps < 500; steps++ {
		var over bool
		p.eval("/the story is over/.test(document.querySelector('#says').textContent)", &over)
		if over {
			break
		}
		p.click("[data-do=step]")
		p.frames(2)
	}
	var n int
	p.eval(typed, &n)
	assert.Equal(t, 6, n, "commands of the story")
	p.until("state().handlers[0].name === 'late' && state().cache.objects.length === 1")
	p.shot("played")
	p.agrees()
	p.overlaps()
}
