package fakeapi

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/patch"
)

const (
	definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
	leversPath  = "/apis/example.dev/v1/namespaces/default/levers"
)

// levers is a definition with two versions that are served and one that is not. change,
// if not nil, alters it before it is encoded.
func levers(change func(d object.Tree)) string {
	d, err := object.DecodeTree([]byte(`{
	"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
	"metadata": {"name": "levers.example.dev"},
	"spec": {"group": "example.dev", "scope": "Namespaced",
		"names": {"plural": "levers", "kind": "Lever", "shortNames": ["lv"], "categories": ["all"]},
		"versions": [{"name": "v1", "served": true, "storage": true,
			"schema": {"openAPIV3Schema": {"type": "object", "properties": {
				"spec": {"type": "object", "properties": {"color": {"type": "string"}}}}}},
			"subresources": {"status": {}, "scale": {"specReplicasPath": ".spec.replicas",
				"statusReplicasPath": ".status.replicas", "labelSelectorPath": ".status.selector"}},
			"additionalPrinterColumns": [
				{"name": "Color", "type": "string", "jsonPath": ".spec.color"},
				{"name": "Since", "type": "date", "jsonPath": ".metadata.creationTimestamp", "priority": 1}],
			"selectableFields": [{"jsonPath": ".spec.color"}]},
		{"name": "v1beta1", "served": true, "storage": false,
			"schema": {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}}},
		{"name": "v1alpha1", "served": false, "storage": false,
			"schema": {"openAPIV3Schema": {"type": "object"}}}]}}`))
	if err != nil {
		panic(err)
	}
	if change != nil {
		change(d)
	}
	return string(object.JSON(d))
}

func lever(name, color string) string {
	return fmt.Sprintf(`{"apiVersion":"example.dev/v1","kind":"Lever","metadata":{"name":%q},`+
		`"spec":{"color":%q}}`, name, color)
}

func TestAChangeOfADefinitionIsServedImmediately(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		path := definitions + "/levers.example.dev"
		play(t, s, "", []try{
			{"", "POST", definitions, levers(nil), 201, 1, ""},
			{"", "POST", leversPath, lever("web-1", "red"), 201, 1, ""},
		})
		resp, _ := send(t, s, "GET", "/openapi/v3/apis/example.dev/v1", "")
		tag := resp.Header.Get("Etag")
		widgets := open(t, s, "")
		play(t, s, "", []try{
			{"a label changes nothing that is served", "PATCH", path,
				`merge:{"metadata":{"labels":{"a":"b"}}}`, 200, 1, `"generation":1,`},
			{"another selectable field, version and short name", "PATCH", path, `json:[{"op":"add","path":` +
				`"/spec/versions/0/selectableFields/-","value":{"jsonPath":".spec.size"}},{"op":"add",` +
				`"path":"/spec/versions/0/schema/openAPIV3Schema/description","value":"x"},{"op":"replace",` +
				`"path":"/spec/versions/2/served","value":true},{"op":"replace","path":` +
				`"/spec/names/shortNames","value":["lvr"]}]`, 200, 1, `"generation":2,`},
			{"", "POST", leversPath, `{"apiVersion":"example.dev/v1","kind":"Lever",` +
				`"metadata":{"name":"web-2"},"spec":{"size":"L"}}`, 201, 1, ""},
			{"the new field selects new objects", "GET", leversPath + "?fieldSelector=spec.size%3DL", "",
				200, 0, `"name":"web-2"`},
			{"the new field selects objects from before", "GET", leversPath +
				"?fieldSelector=spec.size!%3DL", "", 200, 0, `"name":"web-1"`},
			{"discovery lists the new short name", "GET", "/apis/example.dev/v1", "", 200, 0,
				`"shortNames":["lvr"]`},
			{"a status patch cannot change the accepted names", "PATCH", path + "/status",
				`merge:{"status":{"conditions":null,"acceptedNames":{"plural":"x"}}}`, 200, 0,
				`"plural":"levers"`},
			{"another storage version", "PATCH", path, `json:[{"op":"replace","path":` +
				`"/spec/versions/0/storage","value":false},{"op":"replace","path":` +
				`"/spec/versions/1/storage","value":true}]`, 200, 1, `"storedVersions":["v1","v1beta1"]`},
			{"objects from before can still be read", "GET", leversPath + "/web-1", "", 200, 0,
				`{"apiVersion":"example.dev/v1",`},
		})
		resp, _ = send(t, s, "GET", "/openapi/v3/apis/example.dev/v1", "", "If-None-Match", tag)
		assert.Equal(t, 200, resp.StatusCode, "a changed definition changes the document's tag")
		create(t, s, "web-1", "red")
		assert.Contains(t, widgets.next(), "ADDED web-1", "other resources' watches go on")
	})
}

