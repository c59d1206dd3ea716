package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/watchglass/docs/run/live/static"
	"example.com/watchglass/docs/tools/tape"
	"example.com/watchglass/docs/tools/words"
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

// at is a sentence that is true when the page stands at a moment of a scene.
func at(scene string, seq int) string {
	return fmt.Sprintf("page.scene?.name === %q && stage?.cur === %d && stage.root.dataset.at === '%[2]d'", scene, seq)
}

// A lesson is walked through by keys: a step is a beat, the question comes before the proof, an answer
// is told why it is wrong, the end leads to the proof, back, and on to the next lesson.
func TestBrowserLessons(t *testing.T) {
	b := newBrowser(t)
	s := newLive(t, true)
	p := b.open(s.url())
	p.until("stage?.cover && /^An informer keeps/.test(stage.$('.says').textContent) && stage.$('.source').disabled")
	p.looks("first-screen", true)
	for i, scene := range s.page.scenes {
		l := scene.Lesson
		require.NotEmpty(t, l.Beats)
		p.eval("act.step(stage)", nil) // from the first screen, or from the lesson before
		wrong := slices.IndexFunc(l.Answers, func(a tape.Answer) bool { return a.Reply != "" })
		for n, beat := range l.Beats {
			p.until(at(l.Name, beat.Seq))
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
			p.click(".ask [data-go]", at(l.Name, l.ProofAt))
			p.click(".ask [data-go]", at(l.Name, last))
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
	p.quiet()
}

// Play stays at a sentence as long as it takes to read it, and stops at a question.
func TestBrowserPlayReads(t *testing.T) {
	b := newBrowser(t)
	p := b.open(newLive(t, true).url() + "#resync")
	p.until("stage")
	p.eval("globalThis.waits = [], globalThis.real = setTimeout, globalThis.setTimeout = (f, ms) => { waits.push([ms, stage.words.text.length]); return real(f, 5) }, stage.play()", nil)
	p.until("stage.asks && !stage.timer")
	p.none("waits.filter(([ms, n]) => ms !== 300 && ms > 1000 && ms < 6000 && ms !== 1200 + 45 * n).map(String)", "pauses that are not for reading")
	p.eval("globalThis.setTimeout = real, waits.some(([ms]) => ms > 3000) || (() => { throw 'never read' })()", nil)
}

// Two stages on a page know nothing of each other: keys are for the one that has the focus. Four places
// with beats fit into the 640 px of a text, and there are no ids.
func TestBrowserTwoStages(t *testing.T) {
	b := newBrowser(t)
	p := b.open(newLive(t, true).url() + "#lost-deletion")
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
	p.quiet()
}

// Each story of the informer is a recording in one file, opened without any server.
func TestBrowserDrawsEveryStory(t *testing.T) {
	b := newBrowser(t)
	files, err := filepath.Glob("../../../informer/testdata/*.story")
	require.NoError(t, err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		recorded, err := tape.Record(tape.Story{Name: filepath.Base(file), Text: string(text)}, source)
		require.NoError(t, err)
		page, err := static.Page(recorded)
		require.NoError(t, err)
		out := filepath.Join(t.TempDir(), "story.html")
		require.NoError(t, os.WriteFile(out, page, 0o600))
		p := b.open("file://" + out)
		p.until("stage?.root.dataset.head")
		p.none(differing, file)
		p.key("Home", "Home", false, "stage.cur === 0")
		p.key("ArrowRight", "ArrowRight", false, "stage.e.kind === 'say'") // the prose of an act comes before its events
		p.key("u", "KeyU", false, "/recording/.test(stage.$('.says').textContent)")
		p.quiet()

	}
}

// crowded is a machine with much of everything: what does not fit must become a number.
func crowded(kind string, objects int, name func(int) string) tape.State {
	key := func(i int) string { return "default/" + name(i) }
	updates := func(n int) (all []tape.Mark) {
		for i := range n {
			all = append(all, tape.Mark{Type: "Updated", RV: fmt.Sprint(1234000 + i), Tombstone: i == 3})
		}
		return all
	}
	s := tape.State{
		Server: &tape.ServerState{RV: 1234567, Floor: 1234000, Watchers: 12, Fault: "status 500, silence, cut", Total: objects + 900},
		Wire: &tape.WireState{Open: true, From: "1234000", Frames: 99999, Held: 17, Before: []tape.Mark{{Type: "part of a frame"}},
			Behind: []tape.Mark{{Key: key(2), Type: "BOOKMARK", RV: "1234567"}}},
		Reflector: &tape.ReflectorState{State: "watching", Version: "1234567", PauseMs: 30000, Lists: 99, Watches: 999, Hand: &tape.Mark{Key: key(3), Type: "MODIFIED"}},
		Queue: &tape.QueueState{Kind: kind, Total: objects + 50, Populated: true, Initial: 123,
			Popped: []tape.QueueRow{{Key: key(1), Deltas: updates(50)}, {Deltas: []tape.Mark{{Type: "ReplacedAll", N: 99999}}}}},
		Cache: &tape.CacheState{Total: objects + 900, Indices: []tape.IndexState{{Name: "a-rather-long-index", Values: []tape.IndexValue{{Value: "a-long-value", Keys: []string{key(1)}}}}}},
	}
	for i := range objects {
		o := tape.ObjectState{Key: key(i), RV: fmt.Sprint(1234567 - i)}
		s.Server.Objects, s.Cache.Objects = append(s.Server.Objects, o), append(s.Cache.Objects, o)
		s.Server.Log = append(s.Server.Log, tape.LogEntry{RV: 1234567, Type: "MODIFIED", Key: key(i)})
		row := tape.QueueRow{Key: key(i), Deltas: updates(1 + i*3%17)}
		if kind == tape.RealFIFO {
			row.Deltas = row.Deltas[:1]
		}
		s.Queue.Rows, s.Recent = append(s.Queue.Rows, row), append(s.Recent, key(i))
	}
	for i, handler := range []string{"fast", "slow", "a-handler-with-a-lo"} {
		s.Listeners = append(s.Listeners, tape.ListenerState{Name: handler, Pending: 12345, High: 99999, Synced: i%2 == 0,
			Ring: tape.RingState{Cap: 1024, Waiting: []tape.Mark{{Key: key(i)}}}})
		s.Handlers = append(s.Handlers, tape.HandlerState{Name: handler, Busy: "OnUpdate default@1234567", Told: 1234567,
			Hand: &tape.Mark{Key: key(i), Tombstone: true, Type: "delete"}})
		s.Valves = append(s.Valves, tape.ValveState{Name: fmt.Sprintf("V%d", i+3), Handler: handler, Mode: "held", Waiting: 1})
	}
	return s
}

// tapePage opens a recording of these events.
func tapePage(t *testing.T, b *browser, meta tape.Meta, events ...tape.Event) *tab {
	t.Helper()
	recorded := &tape.Tape{Meta: meta}
	for i := range events {
		recorded.Events = append(recorded.Events, &events[i])
	}
	text, err := static.Page(recorded)
	require.NoError(t, err)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(text) }))
	t.Cleanup(server.Close)
	p := b.open(server.URL)
	p.until("stage?.root.dataset.head")
	return p
}

