package form

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/store"
)

// widget returns one at a version, with a color and some text.
func widget(t *testing.T, version uint64, name, color, pad string) *object.Document {
	t.Helper()
	return document(t, "widgets", version, fmt.Sprintf(`{"metadata":{"name":%q,"namespace":"default",`+
		`"creationTimestamp":%q},"spec":{"color":%q,"pad":%q}}`, name,
		time.Now().Format(time.RFC3339), color, pad))
}

// A watcher that an object leaves is sent its last selected state, at the version of the
// update. It is made once, for all such watchers.
func TestALeavingObjectIsShownAsItWas(t *testing.T) {
	e := &store.Event{Type: store.Modified, Object: widget(t, 9, "web-1", "red", ""),
		Before: widget(t, 5, "web-1", "blue", "")}
	name, line := New(typeOf("widgets"), "", "", "").Frames(&object.Selection{}).Event(e, store.Deleted)
	assert.Equal(t, "web-1", name)
	assert.Regexp(t, `^\{"type":"DELETED".*"resourceVersion":"9".*"color":"blue"`, string(line))
	assert.Same(t, deletedDocument(e), deletedDocument(e))
	assert.Contains(t, string(e.Before.(*object.Document).Raw), `"resourceVersion":"5"`,
		"the state before is not changed")
}

// However many forms watchers want, an event keeps a few copies of a large object at most.
func TestFramesInManyFormsAreNotAllKept(t *testing.T) {
	d := widget(t, 5, "web-1", "red", strings.Repeat("x", 20_000))
	e := &store.Event{Type: store.Added, Object: d}
	for i := range 20 {
		b := New(typeOf("widgets"), table, fmt.Sprint("v", i), "Object").frame(e, store.Added, d)
		assert.Contains(t, string(b), fmt.Sprintf(`"meta.k8s.io/v%d"`, i),
			"a frame that is not kept is still made")
	}
	kept := 0
	for _, m := range sharedBy(e).made {
		kept += len(m.bytes)
	}
	assert.LessOrEqual(t, kept, 2*d.Size()+sharedSmall)
	assert.NotZero(t, kept, "the first frames are kept")
	frames := New(typeOf("widgets"), table, "v1", "Object").Frames(&object.Selection{})
	frames.Initial(d)
	assert.Zero(t, cap(frames.scratch), "nor does an idle watch keep the last of its initial state")
}

func TestWatchersOfOneFormShareTheirFrames(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := widget(t, 5, "web-1", "red", "")
		e := &store.Event{Type: store.Added, Object: d}
		typ := typeOf("widgets")
		frame := func(as string) []byte { return New(typ, as, "v1", "").frame(e, store.Added, d) }
		for _, as := range []string{itself, metadata, table} {
			one, two := frame(as), frame(as)
			assert.Same(t, &one[0], &two[0], "form %s", as)
		}
		one := frame(table)
		time.Sleep(time.Second)
		two := frame(table)
		assert.NotSame(t, &one[0], &two[0], "a second later the age has changed")
		three := frame(table)
		assert.Same(t, &two[0], &three[0], "the new frame is shared, too")
		assert.LessOrEqual(t, len(sharedBy(e).made), 2, "outdated frames are not kept")
	})
}

func TestAWatchOfTablesHasItsColumnsOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		form := New(typeOf("widgets"), table, "v1", "None")
		one, two := widget(t, 2, "web-1", "red", ""), widget(t, 3, "web-2", "blue", "")
		gone := &store.Event{Type: store.Deleted, Object: one, Before: one}
		early, late := form.Frames(&object.Selection{}), form.Frames(&object.Selection{})
		show := func(want string) func(string, []byte) {
			return func(_ string, line []byte) { t.Helper(); assert.Equal(t, want, printed(t, line)) }
		}
		show("Name | Color | Age\nweb-1 | red | 0s")(early.Initial(one))
		show("\nweb-2 | blue | 0s")(early.Initial(two))
		bookmark := New(typeOf("widgets"), table, "v1", "").Frames(&object.Selection{}).Bookmark(3, true)
		assert.Contains(t, string(bookmark), `"rows":[{"cells":["",null,null],"object":{"kind":`+
			`"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":{"annotations":{`+
			`"k8s.io/initial-events-end":"true"},"resourceVersion":"3"}}}]`)
		time.Sleep(5 * time.Second)
		show("\nweb-1 | red | 5s")(early.Event(gone, store.Deleted))
		show("Name | Color | Age\nweb-1 | red | 5s")(late.Event(gone, store.Deleted))
		time.Sleep(10 * time.Second)
		show("\nweb-1 | red | 15s")(early.Event(gone, store.Deleted)) // an age is that of now
	})
}
