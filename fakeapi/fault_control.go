package fakeapi

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"time"

	"example.com/watchglass/fakeapi/resource"
	"example.com/watchglass/fakeapi/wire"
)

// newControl returns the handler behind Options.Control, for making the server fail from outside:
//
//	POST /fakeapi/compact        Compact
//	POST /fakeapi/drop           DropConnections
//	POST /fakeapi/drop-watches   DropWatches
//	POST /fakeapi/inject         Inject, the fault as JSON
//	POST /fakeapi/heal           Heal
//
// A fault's JSON has the fields of Fault in lower camel case, durations as Go writes them:
// {"kind":"status","verb":"list","count":3,"code":429,"retryAfter":"1s"}. The answer is 204, or 400
// with the error as text. The command takes effect before its answer is sent; only connections are
// closed after it.
func newControl(s *Server) http.Handler {
	mux := http.NewServeMux()
	do := func(name string, what func()) {
		mux.HandleFunc("POST /fakeapi/"+name, func(w http.ResponseWriter, _ *http.Request) {
			s.opts.Logger.Info("control", "do", name)
			what()
			w.WriteHeader(http.StatusNoContent)
		})
	}
	do("compact", s.Compact)
	do("drop-watches", s.DropWatches)
	do("heal", s.Heal)
	mux.HandleFunc("POST /fakeapi/drop", s.dropFromHTTP)
	mux.HandleFunc("POST /fakeapi/inject", s.injectFromHTTP)
	return mux
}

// dropFromHTTP answers, and drops all connections that were open before. A client that reconnects
// after the answer must not be dropped again.
func (s *Server) dropFromHTTP(w http.ResponseWriter, r *http.Request) {
	s.opts.Logger.Info("control", "do", "drop")
	before := s.connections()
	w.Header().Set("Connection", "close")
	w.WriteHeader(http.StatusNoContent)
	_ = http.NewResponseController(w).Flush() // fails if the client is gone, and then is not needed
	drop(before, wire.ConnOf(r))
}

func (s *Server) injectFromHTTP(w http.ResponseWriter, r *http.Request) {
	f, err := readFault(http.MaxBytesReader(w, r.Body, 64<<10))
	if err == nil {
		err = s.checkFault(f)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	s.opts.Logger.Info("control", "inject", f.Kind)
	s.faults.arm(f)
	if f.Kind == FaultRefuse {
		s.dropFromHTTP(w, r)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// wireFault is a Fault as JSON.
type wireFault struct {
	Kind       FaultKind    `json:"kind"`
	Verb       string       `json:"verb"`
	Resource   string       `json:"resource"`
	Count      int          `json:"count"`
	After      int          `json:"after"`
	Code       int          `json:"code"`
	Message    string       `json:"message"`
	RetryAfter wireDuration `json:"retryAfter"`
	Delay      wireDuration `json:"delay"`
}

// A wireDuration is a string such as "1.5s" in JSON.
type wireDuration time.Duration

// UnmarshalText implements encoding.TextUnmarshaler.
func (d *wireDuration) UnmarshalText(text []byte) error {
	v, err := time.ParseDuration(string(text))
	*d = wireDuration(v)
	return err
}

// readFault decodes a fault. Unknown fields are errors, so that typos are noticed.
func readFault(body io.Reader) (Fault, error) {
	var in wireFault
	d := json.NewDecoder(body)
	d.DisallowUnknownFields()
	if err := d.Decode(&in); err != nil {
		return Fault{}, fmt.Errorf("expected a fault in JSON: %w", err)
	}
	if d.More() {
		return Fault{}, errors.New("expected one fault, found more text after it")
	}
	return Fault{Kind: in.Kind, Verb: in.Verb, Resource: in.Resource, Count: in.Count,
		After: in.After, Code: in.Code, Message: in.Message,
		RetryAfter: time.Duration(in.RetryAfter), Delay: time.Duration(in.Delay)}, nil
}

// verbs are those that a fault may name.
var verbs = []string{resource.VerbGet, resource.VerbList, resource.VerbWatch, resource.VerbCreate,
	resource.VerbUpdate, resource.VerbPatch, resource.VerbDelete,
	resource.VerbDeleteCollection}

// checkFault returns an error for a fault that would never strike, or not as its fields say.
func (s *Server) checkFault(f Fault) error {
	switch {
	case !slices.Contains(faultKinds, f.Kind):
		return fmt.Errorf("the kind %.100q is not one of %q", f.Kind, faultKinds)
	case f.Verb != "" && !slices.Contains(verbs, f.Verb):
		return fmt.Errorf("the verb %.100q is not one of %q", f.Verb, verbs)
	case f.After < 0 || f.RetryAfter < 0 || f.Delay < 0:
		return fmt.Errorf("after (%d), retryAfter (%v) and delay (%v) must not be negative",
			f.After, f.RetryAfter, f.Delay)
	case f.Code != 0 && (f.Code < 400 || f.Code > 599):
		return fmt.Errorf("the code %d is not an error code: expected 400 to 599", f.Code)
	case f.Kind == FaultDelay && f.Delay == 0:
		return errors.New(`a delay needs a duration, such as "delay":"5s"`)
	}
	if f.Resource != "" {
		_, err := s.collection("inject a fault into", f.Resource)
		return err
	}
	return nil
}
