package fakeapi

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
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
		{"another stream is not offered", "application/json;stream=foo", "406"},
		{"protobuf falls back to the JSON after it", acceptProtobuf + ",application/json", ""},
		{"browsers get JSON", "text/html, */*;q=0.1", ""},
		{"a metadata client gets JSON metadata for protobuf metadata",
			acceptProtobuf + ";as=PartialObjectMetadata;v=v1;g=meta.k8s.io," +
				strings.Replace(acceptTable, "Table", "PartialObjectMetadata", 1) + ",application/json",
			"PartialObjectMetadata v1"},
		{"kubectl's header", acceptTable + ",application/json;as=Table;v=v1beta1;g=meta.k8s.io," +
			"application/json", "Table v1"},
		{"spaces, case and quotes do not matter", ` application/JSON ; AS="Table" ; v=v1 ; g=meta.k8s.io `,
			"Table v1"},
		{"a form of another version is not offered", "application/json;as=Table;v=v2;g=meta.k8s.io", "406"},
		{"a form of another group is not offered", "application/json;as=Table;v=v1;g=apps", "406"},
		{"two equal parameters are no media type", "application/json;as=Foo;as=Table;v=v1", "406"},
		{"an unknown form falls back", "application/json;as=Foo;v=v1;g=meta.k8s.io,*/*", ""},
		{"the first of equals", acceptTable + ",application/json", "Table v1"},
		{"quality first", "application/json;q=0.1," + acceptTable + ";q=0.9", "Table v1"},
		{"a named type before a wildcard", "*/*," + acceptTable, "Table v1"},
		{"but not against the quality", acceptTable + ";q=0.1,*/*;q=0.9", ""},
		{"quality 0 is last, but not excluded", "application/json;q=0", ""},
		{"a malformed quality is last", "application/json;q=abc," + acceptTable, "Table v1"},
		{"JSON in the first KiB", strings.Repeat("a/b,", 250) + "application/json", ""},
		{"JSON after the first KiB", strings.Repeat("a/b,", 256) + "application/json", "406"},
	} {
		f, ok := wire.Negotiate(&http.Request{Header: http.Header{"Accept": {c.accept}}})
		got := "406"
		if ok {
			got = strings.TrimSpace(f.As + " " + f.Version)
		}
		assert.Equal(t, c.want, got, "%s: Accept: %s", c.promise, c.accept)
	}
}

func TestWhichAnswersAreCompressed(t *testing.T) {
	large, small := widgetsPath, widgetsPath+"?limit=1"
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		for i := range 3 {
			create(t, s, fmt.Sprintf("web-%d", i), strings.Repeat("x", 1_000))
		}
		create(t, s, "web-big", strings.Repeat("x", 128<<10))
		for _, c := range []struct {
			law, path, accept string
			compressed        bool
		}{
			{"a large list, if the client accepts gzip", large, "gzip", true},
			{"gzip among other codings", large, "deflate, gzip ,br", true},
			{"not if the client accepts any coding", large, "*", false},
			{"a quality value is not understood", large, "gzip;q=1", false},
			{"not if the client refuses gzip", large, "gzip;q=0", false},
			{"not for GZIP in capital letters", large, "GZIP", false},
			{"not a small list", small, "gzip", false},
			{"a large list for people", large + "?pretty=1", "gzip", true},
			{"a large object", widgetsPath + "/web-big", "gzip", true},
			{"not a small object", widgetsPath + "/web-1", "gzip", false},
			{"never a watch: its frames would wait in the compressor",
				large + "?watch=1&timeoutSeconds=1", "gzip", false},
		} {
			_, plain := send(t, s, "GET", c.path, "", "Accept-Encoding", "identity")
			resp, body := send(t, s, "GET", c.path, "", "Accept-Encoding", c.accept)
			if c.compressed {
				assert.Equal(t, "gzip", resp.Header.Get("Content-Encoding"), c.law)
				assert.Equal(t, "Accept-Encoding", resp.Header.Get("Vary"), c.law)
				z, err := gzip.NewReader(strings.NewReader(body))
				require.NoError(t, err, c.law)
				body = string(must(io.ReadAll(z)))
			} else {
				assert.Empty(t, resp.Header.Get("Content-Encoding"), c.law)
			}
			assert.True(t, plain == body, "%s: the same document", c.law)
		}
	})
}

