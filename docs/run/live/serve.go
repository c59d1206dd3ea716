package main

import (
	"crypto/rand"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"
)

//go:embed static
var static embed.FS

// page serves the page, and what it lists and watches.
type page struct {
	run     string // which run of the program this is
	seen    *collector
	machine *machine
	player  *player    // nil: no story is played
	class   *classroom // nil: the page begins with the machine
	watches atomic.Int32
}

// newRun names a run of the program. A page that comes back after a restart must not take the
// events of this run for those of the last one: the numbers begin anew.
func newRun() string { return rand.Text() }

func (p *page) handler() http.Handler {
	files, err := fs.Sub(static, "static")
	if err != nil {
		panic(err) // the folder is in the program
	}
	mux := http.NewServeMux()
	mux.Handle("GET /", http.FileServerFS(files))
	mux.HandleFunc("GET /state", p.list)
	mux.HandleFunc("GET /events", p.watch)
	mux.HandleFunc("GET /event/{seq}", p.one)
	mux.HandleFunc("GET /source", p.source)
	mux.HandleFunc("GET /scenes", p.scenes)
	mux.HandleFunc("GET /scene/{name}", p.scene)
	mux.HandleFunc("POST /do", p.press)
	return guard(mux)
}

// list answers what a list is to a reflector: the state, and the version that it is of.
func (p *page) list(w http.ResponseWriter, _ *http.Request) {
	l := Listing{Run: p.run, Meta: p.machine.meta()}
	l.Meta.Story = p.player.state()
	l.State, l.Seq, l.Floor = p.seen.list()
	reply(w, l)
}

// one answers one event, with the state after it.
func (p *page) one(w http.ResponseWriter, r *http.Request) {
	seq, err := strconv.ParseInt(r.PathValue("seq"), 10, 64)
	if err != nil {
		fail(w, http.StatusBadRequest, fmt.Errorf("%.100q is no number of an event", r.PathValue("seq")))
		return
	}
	e, ok := p.seen.event(seq)
	if !ok {
		fail(w, http.StatusGone, fmt.Errorf("event %d is not held any more", seq))
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(e.encoded()) // a page that has gone does not need it
}

// source answers an excerpt of the module's Go files.
func (p *page) source(w http.ResponseWriter, r *http.Request) {
	line, err := strconv.Atoi(r.URL.Query().Get("line"))
	if err != nil {
		fail(w, http.StatusBadRequest, fmt.Errorf("%.100q is no number of a line",
			r.URL.Query().Get("line")))
		return
	}
	e, err := p.seen.lines.excerpt(r.URL.Query().Get("file"), line)
	if err != nil {
		fail(w, http.StatusNotFound, err)
		return
	}
	reply(w, e)
}

// press carries out what a button says. The answer is 204, or a sentence.
func (p *page) press(w http.ResponseWriter, r *http.Request) {
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(patience)) // as in write
	o, err := readOrder(json.NewDecoder(http.MaxBytesReader(w, r.Body, 16<<10)))
	switch {
	case err != nil:
	case o.Do != "story":
		err = p.machine.do(o)
	case p.player == nil:
		err = errors.New("no story is played: begin one with -story")
	default:
		err = p.player.press()
	}
	if err != nil {
		fail(w, http.StatusBadRequest, err)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

const (
	// burst is how many events are sent in one go.
	burst = 64
	// patience is how long a page may take to read what it is sent, or to send an order. After it,
	// the page is cut off: it comes back, and goes on where it was or lists again.
	patience = 10 * time.Second
	// maxWatches is how many pages may watch at a time. A browser opens six connections to a server:
	// the sixth watch would leave none for anything else, and every page would stand still.
	maxWatches = 5
	// heartbeat is how often a stream without news says that it is there.
	heartbeat = 15 * time.Second
)

// watch answers what a watch is to a reflector: all events after a version, as server-sent events.
// If they are not all held any more, the page is told that they are gone, and has to list.
func (p *page) watch(w http.ResponseWriter, r *http.Request) {
	seq, err := strconv.ParseInt(startOf(r), 10, 64)
	if err != nil {
		fail(w, http.StatusBadRequest, errors.New("expected the number of an event in Last-Event-ID "+
			"or after="))
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	if r.Method == http.MethodHead {
		return // the router treats HEAD as GET, and its answer has no body to wait for
	}
	defer p.watches.Add(-1)
	if p.watches.Add(1) > maxWatches {
		_, _ = fmt.Fprint(w, "event: full\ndata: {}\n\n") // a page that has gone does not need it
		return
	}
	s := &stream{page: p, out: http.NewResponseController(w), w: w, after: seq}
	if run := r.URL.Query().Get("run"); run != "" && run != p.run {
		_ = s.gone()
		return
	}
	for err == nil {
		err = s.next(r.Context().Done())
	}
}

// startOf is the version that a watch begins after. A browser that reconnects names the last event
// that it has got; that is newer than what the page asked for at first.
func startOf(r *http.Request) string {
	if id := r.Header.Get("Last-Event-ID"); id != "" {
		return id
	}
	return r.URL.Query().Get("after")
}

// stream is one page that watches. It reads the log at its own pace, so a slow one holds up nothing
// and falls behind until what it wants is gone.
type stream struct {
	*page
	out   *http.ResponseController
	w     http.ResponseWriter
	after int64
}

var errGone = errors.New("gone")

// next sends what is new, or waits until something is. An error ends the stream.
func (s *stream) next(left <-chan struct{}) error {
	events, news, ok := s.seen.after(s.after, burst)
	if !ok {
		return errors.Join(s.gone(), errGone)
	}
	if len(events) > 0 {
		return s.send(events)
	}
	if err := s.out.Flush(); err != nil { // the headers, if nothing was sent yet
		return err
	}
	silence := time.NewTimer(heartbeat)
	defer silence.Stop()
	select {
	case <-news:
		return nil
	case <-silence.C:
		return s.write(": still here\n\n")
	case <-left:
		return http.ErrAbortHandler
	}
}

func (s *stream) send(events []*heldEvent) error {
	for _, e := range events {
		if err := s.write("id: %d\nevent: step\ndata: %s\n\n", e.Seq, e.encoded()); err != nil {
			return err
		}
		s.after = e.Seq
	}
	return s.out.Flush()
}

func (s *stream) gone() error {
	err := s.write("event: gone\ndata: {}\n\n")
	return errors.Join(err, s.out.Flush())
}

// write waits for the page no longer than patience.
func (s *stream) write(format string, args ...any) error {
	_ = s.out.SetWriteDeadline(time.Now().Add(patience)) // some tests' writers have none
	_, err := fmt.Fprintf(s.w, format, args...)
	return err
}

func reply(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v) // a page that has gone does not need it
}

// fail answers with a sentence.
func fail(w http.ResponseWriter, code int, err error) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(map[string]string{"error": err.Error()})
}
