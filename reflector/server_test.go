package reflector

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"example.com/watchglass"
)

// errHTML is the error for an HTML page, as the sign-in page of a hotel network.
var errHTML = &DecodeError{What: "response", Err: errors.New("want JSON, have an HTML page")}

// A reply is what the server does with one request: a list, a refusal or a stream.
type reply struct {
	list    *List
	err     error
	wait    time.Duration // before the answer, even if the client has closed the connection
	stream  bool
	frames  []any         // of a stream: Event or error
	hanging bool          // after its frames the stream stays open until the client closes it
	live    <-chan any    // more frames; its closing is an orderly end
	lasts   time.Duration // of a stream: from the answer to its orderly end
}

// A server answers each request with the next reply that it is given, and makes the request wait
// while it has none. It is a [ListerWatcher] without a network; package wire has the network.
type server struct {
	replies chan reply
	noted   func(request string) // called for each request; may be nil

	mu       sync.Mutex
	requests []request // all so far
	waiting  *request  // for its reply; nil if none is
	refusing bool      // requests fail as if nothing listened
	open     int       // watches that were opened and not closed
}

// A request is one that the server was sent.
type request struct {
	watch bool
	ListOptions
}

func newServer(testing.TB) *server { return &server{replies: make(chan reply, 100)} }

// serve notes a request and waits for the reply to it.
func (s *server) serve(ctx context.Context, r request) (reply, error) {
	s.mu.Lock()
	refusing := s.refusing
	if !refusing {
		s.requests = append(s.requests, r)
		s.waiting = &r
	}
	s.mu.Unlock()
	if refusing {
		return reply{}, fmt.Errorf("dial: %w", syscall.ECONNREFUSED)
	}
	defer s.answered()
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

func (s *server) answered() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.waiting = nil
}

// unanswered returns the request that waits for its reply, nil if none does.
func (s *server) unanswered() *request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.waiting
}

func (s *server) List(ctx context.Context, opts ListOptions) (*List, error) {
	answer, err := s.serve(ctx, request{false, opts})
	if err != nil {
		return nil, err
	}
	if answer.list == nil {
		return nil, errHTML
	}
	page := *answer.list // the caller owns what it gets, and a test may use a reply again
	page.Items = slices.Clone(page.Items)
	return &page, nil
}

func (s *server) Watch(ctx context.Context, opts ListOptions) (Watch, error) {
	answer, err := s.serve(ctx, request{true, opts})
	if err != nil {
		return nil, err
	}
	if !answer.stream {
		return nil, errHTML
	}
	frames := answer.live
	if frames == nil { // made here and not with the reply, so that it belongs to the test's bubble
		frames = channelOf(answer.frames, answer.hanging)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open++
	return &servedWatch{server: s, ctx: ctx, frames: frames, end: time.Now().Add(answer.lasts)}, nil
}

// servedWatch is the stream of one watch. A Next that waits returns when its context ends.
type servedWatch struct {
	server *server
	ctx    context.Context
	frames <-chan any
	end    time.Time // not before
	closed bool
}

func (w *servedWatch) Next() (Event, error) {
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
		return Event{}, w.waitForEnd()
	case <-w.ctx.Done():
		return Event{}, w.ctx.Err()
	}
}

func (w *servedWatch) waitForEnd() error {
	select {
	case <-time.After(time.Until(w.end)):
		return io.EOF
	case <-w.ctx.Done():
		return w.ctx.Err()
	}
}

func (w *servedWatch) Close() error {
	w.server.mu.Lock()
	defer w.server.mu.Unlock()
	if !w.closed {
		w.closed = true
		w.server.open--
	}
	return nil
}

// refuse makes all further requests fail as if nothing listened; with false, it ends that.
func (s *server) refuse(yes bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refusing = yes
}

// requestsOf returns all watches, or all lists.
func (s *server) requestsOf(watch bool) (all []request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.requests {
		if r.watch == watch {
			all = append(all, r)
		}
	}
	return all
}

// String is the query of the request, without parameters that are random or always the same.
func (r request) String() string {
	var q []string
	add := func(name, value string) {
		if value != "" {
			q = append(q, name+"="+value)
		}
	}
	add("continue", r.Continue)
	if r.Limit != 0 {
		add("limit", strconv.FormatInt(r.Limit, 10))
	}
	add("resourceVersion", r.ResourceVersion)
	add("resourceVersionMatch", r.ResourceVersionMatch)
	if r.SendInitialEvents {
		add("sendInitialEvents", "true")
	}
	what := "list "
	if r.watch {
		what = "watch "
	}
	return strings.TrimSpace(what + strings.Join(q, "&"))
}

func channelOf(frames []any, open bool) <-chan any {
	all := make(chan any, len(frames))
	for _, f := range frames {
		all <- f
	}
	if !open {
		close(all)
	}
	return all
}

// stream answers a watch with these events and errors, and then ends it in an orderly way.
func stream(frames ...any) reply { return reply{stream: true, frames: frames} }

// broken is a stream whose connection breaks in the middle of a frame.
func broken(frames ...any) reply { return stream(append(frames, io.ErrUnexpectedEOF)...) }

// lasting is a stream that ends after a while.
func lasting(d time.Duration, frames ...any) reply {
	return reply{stream: true, frames: frames, lasts: d}
}

// hanging is stream without the end: it stays open until the client closes it.
func hanging(frames ...any) reply { return reply{stream: true, frames: frames, hanging: true} }

// live is a stream that is written to while it is open. Closing the channel ends it in an orderly
// way.
func live(frames <-chan any) reply { return reply{stream: true, live: frames} }

// A widget is what the tests list and watch.
type widget struct {
	watchglass.TypeMeta
	watchglass.ObjectMeta
}

// item is a widget: "web-1@5" is web-1 at version 5.
func item(spec string) *widget {
	name, version, _ := strings.Cut(spec, "@")
	w := &widget{}
	w.Name, w.Namespace, w.ResourceVersion = name, "shop", version
	return w
}

// event is an event: event(Added, "web-1@5").
func event(eventType EventType, spec string) Event {
	obj := item(spec)
	return Event{Type: eventType, Object: obj, ResourceVersion: obj.ResourceVersion}
}

func bookmark(version string) Event { return Event{Type: Bookmark, ResourceVersion: version} }

func initialEnd(version string) Event {
	return Event{Type: Bookmark, ResourceVersion: version, InitialEventsEnd: true}
}

// unusable is the error for an event without an object that can be used.
func unusable(eventType EventType) error {
	return &ObjectError{Type: eventType, Err: errors.New("it has no object")}
}

// garbage is the error for a frame that is no event.
var garbage = &DecodeError{What: "watch event", Err: errors.New(`unknown type "WHAT"`)}

// status is a refusal, in HTTP or in a stream.
func status(code int, reason, message string) *StatusError {
	return &StatusError{Code: code, Reason: reason, Message: message}
}

func refusal(code int, reason, message string) reply {
	return reply{err: status(code, reason, message)}
}

// later is a refusal with Retry-After.
func later(code int, after time.Duration) reply {
	return reply{err: &StatusError{Code: code, RetryAfter: after}}
}

// list is a collection at a version.
func list(version string, specs ...string) reply { return page(version, "", specs...) }

func page(version, token string, specs ...string) reply {
	l := &List{ResourceVersion: version, Continue: token}
	for _, spec := range specs {
		l.Items = append(l.Items, item(spec))
	}
	return reply{list: l}
}
