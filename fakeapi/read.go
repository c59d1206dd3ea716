package fakeapi

import (
	"bufio"
	"bytes"
	"net/http"

	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/query"
	"example.com/watchglass/fakeapi/status"
	"example.com/watchglass/fakeapi/stream"
	"example.com/watchglass/fakeapi/wire"
)

// get answers GET of one object.
func (s *Server) get(w http.ResponseWriter, req *request) error {
	if query.Flag(req.query, "export") {
		return status.BadRequest("the export parameter, deprecated since v1.14, is no longer supported")
	}
	text := req.query.Get("resourceVersion")
	version, err := query.ParseVersion(text)
	if err != nil {
		return status.InternalError("resourceVersion: Invalid value: %s: %v", status.Show(text), err)
	}
	if err := s.reach(req, version); err != nil {
		return err
	}
	d := req.collection.Get(object.Key(req.namespace, req.name))
	if d == nil {
		return status.NotFound(req.typ.About(req.name))
	}
	return s.answerObject(w, req, http.StatusOK, d)
}

// reach waits until the store has reached a version. It returns a *status.Status if that
// takes longer than stream.Patience, and the context's error if the client disconnects.
func (s *Server) reach(req *request, version uint64) error {
	return object.Refusal(s.store.Wait(req.http.Context(), version, stream.Patience))
}

// list answers GET of a collection.
func (s *Server) list(w http.ResponseWriter, req *request) error {
	p, next, err := s.readList(req)
	if err != nil {
		return err
	}
	return s.writeList(w, req, p, next)
}

// readList returns the page that a request's list options ask for, and the continue
// token for the page after it.
func (s *Server) readList(req *request) (p object.Page, next string, err error) {
	o, err := query.ParseList(req.typ, req.query)
	if err != nil {
		return p, "", err
	}
	sel := req.selection(o.Labels, o.Fields)
	plan, err := o.Plan(sel.Prefix())
	if err != nil {
		return p, "", err
	}
	if err := s.reach(req, plan.Version); err != nil {
		return p, "", err
	}
	if p, err = req.collection.Page(plan, sel); err != nil {
		return p, "", err
	}
	if p.Next != "" {
		next = query.ContinueAfter(int64(p.Version), sel.Prefix(), p.Next)
	}
	return p, next, nil
}

// writeList answers with a page in the form that the client wants. The documents' bytes
// go to the client as they are stored, through a buffer of fixed size, so that the
// answer needs no more memory for a longer list. Tables and indented JSON, which are for
// people, are built in memory first.
func (s *Server) writeList(w http.ResponseWriter, req *request, p object.Page, next string) error {
	if err := req.form.Fits(true); err != nil {
		return err
	}
	if req.form.IsTable() || wire.IsPretty(req.http) {
		var b bytes.Buffer
		req.form.List(&b, p, next)
		wire.Answer(w, req.http, http.StatusOK, bytes.TrimSuffix(b.Bytes(), []byte("\n")))
		return nil
	}
	wire.Stream(w, req.http, p.Size(), func(out *bufio.Writer) { req.form.List(out, p, next) })
	return nil
}

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
