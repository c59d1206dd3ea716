package cluster

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"example.com/watchglass/fakeapi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// An identity is a certificate that is its own authority, in the forms that a server, a client and
// a kubeconfig need.
type identity struct {
	cert            tls.Certificate
	certPEM, keyPEM []byte
}

func newIdentity(t testing.TB, name string) identity {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{SerialNumber: big.NewInt(1), IsCA: true,
		BasicConstraintsValid: true, DNSNames: []string{name},
		NotBefore: time.Date(1999, 1, 1, 0, 0, 0, 0, time.UTC), // bubbles live in 2000
		NotAfter:  time.Date(2199, 1, 1, 0, 0, 0, 0, time.UTC)}
	template.Subject.CommonName = name
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	require.NoError(t, err)
	keyDER, err := x509.MarshalPKCS8PrivateKey(key)
	require.NoError(t, err)
	return identity{
		cert:    tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key},
		certPEM: pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}),
		keyPEM:  pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: keyDER}),
	}
}

// write writes data to a file, and returns its name.
func write(t testing.TB, file string, data []byte) string {
	t.Helper()
	require.NoError(t, os.WriteFile(file, data, 0o600))
	return file
}

// A server answers over HTTP/2 who the client is: the name in its certificate, and its token. A
// request for /stream is answered line by line, as lines come from the channel.
type server struct {
	refuses atomic.Value // the name of a client that gets a 401
	stream  chan string
	conns   atomic.Int32  // that were accepted
	gone    chan struct{} // closed with the first connection that a client closes
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	who := r.Proto
	for _, peer := range r.TLS.PeerCertificates {
		if who += " " + peer.Subject.CommonName; s.refuses.Load() == peer.Subject.CommonName {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
	}
	if r.URL.Path != "/stream" {
		fmt.Fprint(w, strings.TrimSpace(who+" "+r.Header.Get("Authorization")))
		return
	}
	for {
		_ = http.NewResponseController(w).Flush()
		select {
		case line := <-s.stream:
			fmt.Fprintln(w, line)
		case <-r.Context().Done():
			return
		}
	}
}

// serve starts a server on l, until the test is over.
func serve(t testing.TB, l net.Listener, id identity) *server {
	s := &server{stream: make(chan string), gone: make(chan struct{})}
	web := &http.Server{Handler: s, ErrorLog: log.New(io.Discard, "", 0), TLSConfig: &tls.Config{
		ClientAuth: tls.RequestClientCert,
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
			s.conns.Add(1)
			return &id.cert, nil
		}}}
	var serving sync.WaitGroup
	serving.Go(func() { _ = web.ServeTLS(l, "", "") })
	t.Cleanup(func() {
		assert.NoError(t, web.Close())
		serving.Wait()
	})
	return s
}

// dialer is how to connect to a server, whatever the address.
type dialer = func(ctx context.Context, network, address string) (net.Conn, error)

// inBubble starts a server whose connections are pipes, so that it can be in a bubble.
func inBubble(t testing.TB, id identity) (*server, dialer) {
	l := fakeapi.NewPipeListener()
	s := serve(t, l, id)
	note := sync.OnceFunc(func() { close(s.gone) })
	return s, func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := l.DialContext(ctx, network, address)
		return noted{conn, note}, err
	}
}

// noted is a connection that says when it is closed.
type noted struct {
	net.Conn
	note func()
}

func (n noted) Close() error {
	n.note()
	return n.Conn.Close()
}

// client returns a client that connects by dial.
func client(t testing.TB, opts Options, dial dialer) *http.Client {
	t.Helper()
	c, err := NewHTTPClient(opts)
	require.NoError(t, err)
	through := c.Transport.(*transport)
	through.dial, through.latest.DialContext = dial, dial
	t.Cleanup(c.CloseIdleConnections)
	return c
}

// get returns what the server answers: its line, its code, or an error.
func get(c *http.Client) string {
	resp, err := c.Get("https://server/")
	if err != nil {
		return err.Error()
	}
	defer resp.Body.Close()
	body, _ := io.ReadAll(resp.Body)
	if resp.StatusCode != http.StatusOK {
		return fmt.Sprint(resp.StatusCode)
	}
	return string(body)
}

// watch opens a stream, which lasts until the test is over, and returns a func that sends a line
// through it and returns what arrives.
func watch(t testing.TB, c *http.Client, s *server) func(line string) string {
	resp, err := c.Get("https://server/stream")
	require.NoError(t, err)
	t.Cleanup(func() { _ = resp.Body.Close() })
	lines := bufio.NewScanner(resp.Body)
	return func(line string) string {
		s.stream <- line
		lines.Scan()
		return lines.Text()
	}
}
