package encode

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/store"
)

func typeOf(plural string) *object.Type {
	all := object.DefaultResources()
	return &object.Type{Resource: all[slices.IndexFunc(all, func(r object.Resource) bool {
		return r.Plural == plural
	})]}
}

func document(t *testing.T, plural string, version uint64, doc string) *object.Document {
	t.Helper()
	tree, err := object.DecodeTree([]byte(doc))
	require.NoError(t, err)
	typ := typeOf(plural)
	tree["kind"], tree["apiVersion"] = typ.Kind, typ.APIVersion()
	d, err := object.New(typ, tree, version, store.Added)
	require.NoError(t, err)
	return d
}

// printed returns a table, or the frame of one, as kubectl would print it, with what -o wide adds
// in brackets.
func printed(t *testing.T, parts [][]byte) string {
	t.Helper()
	doc := slices.Concat(parts...)
	type table struct {
		Columns []Column `json:"columnDefinitions"`
		Rows    []struct{ Cells []any }
	}
	var got struct {
		table
		Object table
	}
	require.NoError(t, json.Unmarshal(doc, &got), "%s", doc)
	if got.Rows == nil {
		got.table = got.Object
	}
	var head []string
	for _, c := range got.Columns {
		if c.Priority > 0 {
			c.Name = "[" + c.Name + "]"
		}
		head = append(head, c.Name)
	}
	lines := []string{strings.Join(head, " | ")}
	for _, row := range got.Rows {
		var cells []string
		for _, c := range row.Cells {
			cells = append(cells, fmt.Sprint(c))
		}
		lines = append(lines, strings.Join(cells, " | "))
	}
	return strings.Join(lines, "\n")
}

// Each row is an object and the table that a real server makes of it.
func TestTablesShowWhatARealServerShows(t *testing.T) {
	text, err := os.ReadFile("testdata/tables.txt")
	require.NoError(t, err)
	for line := range strings.Lines(string(text)) {
		row := strings.SplitN(strings.TrimSpace(line), " | ", 4)
		promise, plural, want := row[0], row[1], strings.Replace(row[3], " // ", "\n", 1)
		synctest.Test(t, func(t *testing.T) {
			d := document(t, plural, 7, fmt.Sprintf(`{"metadata":{"name":"a","creationTimestamp":%q},%s}`,
				time.Now().Format(time.RFC3339), row[2]))
			time.Sleep(5 * time.Second)
			enc := New(typeOf(plural), "Table", "", nil)
			assert.Equal(t, want, printed(t, enc.Object(d, d.Version())), promise)
		})
	}
}

func TestAResourcesOwnColumnsTakePrecedence(t *testing.T) {
	own := &object.Type{Resource: object.Resource{Version: "v1", Plural: "pods", Kind: "Pod",
		Columns: []object.Column{{Name: "Colour", Path: ".spec.colour"}}}}
	d := document(t, "pods", 2, `{"metadata":{"name":"a"},"spec":{"colour":"red"}}`)
	assert.Equal(t, "Name | Colour | Age\na | red | <unknown>",
		printed(t, New(own, "Table", "", nil).Object(d, d.Version())), "even for a built-in type")
}

