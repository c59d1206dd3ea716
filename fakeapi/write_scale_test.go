package fakeapi

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/patch"
)

func TestAScaleShowsAndSetsTheReplicasOfADeployment(t *testing.T) {
	const path = "/apis/apps/v1/namespaces/default/deployments/web/scale"
	put := func(version string, n int) string {
		return fmt.Sprintf(`{"kind":"Scale","apiVersion":"autoscaling/v1","metadata":{"name":"web",`+
			`"namespace":"default","resourceVersion":%q},"spec":{"replicas":%d}}`, version, n)
	}
	for _, c := range []struct {
		promise, method, path, media, body string
		code                               int
		want                               string // in the answer
		replicas                           int64  // of the deployment afterwards
	}{
		{"can be read", "GET", path, "", "", 200, `"spec":{"replicas":2},"status":{"replicas":0,` +
			`"selector":"app=web"}}`, 2},
		{"can be patched", "PATCH", path, patch.MediaMerge, `{"spec":{"replicas":5}}`, 200,
			`{"apiVersion":"autoscaling/v1","kind":"Scale","metadata":{`, 5},
		{"can be put", "PUT", path, "application/json", put("2", 3), 200, `"replicas":3`, 3},
		{"can be zero", "PUT", path, "application/json", put("", 0), 200, `"replicas":0`, 0},
		{"cannot be below zero", "PUT", path, "application/json", put("", -1), 422,
			"must be greater than or equal to 0", 2},
		{"an older version conflicts", "PUT", path, "application/json", put("1", 3), 409, "Conflict", 2},
		{"the number cannot be text", "PATCH", path, patch.MediaMerge, `{"spec":{"replicas":"5"}}`, 422,
			"json: cannot unmarshal string into field Scale.spec.replicas of type int32", 2},
		{"the number cannot be too large for its type",
			"PUT", path, "application/json", put("", 1<<31), 400,
			`Scale in version \"v1\" cannot be handled as a Scale: json: cannot unmarshal number into field Scale.spec.replicas`, 2},
		{"the spec has to be an object", "PATCH", path, patch.MediaMerge, `{"spec":5}`, 422,
			"cannot unmarshal number into field Scale.spec of type object", 2},
		{"another kind is refused", "PUT", path, "application/json", `{"kind":"Deployment",` +
			`"apiVersion":"apps/v1","metadata":{"name":"web"},"spec":{"replicas":5}}`, 400,
			`no kind \"Deployment\" is registered for version \"apps/v1\"`, 2},
		{"no number is zero", "PATCH", path, patch.MediaMerge, `{"spec":null}`, 200, `"spec":{}`, 0},
		{"a dry run changes nothing", "PATCH", path + "?dryRun=All", patch.MediaMerge,
			`{"spec":{"replicas":5}}`, 200, `"replicas":5`, 2},
		{"other fields are ignored", "PATCH", path, patch.MediaMerge,
			`{"spec":{"paused":true}}`, 200, `"replicas":2`, 2},
		{"a missing object has no scale", "GET",
			"/apis/apps/v1/namespaces/default/deployments/nope/scale", "", "", 404, "NotFound", 2},
		{"widgets have no scale", "GET", widgetsPath + "/web/scale", "", "", 404, "", 2},
	} {
		t.Run(c.promise, func(t *testing.T) {
			bubble(t, Options{}, func(t *testing.T, s *Server) {
				_, err := s.Create("deployments.apps", `{"metadata":{"name":"web"},
					"spec":{"replicas":2,"selector":{"matchLabels":{"app":"web"}}}}`)
				require.NoError(t, err)
				resp, body := send(t, s, c.method, c.path, c.body, "Content-Type", c.media)
				assert.Equal(t, c.code, resp.StatusCode, body)
				assert.Contains(t, body, c.want)
				doc, err := s.Get("deployments.apps", "default", "web")
				require.NoError(t, err)
				now := must(object.DecodeTree(doc))
				assert.Equal(t, c.replicas, object.At[int64](now, ".spec.replicas"))
				assert.NotContains(t, now["spec"], "paused")
				generation := int64(1)
				if c.replicas != 2 {
					generation = 2
				}
				assert.Equal(t, generation, object.At[int64](now, ".metadata.generation"),
					"the generation increases as with any change of the spec")
			})
		})
	}
}
