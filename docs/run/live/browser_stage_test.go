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
func (p tab) looks(name string, all bool) {
	for i, w := range windows {
		p.Size(w[0], w[1])
		for j, theme := range []string{"light", "dark"} {
			if !all && i%2 == j {
				continue // each window in one of the two
			}
			p.Eval(
				fmt.Sprintf(
					"document.documentElement.dataset.theme = %q, stage.measure(), stage.show(0)",
					theme,
				),
				nil,
			)
			p.None(ugly, fmt.Sprintf("%s at %d x %d, %s", name, w[0], w[1], theme))
			p.Shot(fmt.Sprintf("%s-%d-%s", name, w[0], theme))
		}
	}
	p.Size(1280, 800)
	p.Eval("stage.measure(), stage.show(0)", nil)
}

// A lesson is walked through by keys: a step is a beat, the question comes before the proof, an
// answer is told why it is wrong and stays marked, the end leads to the proof, back, and on to the
// next lesson.
func TestBrowserLessons(t *testing.T) {
	p := open(t, "")
	p.Until(
		"stage?.cover && stage.cur === stage.tape.first && " +
			"/^An informer keeps/.test(stage.$('.says').textContent) && " +
			"stage.$('.source').disabled",
	)
	p.looks("first-screen", true)
	var lessons []tape.Lesson
	p.Eval("page.scenes", &lessons)
	require.Len(t, lessons, len(tape.Lessons))
	for i, l := range lessons {
		at := func(seq int) string {
			return fmt.Sprintf(
				"page.scene?.name === %q && stage?.cur === %d && stage.root.dataset.at === '%[2]d'",
				l.Name,
				seq,
			)
		}
		p.Eval("act.step(stage)", nil) // from the first screen, or from the lesson before
		wrong := slices.IndexFunc(l.Answers, func(a tape.Answer) bool { return a.Reply != "" })
		for n, beat := range l.Beats {
			p.Until(at(beat.Seq) + fmt.Sprintf(" && stage.$('.says').textContent === %q", beat.Says))
			if n+1 == len(l.Beats) {
				break
			}
			if asks := l.Beats[n+1].Seq == l.ProofAt; asks {
				p.Until(
					"stage.asks && stage.all('.choices button').length === 4 && " +
						"/^skip/.test(stage.$('[data-do=step]').textContent)",
				)
				p.looks(l.Name+"-asks", i < 2)
				p.Key(
					fmt.Sprint(wrong+1),
					fmt.Sprintf("Digit%d", wrong+1),
					false,
					fmt.Sprintf(
						"stage.said === %d && stage.$('.ask').textContent.includes(%q)",
						wrong,
						l.Answers[wrong].Reply,
					),
				)
			} else {
				p.None("stage.asks || stage.$('.choices') ? ['asked too early'] : []", l.Name)
				p.Key("ArrowRight", "ArrowRight", false, "true")
			}
		}
		if last := l.Beats[len(l.Beats)-1].Seq; last != l.ProofAt {
			p.Click(".ask [data-go]", at(l.ProofAt))
			p.Click(".ask [data-go]", at(last))
		}
		p.None(
			"(stage.go(stage.tape.beats[stage.ask].seq), stage.show(0), stage.all('.choices b').map(b "+
				"=> b.textContent.slice(2)).sort().join('') === '✓✗' ? [] : ['unmarked'])",
			l.Name,
		)
		p.Eval("stage.go(stage.tape.first), stage.show(0)", nil)
		p.Key("ArrowLeft", "ArrowLeft", false, "stage.cur < stage.tape.first") // what was before is there
		p.None(differing, l.Name)
		p.Eval("stage.go(stage.tape.last), stage.show(0)", nil)
	}
	p.looks("lesson-end", true)
	p.Eval("location.hash = '#lost-deletion,proof'", nil)
	p.Until("stage.cur === stage.proof && stage.tape.name(stage.cur).includes('Replaced')")
	p.Eval("location.hash = '#lost-deletion,replaced%20at%20version%205'", nil)
	p.Until("/1 deletion/.test(stage.e.text) && location.hash === page.address()")
}

