package fakeapi

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAnEventIsOneObjectInTwoAPIs(t *testing.T) {
	const core, events = "/api/v1/namespaces/default/events", "/apis/events.k8s.io/v1/namespaces/default/events"
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		play(t, s, "", []try{
			{"a new recorder writes to events.k8s.io",
				"POST", events, `{"apiVersion":"events.k8s.io/v1","kind":"Event",` +
					`"metadata":{"name":"web-1.a"},"reportingController":"me","reportingInstance":"me-0",` +
					`"regarding":{"kind":"Pod","name":"web-1"},"note":"hello","reason":"Greeting",` +
					`"type":"Normal","action":"Greet","eventTime":"2000-01-01T00:00:00.000000Z",` +
					`"deprecatedCount":3,"deprecatedSource":{"component":"old"}}`, 201, 1,
				`{"kind":"Event","apiVersion":"events.k8s.io/v1","metadata":`},
			{"its event is read in the core group",
				"GET", core + "/web-1.a", "", 200, 0, `"action":"Greet","count":3,` +
					`"eventTime":"2000-01-01T00:00:00.000000Z","involvedObject":{"kind":"Pod","name":"web-1"},` +
					`"message":"hello","reason":"Greeting","reportingComponent":"me",` +
					`"reportingInstance":"me-0","source":{"component":"old"},"type":"Normal"}`},
			{"as a core event", "GET", core + "/web-1.a", "", 200, 0, `{"kind":"Event","apiVersion":"v1",`},
			{"an old recorder writes to the core group",
				"POST", core, `{"metadata":{"name":"web-2.b"},"involvedObject":` +
					`{"kind":"Pod","name":"web-2"},"message":"bye","source":{"component":"old"},` +
					`"firstTimestamp":"2000-01-01T00:00:00Z","lastTimestamp":"2000-01-01T00:00:01Z"}`, 201, 1, ""},
			{"its event is read in events.k8s.io", "GET", events + "/web-2.b", "", 200, 0,
				`"deprecatedFirstTimestamp":"2000-01-01T00:00:00Z",` +
					`"deprecatedLastTimestamp":"2000-01-01T00:00:01Z","deprecatedSource":` +
					`{"component":"old"},"note":"bye","regarding":{"kind":"Pod","name":"web-2"}}`},
			{"a patch uses the names of its API", "PATCH", events + "/web-2.b",
				`merge:{"note":"hello again","deprecatedCount":2}`, 200, 1, `"note":"hello again"`},
			{"a patch by the other API's names changes nothing",
				"PATCH", events + "/web-2.b", `merge:{"message":"lost"}`, 200, 0, ""},
			{"", "GET", core + "/web-2.b", "", 200, 0, `"message":"hello again"`},
			{"a create by the other API's names drops them",
				"POST", events, `{"metadata":{"name":"web-3.c"},` +
					`"message":"lost","type":"Normal"}`, 201, 1, `"uid":`},
			{"", "GET", core + "/web-3.c", "", 200, 0, `},"type":"Normal"}`},
			{"list items have no kind", "GET", events, "", 200, 0,
				`"items":[{"metadata":{"creationTimestamp"`},
			{"field selectors use the new names",
				"GET", events + "?fieldSelector=regarding.name%3Dweb-2,type!%3DNormal",
				"", 200, 0, `"name":"web-2.b"`},
			{"a selector that matches no event",
				"GET", events + "?fieldSelector=reportingController%3Dyou", "", 200, 0,
				`"items":[]`},
			{"field selectors do not know the old names",
				"GET", events + "?fieldSelector=involvedObject.name%3Dweb-2", "", 400, 0,
				"field label not supported: involvedObject.name"},
			{"a delete in one API", "DELETE", events + "/web-2.b", "", 200, 1, ""},
			{"is a delete in both", "GET", core + "/web-2.b", "", 404, 0, ""},
		})
		_, body := send(t, s, "GET", events, "", "Accept", acceptTable)
		assert.Contains(t, body, `"Normal","Greeting","web-1"`,
			"a table has the columns of core events")
		_, body = send(t, s, "GET", "/apis/events.k8s.io/v1/events?watch=1&timeoutSeconds=1", "")
		assert.Contains(t, body, `{"type":"ADDED","object":{"kind":"Event","apiVersion":"events.k8s.io/v1"`)
		assert.NotContains(t, body, "involvedObject")
	})
}

func TestEventsWithoutTheCoreGroupAreAResourceLikeAnyOther(t *testing.T) {
	s := New(Options{Resources: []Resource{
		{Group: "events.k8s.io", Version: "v1", Plural: "events", Kind: "Event"}}})
	defer s.Close()
	raw, err := s.Create("events", `{"metadata":{"name":"a"},"note":"hello"}`)
	require.NoError(t, err)
	assert.Contains(t, string(raw), `"note":"hello"`)
}
