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
		play(t, s, namespacesPath, []try{
			{"they are in the past", "GET", "?resourceVersion=1&resourceVersionMatch=Exact", "", 200, 0,
				`"name":"kube-system"`},
			{"a watch from then on gets what came later", "GET", "?watch=1&resourceVersion=1&timeoutSeconds=1",
				"", 200, 0, ""},
			{"they can be written", "PATCH", "/default", `merge:{"metadata":{"labels":{"a":"b"}}}`, 200, 1,
				`"labels":{"a":"b","kubernetes.io/metadata.name":"default"}`},
			{"kubectl asks which there are", "GET", "?labelSelector=kubernetes.io/metadata.name%3Dkube-public",
				"", 200, 0, `"name":"kube-public"`},
			{"they are there once", "POST", "", `{"metadata":{"name":"default"}}`, 409, 0, "AlreadyExists"},
			{"some for good", "DELETE", "/kube-system", "", 403, 0,
				`namespaces \"kube-system\" is forbidden: this namespace may not be deleted`},
			{"not even for a trial", "DELETE", "/default?dryRun=All", "", 403, 0, ""},
			{"others not", "DELETE", "/kube-node-lease", "", 200, 2, `"phase":"Terminating"`},
		})
	})
}

func TestANamespaceIsNotNeededUnlessRequired(t *testing.T) {
	const pods = "/api/v1/namespaces/shop/pods"
	pod := `{"metadata":{"name":"web-1"}}`
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		play(t, s, pods, []try{{"made nowhere", "POST", "", pod, 201, 1, `"namespace":"shop"`}})
	})
	bubble(t, Options{RequireNamespaces: true}, func(t *testing.T, s *Server) {
		play(t, s, "", []try{
			{"missing", "POST", pods, pod, 404, 0, `"message":"namespaces \"shop\" not found","reason":` +
				`"NotFound","details":{"name":"shop","kind":"namespaces"},"code":404`},
			{"missing for a trial", "POST", pods + "?dryRun=All", pod, 404, 0, ""},
			{"that comes before what is wrong with the object", "POST", pods, `{"metadata":{"name":"!"}}`, 404,
				0, ""},
			{"made", "POST", namespacesPath, `{"metadata":{"name":"shop"}}`, 201, 1,
				`"labels":{"kubernetes.io/metadata.name":"shop"},"name":"shop"`},
			{"there", "POST", pods, pod, 201, 1, ""},
			{"custom resources, too", "POST", "/apis/workshop.example.dev/v1/namespaces/bar/widgets",
				w("web-1", "", ""), 404, 0, `namespaces \"bar\" not found`},
			{"what is in no namespace needs none", "POST", "/api/v1/nodes", `{"metadata":{"name":"n"}}`, 201, 1, ""},
		})
		_, err := s.Create("widgets", `{"metadata":{"name":"a","namespace":"bar"}}`)
		assert.ErrorContains(t, err, `namespaces "bar" not found`, "the Go API as well")
	})
}

