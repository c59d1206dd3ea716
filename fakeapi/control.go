package fakeapi

import (
	"encoding/json"
	"net/http"
	"strings"
	"time"
)

// newControl is the handler behind Options.Control, for making the server fail
// from outside:
//
//	POST /fakeapi/compact        Compact
//	POST /fakeapi/drop           DropConnections
//	POST /fakeapi/drop-watches   DropWatches
//	POST /fakeapi/inject         Inject, the fault as JSON
//	POST /fakeapi/heal           Heal
//
// A fault's JSON has the fields of Fault in lower camel case, durations as Go
// writes them: {"kind":"status","verb":"list","count":3,"code":429,"retryAfter":"1s"}.
func newControl(s *Server) http.Handler {
	mux := http.NewServeMux()
	do := func(name string, f func()) {
		mux.HandleFunc("POST /fakeapi/"+name, func(w http.ResponseWriter, r *http.Request) {
			s.opts.Logger.Info("control", "do", name)
			w.WriteHeader(http.StatusNoContent)
			_ = http.NewResponseController(w).Flush() // drop takes this connection too
			f()
		})
	}
	do("compact", s.Compact)
	do("drop", s.DropConnections)
	do("drop-watches", s.DropWatches)
	do("heal", s.Heal)
	mux.HandleFunc("POST /fakeapi/inject", s.injectFromHTTP)
	return mux
}

// wireFault is a Fault as JSON.
type wireFault struct {
	Kind       FaultKind `json:"kind"`
	Verb       string    `json:"verb"`
	Resource   string    `json:"resource"`
	Count      int       `json:"count"`
	After      int       `json:"after"`
	Code       int       `json:"code"`
	Message    string    `json:"message"`
	RetryAfter string    `json:"retryAfter"`
	Delay      string    `json:"delay"`
}

func (s *Server) injectFromHTTP(w http.ResponseWriter, r *http.Request) {
	f, err := readFault(http.MaxBytesReader(w, r.Body, 64<<10))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	s.opts.Logger.Info("control", "inject", f.Kind)
	w.WriteHeader(http.StatusNoContent)
	_ = http.NewResponseController(w).Flush()
	s.Inject(f)
}

// readFault decodes and checks a fault.
func readFault(body interface{ Read([]byte) (int, error) }) (Fault, error) {
	var in wireFault
	d := json.NewDecoder(body)
	d.DisallowUnknownFields()
	if err := d.Decode(&in); err != nil {
		return Fault{}, err
	}
	f := Fault{Kind: in.Kind, Verb: in.Verb, Resource: in.Resource, Count: in.Count,
		After: in.After, Code: in.Code, Message: in.Message}
	if !f.Kind.known() {
		return f, &unknownFault{f.Kind}
	}
	var err error
	if f.RetryAfter, err = duration(in.RetryAfter); err != nil {
		return f, err
	}
	f.Delay, err = duration(in.Delay)
	return f, err
}

func duration(s string) (time.Duration, error) {
	if s == "" {
		return 0, nil
	}
	return time.ParseDuration(s)
}

// unknownFault: the fault asked for is none.
type unknownFault struct{ kind FaultKind }

func (e *unknownFault) Error() string {
	names := make([]string, len(faultKinds))
	for i, k := range faultKinds {
		names[i] = string(k)
	}
	return "fault kind " + string(e.kind) + " is none of " + strings.Join(names, ", ")
}
