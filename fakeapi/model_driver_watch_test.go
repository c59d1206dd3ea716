package fakeapi

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"

	"example.com/watchglass/docs/story"
)

// watch starts a stream. It ends when the server ends it or it is cancelled.
func (p *driver) watch(t traits, c story.Command) {
	if old := p.streams[c.Arg(0)]; old != nil {
		old.cancel()
	}
	s := choiceOf(c)
	q := s.query()
	q.Set("watch", "1")
	for param, option := range map[string]string{"resourceVersion": "from",
		"timeoutSeconds": "timeout"} {
		if v := c.Opt(option, ""); v != "" {
			q.Set(param, v)
		}
	}
	if c.Opt("bookmarks", "") != "" {
		q.Set("allowWatchBookmarks", "true")
	}
	if v := c.Opt("initial", ""); v != "" {
		q.Set("sendInitialEvents", fmt.Sprint(v == "yes"))
		q.Set("resourceVersionMatch", "NotOlderThan")
	}
	ctx, cancel := context.WithCancel(context.Background())
	r := httptest.NewRequest("GET", t.collection(s.namespace)+"?"+q.Encode(), nil)
	w := &driverStream{traits: t, cancel: cancel, header: http.Header{}}
	p.streams[c.Arg(0)] = w
	go w.run(p.server, r.WithContext(ctx)) // ends with the request; the bubble waits for it
}

// A driverStream is the client's end of a watch.
type driverStream struct {
	traits traits
	cancel context.CancelFunc
	header http.Header

	mu    sync.Mutex // guards what is below
	body  bytes.Buffer
	ended string
}

func (s *driverStream) run(server *Server, r *http.Request) {
	how := "aborted"
	defer func() {
		_ = recover() // http.ErrAbortHandler
		s.mu.Lock()
		defer s.mu.Unlock()
		s.ended = how
	}()
	server.ServeHTTP(s, r)
	how = "end"
}

func (s *driverStream) Header() http.Header { return s.header }
func (s *driverStream) WriteHeader(int)     {}
func (s *driverStream) Flush()              {}

func (s *driverStream) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.body.Write(b)
}

// take is what was received since the last call, and how the stream ended, if it has.
func (s *driverStream) take() (frames []byte, ended string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	frames = bytes.Clone(s.body.Bytes())
	s.body.Reset()
	return frames, s.ended
}
