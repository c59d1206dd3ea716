package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestBrowserScenes plays the nine scenes that the page is made for, on the real machine, by keys and
// clicks. With SHOTS=folder it leaves a picture of each.
func TestBrowserScenes(t *testing.T) {
	b := newBrowser(t)
	for _, scene := range []struct {
		name string
		play func(*tab, *liveServer)
	}{
		{"1-first-list-and-sync", func(p *tab, _ *liveServer) {
			p.keyUntil("Home", "Home", "cur === 1")
			p.back("e.lane === 'queue' && s.queue.rows.length === 3")
			p.shot("1-first-list")
			p.live()
			p.back("e.text === 'the informer has synced'")
		}},
		{"2-consumer-held", func(p *tab, _ *liveServer) {
			p.live()
			p.keyUntil("2", "Digit2", "state().valves[1].mode === 'held'")
			for n := range 5 {
				p.keyUntil("u", "KeyU", "state().server.rv >= "+string(rune('5'+n)))
			}
			p.pressUntil("delete", "state().queue.rows[0]?.deltas.length === 6")
			p.back("e.lane === 'queue' && s.queue.rows[0]?.deltas.length === 5")
		}},
		{"3-drop-and-resume", func(p *tab, _ *liveServer) {
			p.live()
			old(p)
			p.pressUntil("drop", "state().reflector.watches === 2 && state().reflector.state === 'watching'")
			p.back("/watching: ended/.test(e.text)")
			p.shot("3-drop")
			p.live()
		}},
		{"4-compaction-and-relist", func(p *tab, _ *liveServer) {
			gap(p)
			p.back("/expired/.test(e.text) && e.lane === 'reflector'")
		}},
		{"5-tombstone", func(p *tab, _ *liveServer) {
			gap(p)
			p.back("e.lane === 'queue' && /tombstone/.test(e.text)")
		}},
		{"6-slow-handler", func(p *tab, _ *liveServer) {
			p.live()
			p.keyUntil("4", "Digit4", "state().valves[3].mode === 'held'")
			for range 20 {
				p.key("u", "KeyU", false)
				p.frames(2)
			}
			p.until("state().listeners[1].pending >= 19 && state().handlers[0].told >= 23")
			p.back("e.lane === 'handler:first'")
		}},
		{"7-late-handler", func(p *tab, _ *liveServer) {
			p.live()
			p.pressUntil("add handler", "state().handlers[2]?.told === 3 && state().listeners[2].synced")
			p.back("e.lane === 'handler:third' && /added/.test(e.text)")
		}},
		{"8-resync", func(p *tab, _ *liveServer) {
			p.live()
			p.pressUntil("resync", rest(6))
			p.back("e.lane === 'handler:first' && /updated/.test(e.text)")
		}},
		{"9-errors-and-back-off", func(p *tab, _ *liveServer) {
			p.live()
			old(p)
			p.press("500s")
			p.until("state().reflector.pauseMs > 1000 && document.getAnimations().length === 1") // of the pause
		}},
	} {
		t.Run(scene.name, func(t *testing.T) {
			b.turnTo(t)
			s := newLive(t, options{})
			p := s.at(b)
			scene.play(p, s)
			p.frames(2)
			p.shot(scene.name)
			p.overlaps()
			p.agrees()
			require.Empty(t, p.dumb(), "events for which the page has no sentence")
			b.quiet()
			p.close()
		})
	}
}

// gap plays what a watch cannot tell: web-1 is deleted and the history forgotten while nothing is
// connected.
func gap(p *tab) {
	p.t.Helper()
	p.live()
	old(p)
	p.pressUntil("disconnect", "!state().wire.open")
	p.pressUntil("delete", "state().server.objects.length === 2")
	p.pressUntil("compact", "state().server.log.length === 0")
	p.pressUntil("heal", "state().cache.objects.length === 2 && "+rest(6))
}

// old waits until the watch is older than a second: one that ends sooner is taken for a broken one.
func old(p *tab) { p.until("performance.now() > 1500") }
