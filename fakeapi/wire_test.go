package fakeapi

import (
	"bufio"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/wire"
)

const acceptProtobuf = "application/vnd.kubernetes.protobuf"

func TestAcceptIsNegotiated(t *testing.T) {
	for _, c := range []struct{ promise, accept, want string }{
		{"no header is JSON", "", ""},
		{"parameters that mean nothing are ignored", "application/json;charset=utf-8;stream=watch", ""},
		{"protobuf falls back to the JSON after it", acceptProtobuf + ",application/json", ""},
		{"browsers get JSON", "text/html, */*;q=0.1", ""},
		{"a metadata client gets JSON metadata for protobuf metadata",
			acceptProtobuf + ";as=PartialObjectMetadata;v=v1;g=meta.k8s.io," +
				strings.Replace(acceptTable, "Table", "PartialObjectMetadata", 1) + ",application/json",
			"PartialObjectMetadata"},
		{"kubectl's header", acceptTable + ",application/json;as=Table;v=v1beta1;g=meta.k8s.io," +
			"application/json", "Table"},
		{"spaces, case and quotes do not matter", ` application/JSON ; AS="Table" ; v=v1 ; g=meta.k8s.io `,
			"Table"},
		{"a form of another version is not offered", "application/json;as=Table;v=v2;g=meta.k8s.io", "406"},
		{"a form of another group is not offered", "application/json;as=Table;v=v1;g=apps", "406"},
		{"two equal parameters are no media type", "application/json;as=Foo;as=Table;v=v1", "406"},
		{"an unknown form falls back", "application/json;as=Foo;v=v1;g=meta.k8s.io,*/*", ""},
		{"the first counts", acceptTable + ",application/json", "Table"},
		{"JSON in the first KiB", strings.Repeat("a/b,", 250) + "application/json", ""},
		{"JSON after the first KiB", strings.Repeat("a/b,", 256) + "application/json", "406"},
	} {
		as, ok := wire.Negotiate(&http.Request{Header: http.Header{"Accept": {c.accept}}})
		got := "406"
		if ok {
			got = as
		}
		assert.Equal(t, c.want, got, "%s: Accept: %s", c.promise, c.accept)
	}
}

func TestWarningsAreCut(t *testing.T) {
	h := httptest.NewRecorder()
	wire.Warn(h, append([]string{`"a"`}, make([]string, 100)...))
	got := h.Header()["Warning"]
	assert.Len(t, got, 16, "the number of warnings")
	assert.Equal(t, `299 - "\"a\""`, got[0])
}

func TestAuthorized(t *testing.T) {
	for header, want := range map[string]bool{"Bearer secret": true, "bEARER secret": true, "": false,
		"Bearer Secret": false, "Bearer secrets": false, "Basic secret": false, "secret": false} {
		r := httptest.NewRequest("POST", "/", nil)
		r.Header.Set("Authorization", header)
		assert.Equal(t, want, wire.Authorized(r, "secret"), header)
	}
}

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

// Each level of nesting adds two spaces to each line in it.
func TestOnlyJSONThatPeopleCanReadIsIndented(t *testing.T) {
	for law, c := range map[string]struct {
		doc      string
		indented bool
	}{
		"a document":                 {`{"a":["b\\",{}],"c":"[[[\"{{{"}`, true},
		"brackets in a text":         {`["` + repeat(1_000, "[") + `"]`, true},
		"50 levels":                  {nested(50), true},
		"51 levels":                  {nested(51), false},
		"levels that a text hides":   {repeat(1_000, `{"]}":`) + "1" + repeat(1_000, "}"), false},
		"more than 256 KiB":          {`["` + repeat(256<<10, "x") + `"]`, false},
		"a backslash before a quote": {`["\\` + `\"` + repeat(100, "[") + `"]`, true},
	} {
		w := httptest.NewRecorder()
		wire.Answer(w, httptest.NewRequest("GET", "/?pretty=1", nil), 200, []byte(c.doc))
		assert.Equal(t, c.indented, strings.Contains(w.Body.String(), "\n "), law)
		assert.JSONEq(t, c.doc, w.Body.String(), "%s: the same document", law)
	}
}

func TestHTTP2CarriesAHundredWatchesOnOneConnection(t *testing.T) {
	overHTTP2(t, Options{}, func(t *testing.T, x *secure) {
		var watches []*tap
		for range 100 {
			resp := x.get(t, widgetsPath+"?watch=1&resourceVersion=1")
			assert.Equal(t, "application/json", resp.Header.Get("Content-Type"))
			watches = append(watches, &tap{resp, bufio.NewReader(resp.Body)})
		}
		create(t, x.Server, "web-0", "red")
		create(t, x.Server, "web-1", "red")
		x.get(t, widgetsPath)
		settled()
		assert.EqualValues(t, 1, x.dials.Load(), "requests share the connection with open watches")
		x.Close()
		for i, w := range watches {
			require.Equal(t, []string{"ADDED web-0@2", "ADDED web-1@3", "EOF"}, w.rest(),
				"watch %d received all events, and ends cleanly when the server closes", i)
		}
	})
}
