package fakeapi

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/fakeapi/form"
	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/printer"
	"example.com/watchglass/fakeapi/resource"
	"example.com/watchglass/fakeapi/store"
)

// A table is what clients read of a Table.
type table struct {
	Columns []printer.Column `json:"columnDefinitions"`
	Rows    []struct {
		Cells  []any
		Object json.RawMessage
	}
}

// readTable decodes a Table.
func readTable(t *testing.T, doc string) table {
	t.Helper()
	var tab table
	require.NoError(t, json.Unmarshal([]byte(doc), &tab), doc)
	return tab
}

// print is a table as kubectl would print it, with what -o wide adds in
// brackets.
func (tab table) print() string {
	var b strings.Builder
	for i, c := range tab.Columns {
		if i > 0 {
			b.WriteString(" | ")
		}
		if c.Priority > 0 {
			fmt.Fprintf(&b, "[%s]", c.Name)
		} else {
			b.WriteString(c.Name)
		}
	}
	for _, row := range tab.Rows {
		b.WriteString("\n")
		for i, cell := range row.Cells {
			if i > 0 {
				b.WriteString(" | ")
			}
			fmt.Fprint(&b, cell)
		}
	}
	return b.String()
}

// Each case is an object and the table that a real server makes of it.
func TestTablesShowWhatARealServerShows(t *testing.T) {
	for _, c := range []struct{ promise, resource, doc, want string }{
		{"a widget has the columns of its resource", "widgets",
			`{"metadata":{"name":"web-1"},"spec":{"color":"red"}}`,
			"Name | Color | Age\nweb-1 | red | 5s"},
		{"a missing value is null", "widgets", `{"metadata":{"name":"web-1"}}`,
			"Name | Color | Age\nweb-1 | <nil> | 5s"},
		{"a text column shows anything", "widgets",
			`{"metadata":{"name":"web-1"},"spec":{"color":{"r":1}}}`,
			"Name | Color | Age\nweb-1 | {\"r\":1} | 5s"},

		{"a pod that no kubelet runs", "pods",
			`{"metadata":{"name":"web-1"},"spec":{"containers":[{"name":"a"},{"name":"b"}]}}`,
			podHead + "web-1 | 0/2 | Pending | 0 | 5s | <none> | <none> | <none> | <none>"},
		{"a built-in type may have columns that are paths", "leases.coordination.k8s.io",
			`{"metadata":{"name":"l"},"spec":{"holderIdentity":"me"}}`,
			"Name | Holder | Age\nl | me | 5s"},
		{"a built-in type without columns", "configmaps", `{"metadata":{"name":"c"}}`,
			"Name | Age\nc | 5s"},
		{"a deployment without replicas wants one", "deployments.apps",
			`{"metadata":{"name":"d"},"spec":{"template":{"spec":{"containers":[
			{"name":"a","image":"x:1"},{"name":"b","image":"y:2"}]}},
			"selector":{"matchLabels":{"app":"d"},"matchExpressions":[
			{"key":"k","operator":"In","values":["z","y"]},{"key":"n","operator":"DoesNotExist"}]}}}`,
			"Name | Ready | Up-to-date | Available | Age | [Containers] | [Images] | [Selector]\n" +
				"d | 0/1 | 0 | 0 | 5s | a,b | x:1,y:2 | app=d,k in (y,z),!n"},
	} {
		t.Run(c.promise, func(t *testing.T) {
			bubble(t, Options{}, func(t *testing.T, s *Server) {
				doc, err := s.Create(c.resource, c.doc)
				require.NoError(t, err)
				time.Sleep(5 * time.Second)
				typ := resourceOf(t, s, c.resource)
				d, err := object.New(typ, must(object.DecodeTree([]byte(doc))), 7, store.Added)
				require.NoError(t, err)
				got := form.New(typ, "Table", "v1", "").Object(d)
				assert.Equal(t, c.want, readTable(t, string(got)).print())
			})
		})
	}
}

const podHead = "Name | Ready | Status | Restarts | Age | [IP] | [Node] | [Nominated Node] | " +
	"[Readiness Gates]\n"

