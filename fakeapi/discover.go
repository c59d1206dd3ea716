package fakeapi

import (
	"net/http"
	"slices"

	"example.com/watchglass/fakeapi/discovery"
	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/status"
	"example.com/watchglass/fakeapi/wire"
)

// discover answers requests for the discovery and OpenAPI documents. It returns false
// for all other paths.
func (s *Server) discover(w http.ResponseWriter, r *http.Request, parts []string) bool {
	documents := discovery.Of(s.registry.Catalog().Types())
	if r.URL.Path == "/" {
		s.sendPaths(w, r, http.StatusOK)
		return true
	}
	doc := documents.At(parts, r.Host)
	switch {
	case doc == nil:
		return false
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		wire.Fail(w, r, status.MethodNotAllowed())
	case parts[0] == "openapi": // clients may accept only protobuf, and take JSON
		answerCached(w, r, object.JSON(doc))
	case !wire.TakesPlainJSON(r):
		wire.Fail(w, r, status.NotAcceptable())
	case parts[0] == "version": // indented for all clients
		wire.AnswerIndented(w, r, http.StatusOK, object.JSON(doc))
	default:
		wire.Answer(w, r, http.StatusOK, object.JSON(doc))
	}
	return true
}

// answerCached answers with a document that clients cache. It has an ETag: a client that already
// has the same one gets 304 and no body.
func answerCached(w http.ResponseWriter, r *http.Request, doc []byte) {
	tag := `"` + discovery.Hash(doc) + `"`
	w.Header().Set("Etag", tag)
	if r.Header.Get("If-None-Match") == tag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	wire.Answer(w, r, http.StatusOK, doc)
}

// sendPaths answers with the list of all paths. A request for an unknown path gets
// the same list, with code 404.
func (s *Server) sendPaths(w http.ResponseWriter, r *http.Request, code int) {
	paths := append([]string{"/api", "/apis", "/apis/", "/openapi/v3", "/openapi/v3/",
		"/version"}, wire.Probes...)
	paths = append(paths, discovery.Of(s.registry.Catalog().Types()).Paths()...)
	slices.Sort(paths)
	wire.AnswerIndented(w, r, code, object.JSON(map[string]any{"paths": slices.Compact(paths)}))
}
