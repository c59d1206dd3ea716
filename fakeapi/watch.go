package fakeapi

import (
	"net/http"

	"example.com/watchglass/fakeapi/query"
	"example.com/watchglass/fakeapi/stream"
)

// watch answers a watch: headers immediately, then frames until something ends it.
// It returns an error only before the headers are sent; later errors are sent as ERROR
// frames.
func (s *Server) watch(w http.ResponseWriter, req *request) error {
	o, err := query.ParseWatch(req.typ, req.query)
	if err != nil {
		return err
	}
	end, clean := s.watchOf(req, &o).Serve(req.http.Context(), w)
	if s.opts.Trace.WatchEnded != nil {
		s.opts.Trace.WatchEnded(req.describe(), end)
	}
	if !clean {
		panic(http.ErrAbortHandler) // breaks the connection: the client must not see a clean end
	}
	return nil
}

// watchOf returns the watch that a request asks for.
func (s *Server) watchOf(req *request, o *query.Watch) stream.Watch {
	watch := stream.Watch{Collection: req.collection.Objects, Version: o.Version, Initial: o.Initial,
		Marked: o.Marked, Frames: req.form.Frames(req.selection(o.Labels, o.Fields)),
		Timeout: orDefault(o.Timeout, s.opts.WatchTimeout), Grace: s.grace,
		Ends: []stream.End{{Context: s.dropping(), Reason: EndDropped}, {Context: req.collection.Changed,
			Reason: EndChanged}, {Context: s.closing, Reason: EndShutdown}},
		Sink: func(to stream.Sink) stream.Sink { return s.spoiled(req, to) }}
	if o.Bookmarks {
		watch.Bookmarks = s.opts.BookmarkInterval
	}
	if o.Present {
		watch.Version = s.store.Version()
	}
	if s.opts.Trace.Sent != nil {
		watch.Sent = func(f FrameInfo) { s.opts.Trace.Sent(req.describe(), f) }
	}
	return watch
}
