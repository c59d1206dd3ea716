package fakeapi

import (
	"net/http"
	"strings"

	"example.com/watchglass/fakeapi/encode"
	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/registry"
	"example.com/watchglass/fakeapi/status"
	"example.com/watchglass/fakeapi/wire"
)

// discovery has the documents about one catalog.
type discovery struct {
	of        *registry.Catalog
	documents *encode.Documents
}

// documentsOf returns the documents about a catalog. Those about the last one are kept: making them
// anew for each client would cost much for many definitions.
func (s *Server) documentsOf(c *registry.Catalog) *encode.Documents {
	d := s.discovery.Load()
	if d == nil || d.of != c {
		d = &discovery{c, encode.NewDocuments(c.Types())}
		s.discovery.Store(d)
	}
	return d.documents
}

// discover answers requests for the discovery and OpenAPI documents, and for unknown paths.
func (s *Server) discover(w http.ResponseWriter, r *http.Request, parts []string) {
	leave, err := s.places.Enter(r)
	if err != nil {
		wire.Fail(w, r, status.Of(err))
		return
	}
	defer leave()
	catalog := s.registry.Catalog()
	if c := catalog.Named(object.Definitions); c != nil { // whose schemas the answer keeps alive
		defer s.limitAnswer(w, c)()
	}
	document, ok := s.documentsOf(catalog).At(strings.Join(parts, "/"), r.Host)
	_, accepted := wire.Negotiate(r)
	switch {
	case !ok:
		http.NotFound(w, r)
	case !isRead(r.Method):
		wire.Fail(w, r, status.Failure(http.StatusMethodNotAllowed,
			"the server does not allow this method on the requested resource", nil))
	case !accepted && parts[0] != "openapi": // whose clients may accept only protobuf, and take JSON
		wire.Fail(w, r, status.NotAcceptable())
	default:
		wire.Answer(w, r, http.StatusOK, document...)
	}
}
