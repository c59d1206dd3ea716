package fakeapi

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const namespacesPath = "/api/v1/namespaces"

func TestFourNamespacesAreThereFromTheStart(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		assert.Equal(t, "1", s.ResourceVersion(), "no write made them: the first write still gets 2")
		items, _, err := s.List("namespaces", "")
		require.NoError(t, err)
		require.Len(t, items, 4)
		for i, name := range []string{"default", "kube-node-lease", "kube-public", "kube-system"} {
			assert.Contains(t, string(items[i]), `"labels":{"kubernetes.io/metadata.name":"`+name+`"},"name":"`+
				name+`","resourceVersion":"1","uid":`)
			assert.Contains(t, string(items[i]), `"spec":{"finalizers":["kubernetes"]},"status":{"phase":"Active"}}`)
		}
		_, frames := send(t, s, "GET", namespacesPath+"?watch=1&resourceVersion=1&timeoutSeconds=1", "")
		assert.Empty(t, frames, "a watch from version 1 does not get them")
		play(t, s, namespacesPath, []try{
			{"they exist at version 1", "GET", "?resourceVersion=1&resourceVersionMatch=Exact", "", 200, 0,
				`"name":"kube-system"`},
			{"they can be changed", "PATCH", "/default", `merge:{"metadata":{"labels":{"a":"b"}}}`, 200, 1,
				`"labels":{"a":"b","kubernetes.io/metadata.name":"default"}`},
			{"the name label selects one", "GET", "?labelSelector=kubernetes.io/metadata.name%3Dkube-public",
				"", 200, 0, `"name":"kube-public"`},
			{"they cannot be created again",
				"POST", "", `{"metadata":{"name":"default"}}`, 409, 0, "AlreadyExists"},
			{"some cannot be deleted", "DELETE", "/kube-system", "", 403, 0,
				`namespaces \"kube-system\" is forbidden: this namespace may not be deleted`},
			{"one can be deleted", "DELETE", "/kube-node-lease", "", 200, 2, `"phase":"Terminating"`},
		})
	})
}

func TestANamespaceIsNotNeededUnlessRequired(t *testing.T) {
	const pods = "/api/v1/namespaces/shop/pods"
	pod := `{"metadata":{"name":"web-1"}}`
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		play(t, s, pods, []try{{"the namespace need not exist", "POST", "", pod, 201, 1,
			`"namespace":"shop"`}})
	})
	bubble(t, Options{RequireNamespaces: true}, func(t *testing.T, s *Server) {
		play(t, s, "", []try{
			{"a missing namespace", "POST", pods, pod, 404, 0, `"message":"namespaces \"shop\" not found",` +
				`"reason":"NotFound","details":{"name":"shop","kind":"namespaces"},"code":404`},
			{"the namespace is checked before the object", "POST", pods, `{"metadata":{"name":"!"}}`, 404,
				0, ""},
			{"the namespace is created", "POST", namespacesPath, `{"metadata":{"name":"shop"}}`, 201, 1,
				`"labels":{"kubernetes.io/metadata.name":"shop"},"name":"shop"`},
			{"an existing namespace", "POST", pods, pod, 201, 1, ""},
			{"custom resources need it, too", "POST", "/apis/workshop.example.dev/v1/namespaces/bar/widgets",
				w("web-1", "", ""), 404, 0, `namespaces \"bar\" not found`},
			{"cluster-wide objects need none",
				"POST", "/api/v1/nodes", `{"metadata":{"name":"n"}}`, 201, 1, ""},
		})
		_, err := s.Create("widgets", `{"metadata":{"name":"a","namespace":"bar"}}`)
		assert.ErrorContains(t, err, `namespaces "bar" not found`, "the Go API needs it, too")
	})
}
