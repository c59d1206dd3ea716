package fakeapi

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/fakeapi/object"
)

const acceptTable = "application/json;as=Table;v=v1;g=meta.k8s.io"

// A try is one request and its expected answer. $V and $U in a body or path are the
// version and the uid of web-1.
type try struct {
	law    string
	method string
	path   string // below the collection, with the query
	body   string // a patch begins with its type: "merge:", "json:" or "strategic:"
	code   int
	writes int    // how many versions the write takes
	says   string // a part of the answer, headers and body; after a !, what it must not have
}

// TestAnswers plays the sections of testdata/answers.txt, each with a server of its own.
func TestAnswers(t *testing.T) {
	gadgets := Resource{Group: "example.dev", Version: "v1", Plural: "gadgets", Kind: "Gadget",
		Status: true,
		Scale:  &ScalePaths{Spec: ".spec.count", Status: ".status.count", Selector: ".status.selector"}}
	options := map[string]Options{
		"namespace-required": {RequireNamespaces: true},
		"token":              {Token: "secret", Control: true},
		"control":            {Control: true},
		"scale-paths":        {Resources: []Resource{gadgets}},
		"names": {Resources: append(DefaultResources(), Resource{
			Group: "rbac.authorization.k8s.io", Version: "v1", Plural: "roles", Kind: "Role"})},
	}
	text, err := os.ReadFile("testdata/answers.txt")
	require.NoError(t, err)
	for _, section := range strings.Split(string(text), "\n-- ")[1:] {
		name, laws, _ := strings.Cut(section, " --\n")
		t.Run(name, func(t *testing.T) {
			t.Parallel() // a bubble uses only one processor
			bubble(t, options[name], func(t *testing.T, s *Server) { play(t, s, laws) })
		})
	}
}

// words stand for paths, and for JSON. Of two that fit, the first counts.
var words = strings.NewReplacer(
	"$WIDGETS", widgetsPath, "$WIDGET", `"apiVersion":"workshop.example.dev/v1","kind":"Widget"`,
	"$LEVERS", leversPath, "$LEVER", `"apiVersion":"example.dev/v1","kind":"Lever"`,
	"$OWNER", `{"apiVersion":"v1","kind":"K","name":"o","uid":"1"}`,
	"$DEFINITION", string(leversJSON), "$CRDS", definitions,
	"$CRD", `"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition"`,
	"$VERSION", `{"name":"v1","served":true,"storage":true,`+
		`"schema":{"openAPIV3Schema":{"type":"object"}}}`)

// play makes the requests of a text. Each line is a law: its sentence, a request, the code and how
// many versions it takes, and a part of the answer. A line @ names the collection that the requests
// after it are for, a line > a header that they have.
func play(t *testing.T, s *Server, text string) {
	t.Helper()
	collection, header := "", []string(nil)
	for line := range strings.Lines(text) {
		line = words.Replace(strings.TrimSpace(line))
		if at, ok := strings.CutPrefix(line, "@"); ok {
			collection = strings.TrimSpace(at)
		} else if field, ok := strings.CutPrefix(line, ">"); ok {
			header = strings.SplitN(strings.TrimSpace(field), ": ", 2)
		} else if line != "" && !strings.HasPrefix(line, "#") {
			readTry(t, line).make(t, s, collection, header)
		}
	}
}

func readTry(t *testing.T, line string) (c try) {
	t.Helper()
	fields := strings.Split(" "+line+" ", " | ")
	require.Len(t, fields, 4, line)
	request := strings.SplitN(fields[1]+"  ", " ", 3)
	c.law, c.says = fields[0], strings.TrimSpace(fields[3])
	c.method, c.path, c.body = request[0], request[1], strings.TrimSpace(request[2])
	_, err := fmt.Sscanf(fields[2], "%d +%d", &c.code, &c.writes)
	require.NoError(t, err, line)
	return c
}

// make sends the request and compares the answer.
func (c try) make(t *testing.T, s *Server, collection string, header []string) {
	t.Helper()
	before := s.store.Version()
	meta := object.Meta{}
	if text := c.path + c.body; strings.Contains(text, "$V") || strings.Contains(text, "$U") {
		_, present := send(t, s, "GET", collection+"/web-1", "")
		meta = object.MetaOf(must(object.DecodeTree([]byte(present))))
	}
	fill := strings.NewReplacer("$V", meta.Text("resourceVersion"), "$U", meta.Text("uid"))
	media, body := mediaOf(c.body)
	resp, answer := send(t, s, c.method, collection+fill.Replace(c.path), fill.Replace(body),
		append([]string{"Content-Type", media}, header...)...)
	var got strings.Builder
	_ = resp.Header.Write(&got)
	got.WriteString(answer)
	what := fmt.Sprintf("%s: %s %s %s\n%s", c.law, c.method, c.path, c.body, &got)
	assert.Equal(t, c.code, resp.StatusCode, what)
	if no, ok := strings.CutPrefix(c.says, "!"); ok {
		assert.False(t, strings.Contains(got.String(), no), what)
	} else {
		assert.True(t, strings.Contains(got.String(), c.says), "want %s\n%s", c.says, what)
	}
	assert.Equal(t, c.writes, int(s.store.Version()-before), "versions taken. %s", what)
	for _, typ := range s.registry.Catalog().Types() {
		if c.writes > 0 {
			assert.NoError(t, check(s.registry.Catalog().Named(typ.QualifiedName())), what)
		}
	}
}

func mediaOf(body string) (media, rest string) {
	for prefix, media := range map[string]string{
		"merge:": object.MediaMergePatch, "json:": object.MediaJSONPatch,
		"strategic:": object.MediaStrategicPatch} {
		if rest, ok := strings.CutPrefix(body, prefix); ok {
			return media, rest
		}
	}
	return "application/json", body
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
