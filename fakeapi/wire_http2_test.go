package fakeapi

import (
	"bufio"
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// window is how many bytes of a stream a client takes before they are read.
const window = 64 << 10

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
	own := httptest.NewTLSServer(nil)
	own.Close()
	cert := own.TLS.Certificates[0]
	bubble(t, o, func(t *testing.T, s *Server) {
		l := NewPipeListener()
		x := &secure{Server: s, url: "https://127.0.0.1"}
		transport := &http.Transport{ForceAttemptHTTP2: true,
			HTTP2:           &http.HTTP2Config{MaxReceiveBufferPerStream: window},
			TLSClientConfig: &tls.Config{InsecureSkipVerify: true},
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
	req := must(http.NewRequestWithContext(t.Context(), method, x.url+path, strings.NewReader(body)))
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

func TestHTTP2CarriesAHundredWatchesOnOneConnection(t *testing.T) {
	overHTTP2(t, Options{}, func(t *testing.T, x *secure) {
		var watches []*tap
		for range 100 {
			watches = append(watches, x.watch(t, "resourceVersion=1"))
		}
		for i := range 5 {
			resp := x.request(t, "POST", widgetsPath, fullWidget(fmt.Sprint("web-", i)))
			require.Equal(t, 201, resp.StatusCode)
		}
		settled()
		assert.EqualValues(t, 1, x.dials.Load(), "requests share the connection with open watches")
		x.Close()
		for i, w := range watches {
			require.Equal(t, strings.Fields("ADDED web-0@2 ADDED web-1@3 ADDED web-2@4 ADDED web-3@5 "+
				"ADDED web-4@6 EOF"), strings.Fields(strings.Join(w.rest(), " ")),
				"watch %d received all events, and ends cleanly when the server closes", i)
		}
	})
}
