package object

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestLabelSelectors(t *testing.T) {
	web := Labels(`{"app":"web","in":"x","n":"10","tier":""}`)
	for law, c := range map[string]struct{ selects, doesNot string }{
		"an empty selector selects everything":        {" \t ", ""},
		"= and == compare, blanks do not count":       {"app=web; app == web ; tier=", "app=db; zone="},
		"an absent label differs from everything":     {"app!=db; zone!=a; zone!=", "app!=web"},
		"a key alone asks whether there is a label":   {"tier; !zone", "zone; ! app"},
		"a set has values, an empty place is one":     {"app in (web, db); app in (db,web,web); tier in (,a); tier in ()", "app in (db,cache)"},
		"an absent label is outside every set":        {"app notin (db); zone notin (a)", "zone in (a); app notin (web)"},
		"numbers are compared as numbers":             {"n>9; n<11", "n>10; n<10; app>1; app<1; zone<1"},
		"an operator is a name where one is expected": {"in; in in (in,x)", "notin"},
		"all requirements hold":                       {"app=web,tier,!zone,n>1", "app=web,zone; zone,app=web"},
	} {
		for want, texts := range map[bool]string{true: c.selects, false: c.doesNot} {
			for text := range strings.SplitSeq(texts, ";") {
				s, err := ParseLabelSelector(text)
				require.NoError(t, err, "%s: %s", law, text)
				assert.Equal(t, want || texts == "", s.Matches(web), "%s: %s", law, text)
			}
		}
	}
}

func TestLabelSelectorsThatAreRefused(t *testing.T) {
	const syntax = "unable to parse requirement '%s': it is not a key, !key, or a key"
	for text, want := range map[string]string{
		"=x": syntax, "a,,b": ",b", "!a=b": syntax, "!!a": syntax, "a b": syntax, "n>=3": syntax,
		"a in b": syntax, "ain (b)": syntax, "a in": syntax, "a in (b": syntax,
		"a in (b) c": syntax, "a,": "''", "(": syntax,
		"a in (b c)":   `values[0][a]: Invalid value: "b c": a valid label must`,
		"a in (!)":     `values[0][a]: Invalid value: "!": a valid label must`,
		"a in (z,-,b)": `values[1][a]: Invalid value: "-": a valid label must`,
		"n>x":          `"x": for 'Gt', 'Lt' operators, the value must be an integer`,
		"n>-1":         `Invalid value: "-1": a valid label must`, // no label has it
		"x/":           `key "x/": name part must be non-empty; name part must consist`,
	} {
		_, err := ParseLabelSelector(text)
		assert.ErrorContains(t, err, strings.Replace(want, "%s", text, 1), text)
	}
}

// The fields of the objects in these tests.
var paths = []string{"metadata.namespace", "metadata.name", "spec.color"}

func number(path string) (int, error) {
	if i := slices.Index(paths, path); i >= 0 {
		return i, nil
	}
	return 0, fmt.Errorf("field label not supported: %s", path)
}

// values is an object: the values of paths.
type values []string

func (v values) of(field int) string { return v[field] }

