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

func TestADefinitionIsServedImmediately(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		play(t, s, "", []try{
			{"no definition, no path", "GET", leversPath, "", 404, 0, "404 page not found"},
			{"a dry run defines nothing", "POST", definitions + "?dryRun=All", levers(nil), 201, 0, ""},
			{"still no path", "GET", leversPath, "", 404, 0, "404 page not found"},
			{"a definition is accepted", "POST", definitions, levers(nil), 201, 1,
				`"acceptedNames":{"categories":["all"],"kind":"Lever","listKind":"LeverList",` +
					`"plural":"levers","shortNames":["lv"],"singular":"lever"},"conditions":[{` +
					`"lastTransitionTime":"2000-01-01T00:00:00Z","message":"no conflicts found",` +
					`"reason":"NoConflicts","status":"True","type":"NamesAccepted"},{` +
					`"lastTransitionTime":"2000-01-01T00:00:00Z","message":` +
					`"the initial names have been accepted","reason":"InitialNamesAccepted",` +
					`"status":"True","type":"Established"}],"storedVersions":["v1"]}}`},
			{"its defaults are filled in", "GET", definitions + "/levers.example.dev", "", 200, 0,
				`"spec":{"conversion":{"strategy":"None"},"group":"example.dev","names":{` +
					`"categories":["all"],"kind":"Lever","listKind":"LeverList","plural":"levers",` +
					`"shortNames":["lv"],"singular":"lever"}`},
			{"it cannot be created twice", "POST", definitions, levers(nil), 409, 0, "AlreadyExists"},
			{"its objects can be created", "POST", leversPath, lever("web-1", "red"), 201, 1,
				`{"apiVersion":"example.dev/v1","kind":"Lever","metadata":{` +
					`"creationTimestamp":"2000-01-01T00:00:00Z","generation":1,`},
			{"they can be read in the other version", "GET",
				"/apis/example.dev/v1beta1/namespaces/default/levers/web-1",
				"", 200, 0, `{"apiVersion":"example.dev/v1beta1","kind":"Lever",`},
			{"a version that is not served has no path", "GET", "/apis/example.dev/v1alpha1/levers",
				"", 404, 0, "404 page"},
			{"discovery lists the group",
				"GET", "/apis/example.dev", "", 200, 0, `"versions":[{"groupVersion":` +
					`"example.dev/v1","version":"v1"},{"groupVersion":"example.dev/v1beta1","version":"v1beta1"}]`},
			{"discovery lists names and subresources", "GET", "/apis/example.dev/v1", "", 200, 0,
				`"resources":[{"categories":["all"],"kind":"Lever","name":"levers","namespaced":true,` +
					`"shortNames":["lv"],"singularName":"lever","storageVersionHash":"aoR8781h3mM=","verbs":["delete","deletecollection",` +
					`"get","list","patch","create","update","watch"]},{"kind":"Lever","name":` +
					`"levers/status","namespaced":true,"singularName":"","verbs":["get","patch",` +
					`"update"]},{"group":"autoscaling","kind":"Scale","name":"levers/scale",` +
					`"namespaced":true,"singularName":"","verbs":["get","patch","update"],` +
					`"version":"v1"}]}`},
			{"each version has its own subresources", "GET", "/apis/example.dev/v1beta1", "", 200, 0,
				`"resources":[{"categories":["all"],"kind":"Lever","name":"levers",`},
			{"and no others", "GET", "/apis/example.dev/v1beta1", "", 200, 0, `"watch"]}]}`},
			{"a version without a status subresource has no path for it", "GET",
				"/apis/example.dev/v1beta1/namespaces/default/levers/web-1/status", "",
				404, 0, `levers.example.dev \"web-1\" not found`},
			{"a selectable field selects",
				"GET", leversPath + "?fieldSelector=spec.color%3Dblue", "", 200, 0,
				`"items":[]`},
			{"but only in the version that declares it", "GET",
				"/apis/example.dev/v1beta1/levers?fieldSelector=spec.color%3Dred",
				"", 400, 0, "field label not supported: spec.color"},
			{"a status is data in a version without that subresource", "POST",
				"/apis/example.dev/v1beta1/namespaces/default/levers", `{"apiVersion":"example.dev/v1beta1",` +
					`"kind":"Lever","metadata":{"name":"web-2"},"status":{"x":1}}`, 201, 1, `"status":{"x":1}`},
			{"", "DELETE", leversPath + "/web-2", "", 200, 1, ""},
			{"a status patch changes the status only", "PATCH", leversPath + "/web-1/status",
				`merge:{"status":{"replicas":2,` +
					`"selector":"app=web"},"spec":{"color":"blue"}}`, 200, 1, `"spec":{"color":"red"}`},
			{"scale uses the paths in the definition", "PATCH", leversPath + "/web-1/scale",
				`merge:{"spec":{"replicas":5}}`, 200, 1, `"spec":{"replicas":5},"status":{"replicas":2,` +
					`"selector":"app=web"}}`},
			{"custom resources take no strategic merge patch", "PATCH", leversPath + "/web-1",
				`strategic:{}`, 415, 0, ""},
			{"OpenAPI shows the schema", "GET", "/openapi/v3/apis/example.dev/v1", "", 200, 0,
				`"spec":{"properties":{"color":{"type":"string"}},"type":"object"}},"type":"object",` +
					`"x-kubernetes-group-version-kind":[{"group":"example.dev","version":"v1","kind":"Lever"}]`},
			{"the schema is not enforced",
				"PATCH", leversPath + "/web-1", `merge:{"spec":{"color":7}}`, 200, 1, `"color":7`},
		})
		_, body := send(t, s, "GET", leversPath+"?includeObject=None", "", "Accept", acceptTable)
		assert.Contains(t, body, `"rows":[{"cells":["web-1","7","0s"],"object":null}]`,
			"columns, without an age")
		_, body = send(t, s, "GET", "/apis/example.dev/v1beta1/levers?includeObject=None", "", "Accept",
			acceptTable)
		assert.Contains(t, body, `"rows":[{"cells":["web-1","0s"],"object":null}]`,
			"a version without columns shows the age")
	})
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
				`merge:{"metadata":{"labels":{"a":"b"}}}`,
				200, 1, `"generation":1,`},
			{"another selectable field, version and short name", "PATCH", path, `json:[{"op":"add","path":` +
				`"/spec/versions/0/selectableFields/-","value":{"jsonPath":".spec.size"}},{"op":"add",` +
				`"path":"/spec/versions/0/schema/openAPIV3Schema/description","value":"x"},{"op":"replace",` +
				`"path":"/spec/versions/2/served","value":true},{"op":"replace","path":` +
				`"/spec/names/shortNames","value":["lvr"]}]`, 200, 1, `"generation":2,`},
			{"", "POST", leversPath, `{"apiVersion":"example.dev/v1","kind":"Lever",` +
				`"metadata":{"name":"web-2"},"spec":{"size":"L"}}`, 201, 1, ""},
			{"the new field selects new objects", "GET", leversPath + "?fieldSelector=spec.size%3DL", "",
				200, 0, `"name":"web-2"`},
			{"the new field selects objects from before",
				"GET", leversPath + "?fieldSelector=spec.size!%3DL",
				"", 200, 0, `"name":"web-1"`},
			{"the third version is served now", "GET",
				"/apis/example.dev/v1alpha1/namespaces/default/levers/web-1", "", 200,
				0, `{"apiVersion":"example.dev/v1alpha1"`},
			{"discovery lists the new short name", "GET", "/apis/example.dev/v1", "", 200, 0,
				`"shortNames":["lvr"]`},
			{"group and scope are immutable",
				"PATCH", path, `merge:{"spec":{"scope":"Cluster","group":"x.dev"}}`, 422,
				0, `spec.group: Invalid value: \"x.dev\": field is immutable, spec.scope: Invalid value: ` +
					`\"Cluster\": field is immutable`},
			{"a status patch cannot change the accepted names", "PATCH", path + "/status",
				`merge:{"status":{"conditions":null,"acceptedNames":{"plural":"x"}}}`, 200, 0,
				`"plural":"levers"`},
			{"another storage version", "PATCH", path, `json:[{"op":"replace","path":` +
				`"/spec/versions/0/storage","value":false},{"op":"replace","path":` +
				`"/spec/versions/1/storage","value":true}]`, 200, 1, `"storedVersions":["v1","v1beta1"]`},
			{"objects from before can still be read", "GET", leversPath + "/web-1", "", 200, 0,
				`{"apiVersion":"example.dev/v1",`},
			{"in each version",
				"GET", "/apis/example.dev/v1beta1/namespaces/default/levers/web-1", "", 200, 0,
				`{"apiVersion":"example.dev/v1beta1",`},
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

