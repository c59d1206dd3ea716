package fakeapi

import (
	"encoding/json"
	"errors"
	"mime"
	"net/http"
	"slices"

	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/patch"
	"example.com/watchglass/fakeapi/query"
	"example.com/watchglass/fakeapi/resource"
	"example.com/watchglass/fakeapi/status"
	"example.com/watchglass/fakeapi/wire"
)

// patchTypes returns the types of patches that the resource takes. Server-side apply is not
// among them, because it needs managed fields. Clients that get 415 fall back to patches
// that they compute themselves.
func patchTypes(typ *resource.Type) []string {
	if typ.Builtin() {
		return []string{patch.MediaJSON, patch.MediaMerge, patch.MediaStrategic}
	}
	return []string{patch.MediaJSON, patch.MediaMerge}
}

// readPatch returns the draft of a PATCH.
func (s *Server) readPatch(w http.ResponseWriter, req *request) (*draft, error) {
	sent := req.http.Header.Get("Content-Type")
	media, _, err := mime.ParseMediaType(sent)
	if accepted := patchTypes(req.typ); err != nil || !slices.Contains(accepted, media) {
		return nil, status.UnsupportedMediaType(sent, accepted...)
	}
	if req.name == "" {
		return nil, status.BadRequest("name must be provided")
	}
	body, err := wire.ReadBody(w, req.http, s.opts.MaxBody)
	if err != nil {
		return nil, err
	}
	o, err := query.ParseWrite(query.PatchOptions, req.query)
	if err != nil {
		return nil, err
	}
	p, err := parsePatch(media, body)
	if err != nil {
		return nil, err
	}
	return p.draft(req, o), nil
}

// draft returns the change as a draft for the object that a request names.
func (p change) draft(req *request, o query.Write) *draft {
	d := &draft{req: req, options: o}
	d.apply = func(present object.Tree) (object.Tree, error) {
		if d.flaws = nil; o.Fields != object.StrictIgnore {
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

// fitPatched checks the outcome of a patch as object.Decode checks a body, but with other
// error messages.
func (d *draft) fitPatched(t object.Tree) error {
	typ := d.req.typ
	if err := object.CheckPatchedKind(typ, t); err != nil {
		return err
	}
	unknown, err := object.FitMeta(t)
	if err == nil && d.options.Fields != object.StrictIgnore {
		d.flaws = append(d.flaws, object.UnknownFields(unknown)...)
		err = d.options.Fields.Judge(d.flaws)
	}
	if err != nil {
		d.flaws = nil // the error lists them
		return status.InvalidPatch(object.JSON(t), err)
	}
	if err := fitName(d.req, t); err != nil {
		return err
	}
	return fitNamespace(d.req, t)
}

// A change is a patch of any type, decoded.
type change struct {
	apply func(present object.Tree) (object.Tree,
		error) // may alter present; errors are *status.Status
	flaws []string // duplicate and unknown fields in the patch
}

// parsePatch decodes a patch. Errors are *status.Status.
func parsePatch(media string, body []byte) (change, error) {
	if !json.Valid(body) {
		return change{}, status.BadRequest("invalid JSON patch")
	}
	if media == patch.MediaJSON {
		return parseJSONPatch(body)
	}
	var probe map[string]any
	if err := json.Unmarshal(body, &probe); err != nil {
		return change{}, status.BadRequest("error decoding patch: %v", err)
	}
	if probe == nil { // a patch that is null would replace the object by nothing
		return change{}, status.BadRequest("Invalid JSON Patch")
	}
	t, err := object.DecodeTree(body)
	if err != nil {
		return change{}, status.BadRequest("error decoding patch: %v", err)
	}
	p := change{flaws: object.Duplicates(body)}
	// The values of a patch become part of the object: each application gets a copy.
	own := func() object.Tree { return patch.Copy(t).(object.Tree) }
	p.apply = func(present object.Tree) (object.Tree, error) {
		return patch.Merge(present,
			own()).(object.Tree), nil
	}
	if media == patch.MediaStrategic {
		p.apply = func(present object.Tree) (object.Tree, error) {
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
	v, err := object.DecodeValue(body)
	if err != nil {
		return change{}, status.BadRequest("error decoding patch: %v", err)
	}
	steps, unknown, err := patch.ParseSteps(v)
	if err != nil {
		return change{}, refusePatch(err, status.BadRequest("error decoding patch: %v", err))
	}
	flaws := append(object.Duplicates(body), object.UnknownFields(unknown)...)
	for i, f := range flaws {
		flaws[i] = "json patch " + f
	}
	return change{flaws: flaws, apply: func(present object.Tree) (object.Tree, error) {
		v, err := patch.Apply(present, steps)
		t, ok := v.(object.Tree)
		if err != nil || !ok {
			return nil, refusePatch(err, status.Rejected())
		}
		return t, nil
	}}, nil
}

// refusePatch returns the answer to a patch that package patch refuses: 413 if it is too much
// work, other for all other errors.
func refusePatch(err error, other *status.Status) *status.Status {
	var limit *patch.LimitError
	if errors.As(err, &limit) {
		return status.TooLarge(limit.Error())
	}
	return other
}
