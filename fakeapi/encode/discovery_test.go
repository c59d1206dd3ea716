package encode

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"example.com/watchglass/fakeapi/object"
)

// There may be megabytes of schemas, and many clients that ask for them.
func TestAnOpenAPIDocumentIsMadeOnceAndHasTheSchemasOwnBytes(t *testing.T) {
	typ := &object.Type{Defined: true, Schema: []byte(`{"type":"object"}`), Resource: object.Resource{
		Group: "g.example", Version: "v1", Plural: "things", Kind: "Thing"}}
	const path = "openapi/v3/apis/g.example/v1"
	one := NewDocuments([]*object.Type{typ})
	first, _ := one.At(path, "")
	second, _ := one.At(path, "")
	assert.Same(t, &first[0], &second[0], "once for all readers")
	next, _ := NewDocuments([]*object.Type{typ}).At(path, "")
	for _, document := range [][][]byte{first, next} {
		assert.True(t, slices.ContainsFunc(document, func(part []byte) bool {
			return &part[0] == &typ.Schema[0]
		}), "also when another definition has changed")
	}
	assert.JSONEq(t, `{"type":"object"}`, string(object.JSON(object.Lookup(
		treeOf(t, string(slices.Concat(first...))), ".components.schemas"))[len(`{"example.g.v1.Thing":`):][:17]))
}

// The order is the one in the documentation of CustomResourceDefinitions.
func TestVersionsAreOrderedByStabilityThenByNumber(t *testing.T) {
	want := []string{"v10", "v2", "v1", "v11beta2", "v10beta3", "v3beta1", "v12alpha1",
		"v11alpha2", "foo1", "foo10"}
	var types []*object.Type
	for _, version := range slices.Sorted(slices.Values(want)) {
		types = append(types, &object.Type{Resource: object.Resource{Group: "g.example",
			Version: version, Plural: "things", Kind: "Thing"}})
	}
	document, _ := NewDocuments(types).At("apis/g.example", "")
	var got []string
	for _, v := range object.At[[]any](treeOf(t, string(slices.Concat(document...))), ".versions") {
		got = append(got, object.TextAt(v.(object.Tree), ".version"))
	}
	assert.Equal(t, want, got)
}
