package fakeapi

import (
	"encoding/json"
	"errors"
	"mime"
	"net/http"
	"slices"
	"strings"

	"example.com/watchglass/fakeapi/patch"
	"example.com/watchglass/fakeapi/resource"
	"example.com/watchglass/fakeapi/status"
)

// The content types of patches.
const (
	typeJSONPatch  = "application/json-patch+json"
	typeMergePatch = "application/merge-patch+json"
	typeStrategic  = "application/strategic-merge-patch+json"
)

// patchTypes are the types of patches that the resource takes. Server-side apply is not
// among them, because it needs managed fields. Clients that get 415 fall back to patches
// that they compute themselves.
func patchTypes(r *resource.Type) []string {
	if r.Builtin() {
		return []string{typeJSONPatch, typeMergePatch, typeStrategic}
	}
	return []string{typeJSONPatch, typeMergePatch}
}

// readPatch is the draft of a PATCH.
func (s *Server) readPatch(w http.ResponseWriter, q *request) (*draft, error) {
	sent := q.http.Header.Get("Content-Type")
	media, _, err := mime.ParseMediaType(sent)
	if accepted := patchTypes(q.r()); err != nil || !slices.Contains(accepted, media) {
		return nil, status.UnsupportedMediaType(sent, accepted...)
	}
	if q.name == "" {
		return nil, status.BadRequest("name must be provided")
	}
	body, err := s.readBody(w, q)
	if err != nil {
		return nil, err
	}
	o, err := parseWriteOptions(kindPatch, q.query)
	if err != nil {
		return nil, err
	}
	p, err := parsePatch(media, body)
	if err != nil {
		return nil, err
	}
	return p.draft(q, o), nil
}

// draft is the change as a draft for the object that q names.
func (p change) draft(q *request, o writeOptions) *draft {
	d := &draft{q: q, options: o}
	d.apply = func(present tree) (tree, error) {
		if d.flaws = nil; o.fields != strictIgnore {
			d.flaws = slices.Clone(p.flaws)
		}
		t, err := p.apply(present)
		if err != nil {
			return nil, err
		}
		return t, d.fitPatched(t)
	}
	return d
}

// fitPatched checks the outcome of a patch as decodeObject checks a body, but with other
// error messages.
func (d *draft) fitPatched(t tree) error {
	r := d.q.r()
	if err := checkPatchedKind(r, t); err != nil {
		return err
	}
	unknown, err := fitMeta(t)
	if err == nil && d.options.fields != strictIgnore {
		d.flaws = append(d.flaws, unknownFields(unknown)...)
		err = d.options.fields.judge(d.flaws)
	}
	if err != nil {
		d.flaws = nil // the error lists them
		return status.InvalidPatch(encodeJSON(t), err)
	}
	if err := fitName(d.q, t); err != nil {
		return err
	}
	return fitNamespace(d.q, t)
}

// checkPatchedKind returns an error if a patch has changed the type of an object.
func checkPatchedKind(r *resource.Type, t tree) error {
	kind, _ := t["kind"].(string)
	version, _ := t["apiVersion"].(string)
	name, _ := lookup(t, "metadata.name")
	text, _ := name.(string)
	switch {
	case r.Builtin():
		return checkKind(r, t, orText(kind, r.Kind), orText(version, r.APIVersion()))
	case kind == "":
		b := encodeJSON(t)
		return status.InvalidPatch(b, errors.New("Object 'Kind' is missing in '"+excerpt(b)+"'"))
	case version == "":
		return status.InternalFailure("Object 'apiVersion' is missing in " +
			"'object has no apiVersion field'")
	case kind != r.Kind:
		return status.InvalidValue(status.About{Group: r.Group, Kind: kind, Name: text},
			"kind", kind, "must be "+r.Kind)
	case version != r.APIVersion():
		group, _, ok := strings.Cut(version, "/")
		if !ok {
			group = "" // "v2" is a version of the core group
		}
		return status.InvalidValue(status.About{Group: group, Kind: kind, Name: text},
			"apiVersion", version, "must be "+r.APIVersion())
	}
	return nil
}

// A change is a patch of any type, decoded.
type change struct {
	apply func(present tree) (tree, error) // may alter present; errors are *status.Status
	flaws []string                         // duplicate and unknown fields in the patch
}

// parsePatch decodes a patch. Errors are *status.Status.
func parsePatch(media string, body []byte) (change, error) {
	if !json.Valid(body) {
		return change{}, status.BadRequest("invalid JSON patch")
	}
	if media == typeJSONPatch {
		return parseJSONPatch(body)
	}
	var probe map[string]any
	if err := json.Unmarshal(body, &probe); err != nil {
		return change{}, status.BadRequest("error decoding patch: %v", err)
	}
	if probe == nil { // a patch that is null would replace the object by nothing
		return change{}, status.BadRequest("Invalid JSON Patch")
	}
	t, err := decodeTree(body)
	if err != nil {
		return change{}, status.BadRequest("error decoding patch: %v", err)
	}
	p := change{flaws: duplicates(body)}
	// The values of a patch become part of the object: each application gets a copy.
	own := func() tree { return patch.Copy(t).(tree) }
	p.apply = func(present tree) (tree, error) { return patch.Merge(present, own()).(tree), nil }
	if media == typeStrategic {
		p.apply = func(present tree) (tree, error) {
			t, err := patch.Strategic(present, own())
			if err != nil {
				return nil, refusePatch(err, status.BadRequest("%v", err))
			}
			return t, nil
		}
	}
	return p, nil
}

// parseJSONPatch decodes a JSON patch, which is known to be JSON.
func parseJSONPatch(body []byte) (change, error) {
	v, err := decodeValue(body)
	if err != nil {
		return change{}, status.BadRequest("error decoding patch: %v", err)
	}
	steps, unknown, err := patch.ParseSteps(v)
	if err != nil {
		return change{}, refusePatch(err, status.BadRequest("error decoding patch: %v", err))
	}
	flaws := append(duplicates(body), unknownFields(unknown)...)
	for i, f := range flaws {
		flaws[i] = "json patch " + f
	}
	return change{flaws: flaws, apply: func(present tree) (tree, error) {
		v, err := patch.Apply(present, steps)
		t, ok := v.(tree)
		if err != nil || !ok {
			return nil, refusePatch(err, status.Rejected())
		}
		return t, nil
	}}, nil
}

// refusePatch is the answer to a patch that package patch refuses: 413 if it is too much
// work, other for all other errors.
func refusePatch(err error, other *status.Status) *status.Status {
	var limit *patch.LimitError
	if errors.As(err, &limit) {
		return status.TooLarge(limit.Error())
	}
	return other
}