func TestANamespaceThatIsDeletedTakesItsContentAlong(t *testing.T) {
	const shop = namespacesPath + "/shop"
	held := `{"metadata":{"name":"web-2","finalizers":["a/b"]}}`
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		play(t, s, "", []try{
			{"", "POST", namespacesPath, `{"metadata":{"name":"shop"},"spec":{"finalizers":["a/b"]}}`, 201, 1,
				`"spec":{"finalizers":["a/b","kubernetes"]}`},
			{"", "POST", shop + "/pods", `{"metadata":{"name":"web-1"}}`, 201, 1, ""},
			{"", "POST", shop + "/configmaps", held, 201, 1, ""},
			{"", "POST", namespacesPath + "/shop-2/configmaps", `{"metadata":{"name":"web-1"}}`, 201, 1, ""},
			{"no update takes what holds it away", "PUT", shop, `{"metadata":{"name":"shop"}}`, 200, 0,
				`"spec":{"finalizers":["a/b","kubernetes"]}`},
			{"but at the subresource", "PUT", shop + "/finalize", `{"metadata":{"name":"shop","labels":` +
				`{"lost":""}},"spec":{"finalizers":["kubernetes"]}}`, 200, 1,
				`"labels":{"kubernetes.io/metadata.name":"shop"},"name":"shop"`},
			{"which is for that", "GET", shop + "/finalize", "", 405, 0, ""},
			{"a trial", "DELETE", shop + "?dryRun=All", "", 200, 0, ""},
			{"nothing has changed", "GET", shop, "", 200, 0, `"phase":"Active"`},
			{"marked, a pod gone in two writes, a config map marked", "DELETE", shop, "", 200, 4,
				`"deletionTimestamp":"2000-01-01T00:00:00Z","labels":{"kubernetes.io/metadata.name":"shop"}`},
			{"it is terminating", "GET", shop, "", 200, 0, `"status":{"phase":"Terminating"}`},
			{"said again", "DELETE", shop, "", 200, 0, `"phase":"Terminating"`},
			{"nothing new in it", "POST", shop + "/pods", `{"metadata":{"name":"web-3"}}`, 403, 0,
				`"message":"pods \"web-3\" is forbidden: unable to create new content in namespace shop ` +
					`because it is being terminated","reason":"Forbidden","details":{"name":"web-3",` +
					`"kind":"pods","causes":[{"reason":"NamespaceTerminating","message":"namespace shop is ` +
					`being terminated","field":"metadata.namespace"}]},"code":403}`},
			{"what is in it can be written", "PATCH", shop + "/configmaps/web-2", `merge:{"data":{"a":"b"}}`,
				200, 1, ""},
			{"the last one goes, and the namespace", "PATCH", shop + "/configmaps/web-2",
				`merge:{"metadata":{"finalizers":null}}`, 200, 2, ""},
			{"gone", "GET", shop, "", 404, 0, ""},
			{"its neighbour not", "GET", namespacesPath + "/shop-2/configmaps/web-1", "", 200, 0, ""},
			{"there can be another", "POST", namespacesPath, `{"metadata":{"name":"shop"}}`, 201, 1, ""},
			{"an empty one goes at once", "DELETE", shop, "", 200, 2, `"phase":"Terminating"`},
			{"gone", "GET", shop, "", 404, 0, ""},
			{"many are not deleted at once", "DELETE", namespacesPath, "", 405, 0, ""},
		})
	})
}

func TestAFinalizerHoldsAnEmptyNamespace(t *testing.T) {
	const shop = namespacesPath + "/shop"
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		play(t, s, "", []try{
			{"", "POST", namespacesPath, `{"metadata":{"name":"shop","finalizers":["a/b"]}}`, 201, 1, ""},
			{"marked, and its own hold taken away", "DELETE", shop, "", 200, 2, ""},
			{"held", "GET", shop, "", 200, 0, `"finalizers":["a/b"]`},
			{"let go", "PATCH", shop, `merge:{"metadata":{"finalizers":null}}`, 200, 1, ""},
			{"gone", "GET", shop, "", 404, 0, ""},
		})
	})
}

// The server's own hold on a namespace is "kubernetes". Others are for other controllers,
// which take them away themselves.
func TestFinalizersOfANamespacesSpec(t *testing.T) {
	const shop = namespacesPath + "/shop"
	finalize := func(held string) string {
		return `{"metadata":{"name":"shop"},"spec":{"finalizers":[` + held + `]}}`
	}
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		play(t, s, "", []try{
			{"", "POST", namespacesPath, finalize(`"a/b"`), 201, 1, ""},
			{"", "POST", shop + "/configmaps", `{"metadata":{"name":"web-1"}}`, 201, 1, ""},
			{"marked, emptied, and one hold taken away", "DELETE", shop, "", 200, 3, ""},
			{"the other one is not the server's", "GET", shop, "", 200, 0, `"spec":{"finalizers":["a/b"]}`},
			{"until a client takes it away", "PUT", shop + "/finalize", finalize(""), 200, 1, ""},
			{"gone", "GET", shop, "", 404, 0, ""},

			{"", "POST", namespacesPath, finalize(""), 201, 1, ""},
			{"", "POST", shop + "/configmaps", `{"metadata":{"name":"web-1"}}`, 201, 1, ""},
			{"one that nothing holds any more", "PUT", shop + "/finalize", finalize(""), 200, 1, `"spec":{}`},
			{"takes its content along as well", "DELETE", shop, "", 200, 3, `"phase":"Terminating"`},
			{"gone", "GET", shop, "", 404, 0, ""},
			{"with its content", "GET", shop + "/configmaps", "", 200, 0, `"items":[]`},
		})
	})
}
