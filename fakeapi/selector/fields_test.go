package selector

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

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
	value := values{"ns", "web-1", `red, or =\`}.of
	for _, c := range []struct {
		law, selector string
		want          bool
	}{
		{"an empty selector selects everything", "", true},
		{"empty terms are ignored", ",,", true},
		{"the name", "metadata.name=web-1", true},
		{"== means =", "metadata.name==web-1", true},
		{"another name", "metadata.name=web-2", false},
		{"not a name", "metadata.name!=web-2", true},
		{"not its own name", "metadata.name!=web-1", false},
		{"the namespace", "metadata.namespace=ns", true},
		{"another namespace", "metadata.namespace=default", false},
		{"a selectable field, with everything escaped", `spec.color=red\, or \=\\`, true},
		{"all terms hold", `metadata.name=web-1,metadata.namespace!=x`, true},
		{"one term that does not hold is enough", "metadata.name=web-1,metadata.name=web-2", false},
	} {
		s, err := ParseFields(c.selector, number)
		require.NoError(t, err, "%s: %s", c.law, c.selector)
		assert.Equal(t, c.want, s.Matches(value), "%s: %s", c.law, c.selector)
	}
}

func TestFieldSelectorsThatAreRefused(t *testing.T) {
	for selector, want := range map[string]string{
		"metadata.name":         "invalid selector: 'metadata.name'; can't understand 'metadata.name'",
		"a=b,c":                 "field label not supported: a",
		"spec.size=1":           "field label not supported: spec.size",
		".spec.color=red":       "field label not supported: .spec.color",
		"metadata.name=a=b":     "invalid field selector: unescaped character in value: 61",
		`metadata.name=a\x`:     `invalid field selector: invalid escape sequence: \x`,
		`metadata.name=a\`:      `invalid field selector: invalid escape sequence: \`,
		`metadata.name=a\ä`:     `invalid field selector: invalid escape sequence: \ä`,
		"metadata.labels.app=b": "field label not supported: metadata.labels.app",
		"metadata.name in (a,b)": "invalid selector: 'metadata.name in (a,b)'; can't understand " +
			"'metadata.name in (a'",
	} {
		_, err := ParseFields(selector, number)
		assert.EqualError(t, err, want, selector)
	}
}
