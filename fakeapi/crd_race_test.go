package fakeapi

import (
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Definitions come, change and go while requests for their objects are in flight. No
// request may meet half of a change; and when all is over, nothing is left over.
func TestDefinitionsChangeUnderRequests(t *testing.T) {
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
					`{"spec":{"names":{"shortNames":["s%d"]}}}`, i), "Content-Type", typeMergePatch)
				send(t, s, "DELETE", definitions+"/levers.example.dev", "")
			}
		})
		all.Wait()
		resp, _ := send(t, s, "GET", leversPath, "")
		assert.Equal(t, 404, resp.StatusCode, "the last definition is gone")
		send(t, s, "POST", definitions, levers(nil))
		_, body := send(t, s, "GET", leversPath, "")
		assert.Contains(t, body, `"items":[]`, "no object has outlived its definition")
	})
}

// The same for namespaces: whatever was created in one is gone with it.
func TestNamespacesGoUnderRequests(t *testing.T) {
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
