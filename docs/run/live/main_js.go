package main

import (
	"archive/zip"
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"syscall/js"
	"testing"
	"time"

	"example.com/watchglass/docs/tools/story"
	"example.com/watchglass/docs/tools/tape"
)

// In a browser this is the program of the book. A worker runs it, and what the page asks for comes
// as a call of watchglassServe. It answers what the server of the page does, and three things more:
// POST open makes a machine, POST go lets its time pass or stand still, POST play plays a story of
// any stage.

// inside is a program in a browser, in its test.
type inside struct {
	t        *testing.T
	recorder *tape.Recorder
	playing  sync.Mutex // one story of a stage is played at a time

	mu   sync.Mutex
	live *tape.Live    // nil: there is no machine yet
	page http.Handler  // of live
	tick func()        // lets the time of live pass from now on
	stop chan struct{} // ends tick
	held bool          // whether the time of live stands still again
}

// step is after how much time the machine is told how late it is.
const step = 20 * time.Millisecond

func main() { tape.InTest(serve) }

func serve(t *testing.T) {
	module, err := zip.NewReader(bytes.NewReader(zipped), int64(len(zipped)))
	if err != nil {
		panic(err)
	}
	p := &inside{t: t, recorder: tape.NewRecorder(t, tape.NewSource(module))}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /open", p.open)
	mux.HandleFunc("POST /play", p.play)
	mux.HandleFunc("POST /go", p.goOn)
	mux.HandleFunc("/", p.ask)
	js.Global().Set("watchglassServe", js.FuncOf(func(_ js.Value, args []js.Value) any {
		method, at, body, answer := args[0].String(), args[1].String(), args[2].String(), args[3]
		go func() {
			w := httptest.NewRecorder()
			mux.ServeHTTP(w, httptest.NewRequest(method, "/"+at, strings.NewReader(body)))
			answer.Invoke(w.Code, w.Body.String())
		}()
		return nil
	}))
	js.Global().Get("watchglassReady").Invoke()
	select {}
}

// open makes a machine: at an event of a story or, without a story, at rest with time passing.
func (p *inside) open(w http.ResponseWriter, r *http.Request) {
	var o struct {
		Story, Queue string
		Seq          int64
	}
	err := json.NewDecoder(r.Body).Decode(&o)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.live != nil {
		close(p.stop)
		p.live.Close()
		p.live = nil
	}
	var l *tape.Live
	switch {
	case err != nil:
	case o.Story == "":
		l, err = p.recorder.Fresh(tape.Options{Queue: o.Queue, Source: p.recorder.Source})
	default:
		var s tape.Story
		if s, err = p.recorder.StoryAt(o.Story); err == nil {
			l, err = p.recorder.TakeOver(s, o.Seq)
		}
	}
	if err != nil {
		fail(w, http.StatusBadRequest, err)
		return
	}
	stop := make(chan struct{})
	p.held = false
	p.live, p.stop, p.tick = l, stop, sync.OnceFunc(func() { go p.pass(l, stop) })
	<-l.Go(func(m *tape.Machine) {
		p.page = (&page{run: rand.Text(), machine: m, module: p.recorder.Source}).asked()
	})
	if o.Story == "" {
		p.tick()
	}
	w.WriteHeader(http.StatusNoContent)
}

// pass lets the time of a machine pass as it does outside. A browser may hold up a page that is not
// seen: then not all of the time passes.
func (p *inside) pass(l *tape.Live, stop <-chan struct{}) {
	for last := time.Now(); ; time.Sleep(step) {
		p.mu.Lock()
		select {
		case <-stop:
			p.mu.Unlock()
			return
		default:
		}
		now := time.Now()
		if !p.held {
			l.Advance(min(now.Sub(last), time.Second))
		}
		last = now
		p.mu.Unlock()
	}
}

// goOn lets the time of the machine pass from now on, or stand still, and some of it pass at once.
func (p *inside) goOn(w http.ResponseWriter, r *http.Request) {
	var o struct {
		Hold bool
		Skip int64 // milliseconds
	}
	_ = json.NewDecoder(r.Body).Decode(&o) // without a body it goes on
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.live == nil {
		fail(w, http.StatusConflict, errors.New("no machine is open"))
		return
	}
	p.held = o.Hold
	p.tick()
	if o.Skip > 0 {
		p.live.Advance(time.Duration(o.Skip) * time.Millisecond)
	}
	w.WriteHeader(http.StatusNoContent)
}

// ask answers what the machine is asked. With the first order its time begins to pass.
func (p *inside) ask(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	if p.live == nil {
		p.mu.Unlock()
		fail(w, http.StatusConflict, errors.New("no machine is open"))
		return
	}
	page, tick := p.page, p.tick
	p.held = p.held && r.Method != http.MethodPost
	done := p.live.Go(func(*tape.Machine) { page.ServeHTTP(w, r) })
	p.mu.Unlock()
	if r.Method == http.MethodPost {
		select {
		case <-done: // before anything else has moved
		case <-time.After(5 * step): // what it waits for has to go on first
		}
		tick()
	}
	<-done
}

// The build sets these (static/program.go): stages are those whose stories can be played, by their
// folders, and zipped is the source.
var (
	stages map[string]func(*testing.T)
	zipped []byte
)

// play answers the steps of a story, up to the one that is wrong. Of a story of the informer it
// answers the tape, too.
func (p *inside) play(w http.ResponseWriter, r *http.Request) {
	var o struct{ Stage, Text string }
	err := json.NewDecoder(r.Body).Decode(&o)
	switch {
	case err == nil && o.Stage == "informer":
		t, err := p.recorder.Record(tape.Story{Name: "the story", Text: o.Text})
		reply(w, answer{Steps: t.Replayed(), Tape: t, Error: said(err)})
		return
	case err != nil || stages[o.Stage] == nil:
		fail(w, http.StatusBadRequest, errors.Join(err, errors.New("there is no stage "+o.Stage)))
		return
	}
	template, _ := p.recorder.ReadFile(o.Stage + "/testdata/story.template")
	p.playing.Lock()
	defer p.playing.Unlock()
	steps, err := story.Replay(p.t, stages[o.Stage], o.Text, string(template))
	reply(w, answer{Steps: steps, Error: said(err)})
}

// answer is that of play.
type answer struct {
	Steps []story.Replayed `json:"steps"`
	Tape  *tape.Tape       `json:"tape"`
	Error string           `json:"error"` // "": none
}

func said(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
