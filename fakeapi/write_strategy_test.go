package fakeapi

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/patch"
)

const (
	servicesPath    = "/api/v1/namespaces/default/services"
	deploymentsPath = "/apis/apps/v1/namespaces/default/deployments"
)

// metadataOf is the metadata in an answer.
func metadataOf(t *testing.T, answer string) object.Meta {
	t.Helper()
	o, err := object.DecodeTree([]byte(answer))
	require.NoError(t, err, answer)
	return object.MetaOf(o)
}

func TestAnnotationsOfADeploymentCount(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		for _, resource := range []string{"deployments", "replicasets"} {
			_, err := s.Create(resource, `{"metadata":{"name":"a","annotations":{"x":"1"}}}`)
			require.NoError(t, err)
		}
		generation := func(resource, patch string) int64 {
			doc, err := s.Patch(resource, "default", "a", patch)
			require.NoError(t, err)
			return metadataOf(t, string(doc)).Generation()
		}
		const annotated, labelled = `{"metadata":{"annotations":{"x":"2"}}}`,
			`{"metadata":{"labels":{"x":"2"}}}`
		assert.Equal(t, int64(2), generation("deployments", annotated), "changed annotations count")
		assert.Equal(t, int64(2), generation("deployments", annotated), "unchanged annotations do not")
		assert.Equal(t, int64(2), generation("deployments", labelled), "labels do not")
		assert.Equal(t, int64(3), generation("deployments", `{"metadata":{"annotations":null}}`))
		assert.Equal(t, int64(1), generation("replicasets", annotated),
			"annotations of other types do not")

		_, answer := send(t, s, "PATCH", deploymentsPath+"/a/status",
			`{"metadata":{"annotations":{"x":"3"}},"status":{"replicas":1}}`,
			"Content-Type", patch.MediaMerge)
		assert.Equal(t, int64(3), metadataOf(t, answer).Generation(),
			"annotations in a status patch do not")
	})
}

// Which metadata a write of the status changes.
func TestStatusAndMetadata(t *testing.T) {
	const changes = `{"metadata":{"name":"a","labels":{"l":"2"},"annotations":{"a":"2"},` +
		`"finalizers":["x/2"],"ownerReferences":[{"apiVersion":"v1","kind":"K","name":"o",` +
		`"uid":"2"}]},"spec":{"replicas":7,"x":"2"},"status":{"phase":"P","replicas":2}}`
	before := strings.NewReplacer(`"2"`, `"1"`, "x/2", "x/1").Replace(changes)
	all := []string{"labels", "annotations", "finalizers", "ownerReferences"}
	for resource, c := range map[string]struct {
		path    string
		changed []string
	}{
		"pods":        {podsPath, []string{"labels", "annotations", "finalizers"}},
		"nodes":       {"/api/v1/nodes", all},
		"services":    {servicesPath, all},
		"namespaces":  {"/api/v1/namespaces", all},
		"replicasets": {"/apis/apps/v1/namespaces/default/replicasets", all},
		"deployments": {deploymentsPath, []string{"annotations", "finalizers", "ownerReferences"}},
		"widgets":     {widgetsPath, nil},
	} {
		for _, method := range []string{"PUT", "PATCH"} {
			bubble(t, Options{}, func(t *testing.T, s *Server) {
				doc, err := s.Create(resource, before)
				require.NoError(t, err)
				was := must(object.DecodeTree(doc))
				body := changes
				if resource == "widgets" {
					body = strings.Replace(strings.Replace(body, `{"metadata":{`,
						`{"apiVersion":"workshop.example.dev/v1","kind":"Widget","metadata":{`, 1),
						`"name":"a"`, `"name":"a","resourceVersion":"`+object.MetaOf(was).Text("resourceVersion")+
							`"`, 1)
				}
				resp, answer := send(t, s, method, c.path+"/a/status", body, "Content-Type",
					map[string]string{"PUT": "application/json", "PATCH": patch.MediaMerge}[method])
				require.Equal(t, 200, resp.StatusCode, answer)
				is := must(object.DecodeTree([]byte(answer)))
				var changed []string
				for _, field := range all {
					if !assert.ObjectsAreEqual(object.MetaOf(was)[field], object.MetaOf(is)[field]) {
						changed = append(changed, field)
					}
				}
				assert.Equal(t, c.changed, changed, "%s %s: metadata", method, resource)
				assert.Equal(t, was["spec"], is["spec"], "%s %s: the spec must not change",
					method, resource)
				assert.Equal(t, "P", object.TextAt(is, ".status.phase"), "%s %s", method, resource)
				for _, field := range []string{"uid", "creationTimestamp", "generation"} {
					assert.Equal(t, object.MetaOf(was)[field], object.MetaOf(is)[field], "%s: %s", resource, field)
				}
			})
		}
	}
}