func TestFieldSelectors(t *testing.T) {
	for text, want := range map[string]string{
		",,":                                  "yes",
		"metadata.name==web-1":                "yes",
		"metadata.name!=web-2":                "yes",
		"metadata.name!=web-1":                "no",
		`spec.color=red\, or \=\\`:            "yes",
		"metadata.name=web-1,metadata.name=x": "no",
		"metadata.name": "invalid selector: 'metadata.name'; can't understand " +
			"'metadata.name'",
		// What a selector says is looked at first, then what it is about, both in the order of the terms.
		"a=b,c":                 "invalid selector: 'a=b,c'; can't understand 'c'",
		"c=d,a=b":               "field label not supported: a",
		"=a":                    "field label not supported: ",
		"metadata.name=a=b":     "invalid field selector: unescaped character in value: 61",
		`metadata.name=a\ä`:     `invalid field selector: invalid escape sequence: \ä`,
		`metadata.name=a\`:      `invalid field selector: invalid escape sequence: \`,
		`metadata.name=web-1\,`: "no",
		// A term that is only an operator says nothing.
		"=": "yes", "==": "yes", "!=": "yes", "!=,metadata.name=web-1,=": "yes",
	} {
		s, err := ParseFieldSelector(text, number)
		matches := s.Matches(values{"ns", "web-1", `red, or =\`}.of)
		got := map[bool]string{true: "yes", false: "no"}[matches]
		if err != nil {
			got = err.Error()
		}
		assert.Contains(t, got, want, text)
	}
}

func TestSelectorsAreBounded(t *testing.T) {
	long := strings.Repeat("x", 1<<12)
	for _, text := range []string{long, "=" + long, "a " + long, "a=" + long, "a in (b " + long,
		"a in " + long, "n>" + long, long + "/x", "a=b " + long} {
		_, err := ParseLabelSelector(text)
		if assert.Error(t, err, "%.20s", text) {
			assert.Less(t, len(err.Error()), 1500, "%.20s", text)
		}
	}
	for _, text := range []string{long, "metadata.name=" + long + "="} {
		_, err := ParseFieldSelector(text, number)
		if assert.Error(t, err, "%.20s", text) {
			assert.Less(t, len(err.Error()), 1500, "%.20s", text)
		}
	}
	list := func(n int) string { return strings.Repeat("a,", n-1) + "a" }
	const most = 250
	for law, text := range map[string]string{"requirements": "%s", "values": "a in (%s)",
		"different values": "a=b,c notin (" + list(most/2) + "),%s"} {
		_, err := ParseLabelSelector(fmt.Sprintf(text, list(most/2-2)))
		assert.NoError(t, err, law)
		if law == "values" { // equal ones count once
			text = "a in (" + strings.Join(numbers(most+1), ",") + ")%.0s"
		}
		_, err = ParseLabelSelector(fmt.Sprintf(text, list(most+1)))
		assert.EqualError(t, err, "the label selector has more than 250 requirements and values "+
			"together", law)
	}
	_, err := ParseFieldSelector(strings.Repeat("metadata.name=a,", most+1), number)
	assert.EqualError(t, err, "the field selector has more than 250 terms")
}

func numbers(n int) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprint(i)
	}
	return all
}

func TestNames(t *testing.T) {
	for law, c := range map[string]struct {
		bad       func(string) string
		fit, less string // names; less are refused
	}{
		"a subdomain": {BadSubdomain, "a 1 web-1 a.b-c.d " + strings.Repeat("x", 253),
			". .. -a a- a. a..b a_b A ä a%b a/b " + strings.Repeat("x", 254)},
		"a label": {BadLabel, "a 1-2 " + strings.Repeat("x", 63), "A -a a.b a_b " + strings.Repeat("x", 64)},
		"a label's value": {badValue, "a A_b.c-9 " + strings.Repeat("x", 63),
			"- a- a/b ä " + strings.Repeat("x", 64)},
		"a label's key": {func(s string) string { return strings.Join(badKey(s), "; ") },
			"a A_b.c-9 example.com/a " + strings.Repeat("x", 63),
			"/ /a x/ -a UP/a a/b/c " + strings.Repeat("x", 64)},
	} {
		for name := range strings.FieldsSeq(c.fit) {
			assert.Empty(t, c.bad(name), "%s: %s", law, name)
		}
		for name := range strings.FieldsSeq(c.less) {
			assert.NotEmpty(t, c.bad(name), "%s: %s", law, name)
		}
	}
	roles := Resource{Group: "rbac.authorization.k8s.io", Plural: "roles"}
	assert.Empty(t, nameRule(&Type{Resource: roles})("system:node"))
	assert.NotEmpty(t, nameRule(&Type{Resource: roles, Defined: true})("system:node"),
		"a definition that has the name of a built-in type has the rule of custom resources")
	assert.Empty(t, badValue(""))
	assert.Equal(t, "must not contain dots", BadLabel("a.b"))
	why := badKey("/")
	assert.Equal(t, []string{"prefix part must be non-empty", "name part must be non-empty"}, why[:2])
}

// FuzzLabelSelector checks that all requirements of a selector have to hold, and that saying them
// twice changes nothing.
func FuzzLabelSelector(f *testing.F) {
	for _, s := range []string{"", "app", "!app", "app=front", "app!=", "app in (a,b)",
		"app notin (a, ,b)", "n>3,n<5", "example.dev/app = x , !y", "a=b,", "(", "a=\xff", "a\nb",
		"notin in (in)", "a in (b),c"} {
		f.Add(s, "app", "front")
	}
	f.Fuzz(func(t *testing.T, text, key, value string) {
		s, err := ParseLabelSelector(text)
		if err != nil || len(s) == 0 {
			assert.Empty(t, s)
			return
		}
		labels, each := Labels(JSON(map[string]string{key: value})), true
		for _, r := range s {
			each = each && LabelSelector{r}.Matches(labels)
		}
		assert.Equal(t, each, s.Matches(labels), "all requirements have to hold")
		if twice, err := ParseLabelSelector(text + "," + text); len(text) < 100 {
			require.NoError(t, err)
			assert.Equal(t, each, twice.Matches(labels), "%q, twice", text)
		}
	})
}
