package wire

import (
	"bufio"
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// indented returns what an indenter makes of a document that arrives in pieces of n bytes.
func indented(doc string, n int) string {
	var b bytes.Buffer
	out := bufio.NewWriter(&b)
	d := &indenter{out: out}
	for len(doc) > 0 {
		_, _ = d.Write([]byte(doc[:min(n, len(doc))]))
		doc = doc[min(n, len(doc)):]
	}
	_ = out.Flush()
	return b.String()
}

// The model of an indenter is json.Indent, unless the document is nested deeply.
func FuzzJSONForPeople(f *testing.F) {
	for _, doc := range []string{`1`, `"a\\"`, `{"a":1}`, `[1,[2,{"b":"},{\""}],3]`, `[[[1]]]`, `{}`,
		`[[],{}]`, `{"a":{"b":[1,"x\"{,:",{}],"c":[]},"d":null}` + "\n", nested(500)} {
		f.Add(doc)
	}
	f.Fuzz(func(t *testing.T, doc string) {
		var compact, want bytes.Buffer
		if json.Compact(&compact, []byte(doc)) != nil {
			t.Skip("not JSON")
		}
		_ = json.Indent(&want, compact.Bytes(), "", "  ")
		if got := indented(doc, 1+len(doc)%7); want.Len() < 1<<20 {
			assert.Equal(t, want.String(), got)
		}
	})
}

func TestJSONForPeopleIsNotMuchLarger(t *testing.T) {
	lists := func(levels int, inner string) string {
		return strings.Repeat("[", levels) + inner + strings.Repeat("]", levels)
	}
	for law, doc := range map[string]string{
		"10,000 objects in each other": nested(10_000),
		"10,000 lists":                 lists(10_000, ""),
		"wide, at 9,000 levels":        lists(9_000, "1"+strings.Repeat(",1", 9_000)),
		"400 KB at 10 levels":          lists(10, "1"+strings.Repeat(",1", 200_000)),
	} {
		got := indented(doc, 1000)
		assert.Less(t, len(got), 5*len(doc)+1<<20, law)
		var b bytes.Buffer
		assert.NoError(t, json.Compact(&b, []byte(got)), law)
		assert.Equal(t, doc, b.String(), "%s: the same document", law)
	}
}

func nested(levels int) string {
	return strings.Repeat(`{"a":`, levels) + "1" + strings.Repeat("}", levels)
}
