package fakeapi

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"sync"
	"syscall"
	"time"
)

// URL is the base URL for requests through Client. The name is not resolved: the client's
// transport dials the server for every host.
const URL = "http://fakeapi"

// memory is the listener for connections within the process, and its client.
type memory struct {
	listener *PipeListener
	client   *http.Client
}

// Client returns an HTTP client whose connections are pipes to this server. It opens no
// sockets, so server and client can share a testing/synctest bubble. Requests go to URL.
// All calls return the same client; after Close its requests fail.
func (s *Server) Client() *http.Client {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.memory != nil {
		return s.memory.client
	}
	l := NewPipeListener()
	s.memory = &memory{listener: l, client: &http.Client{Transport: &http.Transport{
		DialContext:         s.dialer(l),
		MaxIdleConnsPerHost: 64,
		// Shorter than the server's, which otherwise might close a connection while the
		// client sends a request on it.
		IdleConnTimeout: idleTimeout / 2,
	}}}
	if s.closed {
		_ = l.Close()
		return s.memory.client
	}
	h := s.httpServer()
	s.https = append(s.https, h)
	s.serving.Go(func() { _ = h.Serve(l) }) // Shutdown closes l and waits for serving
	return s.memory.client
}

// dialer dials l, unless a fault refuses the connection.
func (s *Server) dialer(l *PipeListener) func(context.Context, string, string) (net.Conn, error) {
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		if s.faults.refuses() {
			return nil, &net.OpError{Op: "dial", Net: "pipe", Addr: l.Addr(),
				Err: syscall.ECONNREFUSED}
		}
		return l.DialContext(ctx, network, addr)
	}
}

// A PipeListener accepts connections within the process: each is a net.Pipe. With it any
// http.Server can share a testing/synctest bubble with its clients:
//
//	l := fakeapi.NewPipeListener()
//	client := &http.Client{Transport: &http.Transport{DialContext: l.DialContext}}
//	go server.Serve(l) // until l.Close or server.Shutdown
//
// Its methods may be called from any goroutine.
type PipeListener struct {
	conns chan net.Conn
	done  chan struct{} // closed by Close
	once  sync.Once
}

// NewPipeListener returns a listener without connections. It starts nothing.
func NewPipeListener() *PipeListener {
	return &PipeListener{conns: make(chan net.Conn), done: make(chan struct{})}
}

// Accept waits for the next DialContext. After Close it fails with net.ErrClosed.
func (l *PipeListener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.done:
		return nil, net.ErrClosed
	}
}

// Close makes Accept and DialContext fail. Accepted connections stay open. It returns nil.
func (l *PipeListener) Close() error { l.once.Do(func() { close(l.done) }); return nil }

// Addr returns an address of the network "pipe".
func (l *PipeListener) Addr() net.Addr { return pipeAddr{} }

type pipeAddr struct{}

func (pipeAddr) Network() string { return "pipe" }
func (pipeAddr) String() string  { return "pipe" }

// DialContext waits for Accept and returns the other end of its connection. It ignores the network
// and the address, so http.Transport can use it for every host. It fails with net.ErrClosed after
// Close, and with ctx's error if ctx is done first.
func (l *PipeListener) DialContext(ctx context.Context, _, _ string) (net.Conn, error) {
	server, client := net.Pipe()
	select {
	case l.conns <- server:
		return client, nil
	case <-l.done:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Serve answers requests on l, HTTP/1.1. It blocks until Close or Shutdown, and then
// returns nil; before that it returns only if l fails, with l's error. It closes l.
func (s *Server) Serve(l net.Listener) error { return s.serve(l, nil) }

// ServeTLS returns Serve with TLS and, for clients that support it, HTTP/2.
func (s *Server) ServeTLS(l net.Listener, cert tls.Certificate) error {
	return s.serve(l, &tls.Config{Certificates: []tls.Certificate{cert}})
}

func (s *Server) serve(l net.Listener, config *tls.Config) error {
	h := s.httpServer()
	h.TLSConfig = config
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return l.Close()
	}
	s.https = append(s.https, h)
	s.serving.Add(1) // this goroutine is the caller's; Shutdown waits for it
	s.mu.Unlock()
	defer s.serving.Done()

	var err error
	gate := &gatedListener{Listener: l, server: s}
	if config == nil {
		err = h.Serve(gate)
	} else {
		err = h.ServeTLS(gate, "", "")
	}
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// httpServer returns an http.Server that reports its connections to this Server.
func (s *Server) httpServer() *http.Server {
	return &http.Server{
		Handler:           s,
		ConnState:         s.connState,
		ConnContext:       withConn,
		ReadHeaderTimeout: headerTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeader,
		// Pings find connections whose peer is silent, and end their streams.
		HTTP2: &http.HTTP2Config{SendPingTimeout: 30 * time.Second, PingTimeout: 15 * time.Second,
			WriteByteTimeout: answerTimeout},
		ErrorLog: errorLog(s.opts.Logger),
	}
}

// connState keeps s.conns up to date, and counts each connection's goroutine in inFlight.
func (s *Server) connState(c net.Conn, state http.ConnState) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch state {
	case http.StateNew:
		s.conns[c] = struct{}{}
		s.inFlight.Add(1) // before the goroutine starts, while serving is not zero
	case http.StateClosed, http.StateHijacked:
		delete(s.conns, c)
		s.inFlight.Done()
	}
}

// A gatedListener resets new connections while a fault refuses them.
type gatedListener struct {
	net.Listener
	server *Server
}

// Accept waits for the next connection that is not refused.
func (l *gatedListener) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil || !l.server.faults.refuses() {
			return c, err
		}
		reset(c)
	}
}

// reset closes c so that the peer sees a broken connection, not a clean end: over TCP with
// a reset. Data that is still on its way is lost.
func reset(c net.Conn) {
	c = bare(c)
	if t, ok := c.(*net.TCPConn); ok {
		_ = t.SetLinger(0)
	}
	_ = c.Close()
}

// hangUp closes c after the data that has been sent. An incomplete answer stays incomplete.
func hangUp(c net.Conn) { _ = bare(c).Close() }

// bare returns the connection below TLS. Closing the TLS connection itself would tell the peer
// that this is a clean end.
func bare(c net.Conn) net.Conn {
	if t, ok := c.(*tls.Conn); ok {
		return t.NetConn()
	}
	return c
}

// connKey is the key of a request's net.Conn in its context.
type connKey struct{}

func withConn(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, c)
}

// connOf returns the connection of a request; nil in an http.Server of the user's own.
func connOf(r *http.Request) net.Conn {
	c, _ := r.Context().Value(connKey{}).(net.Conn)
	return c
}
