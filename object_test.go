package watchglass

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// recorded is an object as a real API server sent it, with its managedFields.
const recorded = `{
	"apiVersion": "workshop.example.dev/v1",
	"kind": "Widget",
	"metadata": {
		"creationTimestamp": "2026-11-20T13:27:13Z",
		"generation": 1,
		"labels": {"app": "web"},
		"managedFields": [{
			"apiVersion": "workshop.example.dev/v1",
			"fieldsType": "FieldsV1",
			"fieldsV1": {"f:metadata": {"f:labels": {".": {}, "f:app": {}}}, "f:spec": {".": {}}},
			"manager": "recorder",
			"operation": "Update",
			"time": "2026-11-20T13:27:13Z"
		}],
		"name": "web-1",
		"namespace": "recorded",
		"resourceVersion": "156133",
		"uid": "545176cc-063c-404d-8be3-d476c603b218"
	},
	"spec": {"color": "red"}
}`

// A widget is what a reader would write for the recorded object.
type widget struct {
	TypeMeta
	ObjectMeta `json:"metadata"`
	Spec       struct {
		Color string `json:"color"`
	} `json:"spec"`
}

var (
	_ Object = (*widget)(nil)
	_ Object = (*Unstructured)(nil)
)

func TestAStructWithObjectMetaReadsARealObject(t *testing.T) {
	var w widget
	require.NoError(t, json.Unmarshal([]byte(recorded), &w))
	assert.Equal(t, "workshop.example.dev/v1", w.APIVersion)
	assert.Equal(t, "Widget", w.Kind)
	assert.Equal(t, "recorded", w.GetNamespace())
	assert.Equal(t, "web-1", w.GetName())
	assert.Equal(t, "156133", w.GetResourceVersion())
	assert.Equal(t, "545176cc-063c-404d-8be3-d476c603b218", w.UID)
	assert.EqualValues(t, 1, w.Generation)
	assert.Equal(t, map[string]string{"app": "web"}, w.GetLabels())
	assert.Nil(t, w.GetAnnotations())
	assert.Equal(t, time.Date(2026, 11, 20, 13, 27, 13, 0, time.UTC), w.CreationTimestamp)
	assert.Equal(t, "red", w.Spec.Color)

	written, err := json.Marshal(&w)
	require.NoError(t, err)
	var want, got map[string]any
	require.NoError(t, json.Unmarshal([]byte(recorded), &want))
	require.NoError(t, json.Unmarshal(written, &got))
	delete(want["metadata"].(map[string]any), "managedFields")
	assert.Equal(t, want, got, "it is written as it was read, without managedFields")
}

// fullMeta has every field set to a value that is written: none is left out as empty.
func fullMeta() ObjectMeta {
	yes, grace := true, int64(0)
	deleted := time.Date(2026, 11, 20, 14, 0, 0, 0, time.UTC)
	return ObjectMeta{
		Name: "web-1", GenerateName: "web-", Namespace: "default", UID: "u-1",
		ResourceVersion: "7", Generation: 2,
		CreationTimestamp: deleted.Add(-time.Hour), DeletionTimestamp: &deleted,
		DeletionGracePeriodSeconds: &grace,
		Labels:                     map[string]string{"app": "web"},
		Annotations:                map[string]string{"note": "a"},
		OwnerReferences: []OwnerReference{{APIVersion: "apps/v1", Kind: "ReplicaSet", Name: "web",
			UID: "u-0", Controller: &yes, BlockOwnerDeletion: &yes}},
		Finalizers: []string{"example.dev/guard"},
	}
}

func TestObjectMetaHasTheNamesOfTheKubernetesAPI(t *testing.T) {
	written, err := json.Marshal(fullMeta())
	require.NoError(t, err)
	assert.JSONEq(t, `{
		"name": "web-1",
		"generateName": "web-",
		"namespace": "default",
		"uid": "u-1",
		"resourceVersion": "7",
		"generation": 2,
		"creationTimestamp": "2026-11-20T13:00:00Z",
		"deletionTimestamp": "2026-11-20T14:00:00Z",
		"deletionGracePeriodSeconds": 0,
		"labels": {"app": "web"},
		"annotations": {"note": "a"},
		"ownerReferences": [{
			"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "web", "uid": "u-0",
			"controller": true, "blockOwnerDeletion": true
		}],
		"finalizers": ["example.dev/guard"]
	}`, string(written))
	var read ObjectMeta
	require.NoError(t, json.Unmarshal(written, &read))
	assert.Equal(t, fullMeta(), read)
	written, err = json.Marshal(ObjectMeta{Name: "web-1"})
	require.NoError(t, err)
	assert.JSONEq(t, `{"name": "web-1"}`, string(written), "empty fields are left out")
}

