package wire

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	bigint "math/big"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"example.com/watchglass"
	"example.com/watchglass/fakeapi"
	"example.com/watchglass/reflector"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// An identity is a certificate that is its own authority, for the name "server", as a server, a
// client and a kubeconfig need it.
type identity struct {
	cert      tls.Certificate
	certPEM   []byte
	keyPEM    []byte
	authority *x509.CertPool
}

func newIdentity(t testing.TB, name string) identity {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{SerialNumber: bigint.NewInt(1), IsCA: true,
		BasicConstraintsValid: true, DNSNames: []string{name},
		NotBefore: time.Date(1999, 1, 1, 0, 0, 0, 0, time.UTC), // bubbles live in 2000
		NotAfter:  time.Date(2199, 1, 1, 0, 0, 0, 0, time.UTC)}
	template.Subject.CommonName = name
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	require.NoError(t, err)
	leaf, err := x509.ParseCertificate(der)
	require.NoError(t, err)
	keyDER, err := x509.MarshalPKCS8PrivateKey(key)
	require.NoError(t, err)
	id := identity{
		cert:      tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key, Leaf: leaf},
		certPEM:   pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}),
		keyPEM:    pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: keyDER}),
		authority: x509.NewCertPool(),
	}
	id.authority.AddCert(leaf)
	return id
}

// A network carries connections to one listener. It can forget a connection, as a NAT box does:
// neither end hears of it.
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

// forget makes all present connections silent.
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

// Read keeps what arrives after forget to itself.
func (c *forgettable) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if c.forgotten.Load() {
		<-c.closed
		return 0, net.ErrClosed
	}
	return n, err
}

// Write pretends.
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
// well, and CloseIdleConnections leaves it alone: without pings, informers that share it keep each
// other on a connection whose other end is gone.
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
				IdleTimeout: time.Duration(20+i) * time.Second}) // never two at once
			require.NoError(t, err)
			running.Go(func() { r.Run(ctx) })
			pass(time.Second) // or each would dial before the first has found that it is HTTP/2
			stores = append(stores, store)
		}
		pass(10 * time.Second)
		require.EqualValues(t, 1, network.dials.Load(), "over HTTP/2 all share one connection")

		network.forget()
		_, err = server.Create("widgets", `{"metadata":{"namespace":"shop","name":"web-1"}}`)
		require.NoError(t, err)
		pass(pingAfter + pingTimeout + 30*time.Second)
		for i, store := range stores {
			assert.Contains(t, store.String(), "web-1", "informer %d is still on the dead "+
				"connection %v after it died", i, pingAfter+pingTimeout+30*time.Second)
		}
	})
}

func TestTheDefaultClientPings(t *testing.T) {
	client, err := NewClient[widget](ClientOptions{URL: "https://server/widgets"})
	require.NoError(t, err)
	transport := client.opts.HTTPClient.Transport.(*http.Transport)
	assert.Equal(t, pingAfter, transport.HTTP2.SendPingTimeout)
	assert.Equal(t, pingTimeout, transport.HTTP2.PingTimeout)
	assert.NotNil(t, transport.Proxy, "it goes through the proxies that the environment names")
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
		assert.Equal(t, []bool{true}, seen.uncompressed, "the list came compressed")
	})
}

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

// Over TLS the client accepts the certificates it was told to trust and presents its own.
func TestTLS(t *testing.T) {
	server, client, stranger :=
		newIdentity(t, "server"), newIdentity(t, "controller"), newIdentity(t, "server")
	dir := t.TempDir()
	file := func(data []byte) string { return writeFile(t, dir, data) }
	for law, tt := range map[string]struct {
		tls  TLS
		who  string // the client's certificate as the server saw it
		want string // in the error
	}{
		"an authority from bytes":  {tls: TLS{CA: server.certPEM}},
		"an authority from a file": {tls: TLS{CAFile: file(server.certPEM)}},
		"bytes count more than the file": {
			tls: TLS{CA: server.certPEM, CAFile: file(stranger.certPEM)}},
		"another server of that name": {
			tls: TLS{CA: stranger.certPEM}, want: "certificate"},
		"no authority": {want: "certificate"},
		"Insecure accepts it": {
			tls: TLS{Insecure: true}},
		"another name": {
			tls: TLS{CA: server.certPEM, ServerName: "kubernetes"}, want: "kubernetes"},
		"a client certificate from bytes": {
			tls: TLS{CA: server.certPEM, Cert: client.certPEM, Key: client.keyPEM},
			who: "controller"},
		"a client certificate from files": {
			tls: TLS{CA: server.certPEM, CertFile: file(client.certPEM),
				KeyFile: file(client.keyPEM)},
			who: "controller"},
	} {
		t.Run(law, func(t *testing.T) {
			who, proto, err := call(t, server, tt.tls)
			if tt.want != "" {
				require.ErrorContains(t, err, tt.want)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, tt.who, who, "the name in the client's certificate")
			assert.Equal(t, "HTTP/2.0", proto)
		})
	}
}

