package object

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/docs/tools/story"
)

// found returns the first value at a path, nil if there is none.
func found(t testing.TB, path, text string) any {
	t.Helper()
	p, err := ParsePath(path)
	require.NoError(t, err, path)
	all := p.All(treeOf(t, text))
	if len(all) == 0 || all[0] == nil {
		return nil
	}
	return Text(all[0])
}

const shop = `{"metadata":{"labels":{"app.kubernetes.io/name":"shop","*":"star"}},
	"spec":{"ports":[{"name":"http","port":80},{"name":"dns","port":53,"on":true},{"port":1}],
	"a":{"y":1,"x":2},"none":null,"nested":[[1,2],[3]]},
	"status":{"conditions":[{"type":"Ready","status":"False","reason":"a]b"},
	{"type":"Ready","status":"True","reason":"b"},{"status":"odd"}]}}`

func TestPaths(t *testing.T) {
	for _, row := range story.Laws(t, "paths") {
		want := any(row[2])
		if want == "none" {
			want = nil
		}
		assert.Equal(t, want, found(t, row[1], shop), row[0])
	}
	for path, rest := range map[string]string{".a[": "[", ".a['b]": "['b]", "[0]x": "x", ".a..b": "..b",
		".a[-1]": "[-1]", ".a[0:2]": "[0:2]", ".a[?(@.b>1)]": "[?(@.b>1)]"} {
		_, err := ParsePath(path)
		assert.ErrorContains(t, err, "cannot read \""+rest+"\": it is not .key,", path)
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
