package printer

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const shop = `{"metadata":{"labels":{"app.kubernetes.io/name":"shop","*":"star"}},
	"spec":{"ports":[{"name":"http","port":80},{"name":"dns","port":53,"on":true},{"port":1}],
	"a":{"y":1,"x":2},"none":null,"nested":[[1,2],[3]],"mixed":[1,"x"]},
	"status":{"conditions":[{"type":"Ready","status":"False","reason":"a]b"},
	{"type":"Ready","status":"True","reason":"b"},{"status":"odd"}]}}`

func TestPaths(t *testing.T) {
	o := decode(t, shop)
	for _, c := range []struct {
		law, path string
		want      any // the first value; nil: none
	}{
		{"keys", ".spec.a.x", int64(2)},
		{"the first dot may be missing", "spec.a.x", int64(2)},
		{"the empty path leads to the object", "", o},
		{"a key that is not there", ".spec.b", nil},
		{"below a value there is nothing", ".spec.a.x.y", nil},
		{"below null there is nothing", ".spec.none.x", nil},
		{"a key with dots, in quotes", ".metadata.labels['app.kubernetes.io/name']", "shop"},
		{"a key with dots, with backslashes", `.metadata.labels.app\.kubernetes\.io/name`, "shop"},
		{"an index", ".spec.ports[1].name", "dns"},
		{"an index from the end", ".spec.ports[-1].port", int64(1)},
		{"an index beyond the end leads nowhere", ".spec.ports[3]", nil},
		{"an index before the start leads nowhere", ".spec.ports[-4]", nil},
		{"an object has no index", ".spec.a[0]", nil},
		{"a list has no key", ".spec.ports.name", nil},
		{"a slice", ".spec.ports[1:3].name", "dns"},
		{"a slice without its bounds", ".spec.ports[:].name", "http"},
		{"a slice from the end", ".spec.ports[-2:].name", "dns"},
		{"a slice beyond the end leads nowhere", ".spec.ports[1:4].name", nil},
		{"all elements, except those without the field", ".spec.ports[*].on", true},
		{"all fields, in the order of their keys", ".spec.a.*", int64(2)},
		{"a star in quotes is a key", ".metadata.labels['*']", "star"},
		{"lists in lists", ".spec.nested[*][1]", int64(2)},
		{"in any depth", "..reason", "a]b"},
		{"in any depth, below a key", ".spec..x", int64(2)},
		{"a filter", `.status.conditions[?(@.type=="Ready")].status`, "False"},
		{"a filter in other quotes, with spaces", `.status.conditions[?( @.reason == 'b' )].status`, "True"},
		{"a bracket in quotes", `.status.conditions[?(@.reason=="a]b")].status`, "False"},
		{"a filter by a number", ".spec.ports[?(@.port==53)].name", "dns"},
		{"smaller", ".spec.ports[?(@.port<80)].name", "dns"},
		{"not larger", ".spec.ports[?(@.port<=53)].name", "dns"},
		{"larger", ".spec.ports[?(@.port>53)].name", "http"},
		{"not smaller", ".spec.ports[?(@.port>=81)].name", nil},
		{"different", ".spec.ports[?(@.port!=80)].name", "dns"},
		{"a filter by a boolean", ".spec.ports[?(@.on==true)].name", "dns"},
		{"a filter by a field that is there", ".spec.ports[?(@.on)].name", "dns"},
		{"a filter of values", ".spec.nested[0][?(@>1)]", int64(2)},
		{"a filter that selects no element", `.status.conditions[?(@.type=="x")].status`, nil},
		{"whole numbers and others are not compared", ".spec.ports[?(@.port==53.0)].name", nil},
		{"one element of another type, and nothing is shown", ".spec.mixed[?(@>0)]", nil},
		{"a part that is not known leads nowhere", ".spec.ports[0,1].name", nil},
		{"a filter that cannot be read selects nothing", ".spec.ports[?(@.port==x)].name", nil},
	} {
		p, err := ParsePath(c.path)
		require.NoError(t, err, "%s: %s", c.law, c.path)
		got, ok := (&walk{maxVisits}).first(p, o)
		assert.Equal(t, c.want, got, "%s: %s", c.law, c.path)
		assert.Equal(t, c.want != nil, ok, "%s: %s", c.law, c.path)
	}
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

// FuzzPath: following a path that can be parsed does not panic.
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
