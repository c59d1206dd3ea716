package fakeapi

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"syscall"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestControlIsServedOnlyIfOptionsSaySo(t *testing.T) {
	for _, on := range []bool{false, true} {
		bubble(t, Options{Control: on, Token: "secret"}, func(t *testing.T, s *Server) {
			resp, _ := send(t, s, "POST", "/fakeapi/compact", "", "Authorization", "Bearer secret")
			assert.Equal(t, map[bool]int{false: 404, true: 204}[on], resp.StatusCode)
			resp, _ = send(t, s, "POST", "/fakeapi/compact", "")
			assert.Equal(t, 401, resp.StatusCode, "these paths need the token, too")
		})
	}
}

func TestControlDoesWhatItIsAskedFor(t *testing.T) {
	control := Options{Control: true}
	command := func(t *testing.T, s *Server, name, body string) {
		t.Helper()
		resp, answer := send(t, s, "POST", "/fakeapi/"+name, body)
		assert.Equal(t, 204, resp.StatusCode, name)
		assert.Empty(t, answer, name)
	}
	t.Run("compact", func(t *testing.T) {
		bubble(t, control, func(t *testing.T, s *Server) {
			create(t, s, "a", "red")
			create(t, s, "b", "red")
			w := open(t, s, "resourceVersion=3")
			command(t, s, "compact", "")
			assert.Equal(t, "ERROR 410 too old resource version: 2 (3)",
				open(t, s, "resourceVersion=2").next(), "history is gone before the answer is sent")
			create(t, s, "c", "red")
			assert.Equal(t, "ADDED c@4", w.next(), "open watches go on")
		})
	})
	t.Run("drop-watches", func(t *testing.T) {
		bubble(t, control, func(t *testing.T, s *Server) {
			w := open(t, s, "resourceVersion=1")
			command(t, s, "drop-watches", "")
			assert.Equal(t, []string{"EOF"}, w.rest(), "a clean end")
		})
	})
	t.Run("drop", func(t *testing.T) {
		bubble(t, control, func(t *testing.T, s *Server) {
			w := open(t, s, "resourceVersion=1")
			synctest.Wait()
			command(t, s, "drop", "")
			assert.NotEqual(t, "EOF", w.next(), "the connection breaks")
			resp, _ := send(t, s, "GET", widgetsPath, "")
			assert.Equal(t, 200, resp.StatusCode, "clients can reconnect")
		})
	})
	t.Run("inject and heal", func(t *testing.T) {
		bubble(t, control, func(t *testing.T, s *Server) {
			command(t, s, "inject", `{"kind":"status","verb":"list","resource":"widgets",`+
				`"count":-1,"after":1,"code":503,"message":"no","retryAfter":"2s"}`)
			assert.Equal(t, "200 after 0s", attempt(t, s))
			assert.Equal(t, "503 ServiceUnavailable: no, retry after 2", attempt(t, s))
			assert.Equal(t, "503 ServiceUnavailable: no, retry after 2", attempt(t, s))
			command(t, s, "heal", "")
			assert.Equal(t, "200 after 0s", attempt(t, s))
			command(t, s, "inject", `{"kind":"delay","delay":"90s"}`)
			assert.Equal(t, "200 after 1m30s", attempt(t, s))
		})
	})
	t.Run("inject a refusal", func(t *testing.T) {
		bubble(t, control, func(t *testing.T, s *Server) {
			command(t, s, "inject", `{"kind":"refuse"}`)
			assert.Contains(t, attempt(t, s), "connection refused")
			assert.Equal(t, "200 after 0s", attempt(t, s))
		})
	})
}

