package fakeapi

import (
	"encoding/json"
	"errors"
	"mime"
	"net/http"
	"slices"
	"strings"

	"example.com/watchglass/fakeapi/patch"
)

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

// readPatch is the draft of a PATCH.
func (s *Server) readPatch(w http.ResponseWriter, q *request) (*draft, error) {
	sent := q.http.Header.Get("Content-Type")
	media, _, err := mime.ParseMediaType(sent)
	if accepted := q.r().patchTypes(); err != nil || !slices.Contains(accepted, media) {
		return nil, unsupportedMediaType(sent, accepted...)
	}
	if q.name == "" {
		return nil, badRequest("name must be provided")
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

// draft is what the change makes of the object that q names.
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

// fitPatched checks the outcome of a patch, as decodeObject does with a body,
// though the refusals are others.
func (d *draft) fitPatched(t tree) error {
	r := d.q.r()
	if err := checkPatchedKind(r, t); err != nil {
		return err
	}
	unknown, err := fitMeta(r, t)
	if err == nil && d.options.fields != strictIgnore {
		d.flaws = append(d.flaws, unknownFields(unknown)...)
		err = d.options.fields.judge(d.flaws)
	}
	if err != nil {
		d.flaws = nil // the error says it all
		return invalidPatch(t, err)
	}
	if err := fitName(d.q, t); err != nil {
		return err
	}
	return fitNamespace(d.q, t)
}

// checkPatchedKind: no patch may change the type of an object.
func checkPatchedKind(r *Resource, t tree) error {
	kind, _ := t["kind"].(string)
	version, _ := t["apiVersion"].(string)
	name, _ := lookup(t, "metadata.name")
	text, _ := name.(string)
	switch {
	case r.Builtin():
		return checkKind(r, t, orText(kind, r.Kind), orText(version, r.APIVersion()))
	case kind == "":
		b, _ := json.Marshal(t) // it came from JSON
		return invalidPatch(t, errors.New("Object 'Kind' is missing in '"+excerpt(b)+"'"))
	case version == "":
		return internalFailure("Object 'apiVersion' is missing in " +
			"'object has no apiVersion field'")
	case kind != r.Kind:
		return invalidType(r.Group, kind, text, invalidField("kind", kind, "must be "+r.Kind))
	case version != r.APIVersion():
		group, _, ok := strings.Cut(version, "/")
		if !ok {
			group = "" // "v2" is a version of the core group
		}
		return invalidType(group, kind, text,
			invalidField("apiVersion", version, "must be "+r.APIVersion()))
	}
	return nil
}

// A change is a patch of any type, decoded.
type change struct {
	apply func(present tree) (tree, error) // may alter present; errors are *Status
	flaws []string                         // fields it has twice, and unknown ones
}

// parsePatch decodes a patch. Errors are *Status.
func parsePatch(media string, body []byte) (change, error) {
	if !json.Valid(body) {
		return change{}, badRequest("invalid JSON patch")
	}
	if media == typeJSONPatch {
		return parseJSONPatch(body)
	}
	var probe map[string]any
	if err := json.Unmarshal(body, &probe); err != nil {
		return change{}, badRequest("error decoding patch: %v", err)
	}
	if probe == nil { // a patch that is null would replace the object by nothing
		return change{}, badRequest("Invalid JSON Patch")
	}
	t, err := decodeTree(body)
	if err != nil {
		return change{}, badRequest("error decoding patch: %v", err)
	}
	p := change{flaws: duplicates(body)}
	// What is applied becomes part of the object: each application gets its own.
	own := func() tree { return patch.Copy(t).(tree) }
	p.apply = func(present tree) (tree, error) { return patch.Merge(present, own()).(tree), nil }
	if media == typeStrategic {
		p.apply = func(present tree) (tree, error) {
			t, err := patch.Strategic(present, own())
			if err != nil {
				return nil, refusePatch(err, badRequest("%v", err))
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
		return change{}, badRequest("error decoding patch: %v", err)
	}
	steps, unknown, err := patch.ParseSteps(v)
	if err != nil {
		return change{}, refusePatch(err, badRequest("error decoding patch: %v", err))
	}
	flaws := append(duplicates(body), unknownFields(unknown)...)
	for i, f := range flaws {
		flaws[i] = "json patch " + f
	}
	return change{flaws: flaws, apply: func(present tree) (tree, error) {
		v, err := patch.Apply(present, steps)
		t, ok := v.(tree)
		if err != nil || !ok {
			return nil, refusePatch(err, rejected())
		}
		return t, nil
	}}, nil
}

// refusePatch is the answer to a patch that package patch refuses: 413 if it is too much
// work, otherwise another one.
func refusePatch(err error, other *Status) *Status {
	var limit *patch.LimitError
	if errors.As(err, &limit) {
		return tooLarge(limit.Error())
	}
	return other
}
