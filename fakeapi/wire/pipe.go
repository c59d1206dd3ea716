package wire

import (
	"context"
	"net"
	"sync"
)

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
