package fakeapi

import (
	_ "embed"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/patch"
)

const (
	definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
	leversPath  = "/apis/example.dev/v1/namespaces/default/levers"
)

// leversJSON is a definition with two versions that are served and one that is not.
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
			send(t, s, c.method, definitions+"/levers.example.dev", c.patch, "Content-Type", patch.MediaMerge)
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
