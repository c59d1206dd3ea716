package fakeapi

import (
	"io"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/fakeapi/wire"
)

// The time of a delay counts for the server and not for the client, whose body comes after it.
func TestAFaultMayTakeLongerThanABody(t *testing.T) {
	overHTTP2(t, Options{}, func(t *testing.T, x *secure) {
		const delay = 10 * time.Minute
		x.Inject(Fault{Kind: FaultDelay, Delay: delay})
		body, late := io.Pipe()
		time.AfterFunc(delay+time.Second, func() {
			_, _ = io.WriteString(late, fullWidget("web-1"))
			late.Close()
		})
		resp, err := x.client.Post(x.url+widgetsPath, "", body)
		require.NoError(t, err)
		resp.Body.Close()
		assert.Equal(t, 201, resp.StatusCode)
	})
}

func TestIdleConnectionsAreClosed(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		c := dial(t, s)
		_, _ = io.WriteString(c, plain("GET /version HTTP/1.1", "Host: fakeapi"))
		go func() { _, _ = io.Copy(io.Discard, c) }()
		time.Sleep(wire.IdleTimeout - time.Second)
		assert.Len(t, s.connections(), 1, "an idle connection is kept for the next request")
		time.Sleep(2 * time.Second)
		assert.Empty(t, s.connections())
	})
}

// A client that does not read its answer occupies a goroutine and the answer's memory.
func TestAnAnswerThatIsNotReadIsGivenUp(t *testing.T) {
	for _, target := range []string{widgetsPath, widgetsPath + "/web-1?pretty=1", "/livez", "/apis"} {
		bubble(t, Options{}, func(t *testing.T, s *Server) {
			create(t, s, "web-1", "red")
			_, err := io.WriteString(dial(t, s), plain("GET "+target+" HTTP/1.1", "Host: fakeapi"))
			require.NoError(t, err)
			time.Sleep(2*time.Minute - time.Second)
			synctest.Wait()
			assert.Len(t, s.connections(), 1, "%s: the client has time to read", target)
			time.Sleep(2 * time.Second)
			synctest.Wait()
			assert.Empty(t, s.connections(), "%s: after that its connection is closed", target)
		})
	}
}

// The server closes the connection of a client that takes too long to send its request, and other
// clients do not wait for it.
func TestSlowRequests(t *testing.T) {
	letters := func(s string) []string { return strings.Split(s, "") }
	start := func(method, target string, length int) string {
		return plain(method+" "+target+" HTTP/1.1", "Host: fakeapi", "Connection: close",
			"Content-Type: application/json", "Content-Length: "+strconv.Itoa(length))
	}
	watch := widgetsPath + "?watch=1&timeoutSeconds=300"
	for _, c := range []struct {
		law    string
		pieces []string
		pause  time.Duration
		code   int
		took   time.Duration
	}{
		{"headers have to come within 32 seconds", letters(get("/version")), time.Second, 0,
			32 * time.Second},
		{"a body that comes within a minute", append([]string{start("POST", widgetsPath, 7)},
			letters("[1,2,3]")...), 8 * time.Second, 400, 56 * time.Second},
		{"a body has no more time than its request",
			[]string{start("POST", widgetsPath+"?timeout=5s", 200) + "{"}, 0, 504, 5 * time.Second},
		{"a body of a watch that never ends", []string{start("GET", watch, 200) + "{"}, 0, 504, time.Minute},
		{"a watch with a complete body lasts until its timeout", []string{start("GET", watch, 2) + "{}"},
			0, 200, 5 * time.Minute},
		{"a body that never ends, on a path that reads none",
			[]string{plain("POST /api HTTP/1.1", "Host: fakeapi", "Content-Length: 200") + "{"}, 0, 405,
			time.Minute},
		{"a body that never ends, for the control endpoint",
			[]string{start("POST", "/fakeapi/inject", 200) + "{"}, 0, 400, time.Minute},
	} {
		bubble(t, Options{Control: true}, func(t *testing.T, s *Server) {
			create(t, s, "web-1", "red")
			begin, done := time.Now(), make(chan struct{})
			go func() { // other clients are served meanwhile
				defer close(done)
				time.Sleep(5 * time.Second)
				assertUnharmed(t, s, c.law)
			}()
			got := shout(t, s, c.pause, c.pieces...)
			took := time.Since(begin)
			<-done
			code, _ := statusLine(got)
			assert.Equal(t, c.code, code, "%s\n%s", c.law, got)
			assert.Equal(t, c.took, took, c.law)
		})
	}
}

// At whatever byte of a request the client disconnects, the server keeps no watch and no goroutine.
func TestAClientThatDisconnectsLeavesNothingBehind(t *testing.T) {
	for _, request := range []string{post(fullWidget("web-9")), get(widgetsPath + "?watch=1"),
		get(widgetsPath + "?resourceVersion=999")} {
		for part := range 12 {
			cut := len(request) * part / 11
			bubble(t, Options{}, func(t *testing.T, s *Server) {
				c := dial(t, s)
				_, _ = c.Write([]byte(request[:cut]))
				synctest.Wait()
				_ = c.Close()
				synctest.Wait()
				assert.Zero(t, s.Watchers("widgets"), "%d bytes of %q", cut, request)
				assert.Empty(t, s.connections(), "%d bytes of %q", cut, request)
			})
		}
	}
}
