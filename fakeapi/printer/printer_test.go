package printer

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/docs/tools/story"
)

// decode decodes an object as the server does: whole numbers are int64.
func decode(t testing.TB, text string) object {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var o object
	require.NoError(t, d.Decode(&o), text)
	return narrow(o).(object)
}

func narrow(v any) any {
	switch v := v.(type) {
	case json.Number:
		if n, err := v.Int64(); err == nil {
			return n
		}
		f, _ := v.Float64()
		return f
	case object:
		for k, e := range v {
			v[k] = narrow(e)
		}
	case []any:
		for i, e := range v {
			v[i] = narrow(e)
		}
	}
	return v
}

func TestPodStatus(t *testing.T) {
	for _, row := range story.Laws(t, "pods") {
		assert.Equal(t, row[2], podStatus(decode(t, row[1])), row[0])
	}
}

func TestARunningPodsRow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		now := time.Now().UTC()
		doc := fmt.Sprintf(`{"metadata":{"name":"web-1","creationTimestamp":%q},
			"spec":{"nodeName":"n","containers":[{}],"readinessGates":[{"conditionType":"a"}]},
			"status":{"phase":"Running","podIPs":[{"ip":"10.1.1.1"}],
			"conditions":[{"type":"a","status":"True"}],"containerStatuses":[{"ready":true,
			"restartCount":2,"state":{"running":{}},"lastState":{"terminated":{"finishedAt":%q}}}]}}`,
			now.Add(-26*time.Hour).Format(time.RFC3339), now.Add(-5*time.Minute).Format(time.RFC3339))
		assert.Equal(t, []any{"web-1", "1/1", "Running", "2 (5m ago)", "26h", "10.1.1.1", "n",
			"<none>", "1/1"}, builtin["pods"].Cells(decode(t, doc), 1<<10))
	})
}

func TestColumnsHaveTypes(t *testing.T) {
	for _, row := range story.Laws(t, "columns") {
		c := decode(t, row[2])
		assert.Equal(t, c["want"], Column{Type: row[1]}.show(c["value"]), row[0])
	}
}

func TestAgesAreShort(t *testing.T) {
	for _, row := range story.Laws(t, "ages") {
		d, err := time.ParseDuration(row[0])
		require.NoError(t, err)
		assert.Equal(t, row[1], shortDuration(d), row[0])
	}
}

func TestASelectorIsShownAsText(t *testing.T) {
	o := decode(t, `{"matchLabels":{"b":2,"a":"1"},"matchExpressions":[{"key":"c","operator":"In","values":
		["y","x"]},{"key":"d","operator":"NotIn","values":["z"]},{"key":"e"},{"key":"f","operator":"DoesNotExist"}]}`)
	assert.Equal(t, "a=1,b=2,c in (x,y),d notin (z),e,!f", Selector(o))
}

func TestReadinessGatesThatHoldAreCounted(t *testing.T) {
	o := decode(t, `{"spec":{"readinessGates":[{"conditionType":"a"},{"conditionType":"b"},
		{"conditionType":"c"},{"conditionType":"d"}]},"status":{"conditions":[{"type":"a","status":"True"},
		{"type":"a","status":"False"},{"type":"b","status":"False"},{"type":"b","status":"True"}]}}`)
	assert.Equal(t, "1/4", readinessGates(o), "of conditions with the same type, the first counts")
}

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
