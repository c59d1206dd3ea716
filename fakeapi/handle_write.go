package fakeapi

import (
	"mime"
	"net/http"
	"net/url"
	"slices"
)

// create answers POST.
func (s *Server) create(w http.ResponseWriter, q *request) error {
	body, err := s.body(w, q)
	if err != nil {
		return err
	}
	o, err := parseWriteOptions("CreateOptions", q.query)
	if err != nil {
		return err
	}
	t, err := decodeObject(q.r(), body)
	if err != nil {
		return err
	}
	if err := fitNamespace(q, t); err != nil {
		return err
	}
	d, err := q.c.create(t, o)
	if err != nil {
		return err
	}
	return s.answerObject(w, q, http.StatusCreated, d)
}

// parseWriteOptions reads the query parameters that all writes have. kind names
// them in errors.
func parseWriteOptions(kind string, query url.Values) (writeOptions, error) {
	var o writeOptions
	for _, v := range query["dryRun"] {
		if v != "All" {
			return o, invalidOptions(kind, unsupportedField("dryRun", v, "All"))
		}
		o.dryRun = true
	}
	return o, nil
}

// decodeObject decodes the body of a create or an update and checks what it
// says about its type. Custom resources have to say it, and correctly; built-in
// types get what they leave out.
func decodeObject(r *Resource, body []byte) (tree, error) {
	t, err := decodeTree(body)
	if err != nil {
		return nil, badRequest("the object provided is unrecognized (must be of type %s): couldn't "+
			"get version/kind; json parse error: %v (%s)", r.Kind, err, excerpt(body))
	}
	if err := checkKind(r, t, body); err != nil {
		return nil, err
	}
	if err := checkMeta(t); err != nil {
		return nil, badRequest("%s in version %q cannot be handled as a %s: %v",
			r.Kind, r.Version, r.Kind, err)
	}
	return t, nil
}

// checkKind checks kind and apiVersion.
func checkKind(r *Resource, t tree, body []byte) error {
	kind, _ := t["kind"].(string)
	version, _ := t["apiVersion"].(string)
	if r.Builtin() {
		if kind != "" && kind != r.Kind {
			return badRequest("%s in version %q cannot be handled as a %s: no kind %q is registered "+
				"for version %q", kind, r.Version, r.Kind, kind, r.APIVersion())
		}
		kind = r.Kind
		if version == "" {
			version = r.APIVersion()
		}
	}
	switch {
	case kind == "":
		return badRequest("Object 'Kind' is missing in '%s'", excerpt(body))
	case version != r.APIVersion():
		return badRequest("the API version in the data (%s) does not match the expected API "+
			"version (%s)", version, r.APIVersion())
	case kind != r.Kind:
		name := metaOf(t).text("name")
		return invalidObject(r, name, invalidField("kind", kind, "must be "+r.Kind))
	}
	t["kind"], t["apiVersion"] = kind, version
	return nil
}

// excerpt is the beginning of a body, for messages.
func excerpt(body []byte) string {
	const most = 1024
	if len(body) > most {
		return string(body[:most]) + "..."
	}
	return string(body)
}

// fitNamespace makes the object's namespace that of the path. If it names
// another one, the request contradicts itself.
func fitNamespace(q *request, t tree) error {
	m := metaOf(t)
	switch ns := m.text("namespace"); {
	case ns == q.namespace:
	case ns == "":
		m["namespace"] = q.namespace
	default:
		return badRequest("the namespace of the provided object does not match the namespace " +
			"sent on the request")
	}
	return nil
}

// fitName: an update must name the object of its path.
func fitName(q *request, t tree) error {
	switch name := metaOf(t).text("name"); name {
	case q.name:
		return nil
	case "":
		return badRequest("name must be provided")
	default:
		return badRequest("the name of the object (%s) does not match the name on the URL (%s)",
			name, q.name)
	}
}

