package object

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/docs/tools/story"
)

const shop = `{"metadata":{"labels":{"app.kubernetes.io/name":"shop","*":"star"}},
	"spec":{"ports":[{"name":"http","port":80},{"name":"dns","port":53,"on":true},{"port":1}],
	"a":{"y":1,"x":2},"none":null,"nested":[[1,2],[3]]},
	"status":{"conditions":[{"type":"Ready","status":"False","reason":"a]b"},
	{"type":"Ready","status":"True","reason":"b"},{"status":"odd"}]}}`

func TestPaths(t *testing.T) {
	for _, row := range story.Laws(t, "paths") {
		p, err := ParsePath(row[1])
		require.NoError(t, err, row[0])
		found := p.All(treeOf(t, shop))
		assert.JSONEq(t, row[2], string(JSON(append([]any{}, found...))), row[0])
	}
	for path, rest := range map[string]string{
		".a[": "[", ".a['b]": "['b]", "[0]x": "x", "a": "a", ".a..b": "..b", ".a[0,1]": "[0,1]",
		".a['b','c']": "['b','c']", ".a[b]": "[b]", `.a["b"]`: `[\"b\"]`, ".a b": " b",
		".a[?(@.b>x)]": "[?(@.b>x)]", ".a[?(@.b=~1)]": "[?(@.b=~1)]", ".a[0:1:0]": "[0:1:0]",
	} {
		_, err := ParsePath(path)
		assert.ErrorContains(t, err, "cannot read \""+rest+"\": ", path)
	}
	_, err := ParsePath(strings.Repeat("[", 1<<20))
	assert.EqualError(t, err, `path "`+strings.Repeat("[", 100)+`"… is longer than 1024 bytes`)
}

// FuzzPath checks that following a path that can be parsed does not panic.
func FuzzPath(f *testing.F) {
	for _, p := range []string{".a", "[0]", `.a[?(@.b=="c")]`, ".a[*][*]", "['x']", ".", `["a"].b`} {
		f.Add(p)
	}
	o := treeOf(f, shop)
	f.Fuzz(func(t *testing.T, text string) {
		if p, err := ParsePath(text); err == nil {
			p.All(o)
		}
	})
}
