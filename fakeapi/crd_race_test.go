package fakeapi

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/fakeapi/patch"
)

// Definitions are created, changed and deleted while requests for their objects are in
// flight. No request may see half of a change, and at the end no object is left.
func TestDefinitionsChangeUnderRequests(t *testing.T) {
	t.Parallel()
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		var all sync.WaitGroup
		const rounds = 40
		for n := range 3 {
			all.Go(func() {
				for i := range rounds {
					name := fmt.Sprintf("web-%d-%d", n, i)
					resp, body := send(t, s, "POST", leversPath, lever(name, "red"))
					assert.Contains(t, []int{201, 403, 404}, resp.StatusCode, body)
					resp, body = send(t, s, "GET", leversPath+"?fieldSelector=spec.color%3Dred", "")
					assert.Contains(t, []int{200, 400, 404}, resp.StatusCode, body)
					send(t, s, "GET", "/openapi/v3/apis/example.dev/v1", "")
					send(t, s, "GET", "/apis/example.dev/v1", "")
					send(t, s, "GET", leversPath+"?watch=1&timeoutSeconds=1", "")
				}
			})
		}
		all.Go(func() {
			for i := range rounds {
				send(t, s, "POST", definitions, levers(nil))
				send(t, s, "PATCH", definitions+"/levers.example.dev", fmt.Sprintf(
					`{"spec":{"names":{"shortNames":["s%d"]}}}`, i), "Content-Type", patch.MediaMerge)
				send(t, s, "DELETE", definitions+"/levers.example.dev", "")
			}
		})
		all.Wait()
		resp, _ := send(t, s, "GET", leversPath, "")
		assert.Equal(t, 404, resp.StatusCode, "the last definition is deleted")
		send(t, s, "POST", definitions, levers(nil))
		_, body := send(t, s, "GET", leversPath, "")
		assert.Contains(t, body, `"items":[]`, "no object has outlived its definition")
	})
}

// The same for namespaces: no object outlives the namespace that it was created in.
func TestNamespacesAreDeletedUnderRequests(t *testing.T) {
	bubble(t, Options{RequireNamespaces: true}, func(t *testing.T, s *Server) {
		var all sync.WaitGroup
		const rounds = 60
		for n := range 3 {
			all.Go(func() {
				for i := range rounds {
					resp, body := send(t, s, "POST", "/api/v1/namespaces/shop/configmaps",
						fmt.Sprintf(`{"metadata":{"name":"a-%d-%d"}}`, n, i))
					assert.Contains(t, []int{201, 403, 404}, resp.StatusCode, body)
				}
			})
		}
		all.Go(func() {
			for range rounds {
				send(t, s, "POST", namespacesPath, `{"metadata":{"name":"shop"}}`)
				send(t, s, "DELETE", namespacesPath+"/shop", "")
			}
		})
		all.Wait()
		send(t, s, "DELETE", namespacesPath+"/shop", "")
		resp, _ := send(t, s, "GET", namespacesPath+"/shop", "")
		assert.Equal(t, 404, resp.StatusCode)
		_, body := send(t, s, "GET", "/api/v1/configmaps", "")
		assert.Contains(t, body, `"items":[]`, "nothing has outlived its namespace")
	})
}

// While one request empties a namespace, another removes the finalizer of an object that
// the first request has already passed. The namespace is removed nevertheless.
func TestASweepFindsObjectsReleasedBehindIt(t *testing.T) {
	t.Parallel()
	for range 10 {
		s := New(Options{})
		_, err := s.Create("namespaces", `{"metadata":{"name":"shop"}}`)
		require.NoError(t, err)
		_, err = s.Create("pods", `{"metadata":{"name":"web-1","namespace":"shop","finalizers":["a/b"]}}`)
		require.NoError(t, err)
		for i := range 300 {
			_, err = s.Create("secrets", fmt.Sprintf(`{"metadata":{"name":"s-%d","namespace":"shop"}}`, i))
			require.NoError(t, err)
		}
		var both sync.WaitGroup
		both.Go(func() { _ = s.Delete("namespaces", "", "shop") })
		both.Go(func() {
			for {
				pod, err := s.Get("pods", "shop", "web-1")
				if err != nil {
					return
				}
				if strings.Contains(string(pod), "deletionTimestamp") {
					_, _ = s.Patch("pods", "shop", "web-1", `{"metadata":{"finalizers":null}}`)
				}
			}
		})
		both.Wait()
		_, err = s.Get("namespaces", "", "shop")
		require.ErrorContains(t, err, "not found")
		s.Close()
	}
}