func TestTheStatusOfANewObject(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		const body = `{"metadata":{"name":"a"},"status":{"phase":"mine"}}`
		for resource, want := range map[string]string{
			"widgets":    "",        // a controller sets it later
			"pods":       "Pending", // the server sets it
			"namespaces": "Active",  // the server sets it
			"nodes":      "mine",    // the kubelet that creates the node sets it
		} {
			doc, err := s.Create(resource, body)
			require.NoError(t, err)
			assert.Equal(t, want, object.TextAt(must(object.DecodeTree(doc)), ".status.phase"), resource)
		}
	})
}

// resourceOf is a resource by the name that the Go API takes.
func resourceOf(t *testing.T, s *Server, name string) *resource.Type {
	t.Helper()
	c, err := s.collection(resource.VerbGet, name)
	require.NoError(t, err)
	return c.Type
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func TestIncludeObjectSaysWhatObjectARowHas(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		create(t, s, "web-1", "red")
		for _, c := range []struct{ promise, query, want string }{
			{"metadata, by default", "", `{"kind":"PartialObjectMetadata",`},
			{"metadata", "?includeObject=Metadata", `{"kind":"PartialObjectMetadata",`},
			{"the object", "?includeObject=Object", `{"apiVersion":"workshop.example.dev/v1",`},
			{"nothing", "?includeObject=None", `null`},
		} {
			_, body := send(t, s, "GET", widgetsPath+c.query, "", "Accept", acceptTable)
			row := readTable(t, body).Rows[0]
			assert.True(t, strings.HasPrefix(string(row.Object), c.want), "%s: %s", c.promise, row.Object)
		}
	})
}

func TestFormsOfLists(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		create(t, s, "web-1", "red")
		create(t, s, "web-2", "blue")
		one := `{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":{` +
			`"creationTimestamp":"2000-01-01T00:00:00Z","generation":1,"name":"web-1",`
		_, body := send(t, s, "GET", widgetsPath, "", "Accept", acceptMetaList)
		assert.True(t, strings.HasPrefix(body, `{"kind":"PartialObjectMetadataList","apiVersion":`+
			`"meta.k8s.io/v1","metadata":{"resourceVersion":"3"},"items":[`+one), body)
		assert.NotContains(t, body, "color", "metadata only")

		_, body = send(t, s, "GET", widgetsPath+"/web-1", "", "Accept", acceptMetadata)
		assert.True(t, strings.HasPrefix(body, one), body)

		_, body = send(t, s, "GET", widgetsPath+"?limit=1", "", "Accept", acceptTable)
		assert.Contains(t, body, `"metadata":{"resourceVersion":"3","continue":"`,
			"a page of a table can be continued")
		assert.Contains(t, body, `"remainingItemCount":1}`)
		assert.Len(t, readTable(t, body).Rows, 1)

		old := strings.Replace(acceptTable, "v1", "v1beta1", 1)
		_, body = send(t, s, "GET", widgetsPath, "", "Accept", old)
		for _, kind := range []string{"Table", "PartialObjectMetadata"} {
			assert.Contains(t, body, `{"kind":"`+kind+`","apiVersion":"meta.k8s.io/v1beta1"`)
		}
	})
}

// object is the type of the next frame and the object in it.
func (w *tap) object(t *testing.T) (kind, object string) {
	t.Helper()
	line, err := w.rd.ReadString('\n')
	require.NoError(t, err)
	var f struct {
		Type   string
		Object json.RawMessage
	}
	require.NoError(t, json.Unmarshal([]byte(line), &f))
	return f.Type, string(f.Object)
}

func TestWritesAnswerInTheFormAskedFor(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		resp, body := send(t, s, "POST", widgetsPath, fullWidget("web-1"),
			"Accept", acceptTable, "Content-Type", "application/json")
		assert.Equal(t, http.StatusCreated, resp.StatusCode)
		assert.Len(t, readTable(t, body).Rows, 1)
		_, body = send(t, s, "DELETE", widgetsPath+"/web-1", "", "Accept", acceptTable)
		assert.Contains(t, body, `"status":"Success"`, "a Status is never a table")
	})
}
