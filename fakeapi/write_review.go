package fakeapi

import "net/http"

// With a review a client asks what a user may do: it creates the review, the answer is in
// the status, and nothing is stored. There are no users, so access is always allowed.

// reviews are the statuses with which reviews are answered, by qualified name of the
// resource.
var reviews = map[string]tree{
	"selfsubjectaccessreviews.authorization.k8s.io":  {"allowed": true},
	"subjectaccessreviews.authorization.k8s.io":      {"allowed": true},
	"localsubjectaccessreviews.authorization.k8s.io": {"allowed": true},
	"selfsubjectrulesreviews.authorization.k8s.io": {
		"resourceRules":    []any{tree{"verbs": all, "apiGroups": all, "resources": all}},
		"nonResourceRules": []any{tree{"verbs": all, "nonResourceURLs": all}},
		"incomplete":       false},
	"selfsubjectreviews.authentication.k8s.io": {"userInfo": tree{"username": "kubernetes-admin",
		"groups": []any{"system:masters", "system:authenticated"}}},
}

var all = []any{"*"}

// isReview reports whether objects of the resource are reviews.
func (r *Resource) isReview() bool { return reviews[r.QualifiedName()] != nil }

// review answers POST of a review.
func (s *Server) review(w http.ResponseWriter, q *request) error {
	body, err := s.body(w, q)
	if err != nil {
		return err
	}
	o, err := parseWriteOptions(kindCreate, q.query)
	if err != nil {
		return err
	}
	t, flaws, err := decodeObject(q.r(), body, o.fields)
	if err != nil {
		return err
	}
	warn(w, flaws)
	if err := fitNamespace(q, t); err != nil {
		return err
	}
	t["status"] = reviews[q.r().QualifiedName()]
	metaOf(t).tidy()
	s.answer(w, q.http, http.StatusCreated, encodeJSON(t))
	return nil
}

// reviewResources are the reviews among the default resources.
func reviewResources() []Resource {
	const access, identity = "authorization.k8s.io", "authentication.k8s.io"
	return []Resource{
		{Group: access, Version: "v1", Plural: "localsubjectaccessreviews",
			Kind: "LocalSubjectAccessReview"},
		{Group: access, Version: "v1", Plural: "selfsubjectaccessreviews",
			Kind: "SelfSubjectAccessReview", Cluster: true},
		{Group: access, Version: "v1", Plural: "selfsubjectrulesreviews",
			Kind: "SelfSubjectRulesReview", Cluster: true},
		{Group: access, Version: "v1", Plural: "subjectaccessreviews",
			Kind: "SubjectAccessReview", Cluster: true},
		{Group: identity, Version: "v1", Plural: "selfsubjectreviews",
			Kind: "SelfSubjectReview", Cluster: true},
	}
}
