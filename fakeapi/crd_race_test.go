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

// What holds objects is created, changed and deleted while requests for these objects are in
// flight. No request may see half of a change, and at the end no object is left.
func TestDefinitionsAndNamespacesChangeUnderRequests(t *testing.T) {
	const namespaces, rounds = "/api/v1/namespaces", 5
	bubble(t, Options{RequireNamespaces: true}, func(t *testing.T, s *Server) {
		var all sync.WaitGroup
		for n := range 3 {
			all.Go(func() {
				for i := range rounds {
					name := fmt.Sprintf("web-%d-%d", n, i)
					for path, body := range map[string]string{leversPath: lever(name, "red"),
						namespaces + "/shop/configmaps": `{"metadata":{"name":"` + name + `"}}`} {
						resp, body := send(t, s, "POST", path, body)
						assert.Contains(t, []int{201, 403, 404}, resp.StatusCode, body)
					}
					resp, body := send(t, s, "GET", leversPath+"?fieldSelector=spec.color%3Dred", "")
					assert.Contains(t, []int{200, 400, 404}, resp.StatusCode, body)
					send(t, s, "GET", "/openapi/v3/apis/example.dev/v1", "")
					send(t, s, "GET", "/apis/example.dev/v1", "")
					send(t, s, "GET", leversPath+"?watch=1&timeoutSeconds=1", "")
				}
			})
		}
		all.Go(func() {
			for i := range 2 * rounds {
				send(t, s, "POST", namespaces, `{"metadata":{"name":"shop"}}`)
				send(t, s, "POST", definitions, levers(nil))
				send(t, s, "PATCH", definitions+"/levers.example.dev", fmt.Sprintf(
					`{"spec":{"names":{"shortNames":["s%d"]}}}`, i), "Content-Type", patch.MediaMerge)
				send(t, s, "DELETE", definitions+"/levers.example.dev", "")
				send(t, s, "DELETE", namespaces+"/shop", "")
			}
		})
		all.Wait()
		play(t, s, `
			the last definition is deleted | GET /apis/example.dev/v1/levers | 404 +0 |
			the namespace, too | GET /api/v1/namespaces/shop | 404 +0 |
			nothing has outlived it | GET /api/v1/configmaps | 200 +0 | "items":[]
			it is defined again | POST $CRDS $LEVERS | 201 +1 |
			no object has outlived its definition | GET /apis/example.dev/v1/levers | 200 +0 | "items":[]`)
	})
}

// While one request empties a namespace, another removes the finalizer of an object that
// the first request has already passed. The namespace is removed nevertheless.
func TestASweepFindsObjectsReleasedBehindIt(t *testing.T) {
	for range 5 {
		s := New(Options{})
		must(s.Create("namespaces", `{"metadata":{"name":"shop"}}`))
		must(s.Create("pods", `{"metadata":{"name":"web-1","namespace":"shop","finalizers":["a/b"]}}`))
		for i := range 100 {
			must(s.Create("secrets", fmt.Sprintf(`{"metadata":{"name":"s-%d","namespace":"shop"}}`, i)))
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
		_, err := s.Get("namespaces", "", "shop")
		require.ErrorContains(t, err, "not found")
		s.Close()
	}
}
