package main

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
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

// Before a command, a story asks what the handlers will be told, if the reader wants that.
func TestBrowserAsksBeforeACommandOfAStory(t *testing.T) {
	b := newBrowser(t)
	p := recording(t, b, aStory)
	asks := func() {
		t.Helper()
		for range 100 {
			p.key("ArrowRight", "ArrowRight", false)
			p.frames(1)
			var open bool
			if p.eval("document.querySelector('#dialog').open", &open); open {
				return
			}
		}
		assert.Fail(t, "the story asks nothing")
	}
	says := func(words string) {
		t.Helper()
		p.until(fmt.Sprintf("RegExp(%q).test(document.querySelector('#says').textContent)", words))
	}
	p.until("!document.querySelector('#predict').hidden")
	p.key("]", "BracketRight", false) // without Q nothing asks
	p.key("q", "KeyQ", false)
	asks()
	p.until("now().text === 'compact' && all('[data-answer]').length === 2")
	p.until("document.activeElement.dataset.answer === '0'") // so Enter answers
	p.shot("ask-story")
	p.click("[data-answer='0']")
	says("^That is what happens. Step on and see: Nothing: no handler is called.$")
	asks()
	p.until("now().text === 'wait 30s'")
	p.click("[data-answer='0']")
	says("^Not that.* greeter: updated web-1@5 from version 2 · deleted tombstone of web-2@3$")
	p.key("ArrowLeft", "ArrowLeft", false)
	p.keyUntil("ArrowRight", "ArrowRight", "now().text === 'wait 30s'")
	p.frames(2)
	var open bool
	p.eval("document.querySelector('#dialog').open", &open)
	assert.False(t, open, "a command is asked about twice")
	b.quiet()
}

// The same while the story is typed: the question comes before the page shows what the command did.
func TestBrowserAsksWhileAStoryIsTyped(t *testing.T) {
	b := newBrowser(t)
	s := newLive(t, options{story: "../../../informer/testdata/02_update_and_delete_over_the_watch.story"})
	p := b.open(s.url())
	p.until("document.body.dataset.link === 'watching'")
	p.key("q", "KeyQ", false)
	for n := 0; ; n++ {
		require.Less(t, n, 300, "the story asks nothing")
		var open bool
		if p.eval("document.querySelector('#dialog').open", &open); open {
			break
		}
		p.key("ArrowRight", "ArrowRight", false)
		p.frames(2)
	}
	p.until("now().lane === 'story' && now().ask && cur < head")
	p.click("[data-answer='0']")
	p.says("Step on and see")
}
