package stream

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"os"
	"runtime"
	"time"

	"example.com/watchglass/fakeapi/store"
)

// A stream is a Watch that is being served.
type stream struct {
	Watch
	ctx     context.Context         // done at the first of its ends, or when the client disconnects
	end     context.CancelCauseFunc // ends it for a reason
	wire    *writer
	out     Sink // wire, or what is before it
	clock   *clock
	watcher *store.Watcher
	sent    uint64 // the highest version sent to the client
}

// Serve sends the headers, then frames until the watch ends. It blocks until then and returns
// the reason. If clean is false, the client must not see a clean end: the caller has to break
// the connection. ctx is done when the client disconnects.
func (w Watch) Serve(ctx context.Context, to http.ResponseWriter) (end EndReason, clean bool) {
	s := &stream{Watch: w, wire: &writer{to: to, sent: w.Sent}}
	s.wire.Answer = http.NewResponseController(to)
	s.out = w.Sink(s.wire)
	s.clock = newClock(w.Timeout, w.Bookmarks)
	defer s.clock.timer.Stop()
	s.wire.EndBy(s.clock.end.Add(w.Grace))
	defer s.listen(ctx)()
	end, err := s.run()
	if err != nil {
		end = s.reason(err)
	}
	return end, end != EndSlow && !errors.Is(err, ErrBroken)
}

// listen makes s.ctx, which is done at the first of the watch's ends. From then on the client
// has Grace to read the frames that were sent to it. Otherwise a client that does not read
// would keep a stream that the server has ended until its timeout. stop has to be called
// before the handler returns.
func (s *stream) listen(ctx context.Context) (stop func()) {
	s.ctx, s.end = context.WithCancelCause(ctx)
	var stops []func() bool
	for _, end := range s.Ends {
		stops = append(stops, context.AfterFunc(end.Context, func() {
			s.end(end.Reason)
			s.wire.EndBy(time.Now().Add(s.Grace))
		}))
	}
	return func() {
		for _, stop := range stops {
			stop()
		}
		s.end(nil)
		s.wire.Close()
	}
}

// The stream checks whether it has to end after this many events, or objects of the initial state:
// otherwise the stream of a client that reads more slowly than others write would not end.
const burst = 256

// run serves the stream to its end and returns the reason, or the error of the connection or
// of a sink.
func (s *stream) run() (EndReason, error) {
	state, err := s.start()
	if s.watcher != nil {
		defer s.watcher.Close()
	}
	if err != nil {
		return s.fail(err)
	}
	if s.Initial {
		if end, err := s.sendInitial(state); end != "" || err != nil {
			return end, err
		}
	}
	return s.follow()
}

// follow sends events as they come, until the stream is over.
func (s *stream) follow() (EndReason, error) {
	for sent := 0; ; {
		n, err := s.forward(burst)
		if err != nil {
			return "", err
		}
		if sent += n; sent < burst && s.wait() {
			continue
		}
		sent = 0
		if end := s.over(); end != "" {
			return end, s.finish(end)
		}
		if err := s.tick(); err != nil {
			return "", err
		}
	}
}

// start joins the store's watchers before it sends the headers, so the watch gets every write
// that the client makes after it has received the headers. If a streaming list asks for a version
// that the server has not reached, start sends the headers first, and waits.
func (s *stream) start() (state store.Snapshot, err error) {
	if !s.Initial || s.Version <= s.Collection.Store().Version() {
		state, tooOld := s.join()
		return state, cmp.Or(s.out.Begin(), tooOld)
	}
	if err := s.out.Begin(); err != nil {
		return state, err
	}
	if err := s.Collection.Store().Wait(s.ctx, s.Version, Patience); err != nil {
		return state, err
	}
	return s.join()
}

// Patience is how long a request for a future version waits for it.
const Patience = 3 * time.Second

