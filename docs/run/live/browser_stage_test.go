package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/watchglass/docs/tools/tape"
)

// windows are the sizes at which the page is tried; 640 x 400 is 1280 x 800 at a zoom of 200 %.
var windows = [][2]int{{1280, 800}, {1024, 768}, {820, 1180}, {390, 844}, {640, 400}}

// looks tries the laws of layout in every window, light and dark, and takes pictures.
func (p *tab) looks(name string, all bool) {
	p.t.Helper()
	for i, w := range windows {
		p.size(w[0], w[1])
		for j, theme := range []string{"light", "dark"} {
			if !all && i%2 == j { // each window in one of the two
				continue
			}
			p.eval(fmt.Sprintf("document.documentElement.dataset.theme = %q, stage.measure(), stage.show(0)", theme), nil)
			p.none(ugly, fmt.Sprintf("%s at %d x %d, %s", name, w[0], w[1], theme))
			p.shot(fmt.Sprintf("%s-%d-%s", name, w[0], theme))
		}
	}
	p.size(windows[0][0], windows[0][1])
	p.eval("stage.measure(), stage.show(0)", nil)
}

// lessons are what the program begins with.
func lessons(t *testing.T) []scene {
	scenes, err := options{}.scenes(source)
	require.NoError(t, err)
	return scenes
}

// A lesson is walked through by keys: a step is a beat, the question comes before the proof, an answer
// is told why it is wrong, the end leads to the proof, back, and on to the next lesson.
func TestBrowserLessons(t *testing.T) {
	needBrowser(t)
	scenes := lessons(t)
	p := open(t, newLive(t, scenes...).url)
	p.until("stage?.cover && /^An informer keeps/.test(stage.$('.says').textContent) && stage.$('.source').disabled")
	p.looks("first-screen", true)
	for i, scene := range scenes {
		l := scene.Lesson
		at := func(seq int) string {
			return fmt.Sprintf("page.scene?.name === %q && stage?.cur === %d && stage.root.dataset.at === '%[2]d'", l.Name, seq)
		}
		p.eval("act.step(stage)", nil) // from the first screen, or from the lesson before
		wrong := slices.IndexFunc(l.Answers, func(a tape.Answer) bool { return a.Reply != "" })
		for n, beat := range l.Beats {
			p.until(at(beat.Seq))
			p.none(fmt.Sprintf("stage.$('.says').textContent === %q ? [] : [stage.$('.says').textContent]", beat.Says), "the words of a beat")
			if n+1 == len(l.Beats) {
				break
			}
			if asks := l.Beats[n+1].Seq == l.ProofAt; asks {
				p.until("stage.asks && stage.all('.choices button').length === 4")
				p.looks(l.Name+"-asks", i < 2)
				p.key(fmt.Sprint(wrong+1), fmt.Sprintf("Digit%d", wrong+1), false, fmt.Sprintf("stage.said === %d && stage.$('.ask').textContent.includes(%q)", wrong, l.Answers[wrong].Reply))
			} else {
				p.none("stage.asks || stage.$('.choices') ? ['asked too early'] : []", l.Name)
				p.key("ArrowRight", "ArrowRight", false, "true")
			}
		}
		last := l.Beats[len(l.Beats)-1].Seq
		if last != l.ProofAt {
			p.click(".ask [data-go]", at(l.ProofAt))
			p.click(".ask [data-go]", at(last))
		}
		if i%3 == 0 {
			p.looks(l.Name+"-end", false)
		}
		p.eval("stage.go(stage.tape.first), stage.show(0)", nil)
		p.key("ArrowLeft", "ArrowLeft", false, "stage.cur < stage.tape.first") // what was before is there
		p.none(differing, l.Name)
		p.eval("stage.go(stage.tape.last), stage.show(0)", nil)
	}
	p.eval("location.hash = '#lost-deletion,proof,dark'", nil)
	p.until("page.scene?.name === 'lost-deletion' && stage.cur === page.scene.proof && document.documentElement.dataset.theme === 'dark'")
	p.eval("location.hash = '#lost-deletion,replaced%20at%20version%205'", nil)
	p.until("/1 deletion/.test(stage.e.text)")
	p.until("location.hash === page.address()")
}

// Play stays at a sentence as long as it takes to read it, and stops at a question.
func TestBrowserPlayReads(t *testing.T) {
	needBrowser(t)
	p := open(t, newLive(t, lessons(t)...).url+"#resync")
	p.until("stage")
	p.eval("globalThis.waits = [], globalThis.real = setTimeout, globalThis.setTimeout = (f, ms) => { waits.push([ms, stage.words.text.length]); return real(f, 5) }, stage.play()", nil)
	p.until("stage.asks && !stage.timer")
	p.none("waits.filter(([ms, n]) => ms !== 300 && ms > 1000 && ms < 6000 && ms !== 1200 + 45 * n).map(String)", "pauses that are not for reading")
	p.eval("globalThis.setTimeout = real, waits.some(([ms]) => ms > 3000) || (() => { throw 'never read' })()", nil)
}

