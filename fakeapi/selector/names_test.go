package selector

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestNames(t *testing.T) {
	long := strings.Repeat("x", 254)
	for _, name := range []string{"a", "1", "web-1", "a.b-c.d", long[:253]} {
		assert.Empty(t, BadSubdomain(name), name)
	}
	for _, name := range []string{"", ".", "..", "-a", "a-", "a.", ".a", "a..b", "a_b", "a b", "a/b",
		"A", "ä", "a%b"} {
		assert.Equal(t, mustBeSubdomain, BadSubdomain(name), name)
	}
	assert.Equal(t, "must be no more than 253 characters", BadSubdomain(long))
	for _, name := range []string{"a", "1-2", long[:63]} {
		assert.Empty(t, BadLabel(name), name)
	}
	for _, name := range []string{"", "A", "-a", "..", "a_b", " "} {
		assert.Equal(t, mustBeLabel, BadLabel(name), name)
	}
	assert.Equal(t, "must not contain dots", BadLabel("a.b"))
	assert.Equal(t, "must be no more than 63 characters", BadLabel(long[:64]))
}

func TestLabelKeysAndValues(t *testing.T) {
	long := strings.Repeat("x", 64)
	for _, key := range []string{"a", "A_b.c-9", "example.com/a", long[:63], long[:63] + ".y/" +
		long[:63]} {
		assert.Nil(t, BadKey(key), key)
	}
	for key, want := range map[string][]string{
		"":    {"name part must be non-empty", mustBeQualifiedName},
		"a b": {mustBeQualifiedName},
		"-a":  {mustBeQualifiedName},
		long:  {"name part must be no more than 63 bytes"},
		"/a":  {"prefix part must be non-empty"},
		"/": {"prefix part must be non-empty", "name part must be non-empty",
			mustBeQualifiedName},
		"x/":          {"name part must be non-empty", mustBeQualifiedName},
		"UP/a":        {"prefix part " + mustBeSubdomain},
		"a/b/c":       {mustHaveOneSlash},
		long + ".y/-": {mustBeQualifiedName}, // the length of a subdomain's parts is not limited
	} {
		assert.Equal(t, want, BadKey(key), key)
	}
	for _, value := range []string{"", "a", "A_b.c-9", long[:63]} {
		assert.Empty(t, BadValue(value), value)
	}
	for _, value := range []string{"-", "a-", "a b", "a/b", "ä"} {
		assert.Equal(t, mustBeLabelValue, BadValue(value), value)
	}
	assert.Equal(t, "must be no more than 63 bytes", BadValue(long))
}
