package wire

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

const (
	acceptProtobuf = "application/vnd.kubernetes.protobuf"
	acceptTable    = "application/json;as=Table;v=v1;g=meta.k8s.io"
)

// nested returns a document with a number of levels.
func nested(levels int) string {
	return strings.Repeat(`{"a":`, levels) + "1" + strings.Repeat("}", levels)
}

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
		as, ok := Negotiate(&http.Request{Header: http.Header{"Accept": {c.accept}}})
		got := "406"
		if ok {
			got = as
		}
		assert.Equal(t, c.want, got, "%s: Accept: %s", c.promise, c.accept)
	}
}

func TestWarningsAreCut(t *testing.T) {
	h := httptest.NewRecorder()
	Warn(h, append([]string{`"a"`}, make([]string, 100)...))
	got := h.Header()["Warning"]
	assert.Len(t, got, 16, "the number of warnings")
	assert.Equal(t, `299 - "\"a\""`, got[0])
}

func TestAuthorized(t *testing.T) {
	for header, want := range map[string]bool{"Bearer secret": true, "bEARER secret": true, "": false,
		"Bearer Secret": false, "Bearer secrets": false, "Basic secret": false, "secret": false} {
		r := httptest.NewRequest("POST", "/", nil)
		r.Header.Set("Authorization", header)
		assert.Equal(t, want, Authorized(r, "secret"), header)
	}
}

// Each level of nesting adds two spaces to each line in it.
func TestOnlyJSONThatPeopleCanReadIsIndented(t *testing.T) {
	for law, c := range map[string]struct {
		doc      string
		indented bool
	}{
		"a document":                 {`{"a":["b\\",{}],"c":"[[[\"{{{"}`, true},
		"brackets in a text":         {`["` + strings.Repeat("[", 1_000) + `"]`, true},
		"50 levels":                  {nested(50), true},
		"51 levels":                  {nested(51), false},
		"levels that a text hides":   {strings.Repeat(`{"]}":`, 1_000) + "1" + strings.Repeat("}", 1_000), false},
		"more than 256 KiB":          {`["` + strings.Repeat("x", 256<<10) + `"]`, false},
		"a backslash before a quote": {`["\\` + `\"` + strings.Repeat("[", 100) + `"]`, true},
	} {
		w := httptest.NewRecorder()
		Answer(w, httptest.NewRequest("GET", "/?pretty=1", nil), 200, []byte(c.doc))
		assert.Equal(t, c.indented, strings.Contains(w.Body.String(), "\n "), law)
		assert.JSONEq(t, c.doc, w.Body.String(), "%s: the same document", law)
	}
}
