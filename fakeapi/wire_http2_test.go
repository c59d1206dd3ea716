package fakeapi

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// selfSigned is a certificate for 127.0.0.1, and a pool that trusts it.
func selfSigned(t *testing.T) (tls.Certificate, *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{SerialNumber: big.NewInt(1), IsCA: true,
		BasicConstraintsValid: true, NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	require.NoError(t, err)
	leaf, err := x509.ParseCertificate(der)
	require.NoError(t, err)
	pool := x509.NewCertPool()
	pool.AddCert(leaf)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, pool
}

// A secure is a server behind TLS, and a client of it that speaks HTTP/2 and counts its
// connections.
type secure struct {
	*Server
	url    string
	client *http.Client
	dials  atomic.Int32
}

// overHTTP2 runs f in a bubble with such a server. Connections are pipes.
func overHTTP2(t *testing.T, o Options, f func(t *testing.T, x *secure)) {
	t.Helper()
	cert, pool := selfSigned(t)
	bubble(t, o, func(t *testing.T, s *Server) {
		l := NewPipeListener()
		x := &secure{Server: s, url: "https://127.0.0.1"}
		transport := &http.Transport{ForceAttemptHTTP2: true,
			TLSClientConfig: &tls.Config{RootCAs: pool},
			DialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
				x.dials.Add(1)
				return l.DialContext(ctx, network, addr)
			}}
		x.client = &http.Client{Transport: transport}
		served := make(chan error, 1)
		go func() { served <- x.ServeTLS(l, cert) }()
		f(t, x)
		x.Close()
		assert.NoError(t, <-served, "ServeTLS returns nil when the server is closed")
		transport.CloseIdleConnections()
	})
}

// request sends a request; its answer has to be HTTP/2.
func (x *secure) request(t *testing.T, method, path, body string) *http.Response {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, x.url+path, strings.NewReader(body))
	require.NoError(t, err)
	resp, err := x.client.Do(req)
	require.NoError(t, err)
	t.Cleanup(func() { resp.Body.Close() })
	require.Equal(t, 2, resp.ProtoMajor)
	return resp
}

func (x *secure) watch(t *testing.T, query string) *tap {
	t.Helper()
	resp := x.request(t, "GET", widgetsPath+"?watch=1&"+query, "")
	require.Equal(t, 200, resp.StatusCode)
	return &tap{resp, bufio.NewReader(resp.Body)}
}

// watchMany opens n watches from version 1, and reads each to its end.
func (x *secure) watchMany(t *testing.T, n int) (versions [][]int, ends []error, wait func()) {
	versions, ends = make([][]int, n), make([]error, n)
	var wg sync.WaitGroup
	for i := range n {
		w := x.watch(t, "resourceVersion=1")
		wg.Go(func() { versions[i], ends[i] = follow(w.rd) })
	}
	return versions, ends, wg.Wait
}

func TestHTTP2CarriesAHundredWatchesOnOneConnection(t *testing.T) {
	overHTTP2(t, Options{}, func(t *testing.T, x *secure) {
		versions, ends, wait := x.watchMany(t, 100)
		for i := range 5 {
			resp := x.request(t, "POST", widgetsPath, fullWidget(fmt.Sprint("web-", i)))
			require.Equal(t, 201, resp.StatusCode)
			_, err := io.Copy(io.Discard, resp.Body)
			require.NoError(t, err)
		}
		settled()
		assert.EqualValues(t, 1, x.dials.Load(), "requests share the connection with open watches")
		x.Close()
		wait()
		for i := range versions {
			require.Equal(t, io.EOF, ends[i], "watch %d ends cleanly when the server closes", i)
			require.Equal(t, []int{2, 3, 4, 5, 6}, versions[i], "watch %d received all events", i)
		}
	})
}

