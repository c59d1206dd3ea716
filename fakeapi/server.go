package fakeapi

import (
	"context"
	"errors"
	"maps"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"

	"example.com/watchglass/fakeapi/store"
)

// A Server is a Kubernetes API server in this process. It is safe for use by
// many goroutines. New makes one, Close ends it.
type Server struct {
	opts    Options // with defaults
	store   *store.Store
	life    *lifecycle
	faults  faultSet
	grace   time.Duration // watchGrace; less in tests
	control http.Handler  // for paths below /fakeapi/; nil unless asked for

	inFlight sync.WaitGroup // calls of ServeHTTP, and connections of own listeners

	mu      sync.Mutex
	closed  bool                  // set once, before closing is given
	closing signal                // given by Close: streams end
	ended   chan struct{}         // closed when Close has finished
	dropped signal                // given and replaced by DropWatches
	https   []*http.Server        // one per listener
	conns   map[net.Conn]struct{} // open connections of own listeners
	memory  *memory               // in-memory way in; nil until Client is called
	serving sync.WaitGroup        // Serve loops started by this package itself
}

// New makes a server. It panics if a Resource is malformed or registered twice:
// that is a mistake in the program. The caller has to Close the server.
func New(o Options) *Server {
	s := &Server{opts: o.withDefaults(), closing: newSignal(),
		ended: make(chan struct{}), dropped: newSignal(), conns: map[net.Conn]struct{}{}}
	s.store, s.grace = newStore(s.opts), watchGrace
	life, err := newLifecycle(s.store, &s.opts)
	if err != nil {
		panic(err)
	}
	s.life = life
	if s.opts.Control {
		s.control = newControl(s)
	}
	return s
}

// Close ends all watches cleanly, waits up to a second for requests to finish,
// cuts off those that have not, and returns when everything the server has
// started has ended. Closing twice is closing once: the second call only waits.
func (s *Server) Close() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_ = s.Shutdown(ctx)
}

// Shutdown is Close with the caller's patience: it lets requests finish until
// ctx is done, and then cuts them off. It returns ctx's error if it had to.
func (s *Server) Shutdown(ctx context.Context) error {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		<-s.ended
		return nil
	}
	s.closed = true
	defer close(s.ended)
	s.closing.give()
	https, memory := s.https, s.memory
	s.mu.Unlock()

	if memory != nil {
		memory.client.CloseIdleConnections()
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
	return errors.Join(errs...)
}

// enter registers something that Shutdown has to wait for. It is false once the
// server is closed.
func (s *Server) enter() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	s.inFlight.Add(1)
	return true
}

// DropWatches ends all watches now, cleanly, as a server does that wants its
// clients to spread out. Clients resume at the version they have got to. It
// exercises a reflector's branch "the watch ended: watch again".
func (s *Server) DropWatches() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dropped.give()
	s.dropped = newSignal()
}

// dropping is given when DropWatches is called next.
func (s *Server) dropping() signal {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.dropped
}

// DropConnections resets every connection that came through Serve, ServeTLS or
// Client, in the middle of whatever it was doing. It exercises a reflector's
// branch "the connection broke: watch again, after a pause".
func (s *Server) DropConnections() { drop(s.connections(), nil) }

// connections are those that are open now.
func (s *Server) connections() []net.Conn {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Collect(maps.Keys(s.conns))
}

// drop resets connections. A client that asked for it has its answer on the way over its own, which
// a reset could overtake: that one is hung up behind the answer.
func drop(conns []net.Conn, own net.Conn) {
	for _, c := range conns {
		if c == own {
			hangUp(c)
		} else {
			reset(c)
		}
	}
}

// Compact forgets all history: lists at an exact version, continue tokens and
// watches from before now are answered with 410 from here on. Watches that are
// running go on. It exercises a reflector's branch "too old: list again".
func (s *Server) Compact() {
	_ = s.store.Update(func(tx *store.Tx) error {
		for _, e := range s.life.catalog.Load().endpoints {
			if e.c != nil {
				tx.Compact(e.c.objects)
			}
		}
		return nil
	})
}
