package fakeapi

import (
	"cmp"
	"context"
	"io"
	"log/slog"
	"net/http"
	"time"

	"example.com/watchglass/fakeapi/encode"
	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/registry"
	"example.com/watchglass/fakeapi/status"
	"example.com/watchglass/fakeapi/stream"
	"example.com/watchglass/fakeapi/wire"
)

// ServeHTTP answers one request, and blocks until the answer is complete: a watch may
// last for minutes. It lets the server stand behind any listener, mux or
// httptest.Server. After Close it answers 503.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !s.enter() {
		http.Error(w, "the server is closed", http.StatusServiceUnavailable)
		return
	}
	defer s.inFlight.Done()
	// A client may have given its request an identity that it looks for in logs.
	w.Header().Set("Audit-Id", cmp.Or(r.Header.Get("Audit-Id"), object.NewUID()))
	w.Header().Set("Cache-Control", "no-cache, private")
	if s.opts.Logger.Enabled(r.Context(), slog.LevelDebug) {
		s.opts.Logger.Debug("request", "method", r.Method, "url", r.URL.String())
	}

	// Requests that net/http has read have a body. One that a test has made may have none.
	r.Body = cmp.Or[io.ReadCloser](r.Body, http.NoBody)
	wire.LimitBody(w, r, time.Now().Add(wire.BodyTimeout))
	parts := segments(r.URL.Path)
	switch {
	case wire.IsProbe(parts[0]): // needs no token
		wire.Health(w)
	case s.opts.Token != "" && !wire.Authorized(r, s.opts.Token):
		wire.Fail(w, r, status.Failure(http.StatusUnauthorized, "Unauthorized", nil))
	case s.opts.Control && parts[0] == "fakeapi":
		s.control(w, r)
	default:
		s.serveResource(w, r, parts)
	}
}

// serveResource answers a request for objects, and leaves all others to discover.
func (s *Server) serveResource(w http.ResponseWriter, r *http.Request, parts []string) {
	l, ok := locate(parts)
	if !ok {
		s.discover(w, r, parts)
		return
	}
	req, refusal := s.resolve(l, r)
	if refusal != nil {
		wire.Fail(w, r, refusal)
		return
	}
	if s.opts.Trace.Request != nil {
		s.opts.Trace.Request(req.describe())
	}
	s.count(req.aim)
	err := s.interfere(w, req)
	if err == nil {
		err = s.perform(w, req)
	}
	if err != nil {
		wire.Fail(w, r, status.Of(err))
	}
}

// perform runs the verb. An error that it returns is still to be answered, as a Status;
// nil means that the request has been answered.
func (s *Server) perform(w http.ResponseWriter, req *request) error {
	if err := s.negotiate(req); err != nil {
		return err
	}
	limit := wire.RequestTimeout
	if req.verb != object.VerbWatch {
		var err error
		if limit, err = wire.Timeout(req.query); err != nil {
			return err
		}
		ctx, cancel := context.WithTimeout(req.http.Context(), limit)
		defer cancel()
		req.http = req.http.WithContext(ctx)
		leave, err := s.places.Enter(req.http)
		if err != nil {
			return err
		}
		defer leave()
	}
	wire.LimitBody(w, req.http, time.Now().Add(min(limit, wire.BodyTimeout)))
	if isRead(req.http.Method) {
		if err := wire.SkipBody(w, req.http); err != nil {
			return err
		}
	}
	return verbs[req.verb](s, w, req)
}

// limitAnswer limits how long a client may take to read an answer. Until it is sent, an answer
// keeps its objects alive, also those that are replaced or deleted meanwhile. If they become too
// many, it is broken off. done has to be called before the handler returns.
func (s *Server) limitAnswer(w http.ResponseWriter, c *registry.Collection) (done func()) {
	wire.LimitAnswer(w)
	d := stream.Deadline{Answer: http.NewResponseController(w)}
	unpin := c.Objects.Pin(func() { d.EndBy(time.Now()) })
	return func() {
		unpin()
		d.Close()
	}
}

// verbs has the function that serves each verb.
var verbs = map[string]func(*Server, http.ResponseWriter, *request) error{
	object.VerbGet:    answering(http.StatusOK, (*Server).get),
	object.VerbCreate: answering(http.StatusCreated, (*Server).create),
	object.VerbUpdate: answering(http.StatusOK, (*Server).change),
	object.VerbPatch:  answering(http.StatusOK, (*Server).change),
	object.VerbList:   (*Server).list, object.VerbWatch: (*Server).watch,
	object.VerbDelete: (*Server).delete, object.VerbDeleteCollection: (*Server).deleteCollection,
}

// answering returns what the server does for a verb whose answer is one object.
func answering(code int, object func(*Server, http.ResponseWriter, *request) (*object.Document,
	error)) func(*Server, http.ResponseWriter, *request) error {
	return func(s *Server, w http.ResponseWriter, req *request) error {
		d, err := object(s, w, req)
		if err == nil {
			s.answerObject(w, req, code, d)
		}
		return err
	}
}

// negotiate sets the form of the answer. It runs before anything else is done: the server
// must not make a write whose answer the client does not accept.
func (s *Server) negotiate(req *request) error {
	as, ok := wire.Negotiate(req.http)
	if !ok {
		return status.NotAcceptable()
	}
	req.encoder = encode.New(req.typ, as, req.query.Get("includeObject"), s.registry.Turns)
	switch req.verb {
	case object.VerbWatch:
		return req.encoder.CheckInclude()
	case object.VerbList, object.VerbDeleteCollection:
		return req.encoder.Fits(true)
	}
	if req.subresource == object.SubScale {
		return nil // a Scale has one form
	}
	return req.encoder.Fits(false)
}

// answerObject answers with an object as the client wants it, or with its scale.
func (s *Server) answerObject(w http.ResponseWriter, req *request, code int, d *object.Document) {
	defer s.limitAnswer(w, req.collection)()
	if req.subresource != object.SubScale {
		wire.Answer(w, req.http, code, req.encoder.Object(d, d.Version())...)
		return
	}
	var scale []byte
	s.registry.Turns.Decode(d, func(t object.Tree) { scale = object.JSON(scaleOf(req.typ, t)) })
	wire.Answer(w, req.http, code, scale)
}