// Bodies that wait for room must not fill the connection: then the body that has room could not
// arrive.
func TestHTTP2BodiesThatWaitDoNotBlockOthersOfTheirConnection(t *testing.T) {
	overHTTP2(t, Options{}, func(t *testing.T, x *secure) {
		const bodies = 12
		leave, err := x.bodies.Enter(t.Context(), roomBodies*3/4-1<<20) // one has room at a time
		require.NoError(t, err)
		defer leave()
		body := made("web-1", `,"spec":{"text":"`+repeat(600<<10, "x")+`"}`)
		codes := make(chan int, bodies)
		for range bodies {
			go func() {
				req, _ := http.NewRequest("POST", x.url+widgetsPath, strings.NewReader(body))
				resp, err := x.client.Do(req)
				if err != nil {
					codes <- 0
					return
				}
				resp.Body.Close()
				codes <- resp.StatusCode
			}()
		}
		for range bodies {
			require.Contains(t, []int{201, 409}, <-codes, "all arrive")
		}
	})
}

func TestHTTP2WatchEndsAloneAndLeavesTheConnection(t *testing.T) {
	overHTTP2(t, Options{}, func(t *testing.T, x *secure) {
		short := x.watch(t, "resourceVersion=1&timeoutSeconds=1")
		long := x.watch(t, "resourceVersion=1")
		assert.Equal(t, "EOF", short.next(), "timeoutSeconds")
		create(t, x.Server, "web-1", "red")
		assert.Equal(t, "ADDED web-1@2", long.next())
		x.DropWatches()
		assert.Equal(t, "EOF", long.next(), "DropWatches")
		create(t, x.Server, "web-2", "red")
		again := x.watch(t, "resourceVersion=2")
		assert.Equal(t, "ADDED web-2@3", again.next())
		x.Inject(Fault{Kind: FaultCut})
		create(t, x.Server, "web-3", "red")
		assert.Contains(t, again.next(), "INTERNAL_ERROR", "a broken stream has no clean end")
		assert.EqualValues(t, 1, x.dials.Load(), "all this happened on one connection")
	})
}

func TestHTTP2DropConnectionsBreaksEveryStream(t *testing.T) {
	overHTTP2(t, Options{}, func(t *testing.T, x *secure) {
		_, ends, wait := x.watchMany(t, 20)
		x.DropConnections()
		wait()
		for i, err := range ends {
			require.Error(t, err)
			require.NotEqual(t, io.EOF, err, "watch %d: not a clean end", i)
		}
		create(t, x.Server, "web-1", "red")
		assert.Equal(t, "ADDED web-1@2", x.watch(t, "resourceVersion=1").next(), "on a new connection")
		assert.Greater(t, x.dials.Load(), int32(1), "connections")
	})
}

// Flow control blocks only the stream that the client does not read; the other streams of
// the connection have windows of their own.
func TestHTTP2StalledStreamIsCutOffAlone(t *testing.T) {
	ended := make(chan EndReason, 10)
	o := Options{WatchBuffer: 16, Trace: &Trace{
		WatchEnded: func(_ Request, why EndReason) { ended <- why }}}
	overHTTP2(t, o, func(t *testing.T, x *secure) {
		stalled := x.watch(t, "resourceVersion=1")
		live := x.watch(t, "resourceVersion=1")
		pad := strings.Repeat("x", 200_000)
		for i := range 40 { // 8 MB; the client's window for a stream is 4 MB
			create(t, x.Server, fmt.Sprintf("web-%03d", i), pad)
			require.Equal(t, fmt.Sprintf("ADDED web-%03d@%d", i, i+2), live.next())
		}
		settled()
		require.Len(t, ended, 1, "the stalled watch is cut off")
		assert.Equal(t, EndSlow, <-ended)
		versions, end := follow(stalled.rd)
		assert.ErrorContains(t, end, "INTERNAL_ERROR", "not a clean end")
		for i, v := range versions {
			require.Equal(t, i+2, v, "no gap in the events that the stalled watch got")
		}
		create(t, x.Server, "web-end", "red")
		assert.Equal(t, "ADDED web-end@42", live.next(), "the other stream goes on")
	})
}
