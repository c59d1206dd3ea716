package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Each story of the informer, as a recording: one file, opened without any server. What it draws is
// compared, event by event, with what was recorded; told_test.go compares that with the story.
func TestBrowserDrawsEveryStory(t *testing.T) {
	b := newBrowser(t)
	files, err := filepath.Glob("../../../informer/testdata/*.story")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".story")
		t.Run(name, func(t *testing.T) {
			b.turnTo(t)
			p := recording(t, b, file)
			p.until("document.querySelector('#mode').textContent === '● recording' && cur === low")
			p.agrees()
			p.overlaps()
			assert.Empty(t, p.dumb(), "events for which the page has no sentence")
			p.back("e.lane === 'story' && e.kind === 'do'")
			p.shot("story-" + name)
			p.overlaps()
			p.keyUntil("Home", "Home", "cur === 0")
			p.keyUntil("ArrowRight", "ArrowRight", "cur === 1")
			p.keyUntil("u", "KeyU", "/recording/.test(document.querySelector('#says').textContent)")
			b.quiet()
			p.close()
		})
	}
}

// recording opens the file that -export writes for a story.
func recording(t *testing.T, b *browser, story string) *tab {
	t.Helper()
	out := filepath.Join(t.TempDir(), "story.html")
	synctest.Test(t, func(t *testing.T) {
		tape, err := record(options{story: story, queue: deltaFIFO})
		require.NoError(t, err)
		html, err := inline(static, tape)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(out, html, 0o644))
	})
	p := b.open("file://" + out)
	p.until("document.body.dataset.head")
	return p
}
