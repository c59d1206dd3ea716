package fakeapi

import (
	"io"
	"log"
	"log/slog"
	"mime"
	"net/http"
	"strconv"
	"strings"

	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/resource"
	"example.com/watchglass/fakeapi/status"
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
	w.Header().Set("Audit-Id", object.NewUID())
	w.Header().Set("Cache-Control", "no-cache, private")
	if s.opts.Logger.Enabled(r.Context(), slog.LevelDebug) {
		s.opts.Logger.Debug("request", "method", r.Method, "url", r.URL.String())
	}

	limitBody(w, r)
	probe := isProbe(r.URL.Path)
	if refusal := s.guard(r, probe); refusal != nil {
		refuse(w, refusal)
		return
	}
	parts := segments(r.URL.Path)
	switch {
	case probe:
		s.health(w)
	case s.control != nil && parts[0] == "fakeapi":
		s.control.ServeHTTP(w, r)
	case s.discover(w, r, parts):
	default:
		s.serveResource(w, r, parts)
	}
}

// noSuchPath answers a request for an unknown path. Below /apis the real server's handler
// for custom resources answers in plain text; elsewhere the answer is the list of paths.
func (s *Server) noSuchPath(w http.ResponseWriter, r *http.Request, parts []string) {
	if parts[0] == "apis" {
		http.NotFound(w, r)
		return
	}
	s.sendPaths(w, r, http.StatusNotFound)
}

// serveResource answers a request for objects.
func (s *Server) serveResource(w http.ResponseWriter, r *http.Request, parts []string) {
	l, ok := locate(parts)
	if !ok {
		s.noSuchPath(w, r, parts)
		return
	}
	q, refusal := s.resolve(l, r)
	switch {
	case refusal != nil:
		s.fail(w, r, refusal)
		return
	case q == nil:
		http.NotFound(w, r)
		return
	}
	if s.opts.Trace.Request != nil {
		s.opts.Trace.Request(q.describe())
	}
	delayBody(w, r)
	if s.interfere(w, q) {
		return
	}
	limitBody(w, r)
	if err := s.perform(w, q); err != nil {
		s.fail(w, r, status.Of(err))
	}
}

// perform runs the verb. An error that it returns is still to be answered, as a Status;
// nil means that the request has been answered.
func (s *Server) perform(w http.ResponseWriter, q *request) error {
	if err := q.negotiate(); err != nil {
		return err
	}
	if isRead(q.http.Method) {
		if err := s.skipBody(w, q); err != nil {
			return err
		}
	}
	if q.subresource == resource.SubScale {
		return s.scale(w, q)
	}
	switch q.verb {
	case resource.VerbGet:
		return s.get(w, q)
	case resource.VerbList:
		return s.list(w, q)
	case resource.VerbWatch:
		return s.watch(w, q)
	case resource.VerbCreate:
		return s.create(w, q)
	case resource.VerbUpdate, resource.VerbPatch:
		return s.change(w, q)
	case resource.VerbDelete:
		return s.delete(w, q)
	case resource.VerbDeleteCollection:
		return s.deleteCollection(w, q)
	}
	return status.MethodNotAllowed()
}

// fail answers with a Status.
func (s *Server) fail(w http.ResponseWriter, r *http.Request, why *status.Status) {
	if d := why.Details; d != nil && d.RetryAfterSeconds > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(d.RetryAfterSeconds))
	}
	if !takesPlainJSON(acceptOf(r)) { // not the form that was asked for: people will read it
		sendJSON(w, r, why.Code, indent(why.Encode()), "")
		return
	}
	s.answer(w, r, why.Code, why.Encode())
}

// answer writes a JSON document: on one line, or, for people, indented and without a
// newline at the end.
func (s *Server) answer(w http.ResponseWriter, r *http.Request, code int, doc []byte) {
	if isPretty(r) {
		sendJSON(w, r, code, indent(doc), "")
		return
	}
	sendJSON(w, r, code, doc, "\n")
}

// sendJSON writes doc and then last. A Content-Type that is set is kept.
func sendJSON(w http.ResponseWriter, r *http.Request, code int, doc []byte, last string) {
	if w.Header().Get("Content-Type") == "" {
		w.Header().Set("Content-Type", "application/json")
	}
	limitAnswer(w)
	out, end := compress(w, r, len(doc))
	w.WriteHeader(code)
	_, _ = out.Write(doc) // fails only if the client has disconnected
	_, _ = io.WriteString(out, last)
	end()
}

// answerObject writes one object in the form the client wants.
func (s *Server) answerObject(w http.ResponseWriter, q *request, code int,
	d *object.Document) error {
	if err := q.form.fits(q.r(), false); err != nil {
		return err
	}
	s.answer(w, q.http, code, q.form.object(q.r(), d))
	return nil
}

// body reads the request's body, whose type must be JSON.
func (s *Server) body(w http.ResponseWriter, q *request) ([]byte, error) {
	if err := checkMedia(q); err != nil {
		return nil, err
	}
	return s.readBody(w, q)
}

// checkMedia refuses a body that is not JSON. Without a Content-Type a body counts as
// JSON.
func checkMedia(q *request) error {
	ct := q.http.Header.Get("Content-Type")
	if ct == "" {
		return nil
	}
	if t, _, err := mime.ParseMediaType(ct); err != nil || t != "application/json" {
		return status.UnsupportedMediaType(ct, "application/json")
	}
	return nil
}

// isPretty reports whether the answer is indented JSON: if the request asks for it, or
// comes from curl, wget or a browser.
func isPretty(r *http.Request) bool {
	if v := r.URL.Query().Get("pretty"); v != "" {
		pretty, err := strconv.ParseBool(v)
		return pretty && err == nil
	}
	if wantsIndent(acceptOf(r)) {
		return true
	}
	agent := r.UserAgent()
	return strings.HasPrefix(agent, "curl") || strings.HasPrefix(agent, "Wget") ||
		strings.HasPrefix(agent, "Mozilla/5.0")
}

// errorLog makes net/http log through the server's logger.
func errorLog(l *slog.Logger) *log.Logger {
	return slog.NewLogLogger(l.Handler(), slog.LevelDebug)
}
