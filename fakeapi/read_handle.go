package fakeapi

import (
	"net/http"

	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/query"
	"example.com/watchglass/fakeapi/status"
	"example.com/watchglass/fakeapi/stream"
)

// get answers GET of one object.
func (s *Server) get(w http.ResponseWriter, q *request) error {
	if query.Flag(q.query, "export") {
		return status.BadRequest("the export parameter, deprecated since v1.14, is no longer supported")
	}
	text := q.query.Get("resourceVersion")
	version, err := query.ParseVersion(text)
	if err != nil {
		return status.InternalError("resourceVersion: Invalid value: %s: %v", status.Show(text), err)
	}
	if err := s.reach(q, version); err != nil {
		return err
	}
	d := q.c.Get(object.Key(q.namespace, q.name))
	if d == nil {
		return status.NotFound(q.r().About(q.name))
	}
	return s.answerObject(w, q, http.StatusOK, d)
}

// reach waits until the store has reached a version. It returns a *status.Status if that
// takes longer than stream.Patience, and the context's error if the client disconnects.
func (s *Server) reach(q *request, version uint64) error {
	return object.Refusal(s.store.Wait(q.http.Context(), version, stream.Patience))
}

// list answers GET of a collection.
func (s *Server) list(w http.ResponseWriter, q *request) error {
	p, next, err := s.readList(q)
	if err != nil {
		return err
	}
	return s.writeList(w, q, p, next)
}

// readList returns the page that a request's list options ask for, and the continue
// token for the page after it.
func (s *Server) readList(q *request) (p object.Page, next string, err error) {
	o, err := query.ParseList(q.r(), q.query)
	if err != nil {
		return p, "", err
	}
	sel := q.selection(o.Labels, o.Fields)
	plan, err := o.Plan(sel.Prefix())
	if err != nil {
		return p, "", err
	}
	if err := s.reach(q, plan.Version); err != nil {
		return p, "", err
	}
	if p, err = q.c.Page(plan, sel); err != nil {
		return p, "", err
	}
	if p.Next != "" {
		next = query.ContinueAfter(int64(p.Version), sel.Prefix(), p.Next)
	}
	return p, next, nil
}
