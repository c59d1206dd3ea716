package wire

import (
	"context"
	"crypto/tls"
	"log/slog"
	"net"
	"net/http"
	"time"
)

// How many streams an HTTP/2 connection may have, and how many bytes a client may send on each
// before the server reads them.
const (
	streams = 250
	window  = 64<<10 - 1 // the least that HTTP/2 allows
)

// NewServer returns an http.Server with the limits of this package. It calls state when a
// connection changes its state. ConnOf finds the connections of its requests.
func NewServer(h http.Handler, state func(net.Conn, http.ConnState), l *slog.Logger) *http.Server {
	return &http.Server{
		Handler:           h,
		ConnState:         state,
		ConnContext:       withConn,
		ReadHeaderTimeout: headerTimeout,
		IdleTimeout:       IdleTimeout,
		MaxHeaderBytes:    maxHeader,
		// Pings find connections whose peer is silent, and end their streams. Streams whose body
		// waits to be read must not use up the connection's window: all of them fit into it.
		HTTP2: &http.HTTP2Config{SendPingTimeout: 30 * time.Second, PingTimeout: 15 * time.Second,
			WriteByteTimeout: answerTimeout, MaxConcurrentStreams: streams,
			MaxReceiveBufferPerStream: window, MaxReceiveBufferPerConnection: streams * window},
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

// connKey is the key of a request's net.Conn in its context.
type connKey struct{}

func withConn(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, c)
}

// ConnOf returns the connection of a request; nil in an http.Server of the user's own.
func ConnOf(r *http.Request) net.Conn {
	c, _ := r.Context().Value(connKey{}).(net.Conn)
	return c
}
