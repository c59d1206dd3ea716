package fakeapi

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/patch"
)

// A try is one request and its expected answer. $V and $U in a body or path are the
// version and the uid of web-1.
type try struct {
	law    string
	method string
	path   string // below the collection, with the query
	body   string // a patch begins with its type: "merge:", "json:" or "strategic:"
	code   int
	writes int    // how many versions the write takes
	says   string // a part of the answer
}

// TestAnswers plays testdata/answers/*.txt. Each line is a law: its sentence, a request, the
// code and how many versions it takes, and a part of the answer. A line @ names the collection
// that the requests after it are for.
func TestAnswers(t *testing.T) {
	options := map[string]Options{"versions": {Resources: gadgets()}}
	files, err := filepath.Glob("testdata/answers/*.txt")
	require.NoError(t, err)
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".txt")
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		t.Run(name, func(t *testing.T) {
			bubble(t, options[name], func(t *testing.T, s *Server) {
				collection := ""
				for line := range strings.Lines(string(text)) {
					line = strings.TrimSuffix(line, "\n")
					if at, ok := strings.CutPrefix(line, "@ "); ok {
						collection = at
					} else if !strings.HasPrefix(line, "#") {
						play(t, s, collection, []try{readTry(t, line)})
					}
				}
			})
		})
	}
}

func readTry(t *testing.T, line string) (c try) {
	t.Helper()
	fields := strings.Split(line+" ", " | ")
	require.Len(t, fields, 4, line)
	request := strings.SplitN(fields[1]+"  ", " ", 3)
	c.law, c.says = fields[0], strings.TrimSpace(fields[3])
	c.method, c.path, c.body = request[0], request[1], strings.TrimSpace(request[2])
	_, err := fmt.Sscanf(fields[2], "%d +%d", &c.code, &c.writes)
	require.NoError(t, err, line)
	return c
}

// play makes all tries, one after the other, on one server.
func play(t *testing.T, s *Server, collection string, tries []try) {
	t.Helper()
	for _, c := range tries {
		before := s.store.Version()
		fill := strings.NewReplacer("$V", metaField(t, s, collection, "resourceVersion"),
			"$U", metaField(t, s, collection, "uid"), "$CRDS", definitions, "$LEVERS", levers(nil),
			"$WIDGET", `"apiVersion":"workshop.example.dev/v1","kind":"Widget"`)
		media, body := mediaOf(c.body)
		resp, got := send(t, s, c.method, fill.Replace(collection+c.path), fill.Replace(body),
			"Content-Type", media)
		what := fmt.Sprintf("%s: %s %s %s\n%s", c.law, c.method, c.path, c.body, got)
		assert.Equal(t, c.code, resp.StatusCode, what)
		assert.Contains(t, got, c.says, what)
		assert.Equal(t, c.writes, int(s.store.Version()-before), "versions taken. %s", what)
		for _, typ := range s.registry.Catalog().Types() {
			if e := s.registry.Catalog().Stored(typ.QualifiedName()); e != nil { // not a view
				assert.NoError(t, check(e.Collection), what)
			}
		}
	}
}

func mediaOf(body string) (media, rest string) {
	for prefix, media := range map[string]string{"merge:": patch.MediaMerge, "json:": patch.MediaJSON,
		"strategic:": patch.MediaStrategic} {
		if rest, ok := strings.CutPrefix(body, prefix); ok {
			return media, rest
		}
	}
	return "application/json", body
}

// metaField is a metadata field of web-1; empty if there is none.
func metaField(t *testing.T, s *Server, collection, field string) string {
	t.Helper()
	resp, body := send(t, s, "GET", collection+"/web-1", "")
	if resp.StatusCode != http.StatusOK {
		return ""
	}
	var o struct{ Metadata map[string]any }
	require.NoError(t, json.Unmarshal([]byte(body), &o))
	v, _ := o.Metadata[field].(string)
	return v
}

// w is a widget's body with further metadata and further fields.
func w(name, metadata, fields string) string {
	return fmt.Sprintf(
		`{"apiVersion":"workshop.example.dev/v1","kind":"Widget","metadata":{"name":%q%s}%s}`,
		name, metadata, fields)
}

// What the text files cannot say: it depends on headers.
func TestAnswersWithHeaders(t *testing.T) {
	const metadataList = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1"
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		_, body := send(t, s, "GET", widgetsPath, "", "Accept", metadataList)
		assert.Contains(t, body, `"items":null}`, "an empty list of metadata, as on a real server")
		resp, body := send(t, s, "POST", "/api/v1/namespaces/default/configmaps",
			`{"metadatA":{"name":"other","resourceVersion":"1"},"metadata":{"name":"web-1"}}`,
			"Audit-Id", "mine")
		assert.Equal(t, 201, resp.StatusCode, body)
		assert.Equal(t, "mine", resp.Header.Get("Audit-Id"), "the client's own audit ID comes back")
		_, body = send(t, s, "GET", "/api/v1/configmaps", "", "Accept", metadataList)
		assert.Contains(t, body, `"name":"web-1"`)
		assert.NotContains(t, body, "other", "letter case counts in the name of a field")
		_, err := s.Create("customresourcedefinitions", levers(func(d object.Tree) {
			object.At[[]any](d, ".spec.versions")[0].(object.Tree)["additionalPrinterColumns"] = []any{
				object.Tree{"name": "A", "type": "string", "jsonPath": ".spec..color"},
				object.Tree{"name": "B", "type": "string", "jsonPath": ".spec["},
				object.Tree{"name": "C", "type": "string", "jsonPath": ".spec.color"}}
		}))
		require.NoError(t, err)
		_, err = s.Create("levers", lever("web-1", "red"))
		require.NoError(t, err)
		_, body = send(t, s, "GET", leversPath+"?includeObject=None", "", "Accept", acceptTable)
		assert.Contains(t, body, `"cells":["web-1","red"]`, "a column that cannot be read is the end")
	})
}

func TestWarnings(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		warnings := func(method, path, body string) []string {
			media, body := mediaOf(body)
			resp, _ := send(t, s, method, widgetsPath+path, body, "Content-Type", media)
			return resp.Header.Values("Warning")
		}
		unknown := `299 - "unknown field \"metadata.foo\""`
		assert.Equal(t, []string{unknown}, warnings("POST", "", w("web-1", `,"foo":1`, "")))
		assert.Equal(t, []string{unknown}, warnings("POST", "", w("web-1", `,"foo":1`, "")),
			"warnings about the body are sent even if the request fails")
		assert.Empty(t, warnings("POST", "?fieldValidation=Ignore", w("web-2", `,"foo":1`, "")))
		assert.Equal(t, []string{unknown}, warnings("PATCH", "/web-1",
			`merge:{"metadata":{"foo":1}}`))
		assert.Equal(t, []string{`299 - "duplicate field \"a\""`}, warnings("PATCH", "/web-1",
			`merge:{"a":1,"a":2}`))
		assert.Equal(t, []string{`299 - "json patch duplicate field \"[0].op\""`,
			`299 - "json patch unknown field \"[0].foo\""`}, warnings("PATCH", "/web-1",
			`json:[{"op":"test","op":"test","path":"/a","foo":1}]`))
		assert.Empty(t, warnings("PATCH", "/web-1?fieldValidation=Strict", `merge:{"a":1,"a":2}`),
			"no warnings about flaws that are in the error")
	})
}
