package main

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"strconv"
	"sync/atomic"
	"time"

	"example.com/watchglass/docs/tools/program"
)

//go:embed static
var static embed.FS

// page serves the page, and what it lists and watches.
type page struct {
	// run is which run of the program this is. A page that comes back after a restart must not take
	// the events of this run for those of the last one: the numbers begin anew.
	run     string
	seen    *collector
	machine *machine
	scenes  []scene
	begin   func() error // nil: the machine has begun
	watches atomic.Int32
}

func (p *page) handler() http.Handler {
	files, err := fs.Sub(static, "static")
	if err != nil {
		panic(err) // the folder is in the program
	}
	mux := http.NewServeMux()
	mux.Handle("GET /", http.FileServerFS(files))
	mux.HandleFunc("GET /state", p.begun(p.list))
	mux.HandleFunc("GET /events", p.begun(p.watch))
	mux.HandleFunc("GET /source", p.source)
	mux.HandleFunc("GET /docs/{name}", p.chapter)
	mux.HandleFunc("GET /scenes", p.listScenes)
	mux.HandleFunc("GET /scene/{name}", p.scene)
	mux.HandleFunc("POST /do", p.press)
	return guard(mux)
}

// begun lets the machine begin with the first page that looks at it: what has happened without a
// reader would have to be explained.
func (p *page) begun(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if p.begin != nil {
			if err := p.begin(); err != nil {
				fail(w, http.StatusInternalServerError, err)
				return
			}
		}
		next(w, r)
	}
}

// list answers what a list is to a reflector: the state, and the version that it is of.
func (p *page) list(w http.ResponseWriter, _ *http.Request) {
	l := Listing{Run: p.run, Meta: p.machine.meta()}
	l.State, l.Seq, l.Floor = p.seen.list()
	reply(w, l)
}

// source answers an excerpt of the module's Go files.
func (p *page) source(w http.ResponseWriter, r *http.Request) {
	file, number := r.FormValue("file"), r.FormValue("line")
	line, err := strconv.Atoi(number)
	if err != nil {
		fail(w, http.StatusBadRequest, fmt.Errorf("%.100q is no number of a line", number))
		return
	}
	e, err := p.seen.lines.excerpt(file, line)
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
	if err == nil {
		err = p.machine.do(o)
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
	start := r.URL.Query().Get("after")
	if id := r.Header.Get("Last-Event-ID"); id != "" {
		start = id // a browser that reconnects: this is newer than what the page asked for at first
	}
	seq, err := strconv.ParseInt(start, 10, 64)
	if err != nil {
		fail(w, http.StatusBadRequest, errors.New("expected the number of an event in Last-Event-ID "+
			"or after="))
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
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
		err = s.next(r.Context())
	}
}

// stream is one page that watches. It reads the log at its own pace, so a slow one holds up nothing
// and falls behind until what it wants is gone.
type stream struct {
	*page
	out   *http.ResponseController
	w     http.ResponseWriter
	after int64
}

// next sends what is new, or waits until something is. An error ends the stream.
func (s *stream) next(ctx context.Context) error {
	events, news, ok := s.seen.after(s.after, burst)
	if !ok {
		return errors.Join(s.gone(), errors.New("gone"))
	}
	if len(events) > 0 {
		return s.send(events)
	}
	if err := s.out.Flush(); err != nil { // the headers, if nothing was sent yet
		return err
	}
	select {
	case <-news:
		return nil
	case <-time.After(heartbeat):
		return s.write(": still here\n\n")
	case <-ctx.Done():
		return ctx.Err()
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
	reply(w, map[string]string{"error": err.Error()})
}

// policy allows the page its own style and script, and nothing else. There is no inline script, so
// a name that is shown cannot become one.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
	"connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// guard passes on to next the requests that were meant for this machine and, if they press a
// button, come from its own page. A request for another host name comes from a web page whose name
// was made to resolve to this machine (DNS rebinding). The browser would let that page read the
// answer.
func guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", policy)
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("X-Frame-Options", "DENY")
		w.Header().Set("Referrer-Policy", "no-referrer")
		w.Header().Set("Cross-Origin-Resource-Policy", "same-origin")
		w.Header().Set("Cache-Control", "no-store")
		if err := refuse(r); err != nil {
			fail(w, http.StatusForbidden, err)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// refuse says why a request is not answered.
func refuse(r *http.Request) error {
	if !program.IsLoopback(r.Host) {
		return fmt.Errorf("this page answers to localhost and loopback addresses, not to %.100q", r.Host)
	}
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" && site != "same-origin" && site != "none" {
		return fmt.Errorf("the request comes from another site (%.100q)", site)
	}
	if origin := r.Header.Get("Origin"); origin != "" && !sameOrigin(origin, r.Host) {
		return fmt.Errorf("the request comes from another origin, %.100q", origin)
	}
	if r.Method == http.MethodPost && r.Header.Get("Origin") == "" { // every browser sends it
		return errors.New("the header Origin is missing")
	}
	return nil
}

// sameOrigin compares an Origin header with the host that was asked for. The port counts: another
// program on this machine is another origin.
func sameOrigin(origin, host string) bool {
	u, err := url.Parse(origin)
	return err == nil && u.Scheme == "http" && u.Host == host
}