func TestANullTimestampIsTheZeroTime(t *testing.T) {
	var m ObjectMeta
	require.NoError(t, json.Unmarshal([]byte(`{"creationTimestamp": null, "name": "web-1"}`), &m))
	assert.Zero(t, m.CreationTimestamp, "older clients write null for an object not created yet")
}

func TestTheControllerOfAnObject(t *testing.T) {
	owner := &widget{ObjectMeta: ObjectMeta{Name: "web", UID: "u-0"}}
	ref := NewControllerRef(owner, "apps/v1", "ReplicaSet")
	assert.Equal(t, fullMeta().OwnerReferences[0], ref, "it is what servers and other clients write")
	owned := &widget{ObjectMeta: ObjectMeta{OwnerReferences: []OwnerReference{{Name: "user"},
		{Name: "helper", UID: "u-1", Controller: new(false)}, ref}}}
	assert.Same(t, &owned.OwnerReferences[2], owned.ControllerOf(), "the owner that says so")
	assert.True(t, IsControlledBy(owned, owner))
	assert.False(t, IsControlledBy(owned, parse(t, `{"metadata": {"name": "web", "uid": "u-9"}}`)),
		"an owner that was created again is another one")
	owned.OwnerReferences[2].UID = ""
	assert.False(t, IsControlledBy(owned, &ObjectMeta{}), "an owner without a UID was never created")
	owned.OwnerReferences = owned.OwnerReferences[:2]
	assert.Nil(t, owned.ControllerOf(), "an owner need not be the controller")
	assert.False(t, IsControlledBy(owned, owner))
}

func TestFinalizers(t *testing.T) {
	cached := fullMeta()
	cached.Finalizers = append(make([]string, 0, 9), "a", "b") // with room for more
	meta := cached
	for law, obj := range map[string]Finalized{"a struct": &meta, "a dynamic object": parse(t,
		`{"metadata": {"finalizers": ["a", "b"]}}`)} {
		assert.False(t, AddFinalizer(obj, "a"), "%s has it already", law)
		assert.True(t, RemoveFinalizer(obj, "a"), law)
		assert.False(t, RemoveFinalizer(obj, "a"), law)
		assert.True(t, AddFinalizer(obj, "c"), law)
		assert.Equal(t, []string{"b", "c"}, obj.GetFinalizers(), law)
		assert.False(t, ContainsFinalizer(obj, "a"), law)
		assert.True(t, ContainsFinalizer(obj, "c"), law)
		RemoveFinalizer(obj, "b")
		RemoveFinalizer(obj, "c")
		assert.Empty(t, obj.GetFinalizers(), law)
	}
	shallow := cached
	AddFinalizer(&shallow, "c")
	assert.Equal(t, []string{"a", "b", ""}, cached.Finalizers[:3], "the cache's object is as it was")
}

func parse(t testing.TB, doc string) *Unstructured {
	u := &Unstructured{}
	require.NoError(t, json.Unmarshal([]byte(doc), u))
	return u
}

func TestUnstructuredWritesBackWhatItRead(t *testing.T) {
	u := parse(t, recorded)
	assert.Equal(t, "workshop.example.dev/v1 Widget recorded web-1 156133", strings.Join([]string{
		u.GetAPIVersion(), u.GetKind(), u.GetNamespace(), u.GetName(), u.GetResourceVersion()}, " "))
	assert.Equal(t, map[string]string{"app": "web"}, u.GetLabels())
	assert.Nil(t, u.GetAnnotations())
	assert.Equal(t, json.Number("1"), u.At("metadata", "generation"))
	for _, c := range []struct{ law, doc string }{
		{"a real object", recorded},
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
		{`{"a":1`, "not a JSON object"},
		{`{} {}`, "more than one JSON value"},
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