// join makes the stream a watcher of its collection. It returns the present state if that is sent
// first.
func (s *stream) join() (state store.Snapshot, err error) {
	abort := func() { s.end(EndSlow); s.wire.EndBy(time.Now()) }
	if s.Initial {
		state, s.watcher = s.Collection.WatchState(abort)
		s.sent = state.Version
		return state, nil
	}
	s.sent = s.Version
	s.watcher, err = s.Collection.WatchFrom(s.Version, abort)
	return state, err
}

// fail ends a stream that could not start: with an ERROR frame, unless the connection itself
// has failed.
func (s *stream) fail(err error) (EndReason, error) {
	_, tooOld := errors.AsType[*store.TooOldError](err)
	_, inFuture := errors.AsType[*store.FutureError](err)
	if !tooOld && !inFuture {
		return "", err
	}
	line := s.Frames.Failure(err)
	_, err = s.out.Send(Frame{FrameInfo: FrameInfo{Type: string(Failure), Bytes: size(line)},
		Line: line})
	return EndExpired, errors.Join(err, s.out.Flush())
}

// reason translates the error that has ended a stream.
func (s *stream) reason(err error) EndReason {
	switch {
	case errors.Is(err, ErrEnded), errors.Is(err, ErrBroken):
		return EndFault
	case errors.Is(err, os.ErrDeadlineExceeded):
		return EndSlow
	}
	return cmp.Or(s.ended(), EndClient)
}

// ended returns why s.ctx is done, empty if it is not.
func (s *stream) ended() EndReason {
	if s.ctx.Err() == nil {
		return ""
	}
	reason, _ := context.Cause(s.ctx).(EndReason)
	return cmp.Or(reason, EndClient)
}

// wait blocks until there is an event to send and returns true, or until a bookmark may
// be due or the stream may have to end, and returns false.
func (s *stream) wait() bool {
	select {
	case <-s.watcher.Ready():
		// All watchers wake up at the same time. If the processors are busy, let
		// the other goroutines run first, writers among them: what they commit goes
		// out in the same flush. On an idle processor this returns immediately.
		runtime.Gosched()
		return true
	case <-s.clock.timer.C:
	case <-s.ctx.Done():
	}
	return false
}

// over returns why the stream has to end now, empty if it does not. It does not block.
func (s *stream) over() EndReason {
	if end := s.ended(); end != "" || time.Now().Before(s.clock.end) {
		return end
	}
	return EndTimeout
}

// finish sends what was written before the end, and nothing that is written after
// it: otherwise a client that reads slowly might keep the stream open for long.
func (s *stream) finish(end EndReason) error {
	if end == EndSlow || end == EndClient {
		return nil
	}
	s.wire.EndBy(time.Now().Add(s.Grace))
	rest, _ := s.watcher.Behind()
	_, err := s.forward(rest)
	return err
}

// lastBookmark is how long before the end of a watch a bookmark is due: the client's
// next watch can start from it and has few events to catch up on.
const lastBookmark = 2 * time.Second

// A clock says when a watch acts by itself: it sends bookmarks at intervals and shortly
// before the end, and it ends.
type clock struct {
	end      time.Time
	interval time.Duration // between bookmarks; 0: the client wants none
	next     time.Time     // when the next bookmark or the end is due
	timer    *time.Timer   // fires at next
}

// newClock returns a clock for a watch that starts now.
func newClock(timeout, interval time.Duration) *clock {
	now := time.Now()
	c := &clock{end: now.Add(timeout), interval: interval, timer: time.NewTimer(timeout)}
	c.advance(now)
	return c
}

// advance sets next, and the timer, to the time after now when a bookmark or the end is due.
func (c *clock) advance(now time.Time) {
	last := c.end.Add(-lastBookmark)
	switch c.next = now.Add(c.interval); {
	case c.interval == 0 || !now.Before(last):
		c.next = c.end
	case c.next.After(last):
		c.next = last
	}
	c.timer.Reset(c.next.Sub(now))
}
