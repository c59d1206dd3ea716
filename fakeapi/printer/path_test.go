package printer

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const shop = `{"metadata":{"labels":{"app.kubernetes.io/name":"shop","*":"star"}},
	"spec":{"ports":[{"name":"http","port":80},{"name":"dns","port":53,"on":true},{"port":1}],
	"a":{"y":1,"x":2},"none":null,"nested":[[1,2],[3]]},
	"status":{"conditions":[{"type":"Ready","status":"False","reason":"a]b"},
	{"type":"Ready","status":"True"},{"status":"odd"}]}}`

func TestPaths(t *testing.T) {
	o := decode(t, shop)
	for _, c := range []struct {
		law, path string
		want      []any
	}{
		{"keys", ".spec.a.x", []any{int64(2)}},
		{"the first dot may be missing", "spec.a.x", []any{int64(2)}},
		{"a key that is not there", ".spec.b", nil},
		{"below a value there is nothing", ".spec.a.x.y", nil},
		{"null is a value", ".spec.none", []any{nil}},
		{"below null there is nothing", ".spec.none.x", nil},
		{"a key with dots, in quotes", ".metadata.labels['app.kubernetes.io/name']", []any{"shop"}},
		{"a key with dots, with backslashes", `.metadata.labels.app\.kubernetes\.io/name`, []any{"shop"}},
		{"an index", ".spec.ports[1].name", []any{"dns"}},
		{"an index from the end", ".spec.ports[-1].port", []any{int64(1)}},
		{"an index beyond the end leads nowhere", ".spec.ports[3]", nil},
		{"an index before the start leads nowhere", ".spec.ports[-4]", nil},
		{"an object has no index", ".spec.a[0]", nil},
		{"a list has no key", ".spec.ports.name", nil},
		{"all elements, except those without the field", ".spec.ports[*].name", []any{"http", "dns"}},
		{"all fields, in the order of their keys", ".spec.a.*", []any{int64(2), int64(1)}},
		{"a star in quotes is a key", ".metadata.labels['*']", []any{"star"}},
		{"lists in lists", ".spec.nested[*][*]", []any{int64(1), int64(2), int64(3)}},
		{"a filter", `.status.conditions[?(@.type=="Ready")].status`,
			[]any{"False", "True"}},
		{"a filter in other quotes, with spaces", `.status.conditions[?( @.type == 'Ready' )].status`,
			[]any{"False", "True"}},
		{"a bracket in quotes", `.status.conditions[?(@.reason=="a]b")].status`, []any{"False"}},
		{"a filter by a number", ".spec.ports[?(@.port==53)].name", []any{"dns"}},
		{"a filter by a boolean", ".spec.ports[?(@.on==true)].name", []any{"dns"}},
		{"a filter that selects no element", `.status.conditions[?(@.type=="x")].status`, nil},
		{"the empty path leads to the object", "", []any{o}},
	} {
		p, err := ParsePath(c.path)
		require.NoError(t, err, "%s: %s", c.law, c.path)
		assert.Equal(t, c.want, slices.Collect(p.All(o)), "%s: %s", c.law, c.path)
		first, ok := p.First(o)
		assert.Equal(t, len(c.want) > 0, ok, "%s: %s", c.law, c.path)
		if ok {
			assert.Equal(t, c.want[0], first, "%s: %s", c.law, c.path)
		}
	}
}

func TestPathsThatCannotBeRead(t *testing.T) {
	for path, rest := range map[string]string{
		".": ".", "..a": "..a", ".a.": ".", ".a..b": "..b", ".a[": "[", ".a[x]": "[x]", ".a[]": "[]",
		".a['b]": "['b]", ".a[?(x)]": "[?(x)]", ".a[?(@==1)]": "[?(@==1)]", ".a[0:1]": "[0:1]",
		".a[?(@.b==1": "[?(@.b==1", ".a[?(@.b[==1)]": "[?(@.b[==1)]", "[0]x": "x",
	} {
		_, err := ParsePath(path)
		assert.ErrorContains(t, err, "cannot read \""+rest+"\"", path)
	}
	_, err := ParsePath(strings.Repeat("[", 1<<20))
	assert.EqualError(t, err, `path "`+strings.Repeat("[", 100)+`"… is longer than 1024 bytes`)
}

// FuzzPath: following a path that can be parsed does not panic, and First is the first
// value of All.
func FuzzPath(f *testing.F) {
	for _, p := range []string{".a", "[0]", `.a[?(@.b=="c")]`, ".a.*[*]", `.a\.b`, "['x']", "."} {
		f.Add(p)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := ParsePath(text)
		if err != nil {
			return
		}
		o := decode(t, shop)
		first, ok := p.First(o)
		all := slices.Collect(p.All(o))
		assert.Equal(t, ok, len(all) > 0)
		if ok {
			assert.Equal(t, all[0], first)
		}
	})
}
