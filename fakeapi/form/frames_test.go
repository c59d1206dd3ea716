package form

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/resource"
	"example.com/watchglass/fakeapi/selector"
	"example.com/watchglass/fakeapi/store"
)

// doc is a widget at a version, with one label.
func doc(t *testing.T, version uint64, app string) *object.Document {
	t.Helper()
	typ := resource.New(resource.Resource{Group: "g.example", Version: "v1", Plural: "things", Kind: "Thing"})
	d, err := object.New(typ, object.Tree{"metadata": object.Tree{"namespace": "default", "name": "web-1",
		"labels": object.Tree{"app": app}}}, version, store.Added)
	require.NoError(t, err)
	return d
}

// event is an event of a write that replaced before, which may be nil, by d.
func event(kind store.Type, d, before *object.Document) *store.Event {
	e := &store.Event{Type: kind, Object: d}
	if before != nil {
		e.Before = before
	}
	return e
}

// What an event means to a watcher that selects app=web.
func TestWhatAnEventMeansToASelection(t *testing.T) {
	labels, err := selector.ParseLabels("app=web")
	require.NoError(t, err)
	const nothing = store.Type("")
	for _, c := range []struct {
		law           string
		kind          store.Type
		before, after string // the label; "" is no object
		want          store.Type
		version       uint64
		shown         string // the label of the object sent
	}{
		{"created within", store.Added, "", "web", store.Added, 9, "web"},
		{"created outside", store.Added, "", "db", nothing, 0, ""},
		{"changed within", store.Modified, "web", "web", store.Modified, 9, "web"},
		{"changed outside", store.Modified, "db", "cache", nothing, 0, ""},
		{"it enters the selection: new to this watcher",
			store.Modified, "db", "web", store.Added, 9, "web"},
		{"it leaves the selection: its last selected state, at the version of the update",
			store.Modified, "web", "db", store.Deleted, 9, "web"},
		{"deleted within", store.Deleted, "web", "web", store.Deleted, 9, "web"},
		{"deleted outside", store.Deleted, "db", "db", nothing, 0, ""},
	} {
		var prev *object.Document
		if c.before != "" {
			prev = doc(t, 5, c.before)
		}
		e := event(c.kind, doc(t, 9, c.after), prev)
		sees := func(s object.Selection) (store.Type, *Frames) {
			f := New(resource.New(resource.Resource{}), "", "", "").Frames(&s)
			return e.Seen(f.Selects), f
		}
		kind, f := sees(object.Selection{Labels: labels})
		assert.Equal(t, c.want, kind, c.law)
		if kind != nothing {
			_, line := f.Event(e, kind)
			var got struct{ Object object.Tree }
			require.NoError(t, json.Unmarshal(line, &got))
			m := object.MetaOf(got.Object)
			assert.Equal(t, fmt.Sprint(c.version), m.Text("resourceVersion"), c.law)
			assert.Equal(t, c.shown, m.Texts("labels")["app"], c.law)
		}
		kind, _ = sees(object.Selection{Namespace: "other"})
		assert.Empty(t, kind, "%s: a watcher of another namespace gets nothing", c.law)
		kind, _ = sees(object.Selection{})
		assert.Equal(t, c.kind, kind,
			"%s: a watcher without a selection gets the event as it is", c.law)
	}
}

// The document of such a DELETED event is made once, and shared by all watchers whose
// selection the object leaves.
func TestTheDocumentOfADeletedEventIsShared(t *testing.T) {
	e := event(store.Modified, doc(t, 9, "db"), doc(t, 5, "web"))
	assert.Same(t, deletedDocument(e), deletedDocument(e))
	assert.Contains(t, string(deletedDocument(e).Raw), `"resourceVersion":"9"`)
	assert.Contains(t, string(e.Before.(*object.Document).Raw), `"resourceVersion":"5"`,
		"the state before is not changed")
}

// However many forms watchers want, an event keeps a few copies of a large object at most.
func TestFramesInManyFormsAreNotAllKept(t *testing.T) {
	typ := resource.New(resource.Resource{Group: "g.example", Version: "v1", Plural: "things", Kind: "Thing"})
	d, err := object.New(typ, object.Tree{"metadata": object.Tree{"name": "web-1"},
		"pad": strings.Repeat("x", 100_000)}, 5, store.Added)
	require.NoError(t, err)
	e := event(store.Added, d, nil)
	for i := range 20 {
		b := New(typ, table, fmt.Sprint("v", i), "Object").frame(e, store.Added, d)
		assert.Contains(t, string(b), fmt.Sprintf(`"meta.k8s.io/v%d"`, i),
			"a frame that is not kept is still made")
	}
	kept := 0
	for _, m := range sharedBy(e).made {
		kept += len(m.bytes)
	}
	assert.LessOrEqual(t, kept, 2*d.Size()+sharedSmall)
	assert.NotZero(t, kept, "the first frames are kept")
}

func TestWatchersOfOneFormShareTheirFrames(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		typ := resource.New(resource.Resource{Group: "g.example", Version: "v1", Plural: "things",
			Kind: "Thing"})
		e := event(store.Added, doc(t, 5, "web"), nil)
		frame := func(as, version string) []byte {
			return New(typ, as, version, "").frame(e, store.Added, e.Object.(*object.Document))
		}
		for _, as := range []string{itself, metadata, table} {
			one, two := frame(as, "v1"), frame(as, "v1")
			assert.Same(t, &one[0], &two[0], "form %s", as)
		}
		one := frame(table, "v1")
		time.Sleep(time.Second)
		two := frame(table, "v1")
		assert.NotSame(t, &one[0], &two[0], "a second later the age has changed")
		three := frame(table, "v1")
		assert.Same(t, &two[0], &three[0], "the new frame is shared, too")
		assert.LessOrEqual(t, len(sharedBy(e).made), 2, "outdated frames are not kept")
	})
}
