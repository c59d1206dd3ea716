package selector

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The fuzz targets check more than that nothing panics: each states a promise that holds
// for every input. go test runs the seeds; go test -fuzz looks for more inputs.

// FuzzLabelSelector checks that a selector that can be parsed can be written as text and parsed
// again to the same selector, and that it selects what each of its requirements selects.
func FuzzLabelSelector(f *testing.F) {
	for _, s := range []string{"", "app", "!app", "app=front", "app==front", "app!=",
		"app in (a,b)",
		"app notin (a, ,b)", "n>3,n<5", "example.dev/app = x , !y", "a=b,", "a in ()", "(", "a b",
		"a=\xff", "a\nb", "!!a", "notin in (in)", "in in (in)", "a in (b),c"} {
		f.Add(s, "app", "front")
	}
	f.Fuzz(func(t *testing.T, text, key, value string) {
		s, err := ParseLabels(text)
		if err != nil {
			assert.Nil(t, s)
			return
		}
		again, err := ParseLabels(spellLabels(s))
		require.NoError(t, err, "%q is spelled %q", text, spellLabels(s))
		assert.Equal(t, spellLabels(s), spellLabels(again))

		labels := map[string]string{key: value}
		assert.Equal(t, s.Matches(labels), again.Matches(labels))
		each := true
		for _, r := range s {
			each = each && Labels{r}.Matches(labels)
			opposite := map[operator]operator{opExists: opMissing, opMissing: opExists,
				opIn: opNotIn, opNotIn: opIn}
			if not, ok := opposite[r.op]; ok {
				p := r
				p.op = not
				assert.NotEqual(t, r.matches(labels), p.matches(labels),
					"%q and its opposite", text)
			}
		}
		assert.Equal(t, each, s.Matches(labels), "all requirements have to hold")
	})
}

// spellLabels returns a selector as text.
func spellLabels(s Labels) string {
	parts := make([]string, len(s))
	for i, r := range s {
		switch r.op {
		case opExists:
			parts[i] = r.key
		case opMissing:
			parts[i] = "!" + r.key
		case opIn, opNotIn:
			parts[i] = r.key + " " + string(r.op) + " (" + strings.Join(r.values, ",") + ")"
		default:
			parts[i] = r.key + string(r.op) + r.values[0]
		}
	}
	return strings.Join(parts, ",")
}

// FuzzFieldSelector checks the same for field selectors. Any text can be the value of a term.
func FuzzFieldSelector(f *testing.F) {
	for _, s := range []string{"", "metadata.name=web-1", "metadata.name!=a,metadata.namespace==b",
		`spec.color=a\,b`, `spec.color=\\`, "spec.color=a=b", "spec.other=x", "=", ",", `\`,
		"metadata.name", "metadata.name=\xff", "spec.color=", `spec.color=a\b`} {
		f.Add(s, "web-1")
	}
	f.Fuzz(func(t *testing.T, text, value string) {
		object := values{"default", value, value}.of
		if s, err := ParseFields(text, number); err == nil {
			again, err := ParseFields(spellFields(s), number)
			require.NoError(t, err, "%q is spelled %q", text, spellFields(s))
			assert.Equal(t, spellFields(s), spellFields(again))
			assert.Equal(t, s.Matches(object), again.Matches(object))
		}
		s, err := ParseFields("spec.color="+escapeField(value), number)
		require.NoError(t, err, "every value can be asked for")
		assert.True(t, s.Matches(object), "%q selects itself", value)
		s, err = ParseFields("spec.color!="+escapeField(value), number)
		require.NoError(t, err)
		assert.False(t, s.Matches(object), "%q does not differ from itself", value)
	})
}

func escapeField(value string) string {
	return strings.NewReplacer(`\`, `\\`, ",", `\,`, "=", `\=`).Replace(value)
}

func spellFields(s Fields) string {
	parts := make([]string, len(s))
	for i, term := range s {
		op := "="
		if term.Not {
			op = "!="
		}
		parts[i] = paths[term.Field] + op + escapeField(term.Value)
	}
	return strings.Join(parts, ",")
}