// The button that steps stays under the thumb, whatever a step shows: at each width it has one
// place and one size in all lessons. What is said is never cut.
func TestBrowserStepStaysWhereItIs(t *testing.T) {
	p := open(t, "#first-list")
	for _, w := range [][2]int{{390, 664}, {640, 800}, {820, 1180}, {1280, 800}} {
		p.Size(w[0], w[1])
		p.Until("stage?.tape.beats.length")
		p.None(`(async () => {
			const places = new Set(), cut = []
			for (const l of page.scenes) {
				await page.enter(l.name)
				await new Promise(requestAnimationFrame)
				for (const b of l.beats) {
					stage.go(b.seq), stage.show(1)
					const r = stage.$('[data-do=step]').getBoundingClientRect()
					places.add([r.y, r.width, r.height].map(Math.round).join())
					const says = stage.$('.says'), under = stage.$('.places').getBoundingClientRect().top
					if (says.scrollHeight > says.clientHeight + 1 || says.getBoundingClientRect().bottom > under)
						cut.push(b.says)
				}
			}
			return cut.concat(places.size === 1 ? [] : [...places])
		})()`, fmt.Sprintf("%d x %d", w[0], w[1]))
	}
}

// Places that stand in rows end below a whole row, and the one that acts is in view. While the
// stage asks or leads on, that takes their room.
func TestBrowserPlacesEndWithARow(t *testing.T) {
	p := open(t, "#lost-deletion")
	for _, w := range [][2]int{{640, 900}, {820, 1180}, {1024, 768}} {
		p.Size(w[0], w[1])
		p.Until("stage?.tape.beats.length && stage.root.dataset.fit === 'wrap'")
		p.None(`stage.tape.beats.flatMap(b => {
			stage.go(b.seq), stage.show(1)
			const box = stage.$('.places').getBoundingClientRect()
			return stage.$('.ask').textContent ? [] : stage.all('.col').filter(el => {
				const { top, bottom } = el.getBoundingClientRect()
				const isOut = top > box.bottom - 1 || bottom < box.top + 1
				const isIn = top > box.top - 1 && bottom < box.bottom + 1
				return !isIn && (!isOut || el.matches(':has(.acted)'))
			}).map(el => b.says + ' ' + el.textContent)
		})`, fmt.Sprintf("%d x %d", w[0], w[1]))
	}
}

// A machine that was taken over plays at the pace of a reader: its time stands still while events
// wait to be shown, and a step during a pause skips it.
func TestBrowserAMachineThatWasTakenOverPlays(t *testing.T) {
	p := open(t, "#lost-deletion,the-server-forgets-its-history,take")
	p.Until("page.machine?.link === 'watching' && stage.orders && stage.paced")
	p.None("page.address() === '#lost-deletion,the-server-forgets-its-history,take' ? [] : "+
		"[page.address()]", "the address keeps the event")
	p.Eval("globalThis.was = stage.cur", nil)
	p.press("heal", "stage.tape.head > was + 1 && stage.cur <= was + 1")
	p.Eval("globalThis.head = 0, new Promise(done => setTimeout(done, 300))", nil)
	p.Eval("globalThis.head = stage.tape.head, new Promise(done => setTimeout(done, 900))", nil)
	p.None("stage.tape.head === head ? [] : ['it runs ahead of its reader']", "a machine that plays")
	p.Eval("stage.go(stage.tape.head), stage.goOn()", nil)
	p.Until("stage.tape.at(stage.tape.head).state.reflector.pauseMs > 0 || stage.plays && " +
		"(stage.go(stage.tape.head), stage.goOn(), false)")
	p.Eval("stage.go(stage.tape.head), stage.show(0), globalThis.before = stage.tape.head, "+
		"act.step(stage)", nil)
	p.None("/That is skipped/.test(stage.words.text) ? [] : [stage.words.text]", "a step in a pause")
	p.Until("stage.tape.head > before")
}

// Play stays at a sentence as long as it takes to read it, and stops at a question.
func TestBrowserPlayReads(t *testing.T) {
	p := open(t, "#resync")
	p.Until("stage?.play")
	p.Eval(
		"globalThis.waits = [], globalThis.real = setTimeout, globalThis.setTimeout = (f, ms) => { "+
			"waits.push([ms, stage.words.text.length]); return real(f, 5) }, stage.play()",
		nil,
	)
	p.Until("stage.asks && !stage.timer")
	p.None(
		"waits.some(([ms]) => ms > 3000) ? waits.filter(([ms, n]) => ms > 1000 && ms < 6000 && ms "+
			"!== 1200 + 45 * n).map(String) : ['never read']",
		"pauses that are not for reading",
	)
}

