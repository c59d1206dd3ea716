package wire

import (
	"bytes"
	"encoding/json"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// JSON for people is indented, unless it is nested deeply: each line would begin with
// thousands of spaces.
func TestIndentedAnswersAreBounded(t *testing.T) {
	for law, doc := range map[string]string{
		"an object":         `{"a":{"b":[1,"x\"{,:",{}],"c":[]},"d":null}`,
		"1,000 small lists": `[` + strings.TrimSuffix(strings.Repeat(`[1,2],`, 1_000), ",") + `]`,
		"500 levels":        nested(500),
		"10,000 levels":     nested(10_000),
		"10,000 lists":      strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000),
		"wide, at 9,000 levels": strings.Repeat("[", 9_000) + "1" + strings.Repeat(",1", 9_000) +
			strings.Repeat("]", 9_000),
		"a megabyte at 10 levels": strings.Repeat("[", 10) + "1" + strings.Repeat(",1", 500_000) + strings.Repeat("]", 10),
	} {
		before := allocated()
		got := indent([]byte(doc))
		spent := allocated() - before
		assert.LessOrEqual(t, len(got), mostIndented(len(doc)), law)
		assert.Less(t, spent, uint64(4*mostIndented(len(doc))), "bytes allocated, %s", law)
		var b bytes.Buffer
		require.NoError(t, json.Compact(&b, got), law)
		assert.Equal(t, doc, b.String(), "%s: the same document", law)
	}
	assert.Equal(t, "{\n  \"a\": [\n    1,\n    \"x:,{\\\"\"\n  ]\n}",
		string(indent([]byte(`{"a":[1,"x:,{\""]}`))))
	assert.Contains(t, string(indent([]byte(nested(500)))), "\n", "500 levels are few")
	assert.NotContains(t, string(indent([]byte(nested(10_000)))), "\n", "10,000 are not")
}

// An estimate decides whether a document is indented. It must not be below the real size.
func TestTheSizeOfAnIndentedDocumentIsKnownBefore(t *testing.T) {
	for _, doc := range []string{`1`, `"a\\"`, `{"a":1}`, `[1,[2,{"b":"},{\""}],3]`, `[[[1]]]`,
		`{"a":{"b":{"c":null}},"d":true}`} {
		assert.Equal(t, len(indent([]byte(doc))), indentedSize([]byte(doc), 1<<20), doc)
	}
	for _, doc := range []string{`{}`, `[[],{}]`} {
		assert.GreaterOrEqual(t, indentedSize([]byte(doc), 1<<20), len(indent([]byte(doc))), doc)
	}
	assert.Less(t, indentedSize([]byte(nested(10_000)), 5_000), 50_000, "counting stops early")
}

func nested(levels int) string {
	return strings.Repeat(`{"a":`, levels) + "1" + strings.Repeat("}", levels)
}

func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}
