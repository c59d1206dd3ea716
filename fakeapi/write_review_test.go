package fakeapi

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestReviewsAllowEverything(t *testing.T) {
	const access = "/apis/authorization.k8s.io/v1/"
	question := func(kind string) string {
		return `{"apiVersion":"authorization.k8s.io/v1","kind":"` + kind + `","metadata":` +
			`{"creationTimestamp":null},"spec":{"resourceAttributes":{"verb":"get"}}}`
	}
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		play(t, s, "", []try{
			{"the client itself is allowed",
				"POST", access + "selfsubjectaccessreviews", question("SelfSubjectAccessReview"),
				201, 0, `"spec":{"resourceAttributes":{"verb":"get"}},"status":{"allowed":true}}`},
			{"another user is allowed",
				"POST", access + "subjectaccessreviews", question("SubjectAccessReview"), 201,
				0, `"status":{"allowed":true}`},
			{"another user is allowed in a namespace",
				"POST", access + "namespaces/shop/localsubjectaccessreviews",
				question("LocalSubjectAccessReview"), 201, 0, `"metadata":{"namespace":"shop"}`},
			{"the rules of the client allow everything", "POST", access + "selfsubjectrulesreviews",
				question("SelfSubjectRulesReview"), 201, 0, `"resourceRules":[{"apiGroups":["*"],`},
			{"the client is an administrator",
				"POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews", `{}`, 201, 0,
				`"kind":"SelfSubjectReview","metadata":{},"status":{"userInfo":{"groups":` +
					`["system:masters","system:authenticated"],"username":"kubernetes-admin"}}`},
			{"a review of another kind is refused", "POST", access + "subjectaccessreviews",
				question("SelfSubjectAccessReview"), 400, 0, "cannot be handled as a SubjectAccessReview"},
			{"reviews cannot be listed", "GET", access + "subjectaccessreviews", "", 405, 0, ""},
			{"reviews cannot be watched", "GET", access + "watch/subjectaccessreviews", "", 405, 0, ""},
			{"reviews cannot be read", "GET", access + "subjectaccessreviews/a", "", 405, 0, ""},
			{"reviews cannot be posted to a name",
				"POST", access + "subjectaccessreviews/a", "", 405, 0, ""},
			{"reviews cannot be deleted", "DELETE", access + "subjectaccessreviews", "", 405, 0, ""},
			{"discovery lists only create", "GET", "/apis/authentication.k8s.io/v1", "", 200, 0,
				`[{"name":"selfsubjectreviews","singularName":"selfsubjectreview","namespaced":false,` +
					`"kind":"SelfSubjectReview","verbs":["create"]}]`},
		})
		_, err := s.Create("subjectaccessreviews", `{}`)
		assert.EqualError(t, err, "fakeapi: create subjectaccessreviews: no such resource",
			"the Go API has no reviews")
	})
}

func TestAnEvictionDeletesAPod(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		play(t, s, "/api/v1/namespaces/default/pods", []try{
			{"", "POST", "", `{"metadata":{"name":"web-1"}}`, 201, 1, ""},
			{"an eviction that names another pod",
				"POST", "/web-1/eviction", `{"metadata":{"name":"web-2"}}`, 400,
				0, "name in URL does not match name in Eviction object"},
			{"a body that is not an eviction", "POST", "/web-1/eviction", `{"kind":"Pod"}`, 400, 0,
				"Pod in version \\\"v1\\\" cannot be handled as a Eviction"},
			{"a precondition that fails", "POST", "/web-1/eviction",
				`{"deleteOptions":{"preconditions":{"uid":"x"}}}`, 409, 0, `"reason":"Conflict"`},
			{"an unknown policy", "POST", "/web-1/eviction",
				`{"deleteOptions":{"propagationPolicy":"x"}}`, 422, 0, "propagationPolicy"},
			{"a dry run", "POST", "/web-1/eviction?dryRun=All", `{}`, 201, 0, `"status":"Success"`},
			{"a dry run in the delete options", "POST", "/web-1/eviction",
				`{"deleteOptions":{"dryRun":["All"]}}`, 201, 0, `"status":"Success"`},
			{"an eviction cannot be read", "GET", "/web-1/eviction", "", 405, 0, ""},
			{"an eviction deletes the pod",
				"POST", "/web-1/eviction", `{"apiVersion":"policy/v1","kind":"Eviction",` +
					`"metadata":{"name":"web-1","namespace":"default"}}`, 201, 2,
				`{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Success","code":201}`},
			{"the pod is gone", "GET", "/web-1", "", 404, 0, ""},
			{"a missing pod", "POST", "/web-1/eviction", `{}`, 404, 0, `pods \"web-1\" not found`},
		})
		play(t, s, "/api/v1", []try{
			{"discovery says what to post", "GET", "", "", 200, 0, `{"name":"pods/eviction",` +
				`"singularName":"","namespaced":true,"group":"policy","version":"v1","kind":"Eviction",` +
				`"verbs":["create"]}`},
			{"only pods are evicted", "POST", "/namespaces/default/configmaps/a/eviction", `{}`, 404, 0, ""},
		})
	})
}
