package reflector

import (
	"context"
	"fmt"
	"io"
	"net/url"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// A server answers each request with the next reply that it is given, and makes the request wait
// while it has none. It is a [ListerWatcher] without a network; package wire has the network. With
// each request it checks that the watches before it have been closed.
type server struct {
	t       testing.TB
	replies chan reply
	noted   func(request string) // called for each request; may be nil

	mu       sync.Mutex
	requests []string       // all so far, in short form
	refusing bool           // requests fail as if nothing listened
	watches  []*servedWatch // all that were granted
}

// A request is one that the server was sent.
type request struct {
	watch bool
	ListOptions
}

func newServer(t testing.TB) *server { return &server{t: t, replies: make(chan reply, 200)} }

// serve notes a request and waits for the reply to it.
func (s *server) serve(ctx context.Context, r request) (reply, error) {
	s.checkClosed()
	s.mu.Lock()
	refusing := s.refusing
	if !refusing {
		s.requests = append(s.requests, r.short())
	}
	s.mu.Unlock()
	if refusing {
		return reply{}, fmt.Errorf("dial: %w", syscall.ECONNREFUSED)
	}
	if s.noted != nil {
		s.noted(r.String())
	}
	select {
	case answer := <-s.replies:
		time.Sleep(answer.wait)
		return answer, answer.err
	case <-ctx.Done():
		return reply{}, ctx.Err()
	}
}

// checkClosed is called when no watch should be open.
func (s *server) checkClosed() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, w := range s.watches {
		assert.Equal(s.t, 1, w.closed, "watch %d of %v is closed once", i+1, s.requests)
		assert.Error(s.t, w.ctx.Err(), "the context of watch %d of %v has ended", i+1, s.requests)
	}
}

func (s *server) List(ctx context.Context, opts ListOptions) (*List, error) {
	answer, err := s.serve(ctx, request{false, opts})
	for range answer.parts {
		time.Sleep(59 * time.Second)
		opts.Progress()
	}
	if err == nil && answer.open {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	if err == nil && answer.list == nil {
		err = fmt.Errorf("a list is answered by a stream: %v", answer.frames)
	}
	return answer.list, err
}

func (s *server) Watch(ctx context.Context, opts ListOptions) (Watch, error) {
	answer, err := s.serve(ctx, request{true, opts})
	if err == nil && answer.list != nil {
		err = fmt.Errorf("a watch is answered by a list at %s", answer.list.ResourceVersion)
	}
	if err != nil {
		return nil, err
	}
	frames := answer.live
	if frames == nil {
		frames = channelOf(answer.frames, answer.open)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	w := &servedWatch{reply: answer, server: s, ctx: ctx, frames: frames, granted: time.Now()}
	s.watches = append(s.watches, w)
	return w, nil
}

// servedWatch is the stream of one watch. A Next that waits returns when its context ends.
type servedWatch struct {
	reply
	server  *server
	ctx     context.Context
	frames  <-chan any
	granted time.Time
	closed  int // how often
}

func (w *servedWatch) Next() (Event, error) {
	time.Sleep(w.each)
	ended := w.ctx.Done()
	if w.deaf {
		ended = nil
	}
	select {
	case f, open := <-w.frames:
		switch f := f.(type) {
		case Event:
			return f, nil
		case error:
			return Event{}, f
		}
		if open {
			return Event{}, fmt.Errorf("a frame is a %T", f)
		}
	case <-ended:
		return Event{}, w.ctx.Err()
	}
	select {
	case <-time.After(time.Until(w.granted.Add(w.lasts))):
		return Event{}, io.EOF
	case <-ended:
		return Event{}, w.ctx.Err()
	}
}

func (w *servedWatch) Close() error {
	w.server.mu.Lock()
	defer w.server.mu.Unlock()
	w.closed++
	return nil
}

// refuse makes all further requests fail as if nothing listened; with false, it ends that.
func (s *server) refuse(yes bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refusing = yes
}

// asked are all requests, in order: `list 0/500, page /500, watch 7, stream ""`.
func (s *server) asked() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(s.requests, ", ")
}

// short is the request as [server.asked] shows it: what, the version, and of a list the limit.
func (r request) short() string {
	what, at := "list ", r.ResourceVersion
	switch {
	case r.SendInitialEvents:
		what = "stream "
	case r.watch:
		what = "watch "
	case r.Continue != "":
		what = "page "
	}
	if at == "" && r.Continue == "" {
		at = `""`
	}
	if r.Limit != 0 {
		at += fmt.Sprintf("/%d", r.Limit)
	}
	return what + at
}

// String is the query of the request, without parameters that are random or always the same.
func (r request) String() string {
	query := url.Values{}
	for name, value := range map[string]string{
		"continue":             r.Continue,
		"limit":                strings.TrimPrefix(fmt.Sprint(r.Limit), "0"),
		"resourceVersion":      r.ResourceVersion,
		"resourceVersionMatch": r.ResourceVersionMatch,
		"sendInitialEvents":    strings.TrimPrefix(fmt.Sprint(r.SendInitialEvents), "false"),
	} {
		if value != "" {
			query.Set(name, value)
		}
	}
	if r.watch {
		return "watch " + query.Encode()
	}
	return "list " + query.Encode()
}
