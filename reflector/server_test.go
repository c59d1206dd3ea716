package reflector

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"example.com/watchglass"
)

// A server answers each request with the next reply that it is given, and makes the request wait
// while it has none. It is a [ListerWatcher] without a network; package client has the network.
// With each request it checks that the watches before it have been closed.
type server struct {
	t       testing.TB
	replies chan reply
	down    atomic.Bool // requests fail as if nothing listened

	mu       sync.Mutex
	requests []string       // all so far, in short form
	watches  []*servedWatch // all that were granted
}

func newServer(t testing.TB) *server { return &server{t: t, replies: make(chan reply, 200)} }

// serve notes a request and waits for the reply to it.
func (s *server) serve(ctx context.Context, request string) (reply, error) {
	s.checkClosed()
	if s.down.Load() {
		// In these words on all systems.
		return reply{}, fmt.Errorf("dial: connection refused%.0w", syscall.ECONNREFUSED)
	}
	s.mu.Lock()
	s.requests = append(s.requests, request)
	s.mu.Unlock()
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
	what := "list " + version(opts)
	if opts.Continue != "" {
		what = "page " + opts.ResourceVersion + opts.ResourceVersionMatch + opts.Continue
	}
	if opts.Limit != 0 {
		what += fmt.Sprintf("/%d", opts.Limit)
	}
	answer, err := s.serve(ctx, what)
	for range answer.parts {
		time.Sleep(59 * time.Second)
		opts.Progress()
	}
	if answer.open {
		<-ctx.Done()
		err = ctx.Err()
	} else if err == nil && answer.list == nil {
		err = errors.New("the next reply is not for a list")
	}
	return answer.list, err
}

func (s *server) Watch(ctx context.Context, opts ListOptions) (Watch, error) {
	assert.True(s.t, opts.AllowWatchBookmarks)
	what := "watch "
	if opts.SendInitialEvents {
		what = "stream "
	}
	answer, err := s.serve(ctx, what+version(opts))
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	w := &servedWatch{reply: answer, server: s, ctx: ctx, granted: time.Now()}
	s.watches = append(s.watches, w)
	return w, nil
}

func version(opts ListOptions) string {
	if opts.ResourceVersion == "" {
		return `""`
	}
	return opts.ResourceVersion
}

// servedWatch is the stream of one watch. A Next that waits returns when its context ends.
type servedWatch struct {
	reply
	server  *server
	ctx     context.Context
	granted time.Time
	closed  int // how often
}

func (w *servedWatch) Next() (Event, error) {
	time.Sleep(w.each)
	if len(w.frames) > 0 {
		f := w.frames[0]
		w.frames = w.frames[1:]
		return unpack(f)
	}
	var end <-chan time.Time
	if !w.open && w.live == nil {
		end = time.After(time.Until(w.granted.Add(w.lasts)))
	}
	select {
	case f, more := <-w.live:
		if more {
			return unpack(f)
		}
	case <-end:
	case <-w.ctx.Done():
		return Event{}, w.ctx.Err()
	}
	return Event{}, io.EOF
}

func unpack(frame any) (Event, error) {
	if err, ok := frame.(error); ok {
		return Event{}, err
	}
	return frame.(Event), nil
}

func (w *servedWatch) Close() error {
	w.server.mu.Lock()
	defer w.server.mu.Unlock()
	w.closed++
	return nil
}

// asked are all requests, in order: `list 0/500, page token/500, watch 7, stream ""`.
func (s *server) asked() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(s.requests, ", ")
}

// A reply is what the server does with one request: a list, a refusal or a stream.
type reply struct {
	list   *List
	err    error
	wait   time.Duration // before the answer, even if the client has closed the connection
	parts  int           // of a list: each takes 59 s; then, if open, the list stays without its end
	frames []any         // of a stream: Event or error; they come even if its context has ended
	each   time.Duration // of a stream: before each frame
	live   <-chan any    // more frames; its closing is an orderly end
	open   bool          // after its frames the stream stays open until the client closes it
	lasts  time.Duration // of any other stream: from the answer to its orderly end
}

// stream answers a watch with these events and errors, and then ends it in an orderly way.
func stream(frames ...any) reply { return reply{frames: frames} }

// hanging is stream without the end: it stays open until the client closes it.
func hanging(frames ...any) reply { return reply{frames: frames, open: true} }

// refusal is a refusal, in answer to a request.
func refusal(code int, reason, message string) reply {
	return reply{err: status(code, reason, message)}
}

// list is a collection at a version.
func list(version string, specs ...string) reply { return page(version, "", specs...) }

func page(version, token string, specs ...string) reply {
	l := &List{Kind: "WidgetList", ResourceVersion: version, Continue: token}
	for _, spec := range specs {
		l.Items = append(l.Items, item(spec))
	}
	return reply{list: l}
}

// A widget is what the tests list and watch.
type widget struct {
	watchglass.TypeMeta
	watchglass.ObjectMeta
}

// item is a widget: "web-1@5" is web-1 at version 5. "web-1@5!" is one that cannot be used.
func item(spec string) watchglass.Object {
	name, version, _ := strings.Cut(spec, "@")
	if version, bad := strings.CutSuffix(version, "!"); bad {
		return &watchglass.Unusable{Namespace: "shop", Name: name, ResourceVersion: version,
			Err: errors.New("odd")}
	}
	w := &widget{}
	w.Name, w.Namespace, w.ResourceVersion = name, "shop", version
	return w
}

// event is an event: event(Added, "web-1@5").
func event(eventType EventType, spec string) Event {
	obj := item(spec)
	return Event{Type: eventType, Object: obj, ResourceVersion: obj.GetResourceVersion()}
}

func bookmark(version string) Event { return Event{Type: Bookmark, ResourceVersion: version} }

func initialEnd(version string) Event {
	return Event{Type: Bookmark, ResourceVersion: version, InitialEventsEnd: true}
}

// unusable is the error for an event with an object of another kind.
var unusable = &ObjectError{Type: Added, Err: errors.New("its kind is another")}

// garbage is the error for a frame that is not an event.
var garbage = &DecodeError{What: "watch event", Err: errors.New(`unknown type "WHAT"`)}

// status is a refusal, in HTTP or in a stream.
func status(code int, reason, message string) *StatusError {
	return &StatusError{Code: code, Reason: reason, Message: message}
}
