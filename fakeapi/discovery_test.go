package fakeapi

import (
	"encoding/json"
	"net/http"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/fakeapi/patch"
)

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

// Clients keep documents, and ask whether there is a new one.
func TestDocumentsAreTagged(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		const all, one = "/openapi/v3", "/openapi/v3/apis/example.dev/v1"
		tags := map[string]string{}
		assertNew := func(law string, want bool, paths ...string) {
			for _, path := range paths {
				resp, body := send(t, s, "GET", path, "", "If-None-Match", tags[path])
				assert.Equal(t, want, resp.StatusCode == http.StatusOK, "%s: %s", law, path)
				assert.Equal(t, want, resp.StatusCode != http.StatusNotModified, "%s: %s", law, path)
				assert.Equal(t, want, body != "", "%s: %s", law, path)
				tags[path] = resp.Header.Get("Etag")
			}
		}
		assertNew("the first", true, all)
		send(t, s, "POST", definitions, levers(nil))
		assertNew("a definition adds a document", true, all, one)
		assertNew("the client has this document", false, all, one)
		send(t, s, "PATCH", definitions+"/levers.example.dev", `[{"op":"add","path":"/spec/versions/0`+
			`/schema/openAPIV3Schema/description","value":"x"}]`, "Content-Type", patch.MediaJSON)
		assertNew("a changed definition changes it", true, all, one)
	})
}