// Two stages on a page know nothing of each other: keys are for the one that has the focus. Four
// places with beats fit into the 640 px of a text, and there are no ids.
func TestBrowserTwoStages(t *testing.T) {
	p := open(t, "#lost-deletion")
	p.Until("stage?.tape.beats.length")
	p.Size(1280, 1000)
	p.Eval(`globalThis.two = [0, 1].map(() => { const el = document.createElement('div'); el.style.width = '640px'
		document.body.append(el)
		return new Stage(el, { meta: stage.tape.meta, events: [...stage.tape.log.values()] }, { places: ['api', 'queue', 'cache', 'handlers'],
			beats: page.scene.beats, question: page.scene.question, answers: page.scene.answers, proof: page.scene.proof }) })
		document.body.style.display = 'block'; document.querySelector('#stage').style.display = 'none'
		Object.defineProperty(globalThis, 'stage', { get: () => two[0], configurable: true }); two[0].root.focus()`, nil)
	p.Key(
		"ArrowRight",
		"ArrowRight",
		false,
		"two[0].cur === two[0].tape.beats[1].seq && two[1].cur === two[1].tape.first",
	)
	p.Eval("two[1].root.focus()", nil)
	p.Key(
		"ArrowRight",
		"ArrowRight",
		false,
		"two[1].cur === two[1].tape.beats[1].seq && two[0].cur === two[0].tape.beats[1].seq",
	)
	p.Key(
		" ",
		"Space",
		false,
		"two[1].cur === two[1].tape.beats[2].seq && two[0].cur === two[0].tape.beats[1].seq",
	)
	p.None(
		"two.flatMap(s => s.all('[id]').map(x => x.id)).concat(two[0].root.dataset.fit === 'compact' "+
			"? [] : [two[0].root.dataset.fit])",
		"ids, or another shape",
	)
	for n := range 11 {
		p.None(
			`(() => { stage.show(1); const w = stage.$('.places'); return w.scrollWidth > w.clientWidth + 1 ? ['wider than the text'] : [] })()`,
			"four places",
		)
		p.None(ugly, "four places in 640 px")
		p.Shot(fmt.Sprintf("four-places-%d", n))
		p.Eval("two[0].asks ? two[0].answer(2) : act.step(two[0])", nil)
	}
}

// Each story of the informer is drawn as it was reported. The prose of an act comes before its
// events.
func TestBrowserDrawsEveryStory(t *testing.T) {
	files, err := filepath.Glob("../../../informer/testdata/*.story")
	require.NoError(t, err)
	p := open(t, "")
	p.Until("stage")
	for _, file := range files {
		p.Eval(
			fmt.Sprintf(
				"fetch('tape?story=%s').then(r => r.json()).then(t => void page.show(t))",
				filepath.Base(file),
			),
			nil,
		)
		p.None(differing, file)
		p.Key("Home", "Home", false, "stage.cur === 0")
		p.Key("ArrowRight", "ArrowRight", false, "stage.e.kind === 'say'")
		p.Key("u", "KeyU", false, "/recording/.test(stage.$('.says').textContent)")
	}
}

// What does not fit must become a number, or be cut with a way to read it.
func TestBrowserCrowdedPlacesCanBeRead(t *testing.T) {
	for _, queue := range []string{tape.DeltaFIFO, tape.RealFIFO} {
		t.Run(queue, func(t *testing.T) {
			p := newPage(t)
			p.press(queue, "stage.state.queue.kind === '"+queue+"' && "+rest(3))
			p.Eval(
				"page.machine.end(), globalThis.state = stage.state, globalThis.meta = stage.tape.meta",
				nil,
			)
			for _, name := range []string{"web-", "coredns-" + strings.Repeat("x", 70)} {
				p.Eval(fmt.Sprintf("%s(%q)", crowd, name), nil)
				for n := range 8 {
					p.Eval(fmt.Sprintf("stage.go(%d), stage.show(0)", n), nil)
					p.None(ugly, fmt.Sprint(name, n))
				}
				p.looks("crowded-"+queue+name[:3], false)
			}
		})
	}
}

