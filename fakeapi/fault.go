package fakeapi

import (
	"maps"
	"net/http"
	"slices"
	"time"

	"example.com/watchglass/fakeapi/fault"
	"example.com/watchglass/fakeapi/stream"
	"example.com/watchglass/fakeapi/wire"
)

// control answers requests below /fakeapi/, with which any client makes the server fail:
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
func (s *Server) control(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		http.Error(w, "Method Not Allowed: expected POST", http.StatusMethodNotAllowed)
		return
	}
	s.opts.Logger.Info("control", "path", r.URL.Path)
	switch r.URL.Path {
	case "/fakeapi/compact":
		s.Compact()
	case "/fakeapi/drop-watches":
		s.DropWatches()
	case "/fakeapi/heal":
		s.Heal()
	case "/fakeapi/drop":
		s.dropFromHTTP(w, r)
		return
	case "/fakeapi/inject":
		s.injectFromHTTP(w, r)
		return
	default:
		http.NotFound(w, r)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// dropFromHTTP answers, and drops all connections that were open before. A client that reconnects
// after the answer must not be dropped again.
func (s *Server) dropFromHTTP(w http.ResponseWriter, r *http.Request) {
	before := s.connections()
	w.Header().Set("Connection", "close")
	w.WriteHeader(http.StatusNoContent)
	_ = http.NewResponseController(w).Flush() // fails if the client is gone, and then is not needed
	drop(before, wire.ConnOf(r))
}

func (s *Server) injectFromHTTP(w http.ResponseWriter, r *http.Request) {
	f, err := fault.Read(http.MaxBytesReader(w, r.Body, 64<<10))
	if err == nil {
		err = f.Check(slices.Sorted(maps.Keys(verbs)))
	}
	if err == nil && f.Resource != "" {
		_, err = s.collection("inject a fault into", f.Resource)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	s.faults.Arm(f)
	if f.Kind == FaultRefuse {
		s.dropFromHTTP(w, r)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// Inject arms a fault. Faults of one moment strike in the order in which they
// were injected, one at a time. FaultRefuse also drops all open connections. Inject
// does not validate f: an unknown Kind resets the connection, an unknown Verb or
// Resource never matches.
func (s *Server) Inject(f Fault) {
	s.faults.Arm(f)
	if f.Kind == FaultRefuse {
		s.DropConnections()
	}
}

// Heal disarms all faults. A stream that is silent already stays silent, and a request
// that hangs keeps hanging.
func (s *Server) Heal() { s.faults.Heal() }

// strike returns the fault that strikes a request at a moment, if any.
func (s *Server) strike(req *request, m fault.Moment) (Fault, bool) {
	f, hit := s.faults.Strike(fault.Target{Verb: req.verb, Plural: req.typ.Plural,
		Qualified: req.typ.QualifiedName()}, m)
	if hit && s.opts.Trace.Fault != nil {
		s.opts.Trace.Fault(req.describe(), f)
	}
	return f, hit
}

// spoiled returns a sink in which faults strike the frames of a watch.
func (s *Server) spoiled(req *request, to stream.Sink) stream.Sink {
	return fault.NewSink(to, func(m fault.Moment) (Fault, bool) { return s.strike(req, m) },
		func() { s.pause(req, -1) })
}

// interfere lets faults strike a request that is about to be served. It returns true
// if a fault has answered the request, and panics with http.ErrAbortHandler if there
// must be no answer.
func (s *Server) interfere(w http.ResponseWriter, req *request) bool {
	f, hit := s.strike(req, fault.AtRequest)
	if !hit {
		return false
	}
	switch f.Kind {
	case FaultStatus:
		wire.Fail(w, req.http, f.Status())
		return true
	case FaultDelay:
		if s.pause(req, f.Delay) {
			return false
		}
	case FaultHang:
		s.pause(req, -1)
	}
	panic(http.ErrAbortHandler) // no answer, not even an empty one
}

// pause waits for d, or for ever if d is negative. It returns false if the client
// disconnects or the server closes before that.
func (s *Server) pause(req *request, d time.Duration) bool {
	var over <-chan time.Time
	if d >= 0 {
		t := time.NewTimer(d)
		defer t.Stop()
		over = t.C
	}
	select {
	case <-over:
		return true
	case <-req.http.Context().Done():
	case <-s.closing.Done():
	}
	return false
}
