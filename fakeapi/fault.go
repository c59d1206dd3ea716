package fakeapi

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"example.com/watchglass/fakeapi/object"
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
// {"kind":"status","verb":"list","userAgent":"my-controller/","code":429,"retryAfter":"1s"}. The
// answer is 204, or 400 with the error as text. The command takes effect before its answer is sent;
// only connections are closed after it.
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
	f, err := readFault(http.MaxBytesReader(w, r.Body, 4<<10))
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

// canTrigger reports whether a request can be what the fault names, with the resources that are
// served now.
func (s *Server) canTrigger(f Fault) bool {
	subresources := []string{"", object.SubStatus, object.SubScale, object.SubFinalize}
	return slices.ContainsFunc(s.registry.Catalog().Types(), func(typ *object.Type) bool {
		req := &request{typ: typ, name: f.Name}
		if !typ.Cluster {
			req.namespace = f.Namespace
		}
		return slices.ContainsFunc(typ.Verbs(), func(verb string) bool {
			return slices.ContainsFunc(subresources, func(subresource string) bool {
				req.verb, req.subresource = verb, subresource
				return typ.HasSubresource(subresource) && f.Matches(req.target(f.UserAgent))
			})
		})
	})
}

// target returns the request as faults are aimed at it.
func (req *request) target(userAgent string) faultTarget {
	return faultTarget{Verb: req.verb, Plural: req.typ.Plural, Qualified: req.typ.QualifiedName(),
		Subresource: cmp.Or(req.subresource, NoSubresource), Namespace: req.namespace,
		Name: req.name, UserAgent: userAgent}
}

// arm arms a fault of a client, if it can take effect.
func (s *Server) arm(f Fault) error {
	err := f.Check(slices.Sorted(maps.Keys(verbs)))
	switch {
	case err != nil:
		return err
	case !s.canTrigger(f):
		return fmt.Errorf("no resource %.100q with the verb %.100q, the subresource %.100q and the "+
			"namespace %.100q is served", f.Resource, f.Verb, f.Subresource, f.Namespace)
	case f.Kind == FaultRefuse && (f.Count < 0 || f.Count > maxRefused):
		return fmt.Errorf("count is %d: expected at most %d refused connections, or heal is refused, "+
			"too", f.Count, maxRefused)
	}
	s.faults.arm(f)
	return nil
}

// Inject arms a fault. Faults of one moment take effect in the order in which they were injected,
// one at a time. FaultRefuse also drops all open connections. Inject panics if f could never take
// effect: see Fault.Check. A resource or name that no request has is not an error; Trace.Fault
// tells a test what took effect.
func (s *Server) Inject(f Fault) {
	if err := f.Check(slices.Sorted(maps.Keys(verbs))); err != nil {
		panic("fakeapi: Inject: " + err.Error())
	}
	s.faults.arm(f)
	if f.Kind == FaultRefuse {
		s.DropConnections()
	}
}

// Heal disarms all faults. Requests that hang end without an answer, and delayed ones are served.
// A stream that is silent stays silent.
func (s *Server) Heal() { s.faults.heal() }

// trigger returns the fault that takes effect on a request at a moment, nil if none does.
func (s *Server) trigger(req *request, m faultMoment) *faultHit {
	hit := s.faults.trigger(req.aim, m)
	if hit != nil && s.opts.Trace.Fault != nil {
		s.opts.Trace.Fault(req.describe(), hit.Fault)
	}
	return hit
}

// interfere lets faults affect a request that is about to be served. It returns the error that a
// fault answers with, and panics with http.ErrAbortHandler if there must be no answer.
func (s *Server) interfere(w http.ResponseWriter, req *request) error {
	if req.verb == object.VerbCreate && s.faults.needsName(req.aim) {
		req.aim.Name = nameInBody(req.http)
	}
	hit := s.trigger(req, atRequest)
	if hit == nil {
		return nil
	}
	switch hit.Kind {
	case FaultStatus:
		return hit.Status()
	case FaultDelay:
		wire.LimitBody(w, req.http, time.Time{}) // this time is not the client's
		// A client that gives up meanwhile does not end the wait: its write is made, late.
		if s.pause(context.Background(), time.After(hit.Delay), hit.Healed) {
			return nil
		}
	case FaultHang:
		s.hang(w, req.http, hit.Healed)
	case FaultLost:
		_ = s.perform(lostAnswer{w}, req) // an error is an answer, too
	}
	wire.LimitBody(w, req.http, time.Now()) // net/http waits for it before it breaks the connection
	panic(http.ErrAbortHandler)             // no answer, not even an empty one
}

// nameInBody returns the name that a create gives to its object, or without one the generateName.
// It leaves the body to be read again, and looks only at its beginning: the request has no place
// yet.
func nameInBody(r *http.Request) string {
	var o struct {
		Metadata struct{ Name, GenerateName string }
	}
	var read bytes.Buffer
	// What is wrong with the body is for create to say.
	_ = json.NewDecoder(io.TeeReader(io.LimitReader(r.Body, 256<<10), &read)).Decode(&o)
	r.Body = io.NopCloser(io.MultiReader(&read, r.Body)) // net/http closes its own
	return cmp.Or(o.Metadata.Name, o.Metadata.GenerateName)
}

// A lostAnswer is a ResponseWriter that discards the answer. It cannot flush, so that a watch,
// which does so before it waits, ends.
type lostAnswer struct{ http.ResponseWriter }

func (lostAnswer) WriteHeader(int)             {}
func (lostAnswer) Write(b []byte) (int, error) { return len(b), nil }

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
