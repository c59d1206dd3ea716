package fakeapi

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A watch that is behind is one whose client, while it reads a frame, has two more
// objects written: it never gets to the end of the chain.
type behind struct {
	frames, events int
	read           func() // called after each piece that was read
}

// serve serves such a watch of widgets to its end. Reading a frame takes a
// millisecond. It has to be called in a bubble.
func (b *behind) serve(t *testing.T, s *Server, query string) {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), "GET", widgetsPath+"?watch=1&"+query, nil)
	s.ServeHTTP(newSink(func(p []byte) {
		n := bytes.Count(p, []byte("\n"))
		for range 2 * n {
			b.events++
			create(t, s, fmt.Sprint("web-", b.events), "red")
		}
		time.Sleep(time.Duration(n) * time.Millisecond)
		b.frames += n
		b.read()
	}), r)
}

// A watch whose client reads more slowly than others write ends all the same, and
// soon: after the events it is at, and those that are there when it looks.
func TestAWatchThatIsAlwaysBehindEndsInTime(t *testing.T) {
	for _, c := range []struct {
		law string
		end func(s *Server)
		why EndReason
	}{
		{"when its time is over", func(*Server) {}, EndTimeout},
		{"when all watches are dropped", (*Server).DropWatches, EndDropped},
		{"when the server closes", func(s *Server) { go s.Close(); synctest.Wait() }, EndShutdown},
	} {
		t.Run(c.law, func(t *testing.T) {
			var ended EndReason
			o := Options{WatchBuffer: 1 << 30,
				Trace: &Trace{WatchEnded: func(_ Request, why EndReason) { ended = why }}}
			bubble(t, o, func(t *testing.T, s *Server) {
				create(t, s, "first", "red")
				over := 0 // events that were there when it was to end
				started := time.Now()
				b := &behind{}
				b.read = func() {
					switch time.Since(started) >= time.Second {
					case over > 0:
						require.Less(t, b.frames, over+20*burst, "it goes on for ever")
					case true:
						over = b.events
						c.end(s)
					}
				}
				query := "resourceVersion=1"
				if c.why == EndTimeout {
					query += "&timeoutSeconds=1"
				}
				b.serve(t, s, query)
				assert.Equal(t, c.why, ended)
				assert.NotZero(t, over)
				assert.Greater(t, b.frames, over, "what was written before the end is sent")
				assert.LessOrEqual(t, b.frames, over+3*burst,
					"of what was written behind it, only what came during one burst")
			})
		})
	}
}

// The same goes for the state that a watch starts with, which may be large.
func TestAWatchEndsWithinItsInitialEvents(t *testing.T) {
	var ended EndReason
	o := Options{Trace: &Trace{WatchEnded: func(_ Request, why EndReason) { ended = why }}}
	bubble(t, o, func(t *testing.T, s *Server) {
		for i := range 6 * burst {
			create(t, s, fmt.Sprintf("web-%04d", i), "red")
		}
		frames := 0
		r := httptest.NewRequestWithContext(t.Context(), "GET", widgetsPath+"?watch=1", nil)
		s.ServeHTTP(newSink(func(p []byte) {
			if frames == 0 {
				s.DropWatches()
			}
			frames += bytes.Count(p, []byte("\n"))
			assert.NotContains(t, string(p), initialEventsEnd, "it would say that this was all")
		}), r)
		assert.Equal(t, EndDropped, ended)
		assert.Less(t, frames, 3*burst)
	})
}

// A client that has stopped reading is waited for until a little after the end of its
// watch. The connection is then broken: events are missing.
func TestAWatchThatNobodyReadsIsGivenUpAfterItsEnd(t *testing.T) {
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

// large fills a server with n objects of a megabyte, which are more than all buffers on the way
// to a client that does not read.
func large(t *testing.T, s *Server, n int) {
	t.Helper()
	pad := strings.Repeat("x", 1<<20)
	for i := range n {
		_, err := s.Create("widgets", fmt.Sprintf(`{"metadata":{"name":"web-%d"},"pad":"%s"}`, i, pad))
		require.NoError(t, err)
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

func TestTCPWatchThatNobodyReadsIsGivenUp(t *testing.T) {
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
		t.Error("the watch is held although its time is over")
	}
	assert.Zero(t, s.Watchers("widgets"))
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	require.NoError(t, err)
	defer resp.Body.Close()
	_, end := follow(bufio.NewReader(resp.Body))
	assert.ErrorContains(t, end, "unexpected EOF", "no clean end: events are missing")
}

func TestHTTP2WatchThatNobodyReadsIsGivenUpAlone(t *testing.T) {
	ended := make(chan EndReason, 1)
	o := Options{Trace: &Trace{WatchEnded: func(_ Request, why EndReason) { ended <- why }}}
	overHTTP2(t, o, func(t *testing.T, x *secure) {
		large(t, x.Server, 6) // the client's window for a stream is 4 MB
		w := x.watch(t, "timeoutSeconds=1")
		time.Sleep(time.Second + watchGrace)
		settled()
		require.Len(t, ended, 1, "the watch is held although its time is over")
		assert.Equal(t, EndSlow, <-ended)
		_, end := follow(w.rd)
		assert.ErrorContains(t, end, "stream error", "the stream is reset …")
		resp := x.request(t, "GET", widgetsPath+"/web-1", "")
		assert.Equal(t, 200, resp.StatusCode, "… and the connection still is good")
		assert.Equal(t, int32(1), x.dials.Load(), "it is the same one")
	})
}

// A bookmark says that everything up to its version was sent. A watch that is behind
// must not say so.
func TestABookmarkNeverOvertakesAnEvent(t *testing.T) {
	bubble(t, Options{BookmarkInterval: 20 * time.Millisecond}, func(t *testing.T, s *Server) {
		var lines []string
		elsewhere := 0 // a version that is no widget's
		stop, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		for i := range 40 {
			create(t, s, fmt.Sprint("first-", i), "red")
		}
		r := httptest.NewRequestWithContext(stop, "GET",
			widgetsPath+"?watch=1&resourceVersion=1&allowWatchBookmarks=true", nil)
		s.ServeHTTP(newSink(func(p []byte) {
			for line := range strings.Lines(string(p)) {
				lines = append(lines, line)
				switch n := len(lines); {
				case n < 2000:
					create(t, s, fmt.Sprint("web-", n), "red")
				case n == 2000: // elsewhere, so that there is something for a bookmark to say
					_, err := s.Create("configmaps", `{"metadata":{"name":"a"}}`)
					require.NoError(t, err)
					elsewhere = int(s.store.Version())
				}
				time.Sleep(time.Millisecond / 4)
			}
		}), r)
		next, bookmarks := 2, 0
		for _, line := range lines {
			_, after, _ := strings.Cut(line, `"resourceVersion":"`)
			version, _ := strconv.Atoi(after[:strings.IndexByte(after, '"')])
			if strings.Contains(line, `"BOOKMARK"`) {
				bookmarks++
				if version != elsewhere || next != elsewhere {
					require.Less(t, version, next, "everything up to it was sent")
				}
				continue
			}
			require.Equal(t, next, version, "no event is missing")
			next++
		}
		assert.NotZero(t, bookmarks)
		assert.Greater(t, next, 2000)
	})
}
