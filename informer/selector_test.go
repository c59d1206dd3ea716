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

func TestSelector(t *testing.T) {
	web := map[string]string{"app": "web", "tier": "front", "empty": ""}
	for _, c := range []struct {
		selector  string
		web, bare bool // whether web, and an object without labels, are selected
	}{
		{"", true, true},
		{"app=web", true, false},
		{" app = web ", true, false},
		{"app=db", false, false},
		{"app==web", true, false},
		{"app != db", true, true},
		{"app", true, false},
		{"!app", false, true},
		{"!other", true, true},
		{"app in(web)", true, false},
		{"app notin (db, web )", false, true},
		{"empty=", true, false},
		{"empty in (,x)", true, false},
		{"in in (web)", false, false},
		{"example.com/a_b.C-1!=x", true, true},
		{"app!=" + strings.Repeat("x", 63), true, true},
		{strings.Repeat("x", 253) + "/app!=1", true, true},
		{"app=web,tier=back", false, false},
		{"app in (a,web),tier notin (back,side),!x", true, false},
	} {
		s, err := informer.ParseSelector(c.selector)
		require.NoError(t, err, "selector %q", c.selector)
		assert.Equal(t, c.web, s.Matches(web), "%q and an object with labels", c.selector)
		assert.Equal(t, c.bare, s.Matches(nil), "%q and an object without labels", c.selector)
	}
}

func TestFromMap(t *testing.T) {
	s := informer.SelectorFromMap(map[string]string{"app": "web", "tier": "front"})
	assert.True(t, s.Matches(map[string]string{"app": "web", "tier": "front", "x": ""}))
	assert.False(t, s.Matches(map[string]string{"app": "web"}), "one of the labels is missing")
}

func TestBadSelectors(t *testing.T) {
	for text, want := range map[string]string{
		"app=web,":                        `condition "": "" is not the name of a label`,
		"=web":                            `"" is not the name of a label`,
		"!":                               `"" is not the name of a label`,
		"a b":                             `"a b" is not the name of a label`,
		"a=b c":                           `"b c" is not the value of a label`,
		"a!==b":                           `"=b" is not the value of a label`,
		"a in (b":                         "want a closing parenthesis",
		"a in (b))":                       `"b)" is not the value of a label`,
		"a of (b)":                        "want a label, then in or notin",
		"n>1":                             "comparisons by number are not supported",
		"!a in (b)":                       `"!a" is not the name of a label`,
		"a in (b c, d)":                   `"b c" is not the value of a label`,
		"app=-web":                        `"-web" is not the value of a label`,
		"app_=a":                          `"app_" is not the name of a label`,
		"a/b/c=d":                         `"a/b/c" is not the name of a label`,
		"A.io/app":                        `"A.io/app" is not the name of a label`,
		"a=" + strings.Repeat("x", 64):    "is not the value of a label",
		strings.Repeat("x", 254) + "/app": "is not the name of a label",
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
	for i, labels := range []string{`{}`, `{"a":""}`, `{"a":"b"}`, `{"in":"in","a":"c"}`} {
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
	require.Len(f, objects, 4)
	for _, text := range []string{
		"a in (a,b),!c,d!=e", "a in(b)", "a in (b)c", "a in ()", "a notin (,)", "a in (b", "in in (in)",
		"a,", ",a", "!", "! a", "!a=b", "a=b=c", "a===b", "a=!b", "a b", "a\tin\n(b)\r", "a\u00a0", "\va",
		"a=\u00a0b", "a\vin (b)", "x/y=z", "x/=z", "/y", "a=b,(c)", "a in (b),a in (c)", "((", "a)b(c",
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
