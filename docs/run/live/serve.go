package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"example.com/watchglass/docs/tools/tape"
)

// page serves what the page lists and watches.
type page struct {
	// run is which run of the program this is. A page that comes back after a restart must not take
	// the events of this run for those of the last one: the numbers begin anew.
	run     string
	machine *tape.Machine
	module  *tape.Source
	begin   func() error // nil: the machine has begun
}

// asked answers what the page asks, but for its files.
func (p *page) asked() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /state", p.begun(p.list))
	mux.HandleFunc("GET /events", p.begun(p.watch))
	mux.HandleFunc("GET /source", p.source)
	mux.HandleFunc("POST /do", p.press)
	return mux
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
	l := p.machine.Listing()
	l.Run = p.run
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
	e, err := p.module.Excerpt(file, line)
	if err != nil {
		fail(w, http.StatusNotFound, err)
		return
	}
	reply(w, e)
}

// maxOrder is how many bytes an order may have: the key of an object and a few words.
const maxOrder = 16 << 10

// press carries out what a button says. The answer is 204, or a sentence.
func (p *page) press(w http.ResponseWriter, r *http.Request) {
	var o tape.Order
	err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxOrder)).Decode(&o)
	if err == nil {
		err = p.machine.Do(o)
	}
	if err != nil {
		fail(w, http.StatusBadRequest, err)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

const (
	// burst is how many events one answer has at most. Each has the whole state, and a page that reads
	// more of them at once does not answer a hand for a tenth of a second.
	burst = 64
	// lull is how long an answer waits for the first event. A browser opens six connections to a
	// server, so a page that kept one for longer could hold up others.
	lull = time.Second
)

// watch answers what a watch is to a reflector: the events after a number, as soon as there are
// any, or none after a lull. The page asks again from the last event that it has got. If not all of
// them are held any more, they are gone, and the page has to list.
func (p *page) watch(w http.ResponseWriter, r *http.Request) {
	seq, err := strconv.ParseInt(r.FormValue("after"), 10, 64)
	if err != nil {
		fail(w, http.StatusBadRequest, errors.New("expected the number of an event in after="))
		return
	}
	events, news, ok := p.machine.After(seq, burst)
	ok = ok && r.FormValue("run") == p.run
	if ok && len(events) == 0 {
		select {
		case <-news:
		case <-time.After(lull):
		case <-r.Context().Done():
		}
		events, _, ok = p.machine.After(seq, burst)
	}
	if !ok {
		fail(w, http.StatusGone, errors.New("not all events after that one are held: list again"))
		return
	}
	reply(w, append([]*tape.Event{}, events...))
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
