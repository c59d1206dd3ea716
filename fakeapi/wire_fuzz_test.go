package fakeapi

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/fakeapi/object"
)

// FuzzPath checks that for every path and query the answer is complete, that only DELETE may
// write, and that an object is shown only if the path has its name or its resource.
func FuzzPath(f *testing.F) {
	for _, p := range []string{"/", "//", "/api", widgetsPath + "/web-1", widgetsPath + "/..",
		"/apis/workshop.example.dev/v1/watch/widgets", "/api/v1/namespaces/default/status",
		"/apis/apps/v1/namespaces/x/deployments/y/scale", "/readyz/ping", "/\x00", "", "*"} {
		f.Add(p, "watch=1&limit=1", byte(0))
		f.Add(p, "resourceVersion=1&fieldSelector=metadata.name%3Dweb-1&pretty", byte(1))
	}
	f.Fuzz(func(t *testing.T, path, query string, method byte) {
		s := New(Options{})
		defer s.Close()
		create(t, s, "web-1", "red")
		verbs := []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "BREW"}
		verb := verbs[method%8]
		r := &http.Request{Method: verb, URL: &url.URL{Path: path, RawQuery: query},
			Header: http.Header{}, Body: http.NoBody, Proto: "HTTP/1.1"}
		// The client has disconnected already, so the server waits for nothing.
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r.WithContext(ctx))
		checkAnswer(t, w)
		if verb == "DELETE" {
			return
		}
		assert.Equal(t, "2", s.ResourceVersion(), "%s %q?%q wrote", verb, path, query)
		if strings.Contains(w.Body.String(), `"color":"red"`) {
			parts := segments(path)
			assert.True(t, slices.Contains(parts, "widgets") || slices.Contains(parts, "web-1"),
				"%q shows a widget", path)
		}
	})
}

// checkAnswer checks that an answer of the type JSON is JSON, and that the code in a Status is the
// answer's.
func checkAnswer(t *testing.T, w *httptest.ResponseRecorder) {
	t.Helper()
	if w.Header().Get("Content-Type") != "application/json" {
		return
	}
	d := json.NewDecoder(w.Body)
	for d.More() { // a watch is several documents
		var raw json.RawMessage
		require.NoError(t, d.Decode(&raw))
		var v Status
		if json.Unmarshal(raw, &v) == nil && v.Kind == "Status" && v.Code != 0 {
			assert.Equal(t, w.Code, v.Code)
		}
	}
}

// FuzzObject checks that an object is stored as the create answers it and can be listed, that
// sending it back changes nothing, and that a refusal has a reason.
func FuzzObject(f *testing.F) {
	for _, o := range []string{`{"metadata":{"name":"a"}}`, `{}`, `[]`, `{"metadata":null}`,
		`{"metadata":{"name":"a","labels":{"x":"y"},"finalizers":["f"],"ownerReferences":[{}]}}`,
		`{"metadata":{"generateName":"a-"},"spec":{"n":1.0,"m":1e3,"b":9007199254740993}}`,
		`{"metadata":{"name":"a","annotations":{"x":"<\u2028>"}},"spec":{"a":["\ud800",null,{}]}}`,
		`{"metadata":{"name":"a","deletionTimestamp":"2000-01-01T00:00:00Z","managedFields":[{}]}}`} {
		for kind := range byte(3) {
			f.Add(o, kind)
		}
	}
	types := []struct{ prefix, plural, apiVersion, kind string }{
		{"/apis/workshop.example.dev/v1/", "widgets", "workshop.example.dev/v1", "Widget"},
		{"/api/v1/", "pods", "v1", "Pod"},
		{"/api/v1/", "configmaps", "v1", "ConfigMap"},
	}
	f.Fuzz(func(t *testing.T, body string, kind byte) {
		s := New(Options{})
		defer s.Close()
		r := types[int(kind)%len(types)]
		collection := r.prefix + "namespaces/default/" + r.plural
		head := `{"apiVersion":"` + r.apiVersion + `","kind":"` + r.kind + `",`
		body = strings.Replace(body, "{", head, 1)
		body = strings.Replace(body, ",}", "}", 1)
		code, stored := exchange(s, "POST", collection, body, "")
		if code != 201 {
			assertReason(t, code, stored)
			assert.Equal(t, "1", s.ResourceVersion(), "a refused object is not written")
			return
		}
		var o struct{ Metadata struct{ Name string } }
		require.NoError(t, json.Unmarshal([]byte(stored), &o))
		path := collection + "/" + o.Metadata.Name
		_, shown := exchange(s, "GET", path, "", "")
		assert.Equal(t, stored, shown, "the create's answer is the stored object")
		_, listed := exchange(s, "GET", r.prefix+r.plural, "", "")
		assert.True(t, json.Valid([]byte(listed)), listed)
		code, again := exchange(s, "PUT", path, stored, "")
		assert.Equal(t, 200, code, again)
		assert.Equal(t, stored, again, "an object that is sent back is not changed")
		assert.Equal(t, "2", s.ResourceVersion(), "an object that is sent back is not written")
	})
}

