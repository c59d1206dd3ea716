package printer

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/docs/tools/story"
)

const shop = `{"metadata":{"labels":{"app.kubernetes.io/name":"shop","*":"star"}},
	"spec":{"ports":[{"name":"http","port":80},{"name":"dns","port":53,"on":true},{"port":1}],
	"a":{"y":1,"x":2},"none":null,"nested":[[1,2],[3]],"mixed":[1,"x"]},
	"status":{"conditions":[{"type":"Ready","status":"False","reason":"a]b"},
	{"type":"Ready","status":"True","reason":"b"},{"status":"odd"}]}}`

func TestPaths(t *testing.T) {
	o := decode(t, shop)
	for _, row := range story.Laws(t, "paths") {
		p, err := ParsePath(row[1])
		require.NoError(t, err, row)
		got, ok := (&walk{maxVisits}).first(p, o)
		assert.Equal(t, row[2] != "none", ok, row)
		assert.True(t, !ok || text(got) == row[2], "%s, not %v", row, got)
	}
	got, _ := (&walk{maxVisits}).first(Path{}, o)
	assert.Equal(t, o, got, "the empty path leads to the object")
}

func TestPathsThatCannotBeRead(t *testing.T) {
	for path, rest := range map[string]string{
		".a[": "[", ".a['b]": "['b]", ".a[?(@.b==1": "[?(@.b==1", ".a[[[0]]]": "[[[0]]]", "[0]x": "x",
	} {
		_, err := ParsePath(path)
		assert.ErrorContains(t, err, "cannot read \""+rest+"\"", path)
	}
	_, err := ParsePath(strings.Repeat("[", 1<<20))
	assert.EqualError(t, err, `path "`+strings.Repeat("[", 100)+`"… is longer than 1024 bytes`)
}

// Two dots lead to each value, and two more to each value below each of them.
func TestTheColumnsOfARowVisitALimitedNumberOfValues(t *testing.T) {
	nested := any(object{})
	for range 200 {
		nested = object{"a": nested}
	}
	visited := 0
	step := func(*walk, any, func(any) bool) bool { visited++; return true }
	path := Path{deep, deep, deep, step}
	cells := Layout{{Path: path}, {Path: path}, {Path: mustPath(".a")}}.Cells(nested.(object), 1<<20)
	assert.Less(t, visited, maxVisits)
	assert.Equal(t, []any{nil, nil, nil}, cells)
}

// FuzzPath checks that following a path that can be parsed does not panic.
func FuzzPath(f *testing.F) {
	for _, p := range []string{".a", "[0]", `.a[?(@.b=="c")]`, ".a.*[*]", `.a\.b`, "['x']", ".", "..a[1:-3]"} {
		f.Add(p)
	}
	o := decode(f, shop)
	f.Fuzz(func(t *testing.T, text string) {
		if p, err := ParsePath(text); err == nil {
			Layout{{Path: p}}.Cells(o, 1<<10)
		}
	})
}