// On real sockets a reset may overtake what was sent before it. The client that asked for the drop
// must receive its answer nevertheless.
func TestARequestForADropIsAnswered(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	s := New(Options{Control: true})
	served := make(chan error)
	go func() { served <- s.Serve(l) }() // received from at the end
	dial := func(method, path string) net.Conn {
		c, err := net.Dial("tcp", l.Addr().String())
		require.NoError(t, err)
		_, err = c.Write([]byte(method + " " + path + " HTTP/1.1\r\nHost: x\r\n\r\n"))
		require.NoError(t, err)
		return c
	}
	other := dial("GET", widgetsPath+"?watch=1")
	defer other.Close()
	_, err = other.Read(make([]byte, 1)) // then the server has accepted the connection
	require.NoError(t, err)

	own := dial("POST", "/fakeapi/drop")
	defer own.Close()
	answer, err := io.ReadAll(own)
	assert.NoError(t, err, "its connection is closed after the answer")
	assert.Contains(t, string(answer), "HTTP/1.1 204 No Content\r\n")
	_, err = io.Copy(io.Discard, other)
	assert.ErrorIs(t, err, syscall.ECONNRESET, "other connections are reset")
	s.Close()
	assert.NoError(t, <-served)
}

func TestControlSaysWhatItDoesNotUnderstand(t *testing.T) {
	bubble(t, Options{Control: true}, func(t *testing.T, s *Server) {
		for _, c := range []struct {
			method, path, body string
			code               int
			want               string
		}{
			{"GET", "compact", "", 405, "Method Not Allowed"},
			{"POST", "explode", "", 404, "404 page not found"},
			{"POST", "inject", "", 400, "expected a fault in JSON: EOF"},
			{"POST", "inject", "{", 400, "expected a fault in JSON: unexpected EOF"},
			{"POST", "inject", `{"kind":"cut"} {}`, 400, "expected one fault, found more text after it"},
			{"POST", "inject", `{}`, 400, `the kind "" is not one of ["refuse" "status"`},
			{"POST", "inject", `{"kind":"earthquake"}`, 400, `the kind "earthquake" is not one of`},
			{"POST", "inject", `{"kind":"cut","cuont":2}`, 400, `unknown field "cuont"`},
			{"POST", "inject", `{"kind":"cut","count":"2"}`, 400, "cannot unmarshal string"},
			{"POST", "inject", `{"kind":"cut","verb":"look"}`, 400, `the verb "look" is not one of ["create"`},
			{"POST", "inject", `{"kind":"cut","resource":"gadgets"}`, 400,
				"fakeapi: inject a fault into gadgets: no such resource"},
			{"POST", "inject", `{"kind":"cut","after":-1}`, 400, "after (-1)"},
			{"POST", "inject", `{"kind":"status","retryAfter":"-1s"}`, 400, "retryAfter (-1s)"},
			{"POST", "inject", `{"kind":"status","retryAfter":"soon"}`, 400, `invalid duration "soon"`},
			{"POST", "inject", `{"kind":"status","code":200}`, 400, "the code 200 is not an error code"},
			{"POST", "inject", `{"kind":"status","code":1}`, 400, "the code 1 is not an error code"},
			{"POST", "inject", `{"kind":"delay"}`, 400, "a delay needs a duration"},
		} {
			resp, body := send(t, s, c.method, "/fakeapi/"+c.path, c.body)
			assert.Equal(t, c.code, resp.StatusCode, c.body)
			assert.Contains(t, body, c.want)
		}
		assert.Equal(t, "200 after 0s", attempt(t, s), "none of these faults has been injected")
	})
}

// A reconnector is a client that opens a new connection as soon as it is answered.
type reconnector struct {
	http.ResponseWriter
	connect func()
}

func (c reconnector) Flush() { c.connect() }

// A recordedConn records whether it was closed.
type recordedConn struct {
	net.Conn
	closed bool
}

func (c *recordedConn) Close() error { c.closed = true; return nil }

func TestAClientThatReconnectsIsNotDroppedAgain(t *testing.T) {
	s := New(Options{Control: true})
	defer s.Close()
	before, after := &recordedConn{}, &recordedConn{}
	s.connState(before, http.StateNew)
	s.dropFromHTTP(reconnector{httptest.NewRecorder(), func() {
		s.connState(after, http.StateNew)
	}}, httptest.NewRequest("POST", "/fakeapi/drop", nil))
	assert.True(t, before.closed, "a connection from before the request is dropped")
	assert.False(t, after.closed, "a client that reconnects after the answer is not dropped again")
	s.connState(before, http.StateClosed)
	s.connState(after, http.StateClosed)
}
