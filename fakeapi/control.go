package fakeapi

import (
	"maps"
	"net/http"
	"slices"

	"example.com/watchglass/fakeapi/fault"
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