// A list is the same bytes as its parts.
func TestHowListsAreEncoded(t *testing.T) {
	const meta = `{"name":"web-1","resourceVersion":"2"}`
	const itself = `"apiVersion":"workshop.example.dev/v1","kind":"Widget","metadata":` + meta + `}`
	const partial = `{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1",` +
		`"metadata":` + meta + `}`
	const head = `{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":{"resourceVersion":"5",` +
		`"continue":"c","remainingItemCount":1},"columnDefinitions":[`
	one := document(t, "widgets", 2, `{"metadata":{"name":"web-1"}}`)
	page := object.Page{Version: 5, Docs: []*object.Document{one, one}, Next: "n", Remaining: 1}
	for _, c := range []struct{ as, include, before, item, after string }{
		{"", "", `{"apiVersion":"workshop.example.dev/v1","items":[`, `{` + itself,
			`],"kind":"WidgetList","metadata":{"resourceVersion":"5","continue":"c","remainingItemCount":1}}`},
		{"PartialObjectMetadataList", "", `{"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/v1",` +
			`"metadata":{"resourceVersion":"5","continue":"c","remainingItemCount":1},"items":[`,
			partial, `]}`},
		{"Table", "None", head, `{"cells":["web-1",null,"\u003cunknown\u003e"],"object":null}`, `]}`},
		{"Table", "Object", head, `{"cells":["web-1",null,"\u003cunknown\u003e"],"object":{` + itself + `}`, `]}`},
		{"Table", "", head, `{"cells":["web-1",null,"\u003cunknown\u003e"],"object":` + partial + `}`, `]}`},
	} {
		var b bytes.Buffer
		enc := New(typeOf("widgets"), c.as, c.include, nil)
		enc.List(&b, page, "c")
		assert.True(t, strings.HasPrefix(b.String(), c.before), b.String())
		assert.True(t, strings.HasSuffix(b.String(), "["+c.item+","+c.item+c.after+"\n"), b.String())
		b.Reset()
		enc.List(&b, object.Page{Version: 5, Remaining: -1}, "")
		assert.True(t, json.Valid(b.Bytes()), "an empty list: %s", &b)
		assert.Contains(t, b.String(), "[]")
	}
}

// widgetAt returns a widget of this moment.
func widgetAt(t *testing.T, version uint64, name, color string) *object.Document {
	t.Helper()
	return document(t, "widgets", version, fmt.Sprintf(`{"metadata":{"name":%q,"namespace":"default",`+
		`"creationTimestamp":%q},"spec":{"color":%q}}`, name, time.Now().Format(time.RFC3339), color))
}

// A watch sends the bytes of the write, if that means the same to it.
func TestTheFrameOfAWriteIsMadeOnceForAllWatches(t *testing.T) {
	d := widgetAt(t, 5, "web-1", "red")
	e := &store.Event{Type: store.Added, Object: d}
	frame := func(kind store.Type) *byte {
		_, line := New(typeOf("widgets"), "", "", nil).Frames(&object.Selection{}).Event(e, kind)
		return &line[0][0]
	}
	assert.Same(t, frame(store.Added), frame(store.Added))
	assert.NotSame(t, frame(store.Added), frame(store.Modified))
}

func TestAWatchOfTablesHasItsColumnsOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		enc := New(typeOf("widgets"), "Table", "None", nil)
		one, two := widgetAt(t, 2, "web-1", "red"), widgetAt(t, 3, "web-2", "blue")
		gone := &store.Event{Type: store.Deleted, Object: one, Before: one}
		early, late := enc.Frames(&object.Selection{}), enc.Frames(&object.Selection{})
		show := func(want string) func(string, [][]byte) {
			return func(_ string, line [][]byte) { t.Helper(); assert.Equal(t, want, printed(t, line)) }
		}
		show("Name | Color | Age\nweb-1 | red | 0s")(early.Object(one, store.Added))
		show("\nweb-2 | blue | 0s")(early.Object(two, store.Added))
		bookmark := New(typeOf("widgets"), "Table", "", nil).Frames(&object.Selection{}).Bookmark(3, true)
		assert.Contains(t, string(slices.Concat(bookmark...)), `"rows":[{"cells":["",null,null],"object":{"kind":`+
			`"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":{"annotations":{`+
			`"k8s.io/initial-events-end":"true"},"resourceVersion":"3"}}}]`)
		time.Sleep(5 * time.Second)
		show("\nweb-1 | red | 5s")(early.Event(gone, store.Deleted))
		show("Name | Color | Age\nweb-1 | red | 5s")(late.Event(gone, store.Deleted))
		time.Sleep(10 * time.Second)
		show("\nweb-1 | red | 15s")(early.Event(gone, store.Deleted)) // an age is that of now
	})
}
