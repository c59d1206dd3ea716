package wire

import (
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"example.com/watchglass/fakeapi"
	"example.com/watchglass/reflector"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A network carries connections to one listener. It can forget a connection, as a NAT box does:
// then neither end receives anything, and neither gets an error.
type network struct {
	listener *fakeapi.PipeListener
	dials    atomic.Int32
	mu       sync.Mutex
	conns    []*forgettable
}

func (n *network) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	n.dials.Add(1)
	conn, err := n.listener.DialContext(ctx, "", "")
	if err != nil {
		return nil, err
	}
	c := &forgettable{Conn: conn, closed: make(chan struct{})}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.conns = append(n.conns, c)
	return c, nil
}

// forget makes the network forget all present connections.
func (n *network) forget() {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, c := range n.conns {
		c.forgotten.Store(true)
	}
}

type forgettable struct {
	net.Conn
	forgotten atomic.Bool
	closed    chan struct{}
	once      sync.Once
}

// Read returns nothing that arrives after the connection was forgotten, and waits for Close.
func (c *forgettable) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if c.forgotten.Load() {
		<-c.closed
		return 0, net.ErrClosed
	}
	return n, err
}

// Write drops the bytes without an error if the connection was forgotten.
func (c *forgettable) Write(b []byte) (int, error) {
	if c.forgotten.Load() {
		return len(b), nil
	}
	return c.Conn.Write(b)
}

// Close implements net.Conn.
func (c *forgettable) Close() error {
	c.once.Do(func() { close(c.closed) })
	return c.Conn.Close()
}

// serveTLS serves a fake API server on a network, with HTTP/2, until the test is over.
func serveTLS(t testing.TB, id identity) (*fakeapi.Server, *network) {
	server := fakeapi.New(fakeapi.Options{})
	n := &network{listener: fakeapi.NewPipeListener()}
	served := make(chan error, 1)
	go func() { served <- server.ServeTLS(n.listener, id.cert) }()
	t.Cleanup(func() {
		server.Close()
		assert.NoError(t, <-served)
	})
	return server, n
}

// through makes the connections of a client go through n.
func through(t testing.TB, n *network, client *http.Client) *http.Transport {
	transport := client.Transport.(*http.Transport)
	transport.DialContext = n.dial
	t.Cleanup(transport.CloseIdleConnections)
	return transport
}

// As long as one stream is open on a connection over HTTP/2, net/http opens the next one on it as
// well, and CloseIdleConnections does not close it. So without pings, informers that share a
// connection would stay on it after its other end is gone.
func TestInformersThatShareADeadConnectionFindANewOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		id := newIdentity(t, "server")
		server, network := serveTLS(t, id)
		hc, err := NewHTTPClient(TLS{CA: id.certPEM})
		require.NoError(t, err)
		through(t, network, hc)

		ctx, cancel := context.WithCancel(t.Context())
		var running sync.WaitGroup
		defer running.Wait()
		defer cancel()
		var stores []*memStore
		for i := range 4 {
			client, err := NewClient[widget](ClientOptions{HTTPClient: hc,
				URL: "https://server/apis/workshop.example.dev/v1/widgets"})
			require.NoError(t, err)
			store := &memStore{objects: map[string]string{}}
			r, err := reflector.New(reflector.Options{ListerWatcher: client, Store: store,
				IdleTimeout: time.Duration(20+i) * time.Second}) // never two at the same time
			require.NoError(t, err)
			running.Go(func() { r.Run(ctx) })
			pass(time.Second) // each would dial until the first connection is known to be HTTP/2
			stores = append(stores, store)
		}
		pass(10 * time.Second)
		require.EqualValues(t, 1, network.dials.Load(), "over HTTP/2 all clients share one connection")

		network.forget()
		_, err = server.Create("widgets", `{"metadata":{"namespace":"shop","name":"web-1"}}`)
		require.NoError(t, err)
		pass(pingAfter + pingTimeout + 30*time.Second)
		for i, store := range stores {
			assert.Contains(t, store.String(), "web-1", "informer %d has a new connection %v after "+
				"the other end of the old one is gone", i, pingAfter+pingTimeout+30*time.Second)
		}
	})
}

func TestTheDefaultClientPings(t *testing.T) {
	client, err := NewClient[widget](ClientOptions{URL: "https://server/widgets"})
	require.NoError(t, err)
	transport := client.opts.HTTPClient.Transport.(*http.Transport)
	assert.Equal(t, pingAfter, transport.HTTP2.SendPingTimeout)
	assert.Equal(t, pingTimeout, transport.HTTP2.PingTimeout)
	assert.Equal(t, 90*time.Second, transport.IdleConnTimeout, "unused connections are closed")
	assert.NotNil(t, transport.Proxy, "the default client uses the proxies of the environment")
}

func TestASilentHandshakeIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hc, err := NewHTTPClient(TLS{})
		require.NoError(t, err)
		hc.Transport.(*http.Transport).DialContext = func(
			context.Context, string, string,
		) (net.Conn, error) {
			near, far := net.Pipe()
			go io.Copy(io.Discard, far) // ends when the client hangs up
			return near, nil
		}
		began := time.Now()
		_, err = hc.Get("https://server/")
		assert.Error(t, err)
		assert.Equal(t, 10*time.Second, time.Since(began),
			"a server that accepts a connection and sends nothing is given up")
	})
}

// A whole list compresses to a tenth, and the server compresses it when it is asked to.
func TestListsTravelCompressed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		id := newIdentity(t, "server")
		server, network := serveTLS(t, id)
		const size = 200 << 10 // the server leaves what is smaller than 128 KiB as it is
		_, err := server.Create("widgets", `{"metadata":{"namespace":"shop","name":"web-1"},`+
			`"spec":{"color":"`+strings.Repeat("red ", size/4)+`"}}`)
		require.NoError(t, err)
		hc, err := NewHTTPClient(TLS{CA: id.certPEM})
		require.NoError(t, err)
		through(t, network, hc)
		seen := &encodings{RoundTripper: hc.Transport}
		client, err := NewClient[widget](ClientOptions{HTTPClient: &http.Client{Transport: seen},
			URL: "https://server/apis/workshop.example.dev/v1/widgets"})
		require.NoError(t, err)
		list, err := client.List(t.Context(), reflector.ListOptions{})
		require.NoError(t, err)
		require.Len(t, list.Items, 1)
		assert.Len(t, list.Items[0].(*widget).Spec.Color, size)
		assert.Equal(t, []bool{true}, seen.uncompressed, "a large list is sent compressed")
	})
}

// encodings notes for each response whether net/http has decompressed it.
type encodings struct {
	http.RoundTripper
	uncompressed []bool
}

// RoundTrip implements http.RoundTripper.
func (e *encodings) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := e.RoundTripper.RoundTrip(r)
	if err == nil {
		e.uncompressed = append(e.uncompressed, resp.Uncompressed)
	}
	return resp, err
}