// A watch shows the resource as it was defined when the watch was opened. After a change
// of the definition the client has to open a new one.
func TestAChangedDefinitionEndsTheWatchesOfItsObjects(t *testing.T) {
	for _, c := range []struct {
		law, method, patch string
		want               EndReason
	}{
		{"categories are changed", "PATCH", `{"spec":{"names":{"categories":["some"]}}}`, EndChanged},
		{"a label is changed", "PATCH", `{"metadata":{"labels":{"a":"b"}}}`, EndTimeout},
		{"the definition is deleted", "DELETE", "", EndChanged},
	} {
		var ended EndReason
		o := Options{Trace: &Trace{WatchEnded: func(_ Request, why EndReason) { ended = why }}}
		bubble(t, o, func(t *testing.T, s *Server) {
			_, err := s.Create("customresourcedefinitions", levers(nil))
			require.NoError(t, err, c.law)
			_, err = s.Create("levers", lever("web-1", "red"))
			require.NoError(t, err, c.law)
			frames := make(chan string, 1)
			go func() {
				_, body := send(t, s, "GET", leversPath+"?watch=1&timeoutSeconds=5", "")
				frames <- body
			}()
			settled()
			send(t, s, c.method, definitions+"/levers.example.dev", c.patch, "Content-Type", patch.MediaMerge)
			got := <-frames
			assert.Equal(t, c.want, ended, c.law)
			assert.Contains(t, got, `{"type":"ADDED"`, c.law)
			assert.Equal(t, c.method == "DELETE", strings.Contains(got, `{"type":"DELETED"`),
				"%s: the objects' DELETED events come before the end of the stream: %s", c.law, got)
		})
	}
}

func TestNamesAreTakenOnce(t *testing.T) {
	other := func(d object.Tree) {
		d["metadata"].(object.Tree)["name"] = "knobs.example.dev"
		object.SetAt(d, ".spec.names", object.Tree{"plural": "knobs", "kind": "Knob", "shortNames": []any{"lv"}})
	}
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		path := definitions + "/knobs.example.dev"
		play(t, s, "", []try{
			{"", "POST", definitions, levers(nil), 201, 1, ""},
			{"a short name that is taken is not accepted", "POST", definitions, levers(other), 201, 1,
				`"acceptedNames":{"kind":"Knob","listKind":"KnobList","plural":"knobs","singular":"knob"}`},
			{"a refused definition is not served", "GET", "/apis/example.dev/v1/knobs", "", 404, 0,
				"404 page not found"},
			{"", "DELETE", definitions + "/levers.example.dev", "", 200, 3, ""},
			{"the deletion of the other definition frees the name", "GET", path, "", 200, 0,
				`"message":"no conflicts found"`},
			{"the freed name is served", "GET", "/apis/example.dev/v1", "", 200, 0, `"shortNames":["lv"]`},
		})
	})
}

// Widgets are in the default Options. Once a definition has their name, they are served
// as the definition says.
func TestADefinitionTakesOverACustomResourceOfTheOptions(t *testing.T) {
	widgets := levers(func(d object.Tree) {
		d["metadata"].(object.Tree)["name"] = "widgets.workshop.example.dev"
		object.SetAt(d, ".spec.group", "workshop.example.dev")
		object.SetAt(d, ".spec.names", object.Tree{"plural": "widgets", "kind": "Widget"})
	})
	leases := levers(func(d object.Tree) {
		d["metadata"].(object.Tree)["name"] = "leases.coordination.k8s.io"
		d["metadata"].(object.Tree)["annotations"] = object.Tree{"api-approved.kubernetes.io": "unapproved"}
		object.SetAt(d, ".spec.group", "coordination.k8s.io")
		object.SetAt(d, ".spec.names", object.Tree{"plural": "leases", "kind": "Lease"})
	})
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		create(t, s, "web-1", "red")
		play(t, s, "", []try{
			{"a definition of a resource in Options", "POST", definitions, widgets, 201, 1, `"NoConflicts"`},
			{"its objects stay", "GET", widgetsPath + "/web-1", "", 200, 0, `"color":"red"`},
			{"its names are those of the definition", "GET", "/apis/workshop.example.dev/v1", "", 200, 0,
				`"name":"widgets/scale"`},
			{"a built-in type is not taken over", "POST", definitions, leases, 201, 1,
				`"message":"\"LeaseList\" is already in use"`},
			{"", "GET", "/apis/coordination.k8s.io/v1", "", 200, 0, `"verbs":["create","delete",`},
			{"a deleted definition takes its objects with it",
				"DELETE", definitions + "/widgets.workshop.example.dev", "", 200, 3, ""},
			{"", "GET", widgetsPath, "", 404, 0, ""},
		})
	})
}
