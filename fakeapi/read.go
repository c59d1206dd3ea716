package fakeapi

import (
	"io"
	"net/http"
	"time"

	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/registry"
	"example.com/watchglass/fakeapi/status"
	"example.com/watchglass/fakeapi/stream"
	"example.com/watchglass/fakeapi/wire"
)

// get carries out GET of one object.
func (s *Server) get(_ http.ResponseWriter, req *request) (*object.Document, error) {
	text := req.query.Get("resourceVersion")
	version, err := registry.ParseVersion(text)
	if err != nil {
		return nil, status.InternalError("resourceVersion: Invalid value: %s: %v", status.Show(text), err)
	}
	if err := s.reach(req, version); err != nil {
		return nil, err
	}
	if d := req.collection.Get(object.Key(req.namespace, req.name)); d != nil {
		return d, nil
	}
	return nil, status.NotFound(req.typ.About(req.name))
}

// reach waits until the store has reached a version. It returns a *status.Status if that
// takes longer than stream.Patience, and the context's error if the client disconnects.
func (s *Server) reach(req *request, version uint64) error {
	return object.Refusal(s.store.Wait(req.http.Context(), version, stream.Patience))
}

// list answers GET of a collection.
func (s *Server) list(w http.ResponseWriter, req *request) error {
	defer s.limitAnswer(w, req.collection)()
	p, next, err := s.readList(req)
	if err != nil {
		return err
	}
	return writeList(w, req, p, next)
}

// writeList answers with a page in the form that the client wants. It goes to the client object
// by object, through a buffer of fixed size: a longer list needs no more memory.
func writeList(w http.ResponseWriter, req *request, p object.Page, next string) error {
	wire.Stream(w, req.http, http.StatusOK,
		func(out io.Writer) { req.encoder.List(out, p, next) })
	return nil
}

// readList returns the page that a request's list options ask for, and the continue
// token for the page after it.
func (s *Server) readList(req *request) (p object.Page, next string, err error) {
	var o registry.ListOptions
	err = s.parse(req, func() (err error) {
		o, err = registry.ParseListOptions(req.typ, req.query)
		return err
	})
	if err != nil {
		return p, "", err
	}
	sel := s.selection(req, o.Labels, o.Fields)
	plan, err := o.Plan(sel.Prefix())
	if err != nil {
		return p, "", err
	}
	if err := s.reach(req, plan.Version); err != nil {
		return p, "", err
	}
	return req.collection.Page(plan, sel)
}

// watch answers a watch: headers immediately, then frames until something ends it. It returns an
// error only before the headers are sent; later errors are sent as ERROR frames.
func (s *Server) watch(w http.ResponseWriter, req *request) error {
	var o registry.WatchOptions
	err := s.parse(req, func() (err error) {
		o, err = registry.ParseWatchOptions(req.typ, req.query)
		return err
	})
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

// watchTimeout is how long a watch without timeoutSeconds lasts: the shortest time that a real
// server would choose.
const watchTimeout = 30 * time.Minute

// watchOf returns the watch that a request asks for.
func (s *Server) watchOf(req *request, o *registry.WatchOptions) stream.Watch {
	watch := stream.Watch{Collection: req.collection.Objects, Version: o.Version, Initial: o.Initial,
		Marked: o.Marked, Timeout: orDefault(o.Timeout, watchTimeout), Grace: watchGrace,
		Frames: req.encoder.Frames(s.selection(req, o.Labels, o.Fields)),
		Ends: []stream.End{{Context: s.dropping(), Reason: EndDropped}, {Context: req.collection.Changed,
			Reason: EndChanged}, {Context: s.closing, Reason: EndShutdown}},
		Sink: func(to stream.Sink) stream.Sink { // in which faults take effect
			return newFaultSink(to, func(m faultMoment) *faultHit { return s.trigger(req, m) },
				func() { s.pause(req.http.Context(), nil, nil) })
		}}
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
