package fakeapi

import (
	"net/http"
	"time"

	"example.com/watchglass/fakeapi/fault"
	"example.com/watchglass/fakeapi/stream"
	"example.com/watchglass/fakeapi/wire"
)

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
