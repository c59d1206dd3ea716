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

func TestAResourceInTwoVersionsIsStoredOnce(t *testing.T) {
	const base = "/apis/example.dev/"
	const old, young = base + "v1beta1/namespaces/default/gadgets", base + "v1/namespaces/default/gadgets"
	gadget := func(version, name, color string) string {
		return `{"apiVersion":"example.dev/` + version + `","kind":"Gadget","metadata":{"name":"` +
			name + `"},"spec":{"color":"` + color + `"}}`
	}
	bubble(t, Options{Resources: gadgets()}, func(t *testing.T, s *Server) {
		play(t, s, "", []try{
			{"created in the version that is not stored", "POST", young, gadget("v1", "web-1", "red"),
				201, 1, `{"apiVersion":"example.dev/v1","kind":"Gadget"`},
			{"a get answers in the version of its path", "GET", young + "/web-1", "", 200, 0,
				`{"apiVersion":"example.dev/v1","kind":"Gadget"`},
			{"also in the stored version", "GET", old + "/web-1", "", 200, 0,
				`{"apiVersion":"example.dev/v1beta1","kind":"Gadget"`},
			{"a body must have the version of the path",
				"POST", young, gadget("v1beta1", "web-2", "red"), 400,
				0, "(example.dev/v1beta1) does not match the expected API version (example.dev/v1)"},
			{"a list has items of the version of its path", "GET", young, "", 200, 0,
				`{"apiVersion":"example.dev/v1","items":[{"apiVersion":"example.dev/v1",`},
			{"also in the stored version", "GET", old, "", 200, 0,
				`{"apiVersion":"example.dev/v1beta1","items":[{"apiVersion":"example.dev/v1beta1",`},
			{"a patch applies to the version of its path", "PATCH", young + "/web-1",
				`json:[{"op":"test","path":"/apiVersion","value":"example.dev/v1"},` +
					`{"op":"add","path":"/spec/size","value":"L"}]`, 200, 1, `"apiVersion":"example.dev/v1",`},
			{"a patch in another version that changes no field writes nothing", "PATCH",
				old + "/web-1", `merge:{"spec":{"size":"L"}}`, 200, 0, `"example.dev/v1beta1"`},
			{"a field that is selectable in both", "GET", young + "?fieldSelector=spec.color%3Dred", "", 200,
				0, `"name":"web-1"`},
			{"a field selector that does not match",
				"GET", young + "?fieldSelector=spec.color%3Dblue", "", 200,
				0, `"items":[]`},
			{"a field that is selectable only in the stored version", "GET",
				old + "?fieldSelector=spec.size%3DL", "", 200, 0, `"name":"web-1"`},
			{"it is not selectable in the other version",
				"GET", young + "?fieldSelector=spec.size%3DL", "", 400, 0,
				"field label not supported: spec.size"},
			{"a scale without the number of replicas", "GET", old + "/web-1/scale", "", 500, 0,
				`the spec replicas field \".spec.count\" does not exist`},
			{"scale sets a missing number of replicas", "PATCH", old + "/web-1/scale",
				`merge:{"spec":{"replicas":3}}`, 200, 1, `"spec":{"replicas":3},"status":{"replicas":0}}`},
			{"scale writes the field at its path", "GET", young + "/web-1", "", 200, 0, `"count":3`},
			{"the number of replicas is not negative",
				"PATCH", old + "/web-1/scale", `merge:{"spec":{"replicas":-3}}`, 422, 0,
				`.spec.count: Invalid value: -3: should be a non-negative integer`},
			{"the status has the fields at the scale's paths", "PATCH", old + "/web-1/status",
				`merge:{"status":{"count":2,"selector":"app=web"}}`, 200, 1, ""},
			{"scale shows the fields of the status", "GET", old + "/web-1/scale", "", 200, 0,
				`"status":{"replicas":2,"selector":"app=web"}`},
			{"a version without scale has no path for it", "GET", young + "/web-1/scale", "", 404, 0,
				`"reason":"NotFound"`},
			{"deleted in one is deleted in both", "DELETE", young + "/web-1", "", 200, 1, ""},
			{"", "GET", old + "/web-1", "", 404, 0, ""},
			{"the group prefers the stable version", "GET", "/apis/example.dev", "", 200, 0,
				`"preferredVersion":{"groupVersion":"example.dev/v1","version":"v1"},"versions":[` +
					`{"groupVersion":"example.dev/v1","version":"v1"},{"groupVersion":` +
					`"example.dev/v1beta1","version":"v1beta1"}]`},
		})
	})
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
