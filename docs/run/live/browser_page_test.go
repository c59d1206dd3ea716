package main

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestBrowserEveryButton(t *testing.T) {
	b := newBrowser(t)
	s := newLive(t, options{})
	p := s.at(b)
	p.live()
	pressed := map[string]bool{}
	for _, step := range []struct{ label, then string }{
		{"create", "state().server.objects.some(o => o.key === 'default/web-3')"},
		{"update", "state().server.rv === 6 && state().cache.objects.some(o => o.rv === '6')"},
		{"delete", "!state().cache.objects.some(o => o.key === 'default/web-1')"},
		{"resync", "last('queue', /Sync/) && state().handlers.every(h => h.told === 9)"},
		{"add index", "state().cache.indices.length === 2"},
		{"add handler", "state().handlers[2]?.told === 3"},
		{"panic", "last('you', /third will panic/)"},
		{"update", "last('handler:third', /panics/)"},
		{"fill 100", "state().cache.total === 103 && state().handlers[2].told > 50"},
		{"remove", "state().handlers.length === 2"},
		{"cut frame", "/cut/.test(state().server.fault)"},
		{"hang", "/silence/.test(state().server.fault)"},
		{"heal", "state().server.fault === ''"},
		{"drop", "last('api', /watch ended: dropped/) && state().reflector.state === 'watching'"},
		{"compact", "state().server.log.length === 0"},
		{"500s", "last('wire', /500/) && state().reflector.pauseMs > 0 && document.getAnimations().length"},
		{"heal", "state().reflector.state === 'watching'"},
		{"disconnect", "last('wire', /refused/)"},
		{"heal", "state().server.fault === ''"},
		{"stop", "state().reflector.state === 'stopped'"},
		{"start", "state().cache.synced && state().reflector.state === 'watching'"},
		{"RealFIFO", "state().queue.kind === 'RealFIFO' && state().cache.synced"},
		{"DeltaFIFO", "state().queue.kind === 'DeltaFIFO' && state().cache.synced"},
	} {
		pressed[step.label] = true
		p.eval(`globalThis.last = (lane, words) =>
			[...log.values()].some(e => e.lane === lane && words.test(e.text))`, nil)
		p.press(step.label)
		p.until(step.then)
		p.overlaps()
	}
	var labels []string
	p.eval("buttons.map(b => b.label)", &labels)
	for _, label := range labels {
		assert.True(t, pressed[label], "the button %s is on the page and in no test", label)
	}
	assert.Empty(t, p.dumb(), "events for which the page has no sentence")
	b.quiet()
}

func TestBrowserStepsAndGoesBack(t *testing.T) {
	b := newBrowser(t)
	s := newLive(t, options{})
	p := s.at(b)
	var at int
	p.eval("seen = cur = head, draw(), head", &at)
	mode := "document.querySelector('#mode').textContent"
	p.until(mode + " === '● live, paused'")

	p.pressUntil("update", fmt.Sprintf("head > %d && cur === %d", at+6, at+1))
	p.until(`/^▶ \d+ to come$/.test(` + mode + `)`) // a press shows its first event; a step, the next
	p.keyUntil("ArrowRight", "ArrowRight",
		fmt.Sprintf("cur === %d && $('.cell.now').dataset.seq === '%[1]d'", at+2))
	p.keyUntil(" ", "Space", fmt.Sprintf("cur === %d", at+3))
	p.click("[data-do=step]")
	p.until(fmt.Sprintf("cur === %d", at+4))

	p.key("ArrowLeft", "ArrowLeft", false)
	p.click("[data-do=back]")
	p.until(mode + " === '◀ 2 back, read only'")
	var disabled bool
	p.eval("all('.do button').every(b => b.disabled)", &disabled)
	assert.True(t, disabled, "buttons are pressed on what was")
	before := s.machine.seen.last()
	p.key("u", "KeyU", false)
	p.keyUntil("2", "Digit2", "/This is what was/.test(document.querySelector('#says').textContent)")
	assert.Equal(t, before, s.machine.seen.last(), "keys act on what was")

	p.keyUntil("Home", "Home", "cur === 1")
	p.keyUntil("ArrowLeft", "ArrowLeft", "/first event/.test($('#says').textContent)")
	p.keyUntil("l", "KeyL", "cur === head && follow")
	p.pressUntil("update", "state().server.rv === 6 && cur === head && "+rest(5))
	for n := 7; n < 10; n++ { // more objects than rows, so that rows change hands
		p.pressUntil("create", fmt.Sprintf("state().server.rv === %d", n))
	}
	p.until(rest(8))
	p.agrees()
	b.quiet()
}