// Two stages on a page know nothing of each other: keys are for the one that has the focus. Four places
// with beats fit into the 640 px of a text, and there are no ids.
func TestBrowserTwoStages(t *testing.T) {
	needBrowser(t)
	p := open(t, newLive(t, lessons(t)...).url+"#lost-deletion")
	p.until("stage?.tape.beats.length")
	p.size(1280, 1000)
	p.eval(`globalThis.two = [0, 1].map(() => { const el = document.createElement('div'); el.style.width = '640px'
		document.body.append(el)
		return new Stage(el, { meta: stage.tape.meta, events: [...stage.tape.log.values()] }, { places: ['api', 'queue', 'cache', 'handlers'],
			beats: page.scene.beats, question: page.scene.question, answers: page.scene.answers, proof: page.scene.proof }) })
		document.body.style.display = 'block'; document.querySelector('#stage').style.display = 'none'
		Object.defineProperty(globalThis, 'stage', { get: () => two[0], configurable: true }); two[0].root.focus()`, nil)
	p.key("ArrowRight", "ArrowRight", false, "two[0].cur === two[0].tape.beats[1].seq && two[1].cur === two[1].tape.first")
	p.eval("two[1].root.focus()", nil)
	p.key("ArrowRight", "ArrowRight", false, "two[1].cur === two[1].tape.beats[1].seq && two[0].cur === two[0].tape.beats[1].seq")
	p.key(" ", "Space", false, "two[1].cur === two[1].tape.beats[2].seq && two[0].cur === two[0].tape.beats[1].seq")
	p.none("two.flatMap(s => s.all('[id]').map(x => x.id)).concat(two[0].root.dataset.fit === 'compact' ? [] : [two[0].root.dataset.fit])", "ids, or another shape")
	for n := range 11 {
		p.eval("stage.show(1)", nil)
		p.none(`(() => { const w = stage.$('.places'); return w.scrollWidth > w.clientWidth + 1 ? ['wider than the text'] : [] })()`, "four places")
		p.none(ugly, "four places in 640 px")
		p.shot(fmt.Sprintf("four-places-%d", n))
		p.eval("two[0].asks ? two[0].answer(2) : act.step(two[0])", nil)
	}
}

// Each story of the informer is drawn as it was reported. The prose of an act comes before its events.
func TestBrowserDrawsEveryStory(t *testing.T) {
	needBrowser(t)
	files, err := filepath.Glob("../../../informer/testdata/*.story")
	require.NoError(t, err)
	var scenes []scene
	for _, file := range files {
		told, err := options{story: file}.scenes(source)
		require.NoError(t, err)
		told[0].Name = filepath.Base(file)
		scenes = append(scenes, told...)
	}
	p := open(t, newLive(t, scenes...).url)
	p.until("stage")
	for _, s := range scenes {
		p.eval(fmt.Sprintf("page.enter(%q)", s.Name), nil)
		p.none(differing, s.Name)
		p.key("Home", "Home", false, "stage.cur === 0")
		p.key("ArrowRight", "ArrowRight", false, "stage.e.kind === 'say'")
		p.key("u", "KeyU", false, "/recording/.test(stage.$('.says').textContent)")
	}
}

// What does not fit must become a number, or be cut with a way to read it.
func TestBrowserCrowdedPlacesCanBeRead(t *testing.T) {
	for _, queue := range []string{tape.DeltaFIFO, tape.RealFIFO} {
		t.Run(queue, func(t *testing.T) {
			_, p := newPage(t)
			p.press(queue, "stage.state.queue.kind === '"+queue+"' && "+rest(3))
			p.eval("page.machine.end(), globalThis.state = stage.state, globalThis.meta = stage.tape.meta", nil)
			for _, name := range []string{"web-", "coredns-" + strings.Repeat("x", 70)} {
				p.eval(fmt.Sprintf("%s(%q)", crowd, name), nil)
				for n := range 8 {
					p.eval(fmt.Sprintf("stage.go(%d), stage.show(0)", n), nil)
					p.none(ugly, fmt.Sprint(name, n))
				}
				p.looks("crowded-"+queue+name[:3], false)
			}
		})
	}
}

// What comes from a server is text, and never becomes markup.
func TestBrowserShowsTextsAsTexts(t *testing.T) {
	_, p := newPage(t)
	p.eval(`globalThis.evil = '"><img id=evil src=x onerror="bad = 1"><b id=evil>\''
		page.machine.end()
		const bad_ = x => JSON.parse(JSON.stringify(x), (k, v) => typeof v === 'string' && k !== 'object' ? evil : v)
		const { meta, log } = stage.tape
		page.show(new Tape({ meta: bad_(meta), events: [...log.values()].map(bad_) }), { orders: {}, sources: () => bad_({ lines: [{ n: 1, text: 'x' }], error: 'x' }),
			question: evil, answers: [{ text: evil }], beats: [{ seq: log.size, says: evil }], proof: log.size, next: { title: evil } })`, nil)
	for _, open := range []string{"0", "event(stage, 9)", "token(stage, 'api|' + evil + '|1')", "token(stage, 'call|' + evil)", "collection(stage, 'api')",
		"token(stage, 'index|')", "act.source(stage)", "act.keys(stage)", "page.self()", "stage.tell(evil)", "stage.said = 0, stage.go(stage.tape.last), stage.show(0)"} {
		p.eval(open, nil)
		p.eval("new Promise(requestAnimationFrame)", nil)
		p.none("document.querySelectorAll('#evil').length || globalThis.bad === 1 ? ['markup'] : []", open)
	}
}
