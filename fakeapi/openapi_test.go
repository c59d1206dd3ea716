package fakeapi

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// member follows keys, which unlike lookup's may have dots in them.
func member(t *testing.T, doc any, keys ...string) any {
	t.Helper()
	for _, key := range keys {
		o, ok := doc.(tree)
		require.True(t, ok, "no object above %q", key)
		require.Contains(t, o, key)
		doc = o[key]
	}
	return doc
}

func getTree(t *testing.T, s *Server, path string) tree {
	t.Helper()
	resp, body := send(t, s, "GET", path, "")
	require.Equal(t, http.StatusOK, resp.StatusCode, path)
	return must(decodeTree([]byte(body)))
}

// kubectl finds the operation of a kind by this extension, asks the parameters
// whether fields are checked by the server, and explains what the schema says.
func TestVersion3HasADocumentForEachGroupAndVersion(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		index := member(t, getTree(t, s, "/openapi/v3"), "paths").(tree)
		assert.Len(t, index, 8)
		for path, entry := range index {
			url := member(t, entry, "serverRelativeURL").(string)
			assert.True(t, strings.HasPrefix(url, "/openapi/v3/"+path+"?hash="), url)
			doc := getTree(t, s, url)
			assert.Equal(t, "3.0.0", doc["openapi"])
		}
		doc := getTree(t, s, "/openapi/v3/apis/workshop.example.dev/v1")
		patch := member(t, doc, "paths",
			"/apis/workshop.example.dev/v1/namespaces/{namespace}/widgets/{name}", "patch")
		kind := tree{"group": "workshop.example.dev", "version": "v1", "kind": "Widget"}
		assert.Equal(t, kind, member(t, patch, gvkExtension))
		assert.Contains(t, string(encodeJSON(patch)), `"name":"fieldValidation"`)

		schema := member(t, doc, "components", "schemas", "dev.example.workshop.v1.Widget")
		assert.Equal(t, []any{kind}, member(t, schema, gvkExtension))
		assert.Equal(t, true, member(t, schema, preserveUnknown), "whatever else there is is fine")
		assert.Equal(t, "string", member(t, schema, "properties", "spec", "properties", "color", "type"),
			"what a column or a selector names can be explained")
		assert.Contains(t, member(t, doc, "components", "schemas"), objectMetaSchema)

		nodes := member(t, getTree(t, s, "/openapi/v3/api/v1"), "paths")
		assert.Contains(t, nodes, "/api/v1/nodes/{name}", "cluster-wide: no namespace in the path")
		assert.NotContains(t, string(encodeJSON(nodes)), typeStrategic,
			"or kubectl computes patches by schemas that do not know which lists are merged")
	})
}

func TestReferencesLeadSomewhere(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		for _, r := range s.resources() {
			doc := s.openapiDocument(r.versionPath())
			text := string(encodeJSON(doc))
			for _, part := range strings.Split(text, `"$ref":"#/components/schemas/`)[1:] {
				name, _, _ := strings.Cut(part, `"`)
				assert.Contains(t, member(t, doc, "components", "schemas"), name)
			}
		}
	})
}

func TestVersion2IsForOldKubectls(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		for _, c := range []struct {
			promise, accept string
			code            int
			contentType     string
		}{
			{"JSON for who does not say", "", 200, "application/json"},
			{"protobuf", "application/" + protoV2[1], 200, "application/" + protoV2[1]},
			{"protobuf by its old name, answered by the one that can be parsed",
				"application/" + protoV2[0], 200, "application/" + protoV2[1]},
			{"nothing else", "text/html", 406, ""},
		} {
			resp, _ := send(t, s, "GET", "/openapi/v2", "", "Accept", c.accept)
			assert.Equal(t, c.code, resp.StatusCode, c.promise)
			assert.Equal(t, c.contentType, resp.Header.Get("Content-Type"), c.promise)
		}
		doc := getTree(t, s, "/openapi/v2")
		definitions := member(t, doc, "definitions").(tree)
		assert.Len(t, definitions, 1, "none for built-in types: kubectl knows those better")
		widget := member(t, definitions, "dev.example.workshop.v1.Widget")
		assert.NotContains(t, widget, "properties", "or kubectl refuses all others")
		dryRun := member(t, doc, "paths", "/api/v1/namespaces/{namespace}/pods/{name}", "patch",
			"parameters")
		assert.Contains(t, string(encodeJSON(dryRun)), `"name":"dryRun"`)
	})
}

// A protoField is a decoded field of a message.
type protoField struct {
	number int
	value  []byte
}

// readProto decodes a message as far as this package encodes any.
func readProto(t *testing.T, m []byte) (fields []protoField) {
	t.Helper()
	varint := func() (n int) {
		for shift := 0; ; shift += 7 {
			require.NotEmpty(t, m)
			b := m[0]
			m = m[1:]
			n |= int(b&0x7f) << shift
			if b < 0x80 {
				return n
			}
		}
	}
	for len(m) > 0 {
		tag := varint()
		require.Equal(t, 2, tag&7, "wire type")
		length := varint()
		require.LessOrEqual(t, length, len(m))
		fields = append(fields, protoField{tag >> 3, m[:length]})
		m = m[length:]
	}
	return fields
}

// dig is the text of the first field at a path of numbers.
func dig(t *testing.T, m []byte, numbers ...int) string {
	t.Helper()
	for _, n := range numbers {
		found := false
		for _, f := range readProto(t, m) {
			if f.number == n {
				m, found = f.value, true
				break
			}
		}
		require.True(t, found, "field %d", n)
	}
	return string(m)
}

func TestProtobufSaysTheSame(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		m := []byte(s.swaggerProto())
		assert.Equal(t, "2.0", dig(t, m, 1), "swagger")
		assert.Equal(t, release, dig(t, m, 2, 2), "info.version")
		const patch = 8
		assert.Equal(t, "/api/v1/namespaces/{namespace}/pods/{name}", dig(t, m, 8, 2, 1), "a path")
		assert.Equal(t, "dryRun", dig(t, m, 8, 2, 2, patch, 8, 1, 2, 3, 4), "its first parameter")
		assert.Equal(t, gvkExtension, dig(t, m, 8, 2, 2, patch, 13, 1))
		var kind groupVersionKind
		require.NoError(t, json.Unmarshal([]byte(dig(t, m, 8, 2, 2, patch, 13, 2, 2)), &kind))
		assert.Equal(t, groupVersionKind{"", "v1", "Pod"}, kind)
		assert.Equal(t, "dev.example.workshop.v1.Widget", dig(t, m, 9, 1, 1), "the only definition")
		assert.Equal(t, "object", dig(t, m, 9, 1, 2, 22, 1))
		assert.Equal(t, gvkExtension, dig(t, m, 9, 1, 2, 31, 1))
	})
}