// Events come while a hand presses: the click is for what was under it when it went down.
func TestBrowserClicksAreNotLostToEvents(t *testing.T) {
	b := newBrowser(t)
	s := newLive(t, options{})
	p := s.at(b)
	p.live()
	for n, c := range []struct{ click, then string }{
		{".cell.l6", "document.querySelector('#dialog').open"},
		{"#dialog [data-go]", "!document.querySelector('#dialog').open && cur < head"},
		{"[data-do=live]", "follow"},
		{"#cache .tok[data-open='cache|web-1']", "document.querySelector('#dialog').open"},
		{"[data-do=close]", "!document.querySelector('#dialog').open"},
		{"[data-valve=V1] .disc", "state().valves[0].mode === 'held'"},
	} {
		p.until("document.querySelector(`" + c.click + "`)")
		p.frames(2)
		at := p.middle(c.click)
		p.mouse("mousePressed", at)
		s.do(t, "update", "key", "default/web-1")
		p.until(rest(4 + n))
		p.eval("$('#dialog').drawn = '', draw()", nil) // as if an excerpt had come
		p.frames(2)
		p.mouse("mouseReleased", at)
		p.until(c.then)
	}
	p.until("cur === head && document.body.dataset.at === String(head)") // and all is drawn afterwards
	b.quiet()
}

func TestBrowserReloadsInMidRun(t *testing.T) {
	b := newBrowser(t)
	s := newLive(t, options{})
	p := s.at(b)
	p.live()
	p.keyUntil("2", "Digit2", "state().valves[1].mode === 'held'")
	for range 3 {
		p.press("update")
	}
	p.until("state().queue.rows[0]?.deltas.length === 3 && state().reflector.version === '7'")
	var head, after int
	p.eval("head", &head)
	p.visit(s.url())
	p.until(loaded)
	p.eval("head", &after)
	assert.Equal(t, head, after, "a page that is loaded again lists the state that is now")
	p.until("document.querySelectorAll('#queue .delta').length === 3")
	p.back("e.lane === 'you' && /held/.test(e.text)")
	p.agrees()
	b.quiet()
}

func TestBrowserTwoPagesShowTheSame(t *testing.T) {
	b := newBrowser(t)
	s := newLive(t, options{})
	one, two := s.at(b), s.at(b)
	one.live()
	two.eval("act.live()", nil) // keys go to the page in front
	one.eval("press(buttons.find(b => b.do === 'update'))", nil)
	two.until("state().server.rv === 5 && " + rest(4))
	seq := s.machine.seen.last()
	var pictures [2]string
	for i, p := range []*tab{one, two} {
		p.until(fmt.Sprintf("head === %d", seq))
		p.eval(fmt.Sprintf("cur = %d, show(0), $('#stage').innerHTML", seq), &pictures[i])
	}
	assert.NotEmpty(t, pictures[0])
	assert.Equal(t, pictures[0], pictures[1])
	b.quiet()
}

func TestBrowserListsAgainAfterARestart(t *testing.T) {
	b := newBrowser(t)
	s := newLive(t, options{})
	p := s.at(b)
	p.pressUntil("update", "state().server.rv === 5")
	s.stop()
	p.until("/no server/.test(document.querySelector('#mode').textContent)")
	s.begin(t, options{})
	p.until("document.body.dataset.link === 'watching' && state().server.rv === 4")
	p.until("/listed again/.test(document.querySelector('#self').textContent)")
	p.live()
	p.pressUntil("update", "state().server.rv === 5 && cur === head")
}

