package fakeapi

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/fakeapi/object"
)

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
				`"acceptedNames":{"kind":"Knob",` +
					`"listKind":"KnobList","plural":"knobs","singular":"knob"},"conditions":[{` +
					`"lastTransitionTime":"2000-01-01T00:00:00Z","message":"\"lv\" is already in use",` +
					`"reason":"ShortNamesConflict","status":"False","type":"NamesAccepted"},{` +
					`"lastTransitionTime":"2000-01-01T00:00:00Z","message":"not all names are accepted",` +
					`"reason":"NotAccepted","status":"False","type":"Established"}]`},
			{"a refused definition is not served", "GET", "/apis/example.dev/v1/knobs", "", 404, 0,
				"404 page not found"},
			{"a free short name is accepted",
				"PATCH", path, `merge:{"spec":{"names":{"shortNames":["kn"]}}}`,
				200, 1, `"message":"the initial names have been accepted"`},
			{"an established definition is served", "GET", "/apis/example.dev/v1/knobs", "", 200, 0,
				`"items":[]`},
			{"a change to the taken name keeps the accepted one", "PATCH", path,
				`merge:{"spec":{"names":{"shortNames":["lv"]}}}`, 200, 1, `"shortNames":["kn"],"singular"`},
			{"it stays established",
				"GET", path, "", 200, 0, `"reason":"InitialNamesAccepted","status":"True",` +
					`"type":"Established"}]`},
			{"it is served under its old names", "GET", "/apis/example.dev/v1", "", 200, 0,
				`"shortNames":["kn"]`},
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

func TestTheGoAPITakesDefinitions(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		_, err := s.Create("levers", lever("web-1", "red"))
		require.EqualError(t, err, "fakeapi: create levers: no such resource")
		_, err = s.Create("customresourcedefinitions", levers(nil))
		require.NoError(t, err)
		raw, err := s.Create("levers", lever("web-1", "red"))
		require.NoError(t, err)
		var o struct{ APIVersion, Kind string }
		require.NoError(t, json.Unmarshal(raw, &o))
		assert.Equal(t, "example.dev/v1 Lever", o.APIVersion+" "+o.Kind)
		require.NoError(t, s.Delete("customresourcedefinitions", "", "levers.example.dev"))
		_, _, err = s.List("levers", "")
		assert.EqualError(t, err, "fakeapi: list levers: no such resource")
	})
}

// Only the server decides which names a definition gets: a client that writes names and
// conditions into the status gets no name that is taken.
func TestAClientCannotAcceptItsOwnNames(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		path := definitions + "/knobs.example.dev"
		play(t, s, "", []try{
			{"", "POST", definitions, levers(nil), 201, 1, ""},
			{"a kind that is taken is not accepted", "POST", definitions, levers(func(d object.Tree) {
				d["metadata"].(object.Tree)["name"] = "knobs.example.dev"
				object.SetAt(d, ".spec.names", object.Tree{"plural": "knobs", "kind": "Lever", "singular": "knob"})
			}), 201, 1, `"acceptedNames":{"kind":"","plural":"knobs","singular":"knob"}`},
			{"not by a status patch, either",
				"PATCH", path + "/status", `merge:{"status":{"acceptedNames":{"kind":"Lever"},` +
					`"conditions":[{"type":"Established","status":"True"}]}}`, 200, 0,
				`"acceptedNames":{"kind":"","plural":"knobs","singular":"knob"}`},
			{"and the definition is not served",
				"GET", "/apis/example.dev/v1/knobs", "", 404, 0, "404 page not found"},
		})
	})
}
