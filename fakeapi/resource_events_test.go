package fakeapi

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestTablesAndWatchesShowAnEventAsItsAPIDoes(t *testing.T) {
	const events = "/apis/events.k8s.io/v1/events"
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		_, err := s.Create("events", `{"metadata":{"name":"a"},"type":"Normal","reason":"Greeting",`+
			`"involvedObject":{"kind":"Pod","name":"web-1"}}`)
		assert.NoError(t, err)
		_, body := send(t, s, "GET", events, "", "Accept", acceptTable)
		assert.Contains(t, body, `"Normal","Greeting","web-1"`, "a table has the columns of core events")
		_, body = send(t, s, "GET", events+"?watch=1&timeoutSeconds=1", "")
		assert.Contains(t, body, `{"type":"ADDED","object":{"kind":"Event","apiVersion":"events.k8s.io/v1"`)
		assert.NotContains(t, body, "involvedObject")
	})
}

func TestEventsWithoutTheCoreGroupAreAResourceLikeAnyOther(t *testing.T) {
	s := New(Options{Resources: []Resource{
		{Group: "events.k8s.io", Version: "v1", Plural: "events", Kind: "Event"}}})
	defer s.Close()
	raw, err := s.Create("events", `{"metadata":{"name":"a"},"note":"hello"}`)
	assert.NoError(t, err)
	assert.Contains(t, string(raw), `"note":"hello"`)
}
