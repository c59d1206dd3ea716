package fakeapi

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const acceptDiscovery = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"

// There is no aggregated discovery: clients that prefer it fall back to the plain
// documents, as they do with servers older than 1.26.
func TestDiscoveryIsPlainJSON(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		for _, c := range []struct {
			promise, accept string
			code            int
		}{
			{"no header is the plain document", "", 200},
			{"JSON is the plain document", "application/json", 200},
			{"a client that prefers the aggregated document gets the plain one",
				acceptDiscovery + ",application/json", 200},
			{"406 for a client that takes nothing else", acceptDiscovery, 406},
			{"protobuf is not offered", acceptProtobuf, 406},
			{"a table is not offered", acceptTable, 406},
		} {
			for _, path := range []string{"/api", "/apis", "/api/v1", "/apis/apps", "/version"} {
				resp, _ := send(t, s, "GET", path, "", "Accept", c.accept)
				assert.Equal(t, c.code, resp.StatusCode, "%s: %s", path, c.promise)
				assert.Equal(t, "application/json", resp.Header.Get("Content-Type"), c.promise)
			}
		}
	})
}

func TestDiscoveryDocuments(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		for _, c := range []struct {
			path string
			code int
			want string // the beginning
		}{
			{"/api", 200, `{"kind":"APIVersions","serverAddressByClientCIDRs":[{"clientCIDR":"0.0.0.0/0",` +
				`"serverAddress":"fakeapi"}],"versions":["v1"]}`},
			{"/apis", 200, `{"apiVersion":"v1","groups":[{"name":"apps","preferredVersion":` +
				`{"groupVersion":"apps/v1","version":"v1"},"versions":[{"groupVersion":"apps/v1",` +
				`"version":"v1"}]},{`},
			{"/apis/workshop.example.dev", 200, `{"apiVersion":"v1","kind":"APIGroup",` +
				`"name":"workshop.example.dev","preferredVersion":{"groupVersion":` +
				`"workshop.example.dev/v1","version":"v1"},"versions":[{`},
			{"/apis/workshop.example.dev/v1", 200, `{"apiVersion":"v1",` +
				`"groupVersion":"workshop.example.dev/v1","kind":"APIResourceList","resources":[` +
				`{"kind":"Widget","name":"widgets","namespaced":true,"shortNames":["wd"],` +
				`"singularName":"widget","storageVersionHash":"oeAwr4U/kbw=","verbs":["delete","deletecollection","get","list","patch",` +
				`"create","update","watch"]},{"kind":"Widget","name":"widgets/status",` +
				`"namespaced":true,"singularName":"","verbs":["get","patch","update"]}]}`},
			{"/api/v1", 200, `{"apiVersion":"v1","groupVersion":"v1","kind":"APIResourceList",` +
				`"resources":[{"categories":["all"],"kind":"Pod","name":"pods","namespaced":true,` +
				`"shortNames":["po"],"singularName":"pod","storageVersionHash":"xPOwRZ+Yhw8=","verbs":["create","delete",` +
				`"deletecollection","get","list","patch","update","watch"]},`},
			{"POST /api", 405, `{"kind":"Status"`},
			{"POST /openapi/v3", 200, `{"paths":{`},
			{"/version", 200, "{\n  \"buildDate\": \"1970-01-01T00:00:00Z\",\n  \"compiler\": "},
			{"/", 200, "{\n  \"paths\": [\n    \"/api\",\n    \"/api/v1\",\n    \"/apis\",\n"},
			{"/nope", 404, "{\n  \"paths\": [\n"},
			{"/api/v9", 404, "{\n  \"paths\": [\n"},
			{"/livez/nope", 404, "{\n  \"paths\": [\n"},
			{"/openapi/v2", 404, "{\n  \"paths\": [\n"},
			{"/openapi", 404, "{\n  \"paths\": [\n"},
			{"/openapi/v3/apis/nope/v1", 404, "{\n  \"paths\": [\n"},
			{"/apis/nope", 404, "404 page not found\n"},
			{"/apis/apps/v9", 404, "404 page not found\n"},
		} {
			method, path, ok := strings.Cut(c.path, " ")
			if !ok {
				method, path = "GET", c.path
			}
			resp, body := send(t, s, method, path, "")
			assert.Equal(t, c.code, resp.StatusCode, c.path)
			assert.True(t, strings.HasPrefix(body, c.want), "%s: %s", c.path, body)
		}
	})
}

func TestEveryPathThatIsListedIsThere(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		_, body := send(t, s, "GET", "/", "")
		var doc struct{ Paths []string }
		require.NoError(t, json.Unmarshal([]byte(body), &doc))
		assert.True(t, slices.IsSorted(doc.Paths))
		assert.Contains(t, doc.Paths, "/apis/workshop.example.dev/v1")
		for _, path := range doc.Paths {
			resp, _ := send(t, s, "GET", path, "")
			assert.Equal(t, http.StatusOK, resp.StatusCode, path)
		}
	})
}

func TestDocumentsAreTagged(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		resp, before := send(t, s, "GET", "/openapi/v3", "")
		tag := resp.Header.Get("Etag")
		resp, body := send(t, s, "GET", "/openapi/v3", "", "If-None-Match", tag)
		assert.Equal(t, http.StatusNotModified, resp.StatusCode, "the client has this document")
		assert.Empty(t, body)
		_, err := s.Create("customresourcedefinitions", `{"metadata":{"name":"as.new.example.dev"},
			"spec":{"group":"new.example.dev","scope":"Cluster","names":{"plural":"as","kind":"A"},
			"versions":[{"name":"v1","served":true,"storage":true,
			"schema":{"openAPIV3Schema":{"type":"object"}}}]}}`)
		require.NoError(t, err)
		resp, body = send(t, s, "GET", "/openapi/v3", "", "If-None-Match", tag)
		assert.Equal(t, http.StatusOK, resp.StatusCode)
		assert.NotEqual(t, before, body, "a definition adds a document")
	})
}

func TestAnAnswerHasTheAuditIDOfItsRequest(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		resp, _ := send(t, s, "GET", "/api", "", "Audit-ID", "mine")
		assert.Equal(t, "mine", resp.Header.Get("Audit-Id"))
		resp, _ = send(t, s, "GET", "/api", "")
		assert.Len(t, resp.Header.Get("Audit-Id"), 36, "one of its own")
	})
}

func TestProbes(t *testing.T) {
	bubble(t, Options{Token: "secret"}, func(t *testing.T, s *Server) {
		for _, c := range []struct{ promise, path, want string }{
			{"healthy", "/healthz", "ok"},
			{"alive", "/livez", "ok"},
			{"ready", "/readyz", "ok"},
			{"one check", "/livez/ping", "ok"},
		} {
			resp, body := send(t, s, "GET", c.path, "")
			assert.Equal(t, http.StatusOK, resp.StatusCode, "%s: probes need no token", c.promise)
			assert.Equal(t, "text/plain; charset=utf-8", resp.Header.Get("Content-Type"), c.promise)
			assert.Equal(t, c.want, body, c.promise)
		}
		resp, _ := send(t, s, "GET", "/version", "")
		assert.Equal(t, http.StatusUnauthorized, resp.StatusCode, "all other paths need the token")
	})
}
