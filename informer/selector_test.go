package informer_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass"
	"example.com/watchglass/fakeapi"
	"example.com/watchglass/informer"
	"example.com/watchglass/reflector"
	"example.com/watchglass/reflector/client"
)

func TestFromMap(t *testing.T) {
	s := informer.SelectorFromMap(map[string]string{"app": "web", "tier": "front"})
	assert.True(t, s.Matches(map[string]string{"app": "web", "tier": "front", "x": ""}))
	assert.False(t, s.Matches(map[string]string{"app": "web"}), "one of the labels is missing")
}

func TestBadSelectors(t *testing.T) {
	for text, want := range map[string]string{
		"app=web,":      `condition "": "" is not the name of a label`,
		"a=b c":         `"b c" is not the value of a label`,
		"a in (b":       "want a closing parenthesis",
		"a of (b)":      "want a label, then in or notin",
		"n>1":           "comparisons by number are not supported",
		"a in (b c, d)": `"b c" is not the value of a label`,
	} {
		_, err := informer.ParseSelector(text)
		assert.ErrorContains(t, err, want, "selector %q", text)
	}
	_, err := informer.ParseSelector(strings.Repeat("x ", 1<<20))
	require.Error(t, err)
	assert.Less(t, len(err.Error()), 1000, "an error quotes only the beginning")
}

// The server has a parser of its own, from which this one copies nothing.
func FuzzSelectorIsReadAsTheServerReadsIt(f *testing.F) {
	server := fakeapi.New(fakeapi.Options{})
	f.Cleanup(server.Close)
	for i, labels := range []string{
		`{}`, `{"a":""}`, `{"a":"b"}`, `{"in":"in","a":"c"}`, `{"a":"b","x.io/d_e":"f"}`,
	} {
		_, err := server.Create("configmaps",
			fmt.Sprintf(`{"metadata":{"name":"c%d","labels":%s}}`, i, labels))
		require.NoError(f, err)
	}
	all := client.Options{URL: fakeapi.URL + "/api/v1/configmaps", HTTPClient: server.Client()}
	list := func(t testing.TB, o client.Options) ([]watchglass.Object, error) {
		maps, err := client.New[watchglass.Unstructured](o)
		require.NoError(t, err)
		found, err := maps.List(t.Context(), reflector.ListOptions{})
		if err != nil {
			return nil, err
		}
		return found.Items, nil
	}
	objects, err := list(f, all)
	require.NoError(f, err)
	require.Len(f, objects, 5)
	for _, text := range []string{
		"a in (a,b),!c,d!=e", "a in(b)", "a in (b)c", "a in ()", "a notin (,)", "a in (b", "in in (in)",
		"a,", ",a", "!", "! a", "!a=b", "a=b=c", "a===b", "a=!b", "a b", "a\tin\n(b)\r", "a\u00a0", "\va",
		"a=\u00a0b", "a\vin (b)", "x/y=z", "x/=z", "/y", "a=b,(c)", "a in (b),a in (c)", "((", "a)b(c",
		"", "a=b", " a == b ", "a != b", "a", "!a", "a=", "a in (,x)", "a notin (c, b )", "!b",
		"x.io/d_e in (f)", "a=b,x.io/d_e!=f", "a in (a,b),!in,x.io/d_e", "=b", "!a in (b)", "a!==b",
		"a in (b))", "a=-b", "a_=b", "a/b/c=d", "X.io/a", "a=" + strings.Repeat("x", 63),
		"a=" + strings.Repeat("x", 64), strings.Repeat("x", 253) + "/a!=b",
		strings.Repeat("x", 254) + "/a",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if strings.ContainsAny(text, "<>") || len(text) > 1000 { // numbers, and the server's limit
			return
		}
		selector, err := informer.ParseSelector(text)
		there := all
		there.LabelSelector = text
		want, refused := list(t, there)
		require.Equal(t, refused == nil, err == nil, "selector %q: %v, server: %v", text, err, refused)
		if err != nil {
			assert.Equal(t, informer.Selector{}, selector, "a selector returned with an error is empty")
			return
		}
		var got []watchglass.Object
		for _, obj := range objects {
			if selector.Matches(obj.(*watchglass.Unstructured).GetLabels()) {
				got = append(got, obj)
			}
		}
		require.Len(t, got, len(want), "selector %q", text)
		for i := range want {
			assert.Equal(t, want[i].GetName(), got[i].GetName(), "selector %q", text)
		}
	})
}