func TestDeletingADefinitionDeletesItsObjects(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		path := definitions + "/levers.example.dev"
		play(t, s, "", []try{
			{"", "POST", definitions, levers(nil), 201, 1, ""},
			{"", "POST", leversPath, lever("web-1", "red"), 201, 1, ""},
			{"", "POST", leversPath, `{"apiVersion":"example.dev/v1","kind":"Lever","metadata":{"name":` +
				`"web-2","finalizers":["a/b"]}}`, 201, 1, ""},
			{"a dry run deletes nothing", "DELETE", path + "?dryRun=All", "", 200, 0, ""},
			{"one object is removed, the other and the definition are marked", "DELETE", path, "", 200, 3,
				`"deletionTimestamp":"2000-01-01T00:00:00Z","finalizers":[` +
					`"customresourcecleanup.apiextensions.k8s.io"],"generation":1`},
			{"it has the condition Terminating", "GET", path, "", 200, 0,
				`"reason":"InstanceDeletionInProgress","status":"True","type":"Terminating"}]`},
			{"a second delete writes nothing", "DELETE", path, "", 200, 0, `"deletionTimestamp"`},
			{"no new object is accepted", "POST", leversPath, lever("web-3", "red"), 403, 0,
				`levers.example.dev \"web-3\" is forbidden: create not allowed while custom resource ` +
					`definition is terminating`},
			{"the object with a finalizer is still there", "GET", leversPath + "/web-2", "", 200, 0,
				`"deletionTimestamp"`},
			{"its last finalizer removes it and the definition", "PATCH", leversPath + "/web-2",
				`merge:{"metadata":{"finalizers":null}}`, 200, 2, ""},
			{"the definition is gone", "GET", path, "", 404, 0, ""},
			{"its paths are gone", "GET", leversPath, "", 404, 0, "404 page not found"},
			{"its group is gone", "GET", "/apis/example.dev", "", 404, 0, "404 page not found"},
			{"it can be defined again", "POST", definitions, levers(nil), 201, 1, ""},
			{"a new definition has no objects", "GET", leversPath, "", 200, 0, `"items":[]`},
		})
	})
}
