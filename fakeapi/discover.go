package fakeapi

import (
	"net/http"
	"slices"
	"strings"

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
	if parts[0] == "openapi" {
		return answerOpenAPI(w, r, documents, strings.Join(parts[1:], "/"))
	}
	doc := documents.At(parts, r.Host)
	switch {
	case doc == nil:
		return false
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		wire.Fail(w, r, status.MethodNotAllowed())
	case !wire.TakesPlainJSON(r):
		wire.Fail(w, r, status.NotAcceptable())
	case parts[0] == "version": // indented for all clients
		wire.AnswerIndented(w, r, http.StatusOK, object.JSON(doc))
	default:
		wire.Answer(w, r, http.StatusOK, object.JSON(doc))
	}
	return true
}

// answerOpenAPI answers with an OpenAPI document. It returns false if there is none at the path.
// The answer has an ETag, because clients cache these documents; a client that already has the
// same one gets 304 and no body.
func answerOpenAPI(w http.ResponseWriter, r *http.Request, documents discovery.Documents,
	path string) bool {
	var doc any
	if path == "v3" {
		doc = documents.OpenAPIIndex()
	} else if path, ok := strings.CutPrefix(path, "v3/"); ok {
		doc = documents.OpenAPI(path)
	}
	if doc == nil {
		return false
	}
	b := object.JSON(doc)
	tag := `"` + discovery.Hash(b) + `"`
	w.Header().Set("Etag", tag)
	if r.Header.Get("If-None-Match") == tag {
		w.WriteHeader(http.StatusNotModified)
		return true
	}
	wire.Answer(w, r, http.StatusOK, b)
	return true
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
