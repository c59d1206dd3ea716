package fakeapi

import (
	"errors"
	"net/http"
	"runtime"
	"time"
)

// watch answers a watch: headers at once, then frames until something ends it.
// An error comes back only as long as no header is sent; whatever goes wrong
// later is an ERROR frame.
func (s *Server) watch(w http.ResponseWriter, q *request) error {
	o, err := parseListOptions(q.r(), q.query)
	if err != nil {
		return err
	}
	o.asWatch()
	if errs := validateWatch(&o); len(errs) > 0 {
		return invalidOptions("ListOptions", errs...)
	}
	from, err := parseVersion(o.version)
	if err != nil {
		return internalError("resourceVersion: Invalid value: %q: %v", o.version, err)
	}
	x := &stream{server: s, q: q, sel: q.selection(&o), form: q.form, from: from,
		out: newFrameWriter(s, q, w), bookmarks: o.bookmarks,
		initial: from == 0 && o.initial == nil || o.initial != nil && *o.initial,
		marked:  o.initial != nil && *o.initial && o.bookmarks}
	if o.initial != nil && !*o.initial && from == 0 {
		x.from = s.store.now() // no initial state wanted, and no version: from here on
	}
	end := x.run(orDefault(o.timeout, s.opts.WatchTimeout))
	if s.opts.Trace.WatchEnded != nil {
		s.opts.Trace.WatchEnded(q.describe(), end)
	}
	if end == EndSlow || errors.Is(x.out.err, errBroken) {
		panic(http.ErrAbortHandler) // no clean end: the client must not take it for one
	}
	return nil
}

// A stream is one watch being served. Its goroutine is the request's own.
type stream struct {
	server    *Server
	q         *request
	sel       *selection
	form      form
	out       *frameWriter
	from      uint64 // the version the client has
	initial   bool   // send the present state first
	marked    bool   // and a bookmark that marks its end
	bookmarks bool   // bookmarks are welcome

	cursor *event // the last event dealt with
	sent   uint64 // the highest version the client has been told
	clock  *clock
}

// run serves the stream to its end.
func (x *stream) run(timeout time.Duration) EndReason {
	x.clock = newClock(timeout, x.bookmarks, x.server.opts.BookmarkInterval)
	defer x.clock.timer.Stop()
	dropped := x.server.dropping()
	me := &watcher{slow: make(chan struct{}), abort: x.out.abort}
	defer x.q.c.leave(me)
	// The start is fixed before the headers go out: what a client does after it
	// has got them happens after the start.
	early := !x.initial || x.from <= x.server.store.now()
	var st start
	var err error
	if early {
		st, err = x.q.c.join(me, x.from, x.initial, x.sel)
	}
	if !x.out.begin() {
		return EndFault
	}
	if !early {
		if err = x.server.store.reach(x.q.http.Context(), x.from); err == nil {
			st, err = x.q.c.join(me, x.from, x.initial, x.sel)
		}
	}
	if err != nil {
		return x.fail(err)
	}
	x.cursor, x.sent = st.cursor, st.version
	x.sendInitial(st)
	for {
		x.drain(me)
		switch end := x.wait(me, dropped); end {
		case "":
		case EndTimeout, EndDropped, EndShutdown:
			x.drain(me) // what was written before the end is told before the end
			return end
		default:
			return end
		}
	}
}

// fail ends the stream with an ERROR frame.
func (x *stream) fail(err error) EndReason {
	if x.q.http.Context().Err() != nil {
		return EndClient
	}
	x.out.write(failed, "", 0, errorFrame(statusOf(err)))
	x.out.flush()
	return EndExpired
}

// sendInitial sends the state that the watch starts with: an ADDED for every
// object, in order of keys, and the bookmark that says that this was all.
func (x *stream) sendInitial(st start) {
	var scratch []byte
	x.out.gather() // the batch copies: scratch can be used again for every object
	for _, d := range st.initial {
		if x.out.err != nil {
			return
		}
		x.out.write(added, d.name, d.version, initialFrame(&scratch, x.q.r(), d, x.form))
		x.form = x.form.next()
	}
	if x.marked {
		x.bookmark(st.version, true)
	}
}

// drain sends what has happened since, to the end of the chain, and flushes: the
// client waits for nothing that is known here.
func (x *stream) drain(me *watcher) {
	for x.out.err == nil {
		select {
		case <-x.cursor.ready:
			x.cursor = x.cursor.next
			x.send(x.cursor)
			me.passed(x.cursor)
			continue
		default:
		}
		break
	}
	x.out.flush()
}

// send sends one event, if it is news to this watcher.
func (x *stream) send(e *event) {
	if e.version <= x.sent {
		return // a watch from a future version hears nothing below it
	}
	kind, doc, ok := e.view(x.q.r(), x.sel)
	if !ok {
		return
	}
	x.out.write(kind, doc.name, e.version, e.frame(x.q.r(), kind, doc, x.form))
	x.form = x.form.next()
	x.sent = e.version
}

// wait blocks until there is something to send, and then returns "", or until
// the stream is over, and then says why.
func (x *stream) wait(me *watcher, dropped <-chan struct{}) EndReason {
	select {
	case <-me.slow:
		return EndSlow
	default:
	}
	if x.out.err != nil {
		return x.out.reason()
	}
	if x.out.silent { // nothing ends it but the client, or the end of the server
		x.server.pause(x.q, -1)
		return EndFault
	}
	select {
	case <-x.cursor.ready:
		// All watchers wake up at once. If that keeps the processors busy, let
		// the others have their turn, writers among them: what they commit
		// meanwhile goes out in the same flush. An idle processor comes back here
		// at once.
		runtime.Gosched()
		return ""
	case <-x.clock.timer.C:
		return x.tick()
	case <-dropped:
		return EndDropped
	case <-x.server.closing:
		return EndShutdown
	case <-me.slow:
		return EndSlow
	case <-x.q.http.Context().Done():
		return EndClient
	}
}

// tick does what is due: a bookmark, or the end.
func (x *stream) tick() EndReason {
	now := time.Now()
	if !now.Before(x.clock.end) {
		return EndTimeout
	}
	// Only a watcher that has passed every event may be told a version beyond
	// its last one; if there are more, they come first and the bookmark waits.
	if version, ok := x.q.c.upToDate(x.cursor); ok && version > x.sent {
		x.bookmark(version, false)
		x.out.flush()
	}
	x.clock.advance(now)
	return ""
}

// bookmark sends a bookmark.
func (x *stream) bookmark(version uint64, last bool) {
	b, _ := newFrame(bookmarked, x.form.bookmarkObject(x.q.r(), version, last))
	if x.out.writeBookmark(version, b, last) {
		x.sent = version
		x.form = x.form.next()
	}
}
