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
			{"not even in a dry run", "DELETE", "/default?dryRun=All", "", 403, 0, ""},
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
			{"a missing namespace in a dry run", "POST", pods + "?dryRun=All", pod, 404, 0, ""},
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

func TestDeletingANamespaceDeletesItsContent(t *testing.T) {
	const shop = namespacesPath + "/shop"
	held := `{"metadata":{"name":"web-2","finalizers":["a/b"]}}`
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		play(t, s, "", []try{
			{"", "POST", namespacesPath, `{"metadata":{"name":"shop"},"spec":{"finalizers":["a/b"]}}`, 201, 1,
				`"spec":{"finalizers":["a/b","kubernetes"]}`},
			{"", "POST", shop + "/pods", `{"metadata":{"name":"web-1"}}`, 201, 1, ""},
			{"", "POST", shop + "/configmaps", held, 201, 1, ""},
			{"", "POST", namespacesPath + "/shop-2/configmaps", `{"metadata":{"name":"web-1"}}`, 201, 1, ""},
			{"an update cannot remove spec.finalizers", "PUT", shop, `{"metadata":{"name":"shop"}}`, 200, 0,
				`"spec":{"finalizers":["a/b","kubernetes"]}`},
			{"the subresource finalize can, and changes nothing else",
				"PUT", shop + "/finalize", `{"metadata":{"name":"shop","labels":` +
					`{"lost":""}},"spec":{"finalizers":["kubernetes"]}}`, 200, 1,
				`"labels":{"kubernetes.io/metadata.name":"shop"},"name":"shop"`},
			{"the subresource finalize takes only PUT", "GET", shop + "/finalize", "", 405, 0, ""},
			{"a dry run", "DELETE", shop + "?dryRun=All", "", 200, 0, ""},
			{"a dry run changes nothing", "GET", shop, "", 200, 0, `"phase":"Active"`},
			{"marks it, removes the pod in two writes, marks the config map", "DELETE", shop, "", 200, 4,
				`"deletionTimestamp":"2000-01-01T00:00:00Z","labels":{"kubernetes.io/metadata.name":"shop"}`},
			{"it is terminating", "GET", shop, "", 200, 0, `"status":{"phase":"Terminating"}`},
			{"a second delete writes nothing", "DELETE", shop, "", 200, 0, `"phase":"Terminating"`},
			{"it accepts no new objects", "POST", shop + "/pods", `{"metadata":{"name":"web-3"}}`, 403, 0,
				`"message":"pods \"web-3\" is forbidden: unable to create new content in namespace shop ` +
					`because it is being terminated","reason":"Forbidden","details":{"name":"web-3",` +
					`"kind":"pods","causes":[{"reason":"NamespaceTerminating","message":"namespace shop is ` +
					`being terminated","field":"metadata.namespace"}]},"code":403}`},
			{"the objects in it can be changed",
				"PATCH", shop + "/configmaps/web-2", `merge:{"data":{"a":"b"}}`,
				200, 1, ""},
			{"removing the last object removes it", "PATCH", shop + "/configmaps/web-2",
				`merge:{"metadata":{"finalizers":null}}`, 200, 2, ""},
			{"it is gone", "GET", shop, "", 404, 0, ""},
			{"a namespace whose name begins like it is not affected",
				"GET", namespacesPath + "/shop-2/configmaps/web-1", "", 200, 0, ""},
			{"it can be created again", "POST", namespacesPath, `{"metadata":{"name":"shop"}}`, 201, 1, ""},
			{"an empty one is removed in the same request", "DELETE", shop, "", 200, 2,
				`"phase":"Terminating"`},
			{"an empty one is gone", "GET", shop, "", 404, 0, ""},
			{"there is no deletecollection", "DELETE", namespacesPath, "", 405, 0, ""},
		})
	})
}

func TestAFinalizerHoldsAnEmptyNamespace(t *testing.T) {
	const shop = namespacesPath + "/shop"
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		play(t, s, "", []try{
			{"", "POST", namespacesPath, `{"metadata":{"name":"shop","finalizers":["a/b"]}}`, 201, 1, ""},
			{"marked, and the server's finalizer removed", "DELETE", shop, "", 200, 2, ""},
			{"the other finalizer keeps it", "GET", shop, "", 200, 0, `"finalizers":["a/b"]`},
			{"the last finalizer is removed",
				"PATCH", shop, `merge:{"metadata":{"finalizers":null}}`, 200, 1, ""},
			{"it is gone", "GET", shop, "", 404, 0, ""},
		})
	})
}

// The server's own entry in spec.finalizers is "kubernetes". The other entries belong to
// other controllers, which remove them.
func TestFinalizersOfANamespacesSpec(t *testing.T) {
	const shop = namespacesPath + "/shop"
	finalize := func(held string) string {
		return `{"metadata":{"name":"shop"},"spec":{"finalizers":[` + held + `]}}`
	}
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		play(t, s, "", []try{
			{"", "POST", namespacesPath, finalize(`"a/b"`), 201, 1, ""},
			{"", "POST", shop + "/configmaps", `{"metadata":{"name":"web-1"}}`, 201, 1, ""},
			{"marked, emptied, and the server's finalizer removed", "DELETE", shop, "", 200, 3, ""},
			{"the finalizer of another controller stays",
				"GET", shop, "", 200, 0, `"spec":{"finalizers":["a/b"]}`},
			{"until a client removes it", "PUT", shop + "/finalize", finalize(""), 200, 1, ""},
			{"the namespace is gone", "GET", shop, "", 404, 0, ""},

			{"", "POST", namespacesPath, finalize(""), 201, 1, ""},
			{"", "POST", shop + "/configmaps", `{"metadata":{"name":"web-1"}}`, 201, 1, ""},
			{"a namespace without any finalizer",
				"PUT", shop + "/finalize", finalize(""), 200, 1, `"spec":{}`},
			{"is emptied and removed, too", "DELETE", shop, "", 200, 3, `"phase":"Terminating"`},
			{"the second namespace is gone", "GET", shop, "", 404, 0, ""},
			{"its content is gone", "GET", shop + "/configmaps", "", 200, 0, `"items":[]`},
		})
	})
}
