package wire

import (
	"context"
	"crypto/tls"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"
)

// How many streams an HTTP/2 connection may have, as in a real server, and how many bytes a client
// may send on each before the server reads them. With less than HTTP/2 begins with, a client that
// has not read the server's settings yet would send too much.
const (
	streams = 100
	window  = 64<<10 - 1
)

// NewServer returns an http.Server with the limits of this package. It calls state when a
// connection changes its state. ConnOf finds the connections of its requests.
func NewServer(h http.Handler, state func(net.Conn, http.ConnState), l *slog.Logger) *http.Server {
	return &http.Server{
		Handler: h, ConnState: state,
		ConnContext: func(ctx context.Context, c net.Conn) context.Context {
			return context.WithValue(ctx, connKey{}, &conn{c, newConnPlaces()})
		},
		ReadHeaderTimeout: headerTimeout, IdleTimeout: IdleTimeout, MaxHeaderBytes: maxHeader,
		// Pings find connections whose peer is silent, and end their streams. Writes whose body
		// waits to be read must not use up the connection's window: all of them fit into it.
		HTTP2: &http.HTTP2Config{SendPingTimeout: 30 * time.Second, PingTimeout: 15 * time.Second,
			WriteByteTimeout: answerTimeout, MaxConcurrentStreams: streams,
			MaxReceiveBufferPerStream: window, MaxReceiveBufferPerConnection: queue * window},
		ErrorLog: slog.NewLogLogger(l.Handler(), slog.LevelDebug),
	}
}

// Reset closes c so that the peer sees a broken connection, not a clean end: over TCP with
// a reset. Data that is still on its way is lost.
func Reset(c net.Conn) {
	c = bare(c)
	if t, ok := c.(*net.TCPConn); ok {
		_ = t.SetLinger(0)
	}
	_ = c.Close()
}

// HangUp closes c after the data that has been sent. An incomplete answer stays incomplete.
func HangUp(c net.Conn) { _ = bare(c).Close() }

// bare returns the connection below TLS. Closing the TLS connection itself would tell the peer
// that this is a clean end.
func bare(c net.Conn) net.Conn {
	if t, ok := c.(*tls.Conn); ok {
		return t.NetConn()
	}
	return c
}

// A conn is a connection, with the places of its requests: see Places.
type conn struct {
	net.Conn
	connPlaces
}

// connKey finds a request's *conn in its context.
type connKey struct{}

// ConnOf returns the connection of a request; nil in an http.Server of the user's own.
func ConnOf(r *http.Request) net.Conn {
	if c, ok := r.Context().Value(connKey{}).(*conn); ok {
		return c.Conn
	}
	return nil
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
func (l *PipeListener) Addr() net.Addr { return &net.UnixAddr{Name: "pipe", Net: "pipe"} }

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
