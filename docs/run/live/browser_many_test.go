package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/docs/tools/words"
	"example.com/watchglass/reflector"
)

// crowded is a machine with much of everything: what does not fit must become a number.
func crowded(kind string, objects int, name func(int) string) State {
	s := State{
		Server: &ServerState{RV: 1234567, Floor: 1234000, Watchers: 12, Fault: "status 500, silence, cut",
			Total: objects + 900},
		Wire: &WireState{Open: true, From: "1234000", Frames: 99999,
			Last: "MODIFIED " + name(1) + "@7", Held: 17},
		Reflector: &ReflectorState{State: "watching", Version: "1234567", PauseMs: 30000, Lists: 99,
			Watches: 999},
		Queue: &QueueState{Kind: kind, Total: objects + 50, Populated: true, Initial: 123},
		Cache: &CacheState{Total: objects + 900, Indices: []IndexState{{Name: "a-rather-long-index",
			Values: []IndexValue{{Value: "a-long-value", Total: 2}}}}},
		Recent: []string{},
	}
	for i := range objects {
		key := "default/" + name(i)
		o := ObjectState{key, fmt.Sprint(1234567 - i)}
		s.Server.Objects = append(s.Server.Objects, o)
		s.Cache.Objects = append(s.Cache.Objects, o)
		s.Server.Log = append(s.Server.Log, LogEntry{uint64(1234567 - i), "MODIFIED", key})
		row := QueueRow{Key: key}
		for n := range 1 + i%9*queues(kind) {
			row.Deltas = append(row.Deltas, DeltaState{Type: "Updated", RV: fmt.Sprint(1234000 + n),
				Tombstone: n == 3})
		}
		s.Queue.Rows = append(s.Queue.Rows, row)
		if i < maxRecent {
			s.Recent = append(s.Recent, key)
		}
		s.Cache.Indices[0].Values[0].Keys = append(s.Cache.Indices[0].Values[0].Keys, key)
	}
	for i, name := range []string{"fast", "slow", "a-handler-with-a-lo", "later"} {
		s.Listeners = append(s.Listeners, ListenerState{Name: name, Ring: RingState{Len: 900, Cap: 1024},
			Pending: 12345, High: 99999, Synced: i%2 == 0})
		s.Handlers = append(s.Handlers, HandlerState{Name: name, Busy: "OnUpdate " + "default@1234567",
			Told: 1234567, Last: []string{"OnDelete tombstone of " + strings.Repeat("x", 60) + "@1"}})
	}
	for i, handler := range []string{"", "", "fast", "slow", "a-handler-with-a-lo", "later"} {
		s.Valves = append(s.Valves, ValveState{Name: fmt.Sprintf("V%d", i+1), Label: "x", Handler: handler,
			Mode: modes[i%4], Waiting: i % 2})
	}
	return s
}

// queues is 0 for the queue that has one delta a row.
func queues(kind string) int {
	if kind == realFIFO {
		return 0
	}
	return 1
}

// tapes are pages that hold their events: no server is needed to draw them.
func tapePage(t *testing.T, b *browser, meta Meta, events []Event) *tab {
	t.Helper()
	tape := &Tape{Meta: meta}
	for i := range events {
		tape.Events = append(tape.Events, &events[i])
	}
	data, err := json.Marshal(tape)
	require.NoError(t, err)
	page, err := static.ReadFile("static/index.html")
	require.NoError(t, err)
	script := `<script type="application/json" id="tape">` + string(data) + `</script>` + "\n<script src"
	text := strings.Replace(string(page), "<script src", script, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/" {
			_, _ = w.Write([]byte(text))
			return
		}
		http.FileServerFS(static).ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	text = strings.NewReplacer(`href="live`, `href="static/live`, `<script src="`, `<script src="static/`).
		Replace(text)
	p := b.open(server.URL)
	p.until("document.body.dataset.head")
	return p
}

