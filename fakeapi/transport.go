package fakeapi

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"syscall"

	"example.com/watchglass/fakeapi/wire"
)

// URL is the base URL for requests through Client. The name is not resolved: the client's
// transport dials the server for every host.
const URL = "http://fakeapi"

// errRefused is ECONNREFUSED, in the same words on all systems: stories show them.
var errRefused = fmt.Errorf("connection refused%.0w", syscall.ECONNREFUSED)

// Client returns an HTTP client whose connections are pipes to this server. It opens no
// sockets, so server and client can share a testing/synctest bubble. Requests go to URL.
// All calls return the same client; after Close its requests fail.
func (s *Server) Client() *http.Client {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.client != nil {
		return s.client
	}
	l := wire.NewPipeListener()
	dial := func(ctx context.Context, network, addr string) (net.Conn, error) {
		if s.faults.refuses() {
			return nil, &net.OpError{Op: "dial", Net: "pipe", Addr: l.Addr(), Err: errRefused}
		}
		return l.DialContext(ctx, network, addr)
	}
	s.serving.Go(func() { _ = s.serve(l, s, nil) }) // until Shutdown, which waits for it
	s.client = &http.Client{Transport: &http.Transport{
		DialContext:         dial,
		MaxIdleConnsPerHost: 64,
		// Shorter than the server's, which otherwise might close a connection while the
		// client sends a request on it.
		IdleConnTimeout: wire.IdleTimeout / 2,
	}}
	return s.client
}

// Serve answers requests on l, HTTP/1.1. It blocks until Close or Shutdown, and then
// returns nil; before that it returns only if l fails, with l's error. It closes l.
func (s *Server) Serve(l net.Listener) error {
	return s.serve(&gatedListener{l, s}, s.handler(), nil)
}

// ServeTLS does what Serve does, with TLS and, for clients that support it, HTTP/2.
func (s *Server) ServeTLS(l net.Listener, cert tls.Certificate) error {
	config := &tls.Config{Certificates: []tls.Certificate{cert}}
	return s.serve(&gatedListener{l, s}, s.handler(), config)
}

// handler returns what answers connections from outside.
func (s *Server) handler() http.Handler {
	if s.opts.Local {
		return wire.ToThisMachine(s)
	}
	return s
}

func (s *Server) serve(l net.Listener, handler http.Handler, config *tls.Config) error {
	h := wire.NewServer(handler, s.connState, s.opts.Logger)
	h.TLSConfig = config
	s.mu.Lock()
	if s.closing.Err() != nil {
		s.mu.Unlock()
		return l.Close()
	}
	s.https = append(s.https, h)
	s.serving.Add(1) // this goroutine is the caller's; Shutdown waits for it
	s.mu.Unlock()
	defer s.serving.Done()

	var err error
	if config == nil {
		err = h.Serve(l)
	} else {
		err = h.ServeTLS(l, "", "")
	}
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
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
		wire.Reset(c)
	}
}
