package wire

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/docs/tools/story"
)

const (
	acceptProtobuf = "application/vnd.kubernetes.protobuf"
	acceptTable    = "application/json;as=Table;v=v1;g=meta.k8s.io"
)

// nested returns a document with a number of levels.
func nested(levels int) string {
	return strings.Repeat(`{"a":`, levels) + "1" + strings.Repeat("}", levels)
}

// A fault may have delayed a write for longer than its client has waited.
func TestAPlaceThatIsFreeIsTakenAlsoForAClientThatHasLeft(t *testing.T) {
	ctx, leave := context.WithCancel(t.Context())
	leave()
	for range 50 { // a choice by chance would refuse some
		r := httptest.NewRequestWithContext(ctx, "POST", "/", nil)
		_, err := NewPlaces().Enter(r)
		require.NoError(t, err)
	}
}

func TestABodyOfAKnownLengthIsReadWithoutCopies(t *testing.T) {
	const size = 1 << 20
	body := strings.NewReader(strings.Repeat("x", size))
	before := story.Allocated()
	b, err := ReadBody(httptest.NewRecorder(), httptest.NewRequest("POST", "/", body))
	assert.NoError(t, err)
	assert.Len(t, b, size)
	// To grow takes four times the size. Grow itself takes twice under the race detector.
	assert.Less(t, story.Allocated()-before, 3*size)
}

func TestPartsOfADocumentAreSharedByAnswers(t *testing.T) {
	document := append(make([][]byte, 0, 2), []byte("{}"))
	w := httptest.NewRecorder()
	Answer(w, httptest.NewRequest("GET", "/", nil), 200, document...)
	assert.Equal(t, "{}\n", w.Body.String())
	assert.Nil(t, document[:2][1], "nothing is written behind them")
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

// It is what json.Indent makes, but for deep levels, of which each would add two spaces to every
// line in it.
func TestIndentedJSON(t *testing.T) {
	indented := func(doc string) string {
		w := httptest.NewRecorder()
		Answer(w, httptest.NewRequest("GET", "/?pretty=1", nil), 200, []byte(doc[:1]), []byte(doc[1:]))
		return w.Body.String()
	}
	for _, doc := range []string{`{}`, `[]`, `7`, `{"a":[]}`, `{"a":{},"b":[{}],"c":[[],[1,true]]}`,
		`{"a":["b\\",{}],"c":"[[[\"{{{:,"}`, `["\\` + `\"]"]`, nested(50)} {
		var want bytes.Buffer
		require.NoError(t, json.Indent(&want, []byte(doc), "", "  "))
		assert.Equal(t, want.String(), indented(doc))
	}
	deep := indented(nested(5_000))
	assert.JSONEq(t, nested(5_000), deep)
	assert.Less(t, len(deep), 5_000*2*110, "bytes")
}

// Neither the parts of a document nor its indented form are ever in memory as a whole.
func TestAnAnswerNeedsNoMemoryForItsLength(t *testing.T) {
	doc := []byte("[" + strings.Repeat(`{"a":[1,2]},`, 1<<18) + "1]")
	for _, target := range []string{"/", "/?pretty=1"} {
		w := &counter{ResponseRecorder: httptest.NewRecorder()}
		before := story.Allocated()
		Answer(w, httptest.NewRequest("GET", target, nil), 200, doc, doc)
		assert.Less(t, story.Allocated()-before, 1<<20, target)
		assert.Greater(t, w.n, 2*len(doc), target)
	}
}

// A counter counts the bytes of an answer.
type counter struct {
	*httptest.ResponseRecorder
	n int
}

func (c *counter) Write(b []byte) (int, error) { c.n += len(b); return len(b), nil }
