package encode

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"example.com/watchglass/fakeapi/object"
)

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
	for _, v := range object.At[[]any](treeOf(t, string(document)), ".versions") {
		got = append(got, object.TextAt(v.(object.Tree), ".version"))
	}
	assert.Equal(t, want, got)
}
