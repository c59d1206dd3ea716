package fakeapi

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"
	"weak"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/fakeapi/stream"
)

// fill writes n objects of a size, which do not fit into the buffers on the way to a client that
// does not read. A second call replaces them.
func fill(t *testing.T, s *Server, n, size int) {
	t.Helper()
	pad := strings.Repeat("x", size)
	for i := range n {
		if _, err := s.Patch("widgets", "default", fmt.Sprint("web-", i),
			fmt.Sprintf(`{"version":%d}`, s.store.Version())); err != nil {
			_, err = s.Create("widgets", fmt.Sprintf(`{"metadata":{"name":"web-%d"},"pad":%q}`, i, pad))
			require.NoError(t, err)
		}
	}
}

// unread sends a request, and does not read its answer.
func unread(t *testing.T, s *Server, method, path, accept string) *http.Response {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, URL+path, nil)
	require.NoError(t, err)
	req.Header.Set("Accept", accept)
	req.Header.Set("Accept-Encoding", "identity")
	resp, err := s.Client().Do(req)
	require.NoError(t, err)
	t.Cleanup(func() { resp.Body.Close() })
	settled()
	return resp
}

// However many lists are not read: together they keep little more alive than the history.
func TestAListThatIsNotReadIsBrokenOff(t *testing.T) {
	const size, n = 10_000, 8
	for law, c := range map[string]struct{ method, path, accept string }{
		"a list":                         {"GET", widgetsPath, ""},
		"a table":                        {"GET", widgetsPath + "?includeObject=Object", acceptTable},
		"the answer to deletecollection": {"DELETE", widgetsPath, ""},
	} {
		t.Run(law+" when more than HistoryBytes are replaced", func(t *testing.T) {
			t.Parallel()
			bubble(t, Options{HistoryBytes: 4 * size}, func(t *testing.T, s *Server) {
				fill(t, s, n, size)
				first := weak.Make(widgets(t, s).Get("default/web-0"))
				resp := unread(t, s, c.method, c.path, c.accept)
				runtime.GC()
				assert.NotNil(t, first.Value(), "the list has still to be sent")
				fill(t, s, n, size)
				fill(t, s, n, size)
				settled()
				runtime.GC()
				assert.Nil(t, first.Value())
				_, err := io.ReadAll(resp.Body)
				assert.ErrorIs(t, err, io.ErrUnexpectedEOF, "no clean end: objects are missing")
			})
		})
	}
	t.Run("not when less is replaced", func(t *testing.T) {
		t.Parallel()
		bubble(t, Options{HistoryBytes: 4 * size}, func(t *testing.T, s *Server) {
			fill(t, s, n, size)
			resp := unread(t, s, "GET", widgetsPath, "")
			fill(t, s, 3, size)
			b, err := io.ReadAll(resp.Body)
			require.NoError(t, err)
			assert.Greater(t, len(b), n*size)
			assert.NotContains(t, string(b), `"version"`, "it shows one moment")
		})
	})
	t.Run("and deletecollection reads none before its options have arrived", func(t *testing.T) {
		bubble(t, Options{HistoryCount: 1}, func(t *testing.T, s *Server) {
			fill(t, s, 1, size)
			first := weak.Make(widgets(t, s).Get("default/web-0"))
			body, options := io.Pipe()
			go s.ServeHTTP(newSink(func([]byte) {}), httptest.NewRequest("DELETE", widgetsPath, body))
			settled()
			fill(t, s, 1, size)
			fill(t, s, 1, size)
			runtime.GC()
			assert.Nil(t, first.Value())
			options.Close()
			settled()
			assert.Nil(t, widgets(t, s).Get("default/web-0"), "they are deleted then")
		})
	})
	t.Run("when its definition changes, after a time to read it", func(t *testing.T) {
		t.Parallel()
		bubble(t, Options{}, func(t *testing.T, s *Server) {
			_, err := s.Create("customresourcedefinitions", levers(nil))
			require.NoError(t, err)
			_, err = s.Create("levers", lever("web-1", strings.Repeat("x", size)))
			require.NoError(t, err)
			slow, fast := unread(t, s, "GET", leversPath, ""), unread(t, s, "GET", leversPath, "")
			relabel(t, s)
			time.Sleep(watchGrace - time.Second)
			_, err = io.ReadAll(fast.Body)
			assert.NoError(t, err)
			time.Sleep(2 * time.Second)
			_, err = io.ReadAll(slow.Body)
			assert.ErrorIs(t, err, io.ErrUnexpectedEOF)
		})
	})
}

