package fakeapi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/wire"
)

// A definition may have many columns that show the same large value, and selectable fields
// that contain each other. Neither may make the answers and documents much larger than the
// object.
func TestWhatIsShownOfAnObjectIsNotMuchLargerThanIt(t *testing.T) {
	columns, fields := make([]any, 100), make([]any, 8)
	for i := range columns {
		columns[i] = object.Tree{"name": fmt.Sprint("c", i), "type": "string", "jsonPath": ".spec"}
	}
	path := ".spec"
	for i := range fields {
		fields[i] = object.Tree{"jsonPath": path}
		path += ".in"
	}
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		const size = 100_000
		must(s.Create("customresourcedefinitions", levers(func(d object.Tree) {
			v := object.At[[]any](d, ".spec.versions")[0].(object.Tree)
			v["additionalPrinterColumns"], v["selectableFields"] = columns, fields
		})))
		must(s.Create("levers", `{"metadata":{"name":"web-1"},"spec":{"in":{"in":{"in":{"in":{"text":"`+
			strings.Repeat("é", size/2)+`"}}}}}}`))
		_, table := send(t, s, "GET", leversPath, "", "Accept", acceptTable)
		assert.Less(t, len(table), 3*size, "a row has little more text than its object")
		assert.Contains(t, table, `"cells":["web-1","{\"in\":{\"in\"`, "the first columns are whole")
		assert.NotContains(t, table, `\ufffd`, "no character is cut in two")
		c := must(s.collection("look into", "levers"))
		assert.Less(t, c.Get("default/web-1").Size(), 2*size, "fields are values, not objects")
	})
}

// indented returns a document, which is written in pieces of n bytes, as people see it.
func indented(doc string, n int) string {
	w := httptest.NewRecorder()
	wire.Stream(w, httptest.NewRequest("GET", "/", nil), 200, true, n, func(out io.Writer) {
		for piece := range slices.Chunk([]byte(doc), n) {
			_, _ = out.Write(piece)
		}
	})
	return w.Body.String()
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
	list := func(levels, n int) string {
		return repeat(levels, "[") + "1" + repeat(n, ",1") + repeat(levels, "]")
	}
	for law, doc := range map[string]string{
		"10,000 objects in each other": nested(10_000),
		"wide, at 9,000 levels":        list(9_000, 9_000),
		"400 KB at 10 levels":          list(10, 200_000),
	} {
		got := indented(doc, 1000)
		assert.Less(t, len(got), 5*len(doc)+1<<20, law)
		var b bytes.Buffer
		assert.NoError(t, json.Compact(&b, []byte(got)), law)
		assert.Equal(t, doc, b.String(), "%s: the same document", law)
	}
}
