package fakeapi

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// dial opens a connection to s.
func dial(t *testing.T, s *Server) net.Conn {
	t.Helper()
	c := must(s.Client().Transport.(*http.Transport).DialContext(t.Context(), "", ""))
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// shout sends pieces of bytes over a connection of its own, with a pause after each, and
// returns everything that it receives until the server closes the connection, or an hour
// has passed. It does not close its own side before that.
func shout(t *testing.T, s *Server, pause time.Duration, pieces ...string) string {
	t.Helper()
	c := dial(t, s)
	var sending sync.WaitGroup
	t.Cleanup(sending.Wait)
	sending.Go(func() {
		for _, piece := range pieces {
			if _, err := io.WriteString(c, piece); err != nil {
				return // the connection is closed
			}
			time.Sleep(pause)
		}
	})
	_ = c.SetReadDeadline(time.Now().Add(time.Hour))
	var b strings.Builder
	_, _ = io.Copy(&b, c) // an error ends the answer, too
	_ = c.Close()
	return b.String()
}

// statusLine returns the code of the first answer, and everything after its first line.
func statusLine(answer string) (code int, rest string) {
	line, rest, _ := strings.Cut(answer, "\r\n")
	_, words, _ := strings.Cut(line, " ")
	_, _ = fmt.Sscan(words, &code)
	return code, rest
}

// assertUnharmed checks that s answers the next client and that all its objects are whole.
func assertUnharmed(t *testing.T, s *Server, law string) {
	t.Helper()
	_, body := send(t, s, "GET", widgetsPath+"/web-1", "")
	assert.Contains(t, body, `"name":"web-1"`, law)
	assert.NoError(t, check(widgets(t, s)), law)
}

// plain returns a request made of lines, to which it adds only the line ends.
func plain(lines ...string) string { return strings.Join(lines, "\r\n") + "\r\n\r\n" }

// ask returns a request with a body, the last on its connection.
func ask(method, target, body string, header ...string) string {
	head := append([]string{method + " " + target + " HTTP/1.1", "Host: fakeapi", "Connection: close"},
		header...)
	if body != "" {
		head = append(head, fmt.Sprint("Content-Length: ", len(body)))
	}
	return plain(head...) + body
}

func get(target string) string { return ask("GET", target, "") }

func post(body string) string {
	return ask("POST", widgetsPath, body, "Content-Type: application/json")
}

// made returns a widget's JSON for a POST, with more fields.
func made(name, more string) string {
	return `{"apiVersion":"workshop.example.dev/v1","kind":"Widget","metadata":{"name":"` + name +
		`"}` + more + `}`
}

func fullWidget(name string) string { return made(name, "") }

// nested returns an object that many levels deep.
func nested(levels int) string { return repeat(levels, `{"a":`) + "1" + repeat(levels, "}") }

func repeat(n int, s string) string { return strings.Repeat(s, n) }

// numbered returns n members separated by commas, each formatted with its number.
func numbered(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, ","+format, i)
	}
	return b.String()[1:]
}

// A secure is a server behind TLS, and a client of it that speaks HTTP/2 and counts its
// connections, and the bytes that it sends.
type secure struct {
	*Server
	url    string
	client *http.Client
	dials  atomic.Int32
	sent   atomic.Int64
}

// A counted connection counts the bytes that are written to it.
type counted struct {
	net.Conn
	*atomic.Int64
}

func (c counted) Write(b []byte) (int, error) {
	c.Add(int64(len(b)))
	return c.Conn.Write(b)
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
			HTTP2:           &http.HTTP2Config{MaxReceiveBufferPerStream: 64 << 10},
			TLSClientConfig: &tls.Config{InsecureSkipVerify: true},
			DialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
				x.dials.Add(1)
				c, err := l.DialContext(ctx, network, addr)
				return counted{c, &x.sent}, err
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

// get sends a request; its answer has to be HTTP/2.
func (x *secure) get(t *testing.T, path string) *http.Response {
	t.Helper()
	resp, err := x.client.Get(x.url + path)
	require.NoError(t, err)
	t.Cleanup(func() { resp.Body.Close() })
	require.Equal(t, 2, resp.ProtoMajor)
	return resp
}