// What comes from a server is text, and never becomes markup.
func TestBrowserShowsTextsAsTexts(t *testing.T) {
	p := newPage(t)
	p.Eval(`globalThis.evil = '"><img id=evil src=x onerror="bad = 1"><b id=evil>\''
		page.machine.end()
		const bad_ = x => JSON.parse(JSON.stringify(x), (k, v) => typeof v === 'string' && k !== 'object' ? evil : v)
		const { meta, log } = stage.tape
		page.show(new Tape({ meta: bad_(meta), events: [...log.values()].map(bad_) }), { orders: {}, sources: () => bad_({ lines: [{ n: 1, text: 'x' }], error: 'x' }),
			question: evil, answers: [{ text: evil }], beats: [{ seq: log.size, says: evil }], proof: log.size, next: { title: evil } }), 0`, nil)
	for _, open := range []string{
		"0",
		"event(stage, 9)",
		"token(stage, 'api|' + evil + '|1')",
		"token(stage, 'call|' + evil)",
		"collection(stage, 'api')",
		"token(stage, 'index|')",
		"act.source(stage)",
		"act.keys(stage)",
		"page.self()",
		"stage.tell(evil)",
		"stage.said = 0, stage.go(stage.tape.last), stage.show(0)",
	} {
		p.Eval(open+"; new Promise(requestAnimationFrame)", nil)
		p.None(
			"document.querySelectorAll('#evil').length || globalThis.bad === 1 ? ['markup'] : []",
			open,
		)
	}
}

// The machine of one's own: each button, in the order of the page, does something that the page
// shows.
func TestBrowserEveryButton(t *testing.T) {
	p := newPage(t)
	var labels []string
	p.Eval("stage.buttons.map(b => b.label)", &labels)
	for _, label := range labels {
		p.Eval("globalThis.before = stage.tape.head", nil)
		// What a new list says has not arrived as an event.
		p.press(
			label,
			"stage.tape.head > before && stage.root.dataset.at === String(stage.tape.head) && "+
				"!(performance.now() - stage.e.arrived < 400)",
		)
		p.None("stage.note?.bad ? [stage.note.text] : []", label)
	}
	p.Until("stage.state.queue.kind === 'RealFIFO'")
	p.press(
		"answer 500",
		"stage.state.reflector.pauseMs > 0 && /[0-9]/.test(stage.$('.curve.reflector b').textContent)",
	)
}

// What waits behind a valve is drawn, and what is said keeps to what can happen.
func TestBrowserShowsWhatValvesHold(t *testing.T) {
	p := newPage(t)
	p.Key("2", "Digit2", false, "stage.state.valves[1].mode === 'held'")
	p.update(4)
	p.Until(
		"stage.all('.queue .line .delta, .queue .pile i').length === 4 && stage.$('.curve.queue " +
			"b').textContent === '4' && stage.cur === stage.tape.head",
	)
	p.press("update", `/^“update web-1”.*But V2 holds back/.test(stage.$('.says').textContent)`)
	p.Until("stage.all('.queue .line .delta, .queue .pile i').length === 5")
	p.looks("pile", false)
	// What a valve does is told at once.
	p.Key(
		"2",
		"Digit2",
		false,
		"/^V2 opens. What has waited comes now: one key/.test(stage.$('.says').textContent) && "+rest(8),
	)
	for _, v := range []string{"3", "4"} {
		p.Key(v, "Digit"+v, false, "stage.state.valves["+v+" - 1].mode === 'held'")
	}
	p.update(1)
	p.Until("stage.state.handlers.every(h => h.busy)")
	p.Key("3", "Digit3", false, "stage.state.handlers[0].told === 9")
	p.Key("$", "Digit4", true, "stage.state.valves[3].mode === 'one'")
	p.Key("4", "Digit4", false, "stage.state.handlers[1].told === 9")
	p.Key("1", "Digit1", false, "stage.state.valves[0].mode === 'held'")
	p.update(2)
	p.Until(
		"stage.all('.wire [data-at=wire]').map(x => x.title).join() === 'MODIFIED web-1@11,MODIFIED " +
			"web-1@12'",
	)
	p.Eval("stage.draw()", nil)
	p.None(differing, "a machine that ran")
}

