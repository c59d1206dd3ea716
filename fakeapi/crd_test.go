package fakeapi

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/fakeapi/object"
)

const (
	definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
	leversPath  = "/apis/example.dev/v1/namespaces/default/levers"
)

// leversJSON is a definition.
//
//go:embed testdata/levers.json
var leversJSON []byte

// levers returns that definition. change, if not nil, alters it before it is encoded.
func levers(change func(d object.Tree)) string {
	d := must(object.DecodeTree(leversJSON))
	if change != nil {
		change(d)
	}
	return string(object.JSON(d))
}

func lever(name, color string) string {
	return fmt.Sprintf(`{"apiVersion":"example.dev/v1","kind":"Lever","metadata":{"name":%q},`+
		`"spec":{"color":%q}}`, name, color)
}

// A watch shows the resource as it was defined when the watch was opened. After a change
// of the definition the client has to open a new one.
func TestAChangedDefinitionEndsTheWatchesOfItsObjects(t *testing.T) {
	for _, c := range []struct {
		law, method, patch string
		want               EndReason
	}{
		{"categories are changed", "PATCH", `{"spec":{"names":{"categories":["some"]}}}`, EndChanged},
		{"a label is changed", "PATCH", `{"metadata":{"labels":{"a":"b"}}}`, EndTimeout},
		{"the definition is deleted", "DELETE", "", EndChanged},
	} {
		var ended EndReason
		o := Options{Trace: &Trace{WatchEnded: func(_ Request, why EndReason) { ended = why }}}
		bubble(t, o, func(t *testing.T, s *Server) {
			must(s.Create("customresourcedefinitions", levers(nil)))
			must(s.Create("levers", lever("web-1", "red")))
			other, frames := open(t, s, ""), make(chan string, 1)
			go func() {
				_, body := send(t, s, "GET", leversPath+"?watch=1&timeoutSeconds=5", "")
				frames <- body
			}()
			settled()
			send(t, s, c.method, definitions+"/levers.example.dev", c.patch,
				"Content-Type", object.MediaMergePatch)
			got := <-frames
			create(t, s, "web-1", "red")
			assert.Contains(t, other.next(), "ADDED web-1", "other resources' watches go on")
			assert.Equal(t, c.want, ended, c.law)
			assert.Contains(t, got, `{"type":"ADDED"`, c.law)
			assert.Equal(t, c.method == "DELETE", strings.Contains(got, `{"type":"DELETED"`),
				"%s: the objects' DELETED events come before the end of the stream: %s", c.law, got)
		})
	}
}

// An update through the Go API that names no version replaces every version, whatever else is
// written meanwhile.
func TestUpdatesWithoutAVersionDoNotConflict(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	must(s.Create("widgets", `{"metadata":{"name":"web-1"}}`))
	var all sync.WaitGroup
	for n := range 4 {
		all.Go(func() {
			for i := range 200 {
				_, err := s.Update("widgets", fmt.Sprintf(`{"metadata":{"name":"web-1"},"n":%d}`, 4*i+n))
				assert.NoError(t, err)
			}
		})
	}
	all.Wait()
}

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
					`{"spec":{"names":{"shortNames":["s%d"]}}}`, i), "Content-Type", object.MediaMergePatch)
				send(t, s, "DELETE", definitions+"/levers.example.dev", "")
				send(t, s, "DELETE", namespaces+"/shop", "")
			}
		})
		all.Wait()
		play(t, s, `
			the last definition is deleted | GET /apis/example.dev/v1/levers | 404 +0 |
			the namespace, too | GET /api/v1/namespaces/shop | 404 +0 |
			nothing has outlived it | GET /api/v1/configmaps | 200 +0 | "items":[]
			it is defined again | POST $CRDS $DEFINITION | 201 +1 |
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
