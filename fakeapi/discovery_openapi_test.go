package fakeapi

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/fakeapi/discovery"
	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/patch"
)

// member returns the value below a path of keys. Unlike the keys of lookup, these may
// contain dots.
func member(t *testing.T, doc any, keys ...string) any {
	t.Helper()
	for _, key := range keys {
		o, ok := doc.(object.Tree)
		require.True(t, ok, "no object above %q", key)
		require.Contains(t, o, key)
		doc = o[key]
	}
	return doc
}

func getTree(t *testing.T, s *Server, path string) object.Tree {
	t.Helper()
	resp, body := send(t, s, "GET", path, "")
	require.Equal(t, http.StatusOK, resp.StatusCode, path)
	return must(object.DecodeTree([]byte(body)))
}

// A group may have hundreds of definitions. If the index made the group's document once
// for each of them, the work would grow with the square of their number.
func TestTheIndexMakesEachDocumentOnce(t *testing.T) {
	o := Options{}
	for i := range 100 {
		o.Resources = append(o.Resources, Resource{Group: "many.example.dev", Version: "v1",
			Plural: fmt.Sprint("things", i), Kind: fmt.Sprint("Thing", i)})
	}
	s := New(o)
	defer s.Close()
	documents := discovery.Of(s.registry.Catalog().Types())
	group := []string{"openapi", "v3", "apis", "many.example.dev", "v1"}
	one := allocatedBy(func() { object.JSON(documents.At(group, "")) })
	index := allocatedBy(func() { documents.At([]string{"openapi", "v3"}, "") })
	assert.Less(t, index, 2*one, "bytes allocated for an index with one document")
}

// kubectl finds the operation of a kind by the extension x-kubernetes-group-version-kind,
// and sees from the parameters whether the server validates fields.
func TestThereIsADocumentForEachGroupAndVersion(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		index := member(t, getTree(t, s, "/openapi/v3"), "paths").(object.Tree)
		assert.Len(t, index, 7)
		for path, entry := range index {
			url := member(t, entry, "serverRelativeURL").(string)
			assert.True(t, strings.HasPrefix(url, "/openapi/v3/"+path+"?hash="), url)
			doc := getTree(t, s, url)
			assert.Equal(t, "3.0.0", doc["openapi"])
		}
		doc := getTree(t, s, "/openapi/v3/apis/workshop.example.dev/v1")
		operation := member(t, doc, "paths",
			"/apis/workshop.example.dev/v1/namespaces/{namespace}/widgets/{name}", "patch")
		kind := object.Tree{"group": "workshop.example.dev", "version": "v1", "kind": "Widget"}
		assert.Equal(t, kind, member(t, operation, "x-kubernetes-group-version-kind"))
		assert.Contains(t, string(object.JSON(operation)), `"name":"fieldValidation"`)

		schema := member(t, doc, "components", "schemas", "dev.example.workshop.v1.Widget")
		assert.Equal(t, []any{kind}, member(t, schema, "x-kubernetes-group-version-kind"))
		assert.Equal(t, true, member(t, schema, "x-kubernetes-preserve-unknown-fields"),
			"fields of any name are fine")

		nodes := member(t, getTree(t, s, "/openapi/v3/api/v1"), "paths")
		assert.Contains(t, nodes, "/api/v1/nodes/{name}", "cluster-wide: no namespace in the path")
		assert.NotContains(t, string(object.JSON(nodes)), patch.MediaStrategic,
			"kubectl must not compute patches from schemas that do not say which lists are merged")
	})
}

func TestDocumentsAreTagged(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		for _, path := range []string{"/openapi/v3", "/openapi/v3/api/v1"} {
			resp, _ := send(t, s, "GET", path, "")
			resp, body := send(t, s, "GET", path, "", "If-None-Match", resp.Header.Get("Etag"))
			assert.Equal(t, http.StatusNotModified, resp.StatusCode,
				"%s: the client has this document", path)
			assert.Empty(t, body, path)
		}
	})
}
