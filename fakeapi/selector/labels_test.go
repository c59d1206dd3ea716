package selector

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestLabelSelectors(t *testing.T) {
	web := map[string]string{"app": "web", "tier": "", "n": "10", "in": "x"}
	for _, c := range []struct {
		law, selector string
		want          bool
	}{
		{"an empty selector selects everything", "", true},
		{"a selector of blanks selects everything", " \t ", true},
		{"equality", "app=web", true},
		{"== means =", "app==web", true},
		{"another value", "app=db", false},
		{"blanks around an operator do not count", " app = web ", true},
		{"an empty value is a value", "tier=", true},
		{"an absent label has no value, not even an empty one", "zone=", false},
		{"inequality", "app!=db", true},
		{"inequality with itself", "app!=web", false},
		{"an absent label differs from everything", "zone!=a", true},
		{"an absent label differs even from nothing", "zone!=", true},
		{"existence", "tier", true},
		{"an absent label does not exist", "zone", false},
		{"absence", "!zone", true},
		{"a label that exists is not absent", "! app", false},
		{"one of several", "app in (db, web)", true},
		{"none of several", "app in (db,cache)", false},
		{"an absent label is in no set", "zone in (a)", false},
		{"not one of several", "app notin (db)", true},
		{"an absent label is outside every set", "zone notin (a)", true},
		{"an empty place in a set is the empty value", "tier in (,a)", true},
		{"an empty set holds the empty value", "tier in ()", true},
		{"greater, as numbers and not as text", "n>9", true},
		{"not greater than itself", "n>10", false},
		{"less", "n<11", true},
		{"not less than itself", "n<10", false},
		{"a value that is not a number is not greater", "app>1", false},
		{"a value that is not a number is not less", "app<1", false},
		{"an absent label is not less", "zone<1", false},
		{"all requirements hold", "app=web,tier,!zone,n>1", true},
		{"a last requirement that does not hold is enough", "app=web,zone", false},
		{"an operator is a name where a key is expected", "in", true},
		{"an operator is a name where a value is expected", "in in (in,x)", true},
		{"a first requirement that does not hold is enough", "zone,app=web", false},
	} {
		s, err := ParseLabels(c.selector)
		require.NoError(t, err, "%s: %s", c.law, c.selector)
		assert.Equal(t, c.want, s.Matches(web), "%s: %s", c.law, c.selector)
	}
}

// The messages are the real server's: kubectl shows them to people.
func TestLabelSelectorsThatAreRefused(t *testing.T) {
	const prefix = "unable to parse requirement: "
	long := strings.Repeat("k", 64)
	for selector, want := range map[string]string{
		"=x":         "found '=', expected: !, identifier, or 'end of string'",
		",":          "found ',', expected: !, identifier, or 'end of string'",
		"(a)":        "found '(', expected: !, identifier, or 'end of string'",
		"a,":         "found '', expected: identifier after ','",
		"a,,b":       "found ',', expected: identifier after ','",
		"a=b c":      "found 'c', expected: ',' or 'end of string'",
		"a=b)":       "found ')', expected: ',' or 'end of string'",
		"!a=b":       "found '=', expected: ',' or 'end of string'",
		"!":          prefix + "found '', expected: identifier",
		"!!a":        prefix + "found '!', expected: identifier",
		"a b":        prefix + "found 'b', expected: in, notin, =, ==, !=, gt, lt",
		"a!b":        prefix + "found '!', expected: in, notin, =, ==, !=, gt, lt",
		"a===b":      prefix + "found '=', expected: identifier",
		"a=!b":       prefix + "found '!', expected: identifier",
		"n>=3":       prefix + "found '=', expected: identifier",
		"a in b":     prefix + "found 'b' expected: '('",
		"a in":       prefix + "found '' expected: '('",
		"a in (b":    prefix + "found '', expected: ',' or ')'",
		"a in (b c)": prefix + "found 'c', expected: ',' or ')'",
		"a in (!)":   prefix + "found '!', expected: ',', ')' or identifier",
		"n>x": prefix +
			`values[0]: Invalid value: "x": for 'Gt', 'Lt' operators, the value must be an integer`,
		"n<": prefix +
			`values[0]: Invalid value: "": for 'Gt', 'Lt' operators, the value must be an integer`,
		"/y": prefix + `<nil>: Invalid value: "/y": prefix part must be non-empty`,
		"x/": prefix + `<nil>: Invalid value: "x/": name part must be non-empty; ` +
			mustBeQualifiedName,
		"x/y/z": prefix + `<nil>: Invalid value: "x/y/z": ` + mustHaveOneSlash,
		"UP/x":  prefix + `<nil>: Invalid value: "UP/x": prefix part ` + mustBeSubdomain,
		"-a":    prefix + `<nil>: Invalid value: "-a": ` + mustBeQualifiedName,
		long: prefix + `<nil>: Invalid value: "` + long +
			`": name part must be no more than 63 bytes`,
		// A label's value cannot begin with a minus, so neither can a number to compare it with.
		"n>-1":         prefix + `values[0][n]: Invalid value: "-1": ` + mustBeLabelValue,
		"a=-":          prefix + `values[0][a]: Invalid value: "-": ` + mustBeLabelValue,
		"a in (z,-,b)": prefix + `values[0][a]: Invalid value: "-": ` + mustBeLabelValue,
		"a in (b," + long + ")": prefix + `values[1][a]: Invalid value: "` + long +
			`": must be no more than 63 bytes`,
	} {
		_, err := ParseLabels(selector)
		assert.EqualError(t, err, want, selector)
	}
}