// Warnings are limited as in the real server.
func TestWarningsAreBounded(t *testing.T) {
	warnings := func(texts ...string) []string {
		h := httptest.NewRecorder()
		wire.Warn(h, texts)
		return h.Header()["Warning"]
	}
	assert.Nil(t, warnings())
	assert.Equal(t, []string{`299 - "a"`, `299 - "\"b\""`}, warnings("a", `"b"`, "a"),
		"each text once")
	full := strings.Repeat("ä", 4096)
	assert.Equal(t, []string{`299 - "` + full + `"`}, warnings(full), "4,096 characters")
	cut := `299 - "` + strings.Repeat("ä", 256) + `"`
	assert.Equal(t, []string{cut, `299 - "x"`}, warnings(full, "x"),
		"beyond 4,096 characters in all, 256 of each")
	var many []string
	for i := range 1_000 {
		many = append(many, fmt.Sprint(i, strings.Repeat("ä", 300)))
	}
	assert.Len(t, warnings(many...), 4096/256, "at most 4,096 characters in all")
}

// A Guard refuses requests by their host, their origin and their token, and without work that
// grows with the request.
func TestGuard(t *testing.T) {
	token, hosts := wire.Guard{Token: "secret"}, wire.Guard{AllowHosts: []string{"box.example", "192.0.2.7"}}
	for _, c := range []struct {
		law, header, value string
		guard              wire.Guard
		code               int // 0: the request is handled
	}{
		{"a client that is not a browser", "", "", wire.Guard{}, 0},
		{"a page of another site", "Sec-Fetch-Site", "cross-site", wire.Guard{}, 403},
		{"a page of the server itself", "Sec-Fetch-Site", "same-origin", wire.Guard{}, 0},
		{"an old browser with a page of another origin", "Origin", "https://page.example", wire.Guard{}, 403},

		{"any name, if none is named", "Host", "page.example", wire.Guard{}, 0},
		{"localhost with any port", "Host", "localhost:8001", hosts, 0},
		{"the loopback address of IPv6", "Host", "[::1]:8001", hosts, 0},
		{"the loopback address of IPv6 without a port", "Host", "[::1]", hosts, 0},
		{"an allowed name in other case", "Host", "BOX.Example:1", hosts, 0},
		{"an allowed address", "Host", "192.0.2.7:8001", hosts, 0},
		{"a name of this machine", "Host", "box:8001", hosts, 0},
		{"a name that is too long for a label", "Host", strings.Repeat("h", 64), hosts, 403},
		{"an address of IPv6 that is not loopback", "Host", "[2001:db8::1]:8001", hosts, 403},
		{"a name with a dot at its end", "Host", "page.", hosts, 403},
		{"a name that ends like an allowed one", "Host", "not-box.example", hosts, 403},
		{"an address that is not loopback", "Host", "192.0.2.1:8001", hosts, 403},

		{"the token", "Authorization", "Bearer secret", token, 0},
		{"the scheme in other case", "Authorization", "bEARER secret", token, 0},
		{"no token", "", "", token, 401},
		{"another token", "Authorization", "Bearer Secret", token, 401},
		{"the token and more", "Authorization", "Bearer secrets", token, 401},
		{"a token of a megabyte", "Authorization", strings.Repeat("x", 1<<20), token, 401},
		{"a host of a megabyte", "Host", strings.Repeat("h", 1<<20), hosts, 403},
	} {
		r := httptest.NewRequest("POST", "/", nil)
		r.Header.Set("Accept", strings.Repeat("a/b;c=d,", 64<<10))
		if r.Header.Set(c.header, c.value); c.header == "Host" {
			r.Host = c.value
		}
		before := allocated()
		refusal := c.guard.Check(r, false)
		assert.Less(t, allocated()-before, uint64(64<<10), "%s: bytes allocated", c.law)
		code := 0
		if refusal != nil {
			code = refusal.Code
			assert.Less(t, len(refusal.Encode()), 1024, c.law)
		}
		assert.Equal(t, c.code, code, c.law)
	}
	page := httptest.NewRequest("GET", "/", nil)
	page.Header.Set("Sec-Fetch-Site", "cross-site")
	assert.Nil(t, wire.Guard{}.Check(page, false), "reads are answered; the browser hides the answer")
	assert.Nil(t, token.Check(httptest.NewRequest(http.MethodGet, "/healthz", nil), true),
		"probes need no token")
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
