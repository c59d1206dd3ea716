package discovery

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"

	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/resource"
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

// many returns types in as many groups and in ten versions of each.
func many(groups int) (types []*resource.Type) {
	for group := range groups {
		for version := range 10 {
			types = append(types, resource.New(resource.Resource{Group: fmt.Sprintf("g%d.example.dev", group),
				Version: fmt.Sprint("v", version+1), Plural: "things", Kind: "Thing"}))
		}
	}
	return types
}

func TestTheWorkForADocumentDoesNotGrowWithTheOthers(t *testing.T) {
	allocated := func(groups int) float64 {
		d := Of(many(groups))
		return testing.AllocsPerRun(5, func() {
			object.JSON(d.makers["apis/g1.example.dev/v1"]())
			object.JSON(d.makers["openapi/v3/apis/g1.example.dev/v1"]())
		})
	}
	assert.InDelta(t, allocated(2), allocated(100), 50)
}

func TestADocumentIsMadeOnceForAllClients(t *testing.T) {
	d, counts := Of(many(2)), map[string]int{}
	for path, maker := range d.makers {
		d.makers[path] = func() any { counts[path]++; return maker() } // d.mu is held
	}
	var clients sync.WaitGroup
	for range 8 {
		clients.Go(func() {
			for path := range d.makers {
				_, ok := d.At(path)
				assert.True(t, ok, path)
			}
		})
	}
	clients.Wait()
	group, _ := d.At("apis/g1.example.dev")
	assert.Contains(t, string(group.JSON), `"preferredVersion":{"groupVersion":"g1.example.dev/v10"`)
	for path := range d.makers {
		assert.Equal(t, 1, counts[path], path)
	}
}

func TestTheDocumentsThatAreKeptAreBounded(t *testing.T) {
	d := Of(many(2))
	d.most = 10_000
	for path := range d.makers {
		first, _ := d.At(path)
		again, ok := d.At(path)
		assert.True(t, ok)
		assert.Equal(t, first.Tag, again.Tag)
		kept := 0
		for _, doc := range d.made {
			kept += len(doc.JSON)
		}
		assert.LessOrEqual(t, kept, d.most+len(first.JSON), "no more than the last document too much")
	}
	_, ok := d.At("apis/nope/v1")
	assert.False(t, ok)
}