func TestBrowserBoxesDoNotOverlap(t *testing.T) {
	b := newBrowser(t)
	web := func(i int) string { return fmt.Sprintf("web-%d", i) }
	long := func(i int) string { return fmt.Sprintf("coredns-%s-%d", strings.Repeat("x", 70), i) }
	meta := func(stream, readOnly bool) Meta {
		m := Meta{Buttons: buttonsFor(readOnly), ReadOnly: readOnly, Server: "fakeapi"}
		if readOnly {
			m.Server = "https://" + strings.Repeat("long.", 12) + "example.com:6443"
		}
		m.States, m.Table = tableOf(stream)
		return m
	}
	sizes := [][2]int{{1280, 720}, {1366, 768}, {1440, 900}, {1024, 768}, {1920, 1080}, {2560, 1080},
		{640, 360}, {390, 844}}
	for _, c := range []struct {
		name  string
		meta  Meta
		state State
	}{
		{"many", meta(false, false), crowded(deltaFIFO, 100, web)},
		{"real-fifo", meta(false, false), crowded(realFIFO, 100, web)},
		{"long-names", meta(false, false), crowded(deltaFIFO, 30, long)},
		{"long-real-fifo", meta(false, false), crowded(realFIFO, 30, long)},
		{"streaming", meta(true, false), crowded(deltaFIFO, 7, web)},
		{"real-cluster", meta(false, true), crowded(deltaFIFO, 100, long)},
		{"empty", meta(false, false), State{Server: &ServerState{RV: 1, Floor: 1}, Wire: &WireState{},
			Reflector: &ReflectorState{State: "stopped"}, Queue: &QueueState{Kind: deltaFIFO}, Cache: &CacheState{}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			b.turnTo(t)
			var events []Event
			if c.meta.ReadOnly {
				c.state.Server = nil
			}
			if len(c.meta.Table) > 20 {
				c.state.Reflector.State = "streaming"
				c.state.Reflector.Last = &Step{From: "opening stream", To: "streaming", On: "opened"}
			}
			for i, lane := range []string{laneYou, words.API, words.Wire, words.Reflector, words.Queue, words.Process, words.Cache,
				words.Processor, "handler:slow", words.API, words.Reflector, words.Queue} {
				e := said(lane, "x", "%s", strings.Repeat("a long text ", 12))
				e.Seq, e.At, e.Fault, e.State = int64(i+1), 1234567, i%5 == 0, c.state
				e.Call = Call{"deltafifo/x.go", 1, "DeltaFIFO.x"}
				if len(c.state.Recent) > 0 {
					e.Key = c.state.Recent[0]
				}
				events = append(events, e)
			}
			p := tapePage(t, b, c.meta, events)
			for _, theme := range []string{"light", "dark"} {
				p.eval(fmt.Sprintf("document.documentElement.dataset.theme = %q", theme), nil)
				for i, size := range sizes {
					p.size(size[0], size[1])
					for seq := range events {
						if (i > 0 || theme == "dark") && seq%4 > 0 { // every event once, some of them everywhere
							continue
						}
						p.eval(fmt.Sprintf("cur = seen = %d, show(0)", seq+1), nil)
						p.overlaps()
					}
				}
				p.size(1280, 720)
				p.frames(2)
				p.shot("boxes-" + c.name + "-" + theme)
			}
			b.quiet()
			p.close()
		})
	}
}

func tableOf(stream bool) (states []string, table []Step) {
	m := Meta{}
	m.describe(reflector.Table(!stream))
	return m.States, m.Table
}

// What comes from a server is text, and never becomes markup. A recording has no policy against
// scripts: only the page itself stands between them and the reader.
func TestBrowserShowsTextsAsTexts(t *testing.T) {
	b := newBrowser(t)
	const evil = `"><img id=evil src=x onerror="evil = 1"><b id=evil>'`
	s := crowded(deltaFIFO, 4, func(i int) string { return fmt.Sprint(evil, i) })
	s.Server.Fault, s.Wire.Last, s.Reflector.State = evil, "ADDED "+evil+"@1", evil
	s.Handlers[0].Name, s.Listeners[0].Name, s.Valves[2].Handler = evil, evil, evil
	m := Meta{Buttons: buttonsFor(false), Server: evil, States: []string{evil}}
	m.Buttons[0].Label, m.Buttons[0].Expect = evil, evil
	e := Event{Event: words.Event{Lane: words.API, Kind: evil, Key: s.Recent[0], Text: evil, Brief: evil},
		Seq: 1, From: evil, To: evil, State: s, Call: Call{File: evil, Line: 1, Func: evil}, Report: evil,
		Callers: []Call{{evil, 1, evil}}}
	p := tapePage(t, b, m, []Event{e})
	for _, open := range []string{"0", "event(1)", "token('api|' + now().key)", "token('call|' + now().state.handlers[0].name)",
		"collection('queue')", "token('index|')", "act.prose()", "act.source()", "predict(buttons[4])", "tell(now().text)"} {
		p.eval(open, nil)
		p.frames(2)
		var found int
		p.eval("document.querySelectorAll('#evil').length + (globalThis.evil === 1 ? 1 : 0)", &found)
		assert.Zero(t, found, open)
	}
	b.quiet()
}

// What does not fit is said in fewer letters, and what is left out is counted.
func TestBrowserShortensWhatIsLong(t *testing.T) {
	b := newBrowser(t)
	p := tapePage(t, b, Meta{Buttons: []Button{}}, []Event{{Event: words.Event{Lane: words.API}, Seq: 1,
		State: crowded(deltaFIFO, 4, func(i int) string { return fmt.Sprint("web-", i) })}})
	for expression, want := range map[string]string{
		"seconds(999)": "999 ms", "seconds(1500)": "1.5 s", "seconds(60000)": "60 s",
		"short('web-1', 6)": "web-1", "short('coredns-5d78c-abcde', 9)": "core…bcde",
		"labelled('web-1', '12', 11)": "web-1@12", "labelled('coredns-abcde', '1234567', 11)": "co…de@…4567",
		"name('default/web-1')": "web-1", "name('kube-system/web-1')": "kube-system/web-1",
		"count(1, 'delta')": "one delta", "count(12, 'delta')": "12 deltas",
		"flat(deltas({ key: 'a', deltas: [{ type: 'Added', rv: '1' }] }, 144)).match(/[+]\\d+/)?.[0]":                              "",
		"flat(deltas({ key: 'a', earlier: 20, deltas: Array(50).fill({ type: 'Updated', rv: '244' }) }, 144)).match(/[+]\\d+/)[0]": "+68",
	} {
		var got string
		p.eval(expression, &got)
		assert.Equal(t, want, got, expression)
	}
	b.quiet()
}
