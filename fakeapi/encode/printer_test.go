package encode

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/docs/tools/story"
	"example.com/watchglass/fakeapi/object"
)

// cell returns what a column of a type shows of the value at a path.
func cell(t testing.TB, kind, path, text string) any {
	t.Helper()
	p, err := object.ParsePath(path)
	require.NoError(t, err, path)
	return layout{{Type: kind, Paths: []object.Path{p}}}.Cells(treeOf(t, text))[0]
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
			text := fmt.Sprintf(`{"at":%q}`, now.Add(-d).Format(time.RFC3339Nano))
			assert.Equal(t, row[1], cell(t, "date", ".at", text), row[0])
		}
	})
}

func TestASelectorIsShownAsText(t *testing.T) {
	o := treeOf(t, `{"matchLabels":{"b":2,"a":"1"},"matchExpressions":[{"key":"c","operator":"In",
		"values":["x","y"]},{"key":"d","operator":"NotIn","values":["z"]},{"key":"e"},
		{"key":"f","operator":"DoesNotExist"}]}`)
	assert.Equal(t, "a=1,b=2,c in (x,y),d notin (z),e,!f", SelectorText(o))
}

func TestColumnsOfTheMetadata(t *testing.T) {
	for _, row := range [][3]string{
		{"nodes", `{"labels":{"node-role.kubernetes.io/b":"","node-role.kubernetes.io/a":"","x":"y"}}`, "a,b"},
		{"nodes", `{"labels":{"x":"y"}}`, "<none>"},
		{"pods", `{"deletionTimestamp":"2026-01-01T00:00:00Z"}`, "Terminating"},
	} {
		layout := builtin[row[0]]
		assert.Equal(t, row[2], layout.Cells(treeOf(t, `{"metadata":`+row[1]+`}`))[2], row)
	}
}

func treeOf(t testing.TB, text string) object.Tree {
	t.Helper()
	v, err := object.DecodeTree([]byte(text))
	require.NoError(t, err, text)
	return v
}

func TestACellIsShort(t *testing.T) {
	long := fmt.Sprintf(`{"a":%q}`, strings.Repeat("ä", 1<<10))
	assert.Equal(t, strings.Repeat("ä", 1<<9), cell(t, "string", ".a", long),
		"a cell has 1 KiB at most")
}

// The columns of one object are made in a turn, for which all other requests wait.
func TestARowOfALargeObjectIsMadeSoon(t *testing.T) {
	list, fields, deep := make([]any, 200_000), object.Tree{}, object.Tree{}
	for i := range list {
		list[i] = object.Tree{"x": int64(i)}
		fields[fmt.Sprint(i)] = int64(i)
		deep[fmt.Sprint(i)] = fields
	}
	o := object.Tree{"list": list, "fields": fields, "deep": deep,
		"long": []any{strings.Repeat("x", 1<<20)}}
	for path, want := range map[string]string{".list[?(@.x==7)]": "<nil>", ".list[*].x": "<nil>",
		".fields.*": "<nil>", ".list[0:]": "<nil>", ".list[7].x": "7", ".list[-1].x": "199999",
		".fields": `{"0":0,"1":1,"10":10,"100":100,"1000":1000,`, ".deep": `{"0":{"0":0,`,
		".long": `["xxx`, ".list": `[{"x":0},{"x":1},`} {
		column := Column{Type: "string", Paths: []object.Path{object.MustPath(path)}}
		allocations := testing.AllocsPerRun(1, func() { column.cell(o) })
		assert.Less(t, allocations, 3_000.0, path)
		got := fmt.Sprint(column.cell(o))
		assert.True(t, strings.HasPrefix(got, want), path)
		assert.Less(t, len(got), 2*maxCell, path)
	}
}
