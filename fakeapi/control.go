package fakeapi

import (
	"net/http"

	"example.com/watchglass/fakeapi/fault"
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
	f, err := fault.Read(http.MaxBytesReader(w, r.Body, 64<<10))
	if err == nil {
		err = s.checkFault(f)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	s.opts.Logger.Info("control", "inject", f.Kind)
	s.faults.Arm(f)
	if f.Kind == FaultRefuse {
		s.dropFromHTTP(w, r)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// checkFault returns an error for a fault that would never strike, or not as its fields say.
func (s *Server) checkFault(f Fault) error {
	if err := f.Check(verbs); err != nil || f.Resource == "" {
		return err
	}
	_, err := s.collection("inject a fault into", f.Resource)
	return err
}

// verbs are those that a fault may name.
var verbs = []string{resource.VerbGet, resource.VerbList, resource.VerbWatch, resource.VerbCreate,
	resource.VerbUpdate, resource.VerbPatch, resource.VerbDelete, resource.VerbDeleteCollection}
