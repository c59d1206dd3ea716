package watchglass

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func parse(t testing.TB, doc string) *Unstructured {
	u := &Unstructured{}
	require.NoError(t, json.Unmarshal([]byte(doc), u))
	return u
}

func TestUnstructuredReadsARealObject(t *testing.T) {
	u := parse(t, recorded)
	assert.Equal(t, "workshop.example.dev/v1", u.GetAPIVersion())
	assert.Equal(t, "Widget", u.GetKind())
	assert.Equal(t, "recorded", u.GetNamespace())
	assert.Equal(t, "web-1", u.GetName())
	assert.Equal(t, "156133", u.GetResourceVersion())
	assert.Equal(t, map[string]string{"app": "web"}, u.GetLabels())
	assert.Nil(t, u.GetAnnotations())
	assert.Equal(t, "red", u.StringAt("spec", "color"))
	assert.Equal(t, json.Number("1"), u.At("metadata", "generation"))
}

func TestUnstructuredWritesBackWhatItRead(t *testing.T) {
	for _, c := range []struct{ law, doc string }{
		{"a real object", recorded},
		{"the largest int64", `{"n":9223372036854775807}`},
		{"an integer that no float64 can hold", `{"n":9007199254740993}`},
		{"a number longer than any machine word", `{"n":123456789012345678901234567890}`},
		{"a number stays as it was written", `{"n":[1.0,1e3,-0,0.10]}`},
		{"a null is kept", `{"a":null}`},
		{"empty values are kept", `{"a":[],"b":{},"c":""}`},
		{"names are case-sensitive", `{"Kind":"a","kind":"b"}`},
	} {
		written, err := json.Marshal(parse(t, c.doc))
		require.NoError(t, err, c.law)
		// Both sides are read with numbers kept as text: JSONEq would compare float64s.
		assert.Equal(t, parse(t, c.doc).Object, parse(t, string(written)).Object, c.law)
		if c.doc != recorded {
			assert.Equal(t, c.doc, string(written), c.law)
		}
	}
}

func TestMissingAndMistypedFieldsAreEmpty(t *testing.T) {
	for _, c := range []struct{ law, doc string }{
		{"no metadata", `{}`},
		{"metadata of null", `{"metadata":null}`},
		{"metadata that is not an object", `{"metadata":"web-1"}`},
		{"fields of other types", `{"kind":1,"metadata":{"name":7,"namespace":[],"labels":[]}}`},
	} {
		u := parse(t, c.doc)
		assert.Empty(t, u.GetKind()+u.GetAPIVersion(), c.law)
		assert.Empty(t, u.GetNamespace()+u.GetName()+u.GetResourceVersion(), c.law)
		assert.Nil(t, u.GetLabels(), c.law)
		assert.Nil(t, u.At("metadata", "no", "such", "path"), c.law)
	}
	assert.Nil(t, parse(t, `{"metadata":{"labels":{}}}`).GetLabels(), "an empty map becomes nil")
	mixed := parse(t, `{"metadata":{"labels":{"app":"web","n":1}}}`)
	assert.Equal(t, map[string]string{"app": "web"}, mixed.GetLabels(),
		"a label that is not a string is left out")
}

func TestLabelsAreACopy(t *testing.T) {
	u := parse(t, `{"metadata":{"labels":{"app":"web"}}}`)
	u.GetLabels()["app"] = "changed"
	assert.Equal(t, "web", u.StringAt("metadata", "labels", "app"), "GetLabels returns a copy")
}

func TestUnstructuredIsAJSONObject(t *testing.T) {
	for _, c := range []struct{ doc, want string }{
		{`null`, "null"},
		{`[]`, "not a JSON object"},
		{`"web-1"`, "not a JSON object"},
		{`{"a":1`, "not a JSON object"},
		{`{} {}`, "more than one JSON value"},
		{``, "not a JSON object"},
	} {
		u := parse(t, `{"kind":"Kept"}`)
		assert.ErrorContains(t, u.UnmarshalJSON([]byte(c.doc)), c.want, c.doc)
		assert.Equal(t, "Kept", u.GetKind(), "if the new document is refused, the old one stays")
	}
	require.NoError(t, new(Unstructured).UnmarshalJSON([]byte(" {} \n")), "white space is allowed")
}

// A document that is accepted is written back as the same document.
func FuzzUnstructured(f *testing.F) {
	f.Add(recorded)
	f.Add(`{"n":[1.0,1e400,-0],"s":"<&>\u2028\ud800"}`)
	f.Fuzz(func(t *testing.T, doc string) {
		var u Unstructured
		if u.UnmarshalJSON([]byte(doc)) != nil {
			assert.Nil(t, u.Object)
			return
		}
		written, err := u.MarshalJSON()
		require.NoError(t, err)
		assert.Equal(t, u.Object, parse(t, string(written)).Object)
		_, _ = MetaNamespaceKeyFunc(&u) // must not panic, whatever the document is
	})
}
