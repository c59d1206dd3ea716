package fakeapi

import (
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"example.com/watchglass/fakeapi/fault"
	"example.com/watchglass/fakeapi/resource"
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
	simple := map[string]func(){"compact": s.Compact, "drop-watches": s.DropWatches, "heal": s.Heal}
	switch command := strings.TrimPrefix(r.URL.Path, "/fakeapi/"); {
	case simple[command] != nil:
		simple[command]()
		w.WriteHeader(http.StatusNoContent)
	case command == "drop":
		s.dropFromHTTP(w, r)
	case command == "inject":
		s.injectFromHTTP(w, r)
	default:
		http.NotFound(w, r)
	}
}

// dropFromHTTP drops all connections that were open before its answer. A client that reconnects
// after the answer must not be dropped again.
func (s *Server) dropFromHTTP(w http.ResponseWriter, r *http.Request) {
	before := s.connections()
	w.Header().Set("Connection", "close")
	w.WriteHeader(http.StatusNoContent)
	_ = http.NewResponseController(w).Flush() // fails if the client is gone, and then is not needed
	drop(before, wire.ConnOf(r))
}

// maxRefused limits the connections that a client may have the server refuse: the request that
// heals it needs a connection, too.
const maxRefused = 100

func (s *Server) injectFromHTTP(w http.ResponseWriter, r *http.Request) {
	f, err := fault.Read(http.MaxBytesReader(w, r.Body, 4<<10))
	if err == nil {
		err = s.arm(f)
	}
	switch {
	case err != nil:
		http.Error(w, err.Error(), http.StatusBadRequest)
	case f.Kind == FaultRefuse:
		s.dropFromHTTP(w, r)
	default:
		w.WriteHeader(http.StatusNoContent)
	}
}

// canTrigger reports whether a resource is served that has the fault's verb and name.
func (s *Server) canTrigger(f Fault) bool {
	return slices.ContainsFunc(s.registry.Catalog().Types(), func(typ *resource.Type) bool {
		return slices.ContainsFunc(typ.Verbs(), func(verb string) bool {
			return f.Matches(target(verb, typ))
		})
	})
}

func target(verb string, typ *resource.Type) fault.Target {
	return fault.Target{Verb: verb, Plural: typ.Plural, Qualified: typ.QualifiedName()}
}

// arm arms a fault of a client, if it can take effect.
func (s *Server) arm(f Fault) error {
	err := f.Check(slices.Sorted(maps.Keys(verbs)))
	switch {
	case err != nil:
		return err
	case !s.canTrigger(f):
		return fmt.Errorf("no resource %.100q with the verb %.100q is served", f.Resource, f.Verb)
	case f.Kind == FaultRefuse && (f.Count < 0 || f.Count > maxRefused):
		return fmt.Errorf("count is %d: expected at most %d refused connections, or heal is refused, "+
			"too", f.Count, maxRefused)
	}
	s.faults.Arm(f)
	return nil
}

// Inject arms a fault. Faults of one moment take effect in the order in which they were injected,
// one at a time. FaultRefuse also drops all open connections. Inject does not validate f, see
// Fault.Check: an unknown Kind never takes effect, an unknown Verb or Resource never matches.
func (s *Server) Inject(f Fault) {
	s.faults.Arm(f)
	if f.Kind == FaultRefuse {
		s.DropConnections()
	}
}

// Heal disarms all faults. Requests that hang end without an answer, and delayed ones are served.
// A stream that is silent stays silent.
func (s *Server) Heal() { s.faults.Heal() }

// trigger returns the fault that takes effect on a request at a moment, nil if none does.
func (s *Server) trigger(req *request, m fault.Moment) *fault.Hit {
	hit := s.faults.Trigger(target(req.verb, req.typ), m)
	if hit != nil && s.opts.Trace.Fault != nil {
		s.opts.Trace.Fault(req.describe(), hit.Fault)
	}
	return hit
}

// interfere lets faults affect a request that is about to be served. It returns true if a fault has
// answered the request, and panics with http.ErrAbortHandler if there must be no answer.
func (s *Server) interfere(w http.ResponseWriter, req *request) bool {
	hit := s.trigger(req, fault.AtRequest)
	if hit == nil {
		return false
	}
	switch hit.Kind {
	case FaultStatus:
		wire.Fail(w, req.http, hit.Status())
		return true
	case FaultDelay:
		wire.LimitBody(w, req.http, time.Time{}) // this time is not the client's
		if s.pause(req.http.Context(), time.After(hit.Delay), hit.Healed) {
			return false
		}
	case FaultHang:
		s.hang(w, req.http, hit.Healed)
	}
	wire.LimitBody(w, req.http, time.Now()) // net/http waits for it before it breaks the connection
	panic(http.ErrAbortHandler)             // no answer, not even an empty one
}

// hang waits until the client disconnects, the server closes or the fault is healed. It reads the
// body meanwhile: before the body's end net/http does not notice that the client disconnects.
func (s *Server) hang(w http.ResponseWriter, r *http.Request, healed <-chan struct{}) {
	wire.LimitBody(w, r, time.Time{})
	var reading sync.WaitGroup
	reading.Go(func() { _, _ = io.Copy(io.Discard, r.Body) }) // until the body ends, or its limit
	s.pause(r.Context(), nil, healed)
	wire.LimitBody(w, r, time.Now())
	reading.Wait()
}

// pause waits until a time has come or the faults are healed. It returns false if the client
// disconnects or the server closes before that.
func (s *Server) pause(ctx context.Context, over <-chan time.Time, healed <-chan struct{}) bool {
	select {
	case <-over:
		return true
	case <-healed:
		return true
	case <-ctx.Done():
	case <-s.closing.Done():
	}
	return false
}
