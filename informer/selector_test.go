package informer_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/informer"
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

func FuzzSelector(f *testing.F) {
	f.Add("app in (a,b),!c,d!=e", "app", "a")
	f.Fuzz(func(t *testing.T, text, label, value string) {
		s, err := informer.ParseSelector(text)
		if err != nil {
			assert.Equal(t, informer.Selector{}, s, "a selector returned with an error is empty")
			return
		}
		s.Matches(map[string]string{label: value})
		s.Matches(nil)
	})
}