func TestBrowserListsAgainWhenItsVersionIsGone(t *testing.T) {
	b := newBrowser(t)
	s := newLive(t, options{})
	p := s.at(b)
	p.eval("stream.close()", nil)             // as if the page had slept
	for s.machine.seen.last() < maxHeld*3/2 { // it is compacted in large steps
		s.do(t, "update", "key", "default/web-1")
	}
	p.eval("watch(era)", nil)
	p.until("lists === 2 && head > 500 && link === 'watching'")
	p.until("/listed again/.test(document.querySelector('#self').textContent)")
	b.quiet()
}

// A page that comes late has the last events, and fetches older ones when the reader walks there.
func TestBrowserFetchesWhatTheReaderWalksTo(t *testing.T) {
	b := newBrowser(t)
	s := newLive(t, options{})
	s.at(b).close()
	for range 40 {
		s.do(t, "update", "key", "default/web-1")
	}
	p := b.open(s.url())
	p.until("document.body.dataset.link === 'watching' && " + rest(43))
	p.until("low > 1 && low <= head - 60")
	var low int
	p.eval("fetching.then(() => low)", &low)
	p.eval("go(low + 50)", nil) // there are events enough before it
	p.frames(2)
	p.eval("fetching.then(() => low)", &low)
	p.eval("go(low + 30)", nil)
	p.until(fmt.Sprintf("low < %d", low))
	b.quiet()
}

// A press that is refused shows nothing, so the next event, which another page causes, is to come.
func TestBrowserStaysWhereItIsWhenAPressIsRefused(t *testing.T) {
	b := newBrowser(t)
	s := newLive(t, options{})
	p := s.at(b)
	p.eval("seen = cur = head, press({ label: 'fly', do: 'fly' })", nil)
	p.until("/^Refused: there is no button/.test(document.querySelector('#says').textContent)")
	var at int
	p.eval("cur", &at)
	s.do(t, "update", "key", "default/web-1")
	p.until(rest(4))
	p.until(fmt.Sprintf("cur === %d && head > cur", at))
}

// A gap in the numbers means that an event is missing: the page does not draw on, it lists. An event
// that comes twice is no gap.
func TestBrowserListsAgainWhenAnEventIsMissing(t *testing.T) {
	b := newBrowser(t)
	s := newLive(t, options{})
	p := s.at(b)
	var goesOn bool
	p.eval("(was => { receive(log.get(head)), receive(log.get(head - 1)); return era === was })(era)", &goesOn)
	assert.True(t, goesOn, "it lists because of an event that it has")
	p.eval("receive({ ...log.get(head), seq: head + 2 })", nil)
	p.until("lists === 2 && link === 'watching' && " + rest(3))
	b.quiet()
}

// The page draws at most once a frame, and what it holds and shows does not grow with the number of
// events that it has got.
func TestBrowserKeepsUpWithTenThousandEvents(t *testing.T) {
	b := newBrowser(t)
	s := newLive(t, options{})
	p := s.at(b)
	p.live()
	p.eval(`globalThis.seen_ = { frames: 0, draws: 0, long: 0 }
		new PerformanceObserver(l => { seen_.long += l.getEntries().length })
			.observe({ type: 'longtask' })
		const tick = () => { seen_.frames++; requestAnimationFrame(tick) }
		requestAnimationFrame(tick)
		new MutationObserver(() => seen_.draws++).observe($('#pos'), { childList: true })`, nil)
	var nodes [2]int
	updates := 0
	for i := range nodes {
		for ; s.machine.seen.last() < int64(i+1)*5000; updates += 20 {
			for range 20 {
				s.do(t, "update", "key", "default/web-1")
			}
			p.frames(1)
		}
		p.until("cur === head && " + rest(3+updates))
		p.eval("document.querySelectorAll('*').length", &nodes[i])
	}
	var got struct{ Frames, Draws, Long, Held int }
	p.eval("({ ...seen_, held: log.size })", &got)
	t.Logf("%d events, %d frames, %d drawings, %d long tasks, %d elements",
		s.machine.seen.last(), got.Frames, got.Draws, got.Long, nodes[1])
	assert.LessOrEqual(t, got.Draws, got.Frames+1, "more drawings than frames")
	assert.LessOrEqual(t, got.Held, maxHeld, "states held")
	assert.InDelta(t, nodes[0], nodes[1], 60, "elements after 5,000 and after 10,000 events")
	p.keyUntil("ArrowLeft", "ArrowLeft", "cur === head - 1")
	b.quiet()
}
