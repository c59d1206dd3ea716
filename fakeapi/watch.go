package fakeapi

import (
	"errors"
	"net/http"
	"os"
	"runtime"
	"time"

	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/status"
	"example.com/watchglass/fakeapi/store"
)

// watch answers a watch: headers immediately, then frames until something ends it.
// It returns an error only before the headers are sent; later errors are sent as ERROR
// frames.
func (s *Server) watch(w http.ResponseWriter, q *request) error {
	o, err := parseListOptions(q.r(), q.query)
	if err != nil {
		return err
	}
	o.asWatch()
	if err := validateWatch(&o); err != nil {
		return err
	}
	from, err := parseVersion(o.version)
	if err != nil {
		return status.InternalError("resourceVersion: Invalid value: %s: %v", status.Show(o.version), err)
	}
	x := s.newStream(w, q, &o, from)
	end, err := x.run()
	if s.opts.Trace.WatchEnded != nil {
		s.opts.Trace.WatchEnded(q.describe(), end)
	}
	if end == EndSlow || errors.Is(err, errBroken) {
		panic(http.ErrAbortHandler) // breaks the connection: the client must not see a clean end
	}
	return nil
}

// A stream is one watch being served: it takes events from a watcher of the store
// and sends frames. Its goroutine is the request's own.
type stream struct {
	server *Server
	q      *request
	sel    *object.Selection
	form   form
	wire   *frameWriter
	out    frameSink // faultyFrames around wire

	from      uint64 // the version the client has
	initial   bool   // send the present state first
	marked    bool   // and a bookmark that marks its end
	bookmarks bool   // the client allows bookmarks

	watcher *store.Watcher
	sent    uint64 // the highest version sent to the client
	clock   *clock
	dropped signal // given by DropWatches
}

func (s *Server) newStream(w http.ResponseWriter, q *request, o *listOptions, from uint64) *stream {
	wire := newFrameWriter(w, s.traceSent(q))
	x := &stream{server: s, q: q, sel: q.selection(o), form: q.form, wire: wire,
		out: &faultyFrames{to: wire, server: s, q: q}, from: from, bookmarks: o.bookmarks,
		initial: from == 0 && o.initial == nil || o.initial != nil && *o.initial,
		marked:  o.initial != nil && *o.initial && o.bookmarks,
		dropped: s.dropping(),
		clock: newClock(orDefault(o.timeout, s.opts.WatchTimeout), o.bookmarks,
			s.opts.BookmarkInterval)}
	if o.initial != nil && !*o.initial && from == 0 {
		x.from = s.store.Version() // neither initial events nor a version: events from now on
	}
	return x
}

// traceSent returns Trace.Sent for a request, never nil.
func (s *Server) traceSent(q *request) func(FrameInfo) {
	if s.opts.Trace.Sent == nil {
		return func(FrameInfo) {}
	}
	return func(f FrameInfo) { s.opts.Trace.Sent(q.describe(), f) }
}

// The stream checks whether it has to end after this many events, or objects of the
// initial state: otherwise the stream of a client that reads more slowly than others
// write would not end.
const burst = 256

// watchGrace is how long a client may take to read the frames that have already been
// sent to it when its watch is over.
const watchGrace = 5 * time.Second

// graceFromNow returns the deadline for reading them if the watch ends now.
func (s *Server) graceFromNow() time.Time { return time.Now().Add(s.grace) }

// run serves the stream to its end and returns the reason. The error, if any, comes
// from the connection or from a fault.
func (x *stream) run() (EndReason, error) {
	defer x.clock.timer.Stop()
	x.wire.endBy(x.clock.end.Add(x.server.grace))
	defer x.graceAfter(x.dropped, x.q.c.changed, x.server.closing)()
	start, err := x.start()
	if start.Watcher != nil {
		defer start.Watcher.Close()
	}
	if err != nil {
		return x.fail(err)
	}
	x.watcher, x.sent = start.Watcher, start.Version
	end, err := x.sendInitial(start)
	if end == "" && err == nil {
		end, err = x.follow()
	}
	if err != nil {
		return x.reason(err), err
	}
	return end, nil
}

