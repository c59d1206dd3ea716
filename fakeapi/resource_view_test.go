package fakeapi

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// gadgets are a custom resource in two versions, the first of which is stored.
func gadgets() []Resource {
	one := Resource{Group: "example.dev", Version: "v1beta1", Plural: "gadgets", Kind: "Gadget",
		Status: true, Select: []string{".spec.size", ".spec.color"},
		Scale: &ScalePaths{Spec: ".spec.count", Status: ".status.count",
			Selector: ".status.selector"}}
	two := one
	two.Version, two.Select, two.Scale = "v1", []string{".spec.color"}, nil
	return []Resource{one, two}
}

func TestAWatchIsInTheVersionOfItsPath(t *testing.T) {
	bubble(t, Options{Resources: gadgets()}, func(t *testing.T, s *Server) {
		_, err := s.Create("gadgets", `{"metadata":{"name":"web-1"},"spec":{"color":"red"}}`)
		require.NoError(t, err)
		path := "/apis/example.dev/v1/gadgets?watch=1&allowWatchBookmarks=1&timeoutSeconds=3" +
			"&fieldSelector=spec.color%3Dred"
		get := func() string { _, b := send(t, s, "GET", path, ""); return b }
		assert.Contains(t, get(), `{"type":"ADDED","object":{"apiVersion":"example.dev/v1",`,
			"initial events")
		version := s.ResourceVersion()
		_, err = s.Patch("gadgets", "default", "web-1", `{"spec":{"color":"blue"}}`)
		require.NoError(t, err)
		path += "&resourceVersion=" + version
		assert.Contains(t, get(), `{"type":"DELETED","object":{"apiVersion":"example.dev/v1",`,
			"later events, also of an object that leaves the selection")
	})
}

func TestVersionsOfOneResourceAgree(t *testing.T) {
	other := gadgets()
	other[1].Kind = "Widget"
	assert.PanicsWithError(t, "fakeapi: resource gadgets.example.dev: versions v1beta1 and v1 "+
		"differ in more than the version", func() { New(Options{Resources: other}) })
	twice := append(gadgets(), gadgets()[1])
	assert.PanicsWithError(t, "fakeapi: resource gadgets of example.dev/v1 is registered twice",
		func() { New(Options{Resources: twice}) })
}
