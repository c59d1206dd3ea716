package fakeapi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/fakeapi/object"
)

// JSON for people is indented, unless it is nested deeply: each line would begin with
// thousands of spaces.
func TestIndentedAnswersAreBounded(t *testing.T) {
	for law, doc := range map[string]string{
		"an object":         `{"a":{"b":[1,"x\"{,:",{}],"c":[]},"d":null}`,
		"1,000 small lists": `[` + strings.TrimSuffix(repeat(1_000, `[1,2],`), ",") + `]`,
		"500 levels":        nested(500),
		"10,000 levels":     nested(10_000),
		"10,000 lists":      repeat(10_000, "[") + repeat(10_000, "]"),
		"wide, at 9,000 levels": repeat(9_000, "[") + "1" + repeat(9_000, ",1") +
			repeat(9_000, "]"),
		"a megabyte at 10 levels": repeat(10, "[") + "1" + repeat(500_000, ",1") + repeat(10, "]"),
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

// A definition may have many columns that show the same large value, and selectable fields
// that contain each other. Neither may make the answers and documents much larger than the
// object.
func TestWhatIsShownOfAnObjectIsNotMuchLargerThanIt(t *testing.T) {
	columns, fields := make([]any, maxNames), make([]any, maxSelectable)
	for i := range columns {
		columns[i] = object.Tree{"name": fmt.Sprint("c", i), "type": "string", "jsonPath": ".spec"}
	}
	path := ".spec"
	for i := range fields {
		fields[i] = object.Tree{"jsonPath": path}
		path += ".in"
	}
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		_, err := s.Create("customresourcedefinitions", levers(func(d object.Tree) {
			v := object.ListAt(d, ".spec.versions")[0].(object.Tree)
			v["additionalPrinterColumns"], v["selectableFields"] = columns, fields
		}))
		require.NoError(t, err)
		const size = 100_000
		_, err = s.Create("levers", `{"metadata":{"name":"web-1"},"spec":{"in":{"in":{"in":{"in":{"text":"`+
			strings.Repeat("é", size/2)+`"}}}}}}`)
		require.NoError(t, err)
		_, table := send(t, s, "GET", leversPath, "", "Accept", "application/json;as=Table;v=v1;g=meta.k8s.io")
		assert.Less(t, len(table), 3*size, "a row has little more text than its object")
		assert.Contains(t, table, `"cells":["web-1","{\"in\":{\"in\"`, "the first columns are whole")
		assert.NotContains(t, table, `\ufffd`, "no character is cut in two")
		c, err := s.collection("look into", "levers")
		require.NoError(t, err)
		assert.Less(t, c.current("default/web-1").Size(), 2*size, "fields are values, not objects")
	})
}
