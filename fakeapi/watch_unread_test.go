package fakeapi

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The server waits for a client that has stopped reading until watchGrace after the end
// of its watch. Then it breaks the connection, because events are missing.
func TestAWatchThatIsNotReadIsGivenUpAfterItsEnd(t *testing.T) {
	type end struct {
		why   EndReason
		after time.Duration
	}
	var ends []end
	var started time.Time
	o := Options{Trace: &Trace{WatchEnded: func(_ Request, why EndReason) {
		ends = append(ends, end{why, time.Since(started)})
	}}}
	bubble(t, o, func(t *testing.T, s *Server) {
		for i := range 20 {
			create(t, s, fmt.Sprintf("web-%d", i), strings.Repeat("x", 10_000))
		}
		started = time.Now()
		w := open(t, s, "resourceVersion=1&timeoutSeconds=10")
		time.Sleep(time.Minute)
		synctest.Wait()
		assert.Equal(t, []end{{EndSlow, 10*time.Second + watchGrace}}, ends)
		all := w.rest()
		assert.NotEqual(t, "EOF", all[len(all)-1], "no clean end: events are missing")
	})
}

// large fills a server with n objects of a megabyte. They do not fit into the buffers on the way
// to a client that does not read.
func large(t *testing.T, s *Server, n int) {
	t.Helper()
	pad := strings.Repeat("x", 1<<20)
	for i := range n {
		_, err := s.Create("widgets", fmt.Sprintf(`{"metadata":{"name":"web-%d"},"pad":"%s"}`, i, pad))
		require.NoError(t, err)
	}
}

// A client that has stopped reading does not see the end of its watch either. If the server
// ends a watch before its timeout, it waits for such a client no longer than watchGrace.
func TestAWatchThatIsNotReadEndsSoonAfterTheServerEndsIt(t *testing.T) {
	for law, end := range map[string]func(s *Server){
		"all watches are dropped": (*Server).DropWatches,
		"the server closes":       func(s *Server) { go s.Close() },
		"its definition is changed": func(s *Server) {
			_, err := s.Patch("customresourcedefinitions", "", "levers.example.dev",
				`{"spec":{"names":{"shortNames":["le"]}}}`)
			assert.NoError(t, err)
		},
	} {
		t.Run(law, func(t *testing.T) {
			var ended atomic.Int32
			o := Options{Trace: &Trace{WatchEnded: func(Request, EndReason) { ended.Add(1) }}}
			bubble(t, o, func(t *testing.T, s *Server) {
				_, err := s.Create("customresourcedefinitions", levers(nil))
				require.NoError(t, err)
				for i := range 20 {
					_, err := s.Create("levers", lever(fmt.Sprint("web-", i), strings.Repeat("x", 10_000)))
					require.NoError(t, err)
				}
				l := NewPipeListener()
				served := make(chan struct{})
				user := &http.Server{Handler: s} // Close does not know this server
				go func() { defer close(served); _ = user.Serve(l) }()
				conn, err := l.DialContext(t.Context(), "", "")
				require.NoError(t, err)
				_, err = fmt.Fprintf(conn, "GET %s?watch=1&timeoutSeconds=1000 HTTP/1.1\r\nHost: x\r\n\r\n",
					leversPath)
				require.NoError(t, err)
				settled()
				end(s)
				time.Sleep(watchGrace - time.Second)
				settled()
				assert.Zero(t, ended.Load(), "the client has time to read")
				time.Sleep(time.Second)
				settled()
				assert.Equal(t, int32(1), ended.Load(), "the watch ends when that time is over")
				_ = conn.Close()
				_ = user.Close()
				<-served
			})
		})
	}
}

// smallBuffers is a listener of sockets with little room for what their clients do not read.
type smallBuffers struct{ net.Listener }

func (l smallBuffers) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if t, ok := c.(*net.TCPConn); ok {
		_ = t.SetWriteBuffer(64 << 10)
	}
	return c, err
}

func TestTCPWatchThatIsNotReadIsGivenUp(t *testing.T) {
	t.Parallel() // a real socket, and a watch of a real second
	ended := make(chan EndReason, 1)
	s := New(Options{Trace: &Trace{WatchEnded: func(_ Request, why EndReason) { ended <- why }}})
	s.grace = 50 * time.Millisecond
	large(t, s, 8)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	var wg sync.WaitGroup
	defer wg.Wait()
	defer s.Close()
	wg.Go(func() { assert.NoError(t, s.Serve(smallBuffers{l})) })
	conn, err := net.Dial("tcp", l.Addr().String())
	require.NoError(t, err)
	defer conn.Close()
	_, err = fmt.Fprintf(conn, "GET %s?watch=1&timeoutSeconds=1 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
		widgetsPath)
	require.NoError(t, err)
	select {
	case why := <-ended:
		assert.Equal(t, EndSlow, why)
	case <-time.After(20 * time.Second):
		t.Error("the watch has not ended although its time is over")
	}
	assert.Zero(t, s.Watchers("widgets"))
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	require.NoError(t, err)
	defer resp.Body.Close()
	_, end := follow(bufio.NewReader(resp.Body))
	assert.ErrorContains(t, end, "unexpected EOF", "no clean end: events are missing")
}

func TestHTTP2WatchThatIsNotReadIsGivenUpAlone(t *testing.T) {
	ended := make(chan EndReason, 1)
	o := Options{Trace: &Trace{WatchEnded: func(_ Request, why EndReason) { ended <- why }}}
	overHTTP2(t, o, func(t *testing.T, x *secure) {
		large(t, x.Server, 6) // the client's window for a stream is 4 MB
		w := x.watch(t, "timeoutSeconds=1")
		time.Sleep(time.Second + watchGrace)
		settled()
		require.Len(t, ended, 1, "the watch has not ended although its time is over")
		assert.Equal(t, EndSlow, <-ended)
		_, end := follow(w.rd)
		assert.ErrorContains(t, end, "stream error", "the stream is reset …")
		resp := x.request(t, "GET", widgetsPath+"/web-1", "")
		assert.Equal(t, 200, resp.StatusCode, "… and the connection can still be used")
		assert.Equal(t, int32(1), x.dials.Load(), "the client has not opened another connection")
	})
}