// What was is for reading only, an object opens whole, the focus stays, and a click is for what was
// under it when it went down.
func TestBrowserReadsWhatWas(t *testing.T) {
	p := newPage(t)
	p.update(1)
	p.Until(rest(4) + " && stage.cur === stage.tape.head")
	p.Click(
		"[data-do=back]",
		"stage.cur < stage.tape.head && !stage.follow && stage.all('.do button').every(b => b.disabled)",
	)
	p.Key("u", "KeyU", false, "/This is what was/.test(stage.$('.says').textContent)")
	p.Key("2", "Digit2", false, "stage.state.valves[1].mode === 'open'")
	p.Key("Home", "Home", false, "stage.cur === stage.tape.first")
	p.Key("l", "KeyL", false, "stage.follow && stage.cur === stage.tape.head")
	// An object's way is one line.
	p.Until("stage.all('.row').some(r => r.querySelectorAll('u').length > 3)")
	for click, words := range map[string]string{
		".api .tok[data-key='web-1']": `differs from @3[^]*- [^]*"resourceVersion": "3"[^]*sends MODIFIED web-1@5[^]*fakeapi/`,
		".cache [data-open='index|']": `app[^]*web: web-1, web-2`,
		".cell.l3":                    `Noted for this key[^]*deltafifo/`,
		"[data-about=queue]":          `chapter on it: 3-deltafifo`,
		"[data-word=most]":            `The most notifications that ever waited`,
		"header [data-do=keys]":       `informer[^]*valve[^]*answer a question`,
		"#self":                       `itself a reflector[^]*410 Gone`,
	} {
		p.Click(
			click,
			fmt.Sprintf("stage.$('dialog').open && RegExp(%q).test(stage.$('dialog').textContent)", words),
		)
		p.Click("dialog [data-do=close]", "!stage.$('dialog').open")
	}
	p.Eval("stage.$('[data-open=\"cache|db-1|2\"]').focus()", nil)
	// What has the focus is lit.
	p.Until("stage.all('.lit').length > 2 && stage.all('.lit').every(x => x.dataset.key === 'db-1')")
	p.update(1)
	// A redraw keeps the focus.
	p.Until(
		"stage.state.handlers.every(h => h.told === 5) && stage.cur === stage.tape.head && " +
			"document.activeElement.dataset.open === 'cache|db-1|2'",
	)
	p.Click(
		".cache .tok[data-key='web-1']",
		"stage.$('dialog').open",
		func() { p.update(1); p.Until("stage.state.handlers[0].told === 6") },
	)
	p.None(
		`stage.all('button, input').filter(x => x.checkVisibility() && !x.disabled && !x.closest('dialog')).filter(x => (x.focus({ focusVisible: true }), document.activeElement !== x && !stage.$('dialog').open)).map(x => x.outerHTML.slice(0, 90))`,
		"what the keyboard cannot reach",
	)
	p.Call(
		"Emulation.setEmulatedMedia",
		map[string]any{"features": []any{
			map[string]string{"name": "prefers-reduced-motion", "value": "reduce"},
		}},
		nil,
	)
	p.Eval("stage.$('dialog').close(), stage.follow = false", nil)
	p.press("update", "stage.state.handlers[0].told === 7")
	p.None(
		"(() => { for (let n = 0; n < 9; n++) act.step(stage), stage.show(1); return "+
			"stage.all('.flier').length || document.getAnimations().length ? ['it moves'] : [] })()",
		"a reader who wants no motion",
	)
}

// The page is a reflector: it lists again when its version is gone and when an event is missing. An
// event that comes twice is no gap.
func TestBrowserListsAgain(t *testing.T) {
	p := newPage(t)
	p.None(
		"(m => { const was = m.era; m.receive(m.tape.at(m.tape.head)); return m.era === was ? [] : "+
			"['lists'] })(page.machine)",
		"an event that it has",
	)
	p.Eval("page.machine.receive({ ...stage.e, seq: stage.tape.head + 2 })", nil)
	p.Until("page.machine.lists === 2 && page.machine.link === 'watching' && " + rest(3))
	p.Eval("page.machine.era = {}, 0", nil) // as if the page had slept
	p.update(400)                           // the events are compacted in large steps
	p.Eval("page.machine.watch(), 0", nil)
	p.Until("page.machine.lists >= 3 && stage.tape.head > 500 && page.machine.link === 'watching'")
	p.Key("t", "KeyT", false, "localStorage.theme === 'dark'")
}
