package fakeapi

import (
	"bufio"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/watchglass/fakeapi/wire"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A request whose body does not arrive ends after a minute, in whichever way it came.
func TestABodyThatNeverEndsIsGivenAMinute(t *testing.T) {
	everyWayIn(t, Options{}, func(t *testing.T, s *Server, c *http.Client, url string) {
		for _, method := range []string{"POST", "DELETE", "GET"} {
			body, endless := io.Pipe()
			req, err := http.NewRequest(method, url+widgetsPath, body)
			require.NoError(t, err)
			req.Header.Set("Content-Type", "application/json")
			begin := time.Now()
			go func() { _, _ = endless.Write([]byte("{")) }()
			resp, err := c.Do(req)
			require.NoError(t, err)
			resp.Body.Close()
			endless.Close()
			assert.Equal(t, http.StatusGatewayTimeout, resp.StatusCode, method)
			assert.Equal(t, time.Minute, time.Since(begin), method)
		}
	})
}

// The limits of bodies and answers do not apply to watches.
func TestAWatchOutlivesAllLimits(t *testing.T) {
	everyWayIn(t, Options{}, func(t *testing.T, s *Server, c *http.Client, url string) {
		req, err := http.NewRequest("GET", url+widgetsPath+"?watch=1&timeoutSeconds=1700",
			strings.NewReader("{}"))
		require.NoError(t, err)
		resp, err := c.Do(req)
		require.NoError(t, err)
		defer resp.Body.Close()
		time.Sleep(25 * time.Minute) // of the bubble
		create(t, s, "web-1", "red")
		assert.Equal(t, "ADDED web-1@2", (&tap{resp, bufio.NewReader(resp.Body)}).next())
	})
}

// The time of a delay counts for the server and not for the client, whose body comes after it.
func TestAFaultMayTakeLongerThanABody(t *testing.T) {
	everyWayIn(t, Options{}, func(t *testing.T, s *Server, c *http.Client, url string) {
		const delay = 10 * time.Minute
		s.Inject(Fault{Kind: FaultDelay, Delay: delay})
		body, late := io.Pipe()
		req, err := http.NewRequest("POST", url+widgetsPath, body)
		require.NoError(t, err)
		go func() {
			time.Sleep(delay + time.Second)
			_, _ = io.WriteString(late, fullWidget("web-1"))
			late.Close()
		}()
		resp, err := c.Do(req)
		require.NoError(t, err)
		resp.Body.Close()
		assert.Equal(t, 201, resp.StatusCode)
	})
}

func TestIdleConnectionsAreClosed(t *testing.T) {
	everyWayIn(t, Options{}, func(t *testing.T, s *Server, c *http.Client, url string) {
		if strings.HasSuffix(t.Name(), "mounted") {
			return // the limit is that of the user's server
		}
		assert.Equal(t, 200, askFor(t, c, "GET", url+"/version", ""))
		synctest.Wait()
		assert.Len(t, s.connections(), 1, "an idle connection is kept for the next request")
		patience := wire.IdleTimeout
		if c == s.Client() {
			patience /= 2 // it closes the connection before the server does, so no request is lost
		}
		time.Sleep(patience + time.Second)
		synctest.Wait()
		assert.Empty(t, s.connections(), "it is closed when its time is over")
		assert.Equal(t, 200, askFor(t, c, "GET", url+"/version", ""),
			"the next request opens a connection")
	})
}

// A client that does not read its answer occupies a goroutine and the answer's memory.
func TestAnAnswerThatIsNotReadIsGivenUp(t *testing.T) {
	for _, target := range []string{widgetsPath, widgetsPath + "/web-1", widgetsPath + "?pretty=1",
		"/livez", "/openapi/v3", "/apis"} {
		bubble(t, Options{}, func(t *testing.T, s *Server) {
			create(t, s, "web-1", "red")
			l := NewPipeListener()
			served := make(chan struct{})
			go func() { defer close(served); _ = s.Serve(l) }()
			c, err := l.DialContext(t.Context(), "", "")
			require.NoError(t, err)
			_, err = io.WriteString(c, plain("GET "+target+" HTTP/1.1", "Host: fakeapi"))
			require.NoError(t, err)
			time.Sleep(2*time.Minute - time.Second)
			synctest.Wait()
			assert.Len(t, s.connections(), 1, "%s: the client has time to read", target)
			time.Sleep(2 * time.Second)
			synctest.Wait()
			assert.Empty(t, s.connections(), "%s: after that its connection is closed", target)
			_ = c.Close()
			_ = l.Close()
			<-served
		})
	}
}
