package registry

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/docs/tools/story"
	"example.com/watchglass/fakeapi/printer"
)

// cell returns what a column of a type shows of the value at a path.
func cell(t testing.TB, kind, path, object string) any {
	t.Helper()
	p, err := printer.ParsePath(path)
	require.NoError(t, err, path)
	return printer.Layout{{Type: kind, Paths: []printer.Path{p}}}.Cells(treeOf(t, object))[0]
}

func TestColumnsHaveTypes(t *testing.T) {
	for _, row := range story.Laws(t, "columns") {
		want := treeOf(t, row[2])["want"]
		assert.EqualValues(t, want, cell(t, row[1], ".value", row[2]), row[0])
	}
}

func TestAgesAreShort(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		now := time.Now()
		for _, row := range story.Laws(t, "ages") {
			d, err := time.ParseDuration(row[0])
			require.NoError(t, err)
			object := fmt.Sprintf(`{"at":%q}`, now.Add(-d).Format(time.RFC3339Nano))
			assert.Equal(t, row[1], cell(t, "date", ".at", object), row[0])
		}
	})
}

func TestASelectorIsShownAsText(t *testing.T) {
	o := treeOf(t, `{"matchLabels":{"b":2,"a":"1"},"matchExpressions":[{"key":"c","operator":"In",
		"values":["x","y"]},{"key":"d","operator":"NotIn","values":["z"]},{"key":"e"},
		{"key":"f","operator":"DoesNotExist"}]}`)
	assert.Equal(t, "a=1,b=2,c in (x,y),d notin (z),e,!f", printer.Selector(o))
}

func TestColumnsOfTheMetadata(t *testing.T) {
	for _, row := range [][3]string{
		{"nodes", `{"labels":{"node-role.kubernetes.io/b":"","node-role.kubernetes.io/a":"","x":"y"}}`, "a,b"},
		{"nodes", `{"labels":{"x":"y"}}`, "<none>"},
		{"pods", `{"deletionTimestamp":"2026-01-01T00:00:00Z"}`, "Terminating"},
	} {
		layout, _ := printer.Builtin(row[0])
		assert.Equal(t, row[2], layout.Cells(treeOf(t, `{"metadata":`+row[1]+`}`))[2], row)
	}
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
		assert.Equal(t, want, cell(t, "string", row[1], shop), row[0])
	}
	for path, rest := range map[string]string{".a[": "[", ".a['b]": "['b]", "[0]x": "x", ".a..b": "..b",
		".a[-1]": "[-1]", ".a[0:2]": "[0:2]", ".a[?(@.b>1)]": "[?(@.b>1)]"} {
		_, err := printer.ParsePath(path)
		assert.ErrorContains(t, err, "cannot read \""+rest+"\": it is not .key,", path)
	}
	_, err := printer.ParsePath(strings.Repeat("[", 1<<20))
	assert.EqualError(t, err, `path "`+strings.Repeat("[", 100)+`"… is longer than 1024 bytes`)
	long := fmt.Sprintf(`{"a":%q}`, strings.Repeat("ä", 1<<10))
	assert.Equal(t, strings.Repeat("ä", 1<<9), cell(t, "string", ".a", long), "a cell has 1 KiB at most")
}

// FuzzPath checks that following a path that can be parsed does not panic.
func FuzzPath(f *testing.F) {
	for _, p := range []string{".a", "[0]", `.a[?(@.b=="c")]`, ".a[*][*]", "['x']", ".", `["a"].b`} {
		f.Add(p)
	}
	o := treeOf(f, shop)
	f.Fuzz(func(t *testing.T, text string) {
		if p, err := printer.ParsePath(text); err == nil {
			printer.Layout{{Paths: []printer.Path{p}}}.Cells(o)
		}
	})
}