// FuzzDefinition checks what nothing may break: each stored document can be decoded, fits the
// schema of its type and can be deleted, whatever a definition says, and whichever way the object
// is written.
func FuzzDefinition(f *testing.F) {
	for _, path := range []string{".spec.replicas", ".metadata.name", ".spec", ".spec..", "spec.a",
		".metadata.labels", ".kind", "." + repeat(20_000, "."), ".spec" + repeat(20_000, ".a")} {
		f.Add(path, ".status.n", path, `{"spec":{"replicas":3}}`, `{"status":{"n":1}}`, "scale")
		f.Add(".spec.n", path, ".spec.n", `{"spec":{"replicas":-1}}`, `{"metadata":{"labels":1}}`, "status")
	}
	f.Add(".spec.n", ".status.n", ".spec.a", `{"spec":{"replicas":2}}`, `[{"op":"copy","from":"/spec"}]`, "")
	f.Fuzz(func(t *testing.T, spec, status, column, first, second, subresource string) {
		if subresource != "" && subresource != "scale" && subresource != "status" {
			return
		}
		s := New(Options{})
		defer s.Close()
		exchange(s, "POST", definitions, levers(func(d object.Tree) {
			v := object.At[[]any](d, ".spec.versions")[0].(object.Tree)
			object.SetAt(v, ".subresources.scale.specReplicasPath", spec)
			object.SetAt(v, ".subresources.scale.statusReplicasPath", status)
			v["additionalPrinterColumns"] = []any{object.Tree{"name": "a", "type": "string",
				"jsonPath": column}}
		}), "application/json")
		exchange(s, "POST", leversPath, lever("web-1", "red"), "application/json")
		for _, body := range []string{first, second} {
			for _, media := range []string{object.MediaMergePatch, object.MediaJSONPatch} {
				exchange(s, "PATCH", leversPath+"/web-1/"+subresource, body, media)
			}
			exchange(s, "PUT", leversPath+"/web-1/"+subresource, body, "application/json")
		}
		assertSound(t, s)
	})
}

// assertSound checks all documents that the server has stored, and deletes them.
func assertSound(t *testing.T, s *Server) {
	t.Helper()
	for _, typ := range s.registry.Catalog().Types() {
		c := s.registry.Catalog().Named(typ.QualifiedName())
		if c == nil {
			continue // its definition has been deleted
		}
		for o := range c.Objects.Snapshot().All("", "") {
			d := o.(*object.Document)
			tree, _, err := object.Decode(typ, d.Raw, object.StrictFail)
			require.NoError(t, err, "%.200s", d.Raw)
			assert.Equal(t, d.Name, object.MetaOf(tree).Text("name"))
			err = s.Delete(typ.QualifiedName(), d.Namespace, d.Name)
			if refusal, ok := errors.AsType[*Status](err); ok && refusal.Code == 403 {
				continue // one of the namespaces that a server has from the start
			}
			require.NoError(t, err, "%.200s", d.Raw)
		}
	}
}

// exchange sends a request without a connection.
func exchange(s *Server, method, path, body, media string) (int, string) {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Header.Set("Content-Type", media)
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w.Code, w.Body.String()
}

// assertReason checks that a refusal is a Status that says why.
func assertReason(t *testing.T, code int, body string) {
	t.Helper()
	var s Status
	require.NoError(t, json.Unmarshal([]byte(body), &s), body)
	assert.Equal(t, code, s.Code)
	if code == 500 { // the real server, too, answers some errors of clients with 500
		assert.Regexp(t, "resourceVersion should not be set|request is too large|merge key|"+
			"list element types|patch type|order in patch|no elements|merging lists|expected a list",
			s.Message)
		return
	}
	assert.Contains(t, []int{400, 413, 422}, code, body)
	assert.NotEmpty(t, s.Reason)
}
