package fakeapi

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/patch"
)

// filled takes all turns of a server's limiter until leave is called.
func filled(s *Server) (leave func()) {
	n := cap(s.limiter)
	for range n {
		s.limiter <- struct{}{}
	}
	return func() {
		for range n {
			<-s.limiter
		}
	}
}

func TestAtMostFourLargeRequestsComputeAtOnce(t *testing.T) {
	const one, json = widgetsPath + "/web-1", "application/json"
	pad := `,"spec":{"text":"` + repeat(300<<10, "x") + `"}`
	requests := []struct{ method, path, body, header, value string }{
		{"POST", widgetsPath, made("web-2", pad), "Content-Type", json},
		{"GET", one, "", "Accept", acceptTable},
		{"GET", widgetsPath, "", "Accept", acceptTable},
		{"GET", widgetsPath + "?watch=1&timeoutSeconds=1", "", "Accept", acceptTable},
		{"PATCH", one, `{"spec":{"color":"blue"}}`, "Content-Type", patch.MediaMerge},
		{"PUT", one, made(`web-1","resourceVersion":"4`, pad), "Content-Type", json},
		{"DELETE", widgetsPath, "", "Accept", json},
	}
	for _, r := range requests {
		t.Run(r.method+" "+r.path+" waits", func(t *testing.T) {
			bubble(t, Options{}, func(t *testing.T, s *Server) {
				must(s.Create("widgets", made("web-1", pad)))
				must(s.Patch("widgets", "default", "web-1", `{"spec":{"a":1}}`))
				must(s.Patch("widgets", "default", "web-1", `{"spec":{"a":2}}`))
				leave, begin := filled(s), time.Now()
				time.AfterFunc(time.Second, leave)
				resp, answer := send(t, s, r.method, r.path, r.body, r.header, r.value)
				assert.Less(t, resp.StatusCode, 300, "%.300s", answer)
				assert.GreaterOrEqual(t, time.Since(begin), time.Second)
				synctest.Wait()
				assert.Empty(t, s.limiter, "its turn has ended")
			})
		})
	}
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		defer filled(s)()
		begin := time.Now()
		resp, _ := send(t, s, "POST", widgetsPath, fullWidget("web-1"))
		assert.Equal(t, 201, resp.StatusCode)
		resp, _ = send(t, s, "GET", widgetsPath, "", "Accept", acceptTable)
		assert.Equal(t, 200, resp.StatusCode)
		assert.Zero(t, time.Since(begin), "small requests do not wait")

		resp, _ = send(t, s, "POST", widgetsPath+"?timeout=2s", made("web-2", pad))
		assert.Equal(t, 504, resp.StatusCode)
		assert.Equal(t, 2*time.Second, time.Since(begin), "a request that waits ends in time")
	})
}

// Fields that a definition makes selectable later are decoded from older objects.
func TestASelectorThatDecodesLargeObjectsTakesTurns(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		must(s.Create("customresourcedefinitions", levers(nil)))
		must(s.Create("levers", lever("web-1", repeat(300<<10, "x"))))
		must(s.Update("customresourcedefinitions", levers(func(d object.Tree) {
			version := object.At[[]any](d, ".spec.versions")[0].(object.Tree)
			version["selectableFields"] = []any{object.Tree{"jsonPath": ".spec.size"}}
		})))
		leave, begin := filled(s), time.Now()
		time.AfterFunc(time.Second, leave)
		resp, _ := send(t, s, "GET", leversPath+"?fieldSelector=spec.size%3D", "")
		require.Equal(t, 200, resp.StatusCode)
		assert.Equal(t, time.Second, time.Since(begin))
	})
}