// change answers PUT and PATCH, of an object and of its status.
func (s *Server) change(w http.ResponseWriter, q *request) error {
	u := update{namespace: q.namespace, name: q.name, subresource: q.subresource,
		patch: q.verb == verbPatch}
	var err error
	if u.patch {
		u.writeOptions, err = parseWriteOptions("PatchOptions", q.query)
	} else {
		u.writeOptions, err = parseWriteOptions("UpdateOptions", q.query)
	}
	if err != nil {
		return err
	}
	if u.patch {
		u.change, err = s.patchOf(w, q)
	} else {
		u.change, err = s.replacementOf(w, q)
	}
	if err != nil {
		return err
	}
	d, err := q.c.update(u)
	if err != nil {
		return err
	}
	return s.answerObject(w, q, http.StatusOK, d)
}

// replacementOf is the change that a PUT makes: its body.
func (s *Server) replacementOf(
	w http.ResponseWriter, q *request) (func(tree) (tree, error), error) {
	body, err := s.body(w, q)
	if err != nil {
		return nil, err
	}
	t, err := decodeObject(q.r(), body)
	if err != nil {
		return nil, err
	}
	if err := fitName(q, t); err != nil {
		return nil, err
	}
	if err := fitNamespace(q, t); err != nil {
		return nil, err
	}
	return func(tree) (tree, error) { return t, nil }, nil
}

// The content types of patches.
const (
	typeJSONPatch  = "application/json-patch+json"
	typeMergePatch = "application/merge-patch+json"
	typeStrategic  = "application/strategic-merge-patch+json"
)

// patchTypes are the patches that the resource takes. Server-side apply is not
// among them: without managed fields it could only pretend, and clients that
// are told 415 fall back to patches they compute themselves.
func (r *Resource) patchTypes() []string {
	if r.Builtin() {
		return []string{typeJSONPatch, typeMergePatch, typeStrategic}
	}
	return []string{typeJSONPatch, typeMergePatch}
}

// patchOf is the change that a PATCH makes.
func (s *Server) patchOf(w http.ResponseWriter, q *request) (func(tree) (tree, error), error) {
	media, _, err := mime.ParseMediaType(q.http.Header.Get("Content-Type"))
	if accepted := q.r().patchTypes(); err != nil || !slices.Contains(accepted, media) {
		return nil, unsupportedMediaType(accepted...)
	}
	body, err := s.readBody(w, q)
	if err != nil {
		return nil, err
	}
	apply, err := parsePatch(media, body)
	if err != nil {
		return nil, err
	}
	return func(present tree) (tree, error) {
		t, err := apply(present)
		if err != nil {
			return nil, err
		}
		return t, q.checkPatched(t)
	}, nil
}

// checkPatched checks what no patch may change.
func (q *request) checkPatched(t tree) error {
	if err := checkMeta(t); err != nil {
		return badRequest("%s in version %q cannot be handled as a %s: %v",
			q.r().Kind, q.r().Version, q.r().Kind, err)
	}
	if err := checkKind(q.r(), t, nil); err != nil {
		return err
	}
	if err := fitName(q, t); err != nil {
		return err
	}
	return fitNamespace(q, t)
}

// parsePatch decodes a patch and returns what applies it.
func parsePatch(media string, body []byte) (func(tree) (tree, error), error) {
	if media == typeJSONPatch {
		steps, err := parseJSONPatch(body)
		if err != nil {
			return nil, badRequest("error decoding patch: %v", err)
		}
		return func(present tree) (tree, error) {
			v, err := applyJSONPatch(present, copySteps(steps))
			t, ok := v.(tree)
			if err != nil || !ok {
				return nil, rejected()
			}
			return t, nil
		}, nil
	}
	patch, err := decodeTree(body)
	if err != nil {
		return nil, badRequest("invalid JSON patch")
	}
	if media == typeMergePatch {
		return func(present tree) (tree, error) { return mergePatch(present, patch).(tree), nil }, nil
	}
	return func(present tree) (tree, error) {
		t, err := strategicMerge(present, patch)
		if err != nil {
			return nil, badRequest("%v", err)
		}
		return t, nil
	}, nil
}

// copySteps: values are put into the document and later steps may change them
// there; two steps must not share one.
func copySteps(steps []patchStep) []patchStep {
	out := slices.Clone(steps)
	for i := range out {
		out[i].value = copyValue(out[i].value)
	}
	return out
}
