package fakeapi

import (
	"net/http"
	"strings"
	"sync"

	"example.com/watchglass/fakeapi/discovery"
	"example.com/watchglass/fakeapi/registry"
	"example.com/watchglass/fakeapi/status"
	"example.com/watchglass/fakeapi/wire"
)

// documents are the discovery documents about the catalog that was asked for last.
type documents struct {
	mu      sync.Mutex
	catalog *registry.Catalog
	made    *discovery.Documents
}

// about returns the documents about what is served now.
func (d *documents) about(r *registry.Registry) *discovery.Documents {
	d.mu.Lock()
	defer d.mu.Unlock()
	if catalog := r.Catalog(); d.catalog != catalog {
		d.catalog, d.made = catalog, discovery.Of(catalog.Types(), wire.Probes...)
	}
	return d.made
}

// discover answers requests for the discovery and OpenAPI documents, and for unknown paths: with
// the list of all paths, as the root path does.
func (s *Server) discover(w http.ResponseWriter, r *http.Request, parts []string) {
	documents, path := s.documents.about(s.registry), strings.Join(parts, "/")
	doc, ok := documents.At(path)
	if path == "api" {
		doc.JSON, ok = documents.APIVersions(r.Host), true
	}
	switch {
	case !ok && parts[0] == "apis": // as the real server's handler for custom resources does
		http.NotFound(w, r)
	case !ok || path == "":
		code := http.StatusNotFound
		if r.URL.Path == "/" {
			code = http.StatusOK
		}
		paths, _ := documents.At("")
		wire.AnswerAs(w, r, code, true, paths.JSON)
	case parts[0] == "openapi": // any method; clients may accept only protobuf, and take JSON
		answerCached(w, r, doc)
	case !isRead(r.Method):
		wire.Fail(w, r, status.MethodNotAllowed())
	case !wire.TakesPlainJSON(r):
		wire.Fail(w, r, status.NotAcceptable())
	case path == "version": // indented for all clients
		wire.AnswerAs(w, r, http.StatusOK, true, doc.JSON)
	default:
		wire.Answer(w, r, http.StatusOK, doc.JSON)
	}
}

// answerCached answers with a document that clients cache. It has an ETag: a client that already
// has the same one gets 304 and no body.
func answerCached(w http.ResponseWriter, r *http.Request, doc discovery.Document) {
	tag := `"` + doc.Tag + `"`
	w.Header().Set("Etag", tag)
	if r.Header.Get("If-None-Match") == tag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	wire.Answer(w, r, http.StatusOK, doc.JSON)
}
