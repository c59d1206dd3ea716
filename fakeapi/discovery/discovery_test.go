package discovery

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/fakeapi/patch"
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
			encode(d.makers["apis/g1.example.dev/v1"]())
			encode(d.makers["openapi/v3/apis/g1.example.dev/v1"]())
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

// The hashes are those of a real server, for a resource in two versions.
func TestTheHashNamesTheVersionInWhichObjectsAreStored(t *testing.T) {
	first := resource.New(resource.Resource{Group: "multi.example.dev", Version: "v1", Plural: "as",
		Kind: "A"})
	second := resource.ViewOf(first, resource.Resource{Group: "multi.example.dev", Version: "v2",
		Plural: "as", Kind: "A", Status: true})
	both, _ := Of([]*resource.Type{first, second}).At("apis/multi.example.dev/v2")
	assert.Equal(t, 1, strings.Count(string(both.JSON), `"storageVersionHash":"QjU51hiwXoM="`),
		"%s: subresources have none", both.JSON)
	alone, _ := Of([]*resource.Type{second}).At("apis/multi.example.dev/v2")
	assert.NotContains(t, string(alone.JSON), "storageVersionHash", "that version is not served")
	defaults := []*resource.Type{}
	for _, r := range resource.Defaults() {
		defaults = append(defaults, resource.New(r))
	}
	core, _ := Of(defaults).At("api/v1")
	assert.Contains(t, string(core.JSON), `"xPOwRZ+Yhw8="`, "pods")
	definitions, _ := Of(defaults).At("apis/apiextensions.k8s.io/v1")
	assert.NotContains(t, string(definitions.JSON), "storageVersionHash")
}

// kubectl finds the operation of a kind by the extension x-kubernetes-group-version-kind,
// and sees from the parameters whether the server validates fields.
func TestTheOpenAPIDocumentsSayWhatKubectlAsks(t *testing.T) {
	d := Of([]*resource.Type{resource.New(resource.Resource{Group: "apps", Version: "v1",
		Plural: "nodes", Kind: "Node", Cluster: true})})
	index, _ := d.At("openapi/v3")
	doc, _ := d.At("openapi/v3/apis/apps/v1")
	assert.Contains(t, string(index.JSON),
		`{"apis/apps/v1":{"serverRelativeURL":"/openapi/v3/apis/apps/v1?hash=`+doc.Tag+`"}}`)
	var openAPI struct {
		OpenAPI    string
		Paths      map[string]map[string]json.RawMessage
		Components struct{ Schemas map[string]map[string]any }
	}
	require.NoError(t, json.Unmarshal(doc.JSON, &openAPI))
	assert.Equal(t, "3.0.0", openAPI.OpenAPI)
	operation := string(openAPI.Paths["/apis/apps/v1/nodes/{name}"]["patch"])
	assert.Contains(t, operation,
		`"x-kubernetes-group-version-kind":{"group":"apps","version":"v1","kind":"Node"}`)
	assert.Contains(t, operation, `"name":"fieldValidation"`)
	assert.NotContains(t, operation, patch.MediaStrategic,
		"kubectl must not compute patches from schemas that do not say which lists are merged")
	schema := openAPI.Components.Schemas["io.k8s.api.apps.v1.Node"]
	assert.Equal(t, true, schema["x-kubernetes-preserve-unknown-fields"], "fields of any name are fine")
}