// follow sends events as they come, until the stream is over.
func (x *stream) follow() (end EndReason, err error) {
	for sent := 0; ; {
		n, err := x.forward(burst)
		if err != nil {
			return "", err
		}
		if sent += n; sent < burst && x.wait() {
			continue
		}
		sent = 0
		if end := x.over(); end != "" {
			return end, x.finish(end)
		}
		if err := x.tick(); err != nil {
			return "", err
		}
	}
}

// start joins the store's watchers and sends the headers, in the right order.
func (x *stream) start() (store.Start, error) {
	if x.initial && x.from > x.server.store.Version() {
		return x.startLater()
	}
	return x.startHere()
}

// startHere starts at a version that exists already. It joins the watchers before it
// sends the headers, so the watch gets every write that the client makes after it has
// received the headers.
func (x *stream) startHere() (store.Start, error) {
	start, expired := x.join()
	if err := x.out.begin(); err != nil {
		return start, err
	}
	return start, expired
}

// startLater starts with a state that has to be at least as new as a future version. It
// sends the headers first, as a real server does; then it waits for that version.
func (x *stream) startLater() (store.Start, error) {
	if err := x.out.begin(); err != nil {
		return store.Start{}, err
	}
	if err := x.server.reach(x.q, x.from); err != nil {
		return store.Start{}, err
	}
	return x.join()
}

// join makes the stream a watcher of its collection.
func (x *stream) join() (store.Start, error) {
	abort := func() { x.wire.endBy(time.Now()) }
	if x.initial {
		return x.q.c.objects.WatchState(abort), nil
	}
	start, err := x.q.c.objects.WatchFrom(x.from, abort)
	return start, fromStore(err)
}

// fail ends the stream with an ERROR frame, unless the connection itself has failed.
func (x *stream) fail(err error) (EndReason, error) {
	why, ok := errors.AsType[*status.Status](err)
	if !ok {
		return x.reason(err), err
	}
	b := errorFrame(why)
	_, err = x.out.send(frame{FrameInfo: FrameInfo{Type: string(object.Failure), Bytes: len(b)},
		bytes: b})
	return EndExpired, errors.Join(err, x.out.flush())
}

// reason returns the reason for the end of a stream whose error is err.
func (x *stream) reason(err error) EndReason {
	switch {
	case isFault(err):
		return EndFault
	case errors.Is(err, os.ErrDeadlineExceeded):
		return EndSlow
	}
	return EndClient
}

// wait blocks until there is an event to send and returns true, or until a bookmark may
// be due or the stream may have to end, and returns false.
func (x *stream) wait() bool {
	select {
	case <-x.watcher.Ready():
		// All watchers wake up at the same time. If the processors are busy, let
		// the other goroutines run first, writers among them: what they commit goes
		// out in the same flush. On an idle processor this returns immediately.
		runtime.Gosched()
		return true
	case <-x.clock.timer.C:
	case <-x.dropped.Done():
	case <-x.q.c.changed.Done():
	case <-x.server.closing.Done():
	case <-x.watcher.Slow():
	case <-x.q.http.Context().Done():
	}
	return false
}

// over returns why the stream has to end now, empty if it does not. It does not block.
func (x *stream) over() EndReason {
	select {
	case <-x.watcher.Slow():
		return EndSlow
	default:
	}
	select {
	case <-x.dropped.Done():
		return EndDropped
	case <-x.q.c.changed.Done():
		return EndChanged
	case <-x.server.closing.Done():
		return EndShutdown
	case <-x.q.http.Context().Done():
		return EndClient
	default:
	}
	if !time.Now().Before(x.clock.end) {
		return EndTimeout
	}
	return ""
}

// finish sends what was written before the end, and nothing that is written after
// it: otherwise a client that reads slowly might keep the stream open for long.
func (x *stream) finish(end EndReason) error {
	if end == EndSlow || end == EndClient {
		return nil
	}
	x.wire.endBy(x.server.graceFromNow())
	rest, _ := x.watcher.Behind()
	_, err := x.forward(rest)
	return err
}

// tick sends a bookmark if one is due.
func (x *stream) tick() error {
	now := time.Now()
	if !x.clock.due(now) {
		return nil
	}
	x.clock.advance(now)
	// A bookmark says that all events up to its version were sent. If there are
	// unsent events, this bookmark is left out, and the next is due an interval later.
	if behind, version := x.watcher.Behind(); behind == 0 && version > x.sent {
		return errors.Join(x.bookmark(version, false), x.out.flush())
	}
	return nil
}
