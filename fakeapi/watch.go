package fakeapi

import (
	"net/http"
	"time"

	"example.com/watchglass/fakeapi/status"
	"example.com/watchglass/fakeapi/stream"
)

// watchGrace is how long a client may take to read the frames that have already been
// sent to it when its watch is over.
const watchGrace = 5 * time.Second

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
		return status.InternalError("resourceVersion: Invalid value: %s: %v", status.Show(o.version),
			err)
	}
	end, clean := s.watchOf(q, &o, from).Serve(q.http.Context(), w)
	if s.opts.Trace.WatchEnded != nil {
		s.opts.Trace.WatchEnded(q.describe(), end)
	}
	if !clean {
		panic(http.ErrAbortHandler) // breaks the connection: the client must not see a clean end
	}
	return nil
}

// watchOf returns the watch that a request asks for, from a version on.
func (s *Server) watchOf(q *request, o *listOptions, from uint64) stream.Watch {
	watch := stream.Watch{Collection: q.c.objects, Version: from,
		Initial: from == 0 && o.initial == nil || o.initial != nil && *o.initial,
		Marked:  o.initial != nil && *o.initial && o.bookmarks,
		Frames:  &frames{form: q.form, resource: q.r(), sel: q.selection(o)},
		Timeout: orDefault(o.timeout, s.opts.WatchTimeout), Grace: s.grace,
		Ends: []stream.End{{Context: s.dropping(), Reason: EndDropped},
			{Context: q.c.changed, Reason: EndChanged}, {Context: s.closing, Reason: EndShutdown}},
		Sink: func(to stream.Sink) stream.Sink { return &faultyFrames{Sink: to, server: s, q: q} }}
	if o.bookmarks {
		watch.Bookmarks = s.opts.BookmarkInterval
	}
	if !watch.Initial && from == 0 {
		watch.Version = s.store.Version() // neither initial events nor a version: from now on
	}
	if s.opts.Trace.Sent != nil {
		watch.Sent = func(f FrameInfo) { s.opts.Trace.Sent(q.describe(), f) }
	}
	return watch
}