// call makes a request over TLS and returns whom the server saw.
func call(t *testing.T, id identity, settings TLS) (who, proto string, err error) {
	l, err := net.Listen("tcp", "127.0.0.1:0") // on a pipe, both ends of a handshake may write
	require.NoError(t, err)
	server := &http.Server{
		TLSConfig: &tls.Config{Certificates: []tls.Certificate{id.cert},
			ClientAuth: tls.RequestClientCert},
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if len(r.TLS.PeerCertificates) > 0 {
				who = r.TLS.PeerCertificates[0].Subject.CommonName
			}
			proto = r.Proto
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, list("7"))
		}),
		ErrorLog: discardLog,
	}
	var serving sync.WaitGroup
	serving.Go(func() { _ = server.ServeTLS(l, "", "") })
	defer serving.Wait()
	defer server.Close()
	hc, err := NewHTTPClient(settings)
	require.NoError(t, err)
	transport := hc.Transport.(*http.Transport)
	transport.DialContext = func(ctx context.Context, network, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, network, l.Addr().String())
	}
	defer transport.CloseIdleConnections()
	client, err := NewClient[watchglass.Unstructured](ClientOptions{
		HTTPClient: hc, URL: "https://server/widgets"})
	require.NoError(t, err)
	_, err = client.List(t.Context(), reflector.ListOptions{})
	return who, proto, err
}

// The files of a client certificate are read again for each connection: they are replaced while
// the program runs.
func TestAClientCertificateIsReadAgain(t *testing.T) {
	server, old, renewed :=
		newIdentity(t, "server"), newIdentity(t, "old"), newIdentity(t, "renewed")
	dir := t.TempDir()
	cert, key := writeFile(t, dir, old.certPEM), writeFile(t, dir, old.keyPEM)
	settings := TLS{CA: server.certPEM, CertFile: cert, KeyFile: key}
	config, err := settings.config()
	require.NoError(t, err)
	rewrite(t, cert, renewed.certPEM)
	rewrite(t, key, renewed.keyPEM)
	pair, err := config.GetClientCertificate(nil)
	require.NoError(t, err)
	assert.Equal(t, "renewed", pair.Leaf.Subject.CommonName)

	require.NoError(t, os.Remove(cert))
	_, err = config.GetClientCertificate(nil)
	assert.ErrorIs(t, err, os.ErrNotExist)
	assert.True(t, final(err), "a loop over WatchFrom ends with it, instead of trying again in silence")
}

func TestBadTLSSettingsAreNamed(t *testing.T) {
	id, other := newIdentity(t, "server"), newIdentity(t, "server")
	dir := t.TempDir()
	empty := writeFile(t, dir, nil)
	for want, bad := range map[string]TLS{
		"certificate authorities: no certificate in PEM form":       {CA: []byte("hello")},
		"certificate authorities: " + empty + " is empty":           {CAFile: empty},
		"certificate authorities: open " + dir + "/none":            {CAFile: dir + "/none"},
		"Insecure says not to look at them":                         {CA: id.certPEM, Insecure: true},
		"a client key is given, but no certificate":                 {Key: id.keyPEM},
		"a client certificate is given, but no key":                 {Cert: id.certPEM},
		"client key: open " + dir + "/none":                         {Cert: id.certPEM, KeyFile: dir + "/none"},
		"private key does not match public key":                     {Cert: id.certPEM, Key: other.keyPEM},
		"client certificate: tls: failed to find any PEM data in c": {Cert: []byte("x"), Key: id.keyPEM},
	} {
		client, err := NewHTTPClient(bad)
		assert.ErrorContains(t, err, want)
		assert.Nil(t, client)
		if err != nil {
			assert.NotContains(t, err.Error(), "PRIVATE", fmt.Sprint("a key is never printed: ", want))
		}
	}
}
