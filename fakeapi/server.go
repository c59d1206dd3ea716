package fakeapi

import (
	"context"
	"errors"
	"maps"
	"net"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"example.com/watchglass/fakeapi/registry"
	"example.com/watchglass/fakeapi/store"
	"example.com/watchglass/fakeapi/wire"
)

// A Server is a Kubernetes API server in this process. It is safe for concurrent use.
// New makes one, Close ends it.
type Server struct {
	opts      Options // with defaults
	store     *store.Store
	registry  *registry.Registry
	faults    faultSet
	discovery atomic.Pointer[discovery] // of the catalog that was asked for last
	places    wire.Places

	inFlight sync.WaitGroup // calls of ServeHTTP, and connections of own listeners

	mu      sync.Mutex
	closing context.Context       // done at Close, with mu held: streams end
	stop    context.CancelFunc    // makes closing done
	ended   chan struct{}         // closed when Close has finished
	dropped context.Context       // done and replaced by DropWatches
	drop    context.CancelFunc    // makes dropped done
	https   []*http.Server        // one per listener
	conns   map[net.Conn]struct{} // open connections of own listeners
	client  *http.Client          // of connections within the process; nil until Client is called
	counts  map[faultTarget]int   // requests by verb and resource
	serving sync.WaitGroup        // Serve loops and the collector, started by this package itself
}

// watchGrace is how long a client may take to read the frames that have already been
// sent to it when its watch is over.
const watchGrace = 5 * time.Second

// New makes a server. It panics if a Resource is malformed or registered twice,
// because that is a mistake in the program; Options.Validate returns the error instead.
// The caller has to Close the server.
func New(o Options) *Server {
	s := &Server{opts: o.withDefaults(), ended: make(chan struct{}), conns: map[net.Conn]struct{}{},
		counts: map[faultTarget]int{}}
	s.closing, s.stop = context.WithCancel(context.Background())
	s.dropped, s.drop = context.WithCancel(context.Background())
	var garbage chan struct{}
	if o.CollectGarbage {
		garbage = make(chan struct{}, 1)
	}
	s.store, s.places = newStore(s.opts, garbage), wire.NewPlaces()
	var err error
	s.registry, err = registry.New(s.store, s.opts.Resources, s.opts.RequireNamespaces)
	if err != nil {
		panic(err)
	}
	if garbage != nil {
		s.serving.Go(func() { s.registry.CollectGarbage(s.closing, garbage) })
	}
	return s
}

// Close ends all watches cleanly, waits up to a second for requests to finish,
// cuts off those that have not finished, and returns when everything that the server
// has started has ended. A second call only waits until the first has finished.
func (s *Server) Close() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_ = s.Shutdown(ctx)
}

// Shutdown does what Close does, with a deadline of the caller: it lets requests finish
// until ctx is done, and then cuts them off and returns ctx's error. A second call waits
// until the first has finished and returns nil.
func (s *Server) Shutdown(ctx context.Context) error {
	s.mu.Lock()
	if s.closing.Err() != nil {
		s.mu.Unlock()
		<-s.ended
		return nil
	}
	defer close(s.ended)
	s.stop()
	https, client := s.https, s.client
	s.mu.Unlock()

	if client != nil {
		client.CloseIdleConnections()
	}
	var errs []error
	for _, h := range https {
		if err := h.Shutdown(ctx); err != nil {
			errs = append(errs, err)
			_ = h.Close() // its listener is closed already
		}
	}
	s.serving.Wait()
	s.inFlight.Wait()
	s.store.Close()
	return errors.Join(errs...)
}

// enter registers something that Shutdown has to wait for. It returns false if the
// server is closed.
func (s *Server) enter() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing.Err() != nil {
		return false
	}
	s.inFlight.Add(1)
	return true
}

// DropWatches ends all watches cleanly, as a real server ends each when its time is over. Clients
// resume from the last version that they received. It does not wait for the
// streams to end. It exercises a reflector's branch "the watch ended: watch again".
func (s *Server) DropWatches() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.drop()
	s.dropped, s.drop = context.WithCancel(context.Background())
}

// dropping returns the context that the next call of DropWatches ends.
func (s *Server) dropping() context.Context {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.dropped
}

// DropConnections resets every connection that came through Serve, ServeTLS or
// Client, even in the middle of an answer. It exercises a reflector's branch
// "the connection broke: watch again, after a pause".
func (s *Server) DropConnections() { drop(s.connections(), nil) }

// connections returns those that are open now.
func (s *Server) connections() []net.Conn {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Collect(maps.Keys(s.conns))
}

// drop resets connections. own, if not nil, is the connection of the client that asked for it: a
// reset could overtake the client's answer, so this connection is closed after the answer.
func drop(conns []net.Conn, own net.Conn) {
	for _, c := range conns {
		if c == own {
			wire.HangUp(c)
		} else {
			wire.Reset(c)
		}
	}
}

// Compact drops all history: from now on, lists at an exact older version, continue
// tokens and watches from an older version are answered with 410. Open watches go on.
// It exercises a reflector's branch "too old: list again".
func (s *Server) Compact() { s.store.Compact() }