func TestBrowserCrowdedPlacesCanBeRead(t *testing.T) {
	b := newBrowser(t)
	meta := newFixtureMeta(t)
	for name, state := range map[string]tape.State{
		"many":      crowded(tape.DeltaFIFO, 100, func(i int) string { return fmt.Sprintf("web-%d", i) }),
		"real-fifo": crowded(tape.RealFIFO, 100, func(i int) string { return fmt.Sprintf("web-%d", i) }),
		"long":      crowded(tape.DeltaFIFO, 30, func(i int) string { return fmt.Sprintf("coredns-%s-%d", strings.Repeat("x", 70), i) }),
	} {
		var events []tape.Event
		for i, lane := range []string{words.API, words.Wire, words.Reflector, words.Queue, words.Process, words.Cache, words.Processor, "handler:slow"} {
			e := tape.Event{Seq: int64(i), At: int64(i) * 30000, State: state, Call: tape.Call{File: "deltafifo/x.go", Line: 1, Func: "DeltaFIFO.x"}}
			e.Event = words.Event{Lane: lane, Key: state.Recent[0], Text: strings.Repeat("a long text ", 9), Brief: strings.Repeat("a long text ", 9), Fault: i%3 == 0}
			events = append(events, e)
		}
		p := tapePage(t, b, meta, events...)
		for n := range events {
			p.eval(fmt.Sprintf("stage.go(%d), stage.show(0)", n), nil)
			if n%3 == 0 {
				p.looks("crowded-"+name, false)
			}
		}
		p.quiet()

	}
}

// newFixtureMeta is what a page is told of a machine.
func newFixtureMeta(t *testing.T) tape.Meta {
	t.Helper()
	m, err := tape.New(tape.Options{Source: source})
	require.NoError(t, err)
	t.Cleanup(m.Close)
	return m.Meta()
}

// What comes from a server is text, and never becomes markup.
func TestBrowserShowsTextsAsTexts(t *testing.T) {
	b := newBrowser(t)
	const evil = `"><img id=evil src=x onerror="evil = 1"><b id=evil>'`
	s := crowded(tape.DeltaFIFO, 4, func(i int) string { return fmt.Sprint(evil, i) })
	s.Server.Fault, s.Reflector.State = evil, evil
	s.Handlers[0].Name, s.Listeners[0].Name, s.Valves[0].Handler = evil, evil, evil
	meta := tape.Meta{Server: evil, States: []string{evil}, Story: evil, Legend: []words.Entry{{Lane: words.API, Text: "b", Says: evil}}}
	p := tapePage(t, b, meta, tape.Event{Event: words.Event{Lane: words.API, Kind: evil, Key: s.Recent[0], Text: evil, Brief: evil},
		Seq: 1, From: evil, To: evil, State: s, Call: tape.Call{File: evil, Line: 1, Func: evil}, Report: evil, Callers: []tape.Call{{File: evil, Line: 1, Func: evil}}})
	whole, err := json.Marshal(evil)
	require.NoError(t, err)
	for _, open := range []string{"0", "event(stage, 1)", "token(stage, 'api|' + stage.e.key + '|1')", "token(stage, 'call|' + stage.e.state.handlers[0].name)", "collection(stage, 'queue')",
		"token(stage, 'index|')", "act.source(stage)", "page.self()", fmt.Sprintf("stage.tell(%s)", whole), fmt.Sprintf("Object.assign(stage, { question: %s, answers: [{ text: %[1]s }], said: 0, proof: 1 }), stage.show(0)", whole)} {
		p.eval(open, nil)
		p.eval("new Promise(requestAnimationFrame)", nil)
		p.none("document.querySelectorAll('#evil').length || globalThis.evil === 1 ? ['markup'] : []", open)
	}
}
