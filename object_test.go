package watchglass

import (
	"encoding/json"
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
}

func TestARealObjectIsWrittenAsItWasReadWithoutManagedFields(t *testing.T) {
	var w widget
	require.NoError(t, json.Unmarshal([]byte(recorded), &w))
	written, err := json.Marshal(&w)
	require.NoError(t, err)

	var want map[string]any
	require.NoError(t, json.Unmarshal([]byte(recorded), &want))
	delete(want["metadata"].(map[string]any), "managedFields")
	var got map[string]any
	require.NoError(t, json.Unmarshal(written, &got))
	assert.Equal(t, want, got)
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
}

func TestObjectMetaIsReadBackAsItWasWritten(t *testing.T) {
	for _, c := range []struct {
		law  string
		meta ObjectMeta
	}{
		{"every field is read back", fullMeta()},
		{"an empty ObjectMeta is read back empty", ObjectMeta{}},
	} {
		written, err := json.Marshal(c.meta)
		require.NoError(t, err, c.law)
		var got ObjectMeta
		require.NoError(t, json.Unmarshal(written, &got), c.law)
		assert.Equal(t, c.meta, got, c.law)
	}
}

func TestEmptyFieldsAreNotWritten(t *testing.T) {
	written, err := json.Marshal(ObjectMeta{Name: "web-1"})
	require.NoError(t, err)
	assert.JSONEq(t, `{"name": "web-1"}`, string(written), "the zero time is left out, too")
}

func TestANullTimestampIsTheZeroTime(t *testing.T) {
	var m ObjectMeta
	require.NoError(t, json.Unmarshal([]byte(`{"creationTimestamp": null, "name": "web-1"}`), &m))
	assert.Zero(t, m.CreationTimestamp, "older clients write null for an object not created yet")
}

func TestTheControllerOfAnObject(t *testing.T) {
	yes, no := true, false
	owners := []OwnerReference{{Name: "user"}, {Name: "helper", Controller: &no},
		{Name: "manager", Controller: &yes}}
	m := &ObjectMeta{OwnerReferences: owners}
	assert.Same(t, &owners[2], m.ControllerOf(), "the owner that says so")
	m.OwnerReferences = owners[:2]
	assert.Nil(t, m.ControllerOf(), "an owner need not be the controller")
}
