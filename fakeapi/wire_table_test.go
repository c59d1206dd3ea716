package fakeapi

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"example.com/watchglass/fakeapi/object"
)

func TestTheStatusOfANewObject(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		const body = `{"metadata":{"name":"a"},"status":{"phase":"mine"}}`
		for resource, want := range map[string]string{
			"widgets":    "",        // a controller sets it later
			"pods":       "Pending", // the server sets it
			"namespaces": "Active",  // the server sets it
			"nodes":      "mine",    // the kubelet that creates the node sets it
		} {
			doc := must(s.Create(resource, body))
			assert.Equal(t, want, object.TextAt(must(object.DecodeTree(doc)), ".status.phase"), resource)
		}
	})
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// Reads and writes, lists and watches are answered in the form that the client asks for.
func TestAnswersHaveTheFormAskedFor(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		resp, body := send(t, s, "POST", widgetsPath, fullWidget("web-1"), "Accept", acceptTable,
			"Content-Type", "application/json")
		assert.Equal(t, http.StatusCreated, resp.StatusCode)
		assert.Contains(t, body, `"rows":[{"cells":["web-1",`)
		old := strings.Replace(acceptTable, "v1", "v1beta1", 1)
		for _, c := range []struct{ path, accept, want string }{
			{widgetsPath, acceptTable, `{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":{`},
			{widgetsPath, old, `{"kind":"Table","apiVersion":"meta.k8s.io/v1beta1","metadata":{`},
			{widgetsPath, acceptMetaList, `{"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/v1",`},
			{widgetsPath + "/web-1", acceptMetadata, `{"kind":"PartialObjectMetadata",`},
			{widgetsPath + "?watch=1&timeoutSeconds=1", acceptMetadata + ",application/json",
				`{"type":"ADDED","object":{"kind":"PartialObjectMetadata",`},
			{widgetsPath + "?watch=1&timeoutSeconds=1", acceptTable, `{"type":"ADDED","object":{"kind":"Table",`},
		} {
			_, body := send(t, s, "GET", c.path, "", "Accept", c.accept)
			assert.True(t, strings.HasPrefix(body, c.want), "%s as %s: %s", c.path, c.accept, body)
		}
		_, plain := send(t, s, "GET", widgetsPath, "", "Accept", acceptTable)
		_, pretty := send(t, s, "GET", widgetsPath+"?pretty=1", "", "Accept", acceptTable)
		assert.JSONEq(t, plain, pretty)
		assert.True(t, strings.HasSuffix(pretty, "\n  ]\n}"), "indented, and without a newline")
		assert.True(t, json.Valid([]byte(plain)) && strings.HasSuffix(plain, "}\n"), "on one line")
		_, body = send(t, s, "DELETE", widgetsPath+"/web-1", "", "Accept", acceptTable)
		assert.Contains(t, body, `"status":"Success"`, "a Status is never a table")
	})
}
