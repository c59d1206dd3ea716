package discovery

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
)

// The order is the one in the documentation of CustomResourceDefinitions.
func TestVersionsAreOrderedByStabilityThenByNumber(t *testing.T) {
	want := []string{"v10", "v2", "v1", "v11beta2", "v10beta3", "v3beta1", "v12alpha1",
		"v11alpha2", "foo1", "foo10"}
	got := slices.Clone(want)
	slices.Sort(got)
	slices.SortFunc(got, compareVersions)
	assert.Equal(t, want, got)
}
