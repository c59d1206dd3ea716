package fakeapi

import (
	"net/http"

	"example.com/watchglass/fakeapi/query"
	"example.com/watchglass/fakeapi/registry"
	"example.com/watchglass/fakeapi/status"
	"example.com/watchglass/fakeapi/wire"
)

// delete answers DELETE of one object.
func (s *Server) delete(w http.ResponseWriter, req *request) error {
	o, err := s.deleteOptions(w, req)
	if err != nil {
		return err
	}
	what := registry.Removal{Namespace: req.namespace, Name: req.name, Delete: o}
	d, gone, err := req.collection.Remove(req.http.Context(), what)
	switch {
	case err != nil:
		return err
	case gone && !req.typ.IsPod():
		wire.Answer(w, req.http, http.StatusOK, status.Deleted(req.typ.About(d.Name), d.UID).Encode())
		return nil
	}
	return s.answerObject(w, req, http.StatusOK, d)
}

// deleteOptions reads them from the body or, if there is none, from the query.
func (s *Server) deleteOptions(w http.ResponseWriter, req *request) (o query.Delete, err error) {
	body, err := wire.ReadBody(w, req.http, s.opts.MaxBody)
	if err == nil && len(body) > 0 {
		_, err = wire.MediaType(req.http, wire.JSON)
	}
	if err != nil {
		return o, err
	}
	return query.ParseDelete(req.query, body)
}

// deleteCollection answers DELETE of a collection: it deletes what a list with
// the same parameters shows, one object after the other, and answers that list.
func (s *Server) deleteCollection(w http.ResponseWriter, req *request) error {
	p, next, err := s.readList(req)
	if err != nil {
		return err
	}
	o, err := s.deleteOptions(w, req)
	if err != nil {
		return err
	}
	for _, d := range p.Docs {
		what := registry.Removal{Namespace: d.Namespace, Name: d.Name, Delete: o}
		_, _, err := req.collection.Remove(req.http.Context(), what)
		if err != nil && status.Of(err).Code != http.StatusNotFound {
			return err
		}
	}
	return s.writeList(w, req, p, next)
}