// relabel changes the definition of levers.
func relabel(t *testing.T, s *Server) {
	t.Helper()
	_, err := s.Patch("customresourcedefinitions", "", "levers.example.dev",
		`{"spec":{"names":{"shortNames":["le"]}}}`)
	assert.NoError(t, err)
}

// If the server ends a watch that its client does not read, it waits for the client until
// watchGrace has passed. Then it breaks the connection, because events are missing.
func TestAWatchThatIsNotReadEndsSoonAfterTheServerEndsIt(t *testing.T) {
	for law, end := range map[string]func(*testing.T, *Server){
		"its time is over":          func(*testing.T, *Server) { time.Sleep(time.Minute) },
		"all watches are dropped":   func(_ *testing.T, s *Server) { s.DropWatches() },
		"the server closes":         func(_ *testing.T, s *Server) { go s.Close() },
		"its definition is changed": relabel,
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
				user := &http.Server{Handler: s} // Close does not know this server
				go func() { _ = user.Serve(l) }()
				defer user.Close()
				client := &http.Client{Transport: &http.Transport{DialContext: l.DialContext}}
				defer client.CloseIdleConnections()
				resp, err := client.Get(URL + leversPath + "?watch=1&timeoutSeconds=60")
				require.NoError(t, err)
				settled()
				end(t, s)
				time.Sleep(watchGrace - time.Second)
				settled()
				assert.Zero(t, ended.Load(), "the client has time to read")
				time.Sleep(time.Second)
				settled()
				assert.Equal(t, int32(1), ended.Load(), "the watch ends when that time is over")
				_, err = io.ReadAll(resp.Body)
				assert.ErrorIs(t, err, io.ErrUnexpectedEOF, "no clean end")
			})
		})
	}
}

// Of an HTTP/2 connection only the streams that are not read end.
func TestAnHTTP2StreamThatIsNotReadEndsAlone(t *testing.T) {
	ended := make(chan EndReason, 2)
	const size, n = 40_000, 5 // together more than the client's window for a stream
	o := Options{HistoryBytes: 4 * size, Trace: &Trace{
		WatchEnded: func(_ Request, why EndReason) { ended <- why }}}
	overHTTP2(t, o, func(t *testing.T, x *secure) {
		x.client.Transport.(*http.Transport).DisableCompression = true
		fill(t, x.Server, n, size)
		one, two := x.request(t, "GET", widgetsPath, ""), x.request(t, "GET", widgetsPath, "")
		w, late := x.watch(t, "timeoutSeconds=1"), x.watch(t, "")
		time.Sleep(time.Second + watchGrace)
		settled()
		require.Len(t, ended, 1, "the watch has not ended although its time is over")
		assert.Equal(t, EndSlow, <-ended)
		fill(t, x.Server, n, size)
		settled()
		require.Len(t, ended, 1, "the other watch has fallen behind by more than HistoryBytes")
		assert.Equal(t, EndSlow, <-ended)
		for _, resp := range []*http.Response{one, two, w.resp, late.resp} {
			_, err := io.ReadAll(resp.Body)
			assert.ErrorContains(t, err, "stream error")
		}
		assert.Equal(t, 200, x.request(t, "GET", widgetsPath+"/web-1", "").StatusCode)
		assert.Equal(t, int32(1), x.dials.Load(), "the connection can still be used")
	})
}

// A deadlines counts how often the write deadline of a connection is set.
type deadlines struct {
	*sink
	set int
}

func (d *deadlines) SetWriteDeadline(time.Time) error { d.set++; return nil }

// The connection of a watch or a list that has ended serves other requests, whose deadline must not
// be changed.
func TestADeadlineIsLeftAloneAfterTheEnd(t *testing.T) {
	d := &deadlines{}
	end := stream.Deadline{Answer: http.NewResponseController(d)}
	end.EndBy(time.Now())
	end.Close()
	end.EndBy(time.Now())
	assert.Equal(t, 1, d.set)
}
