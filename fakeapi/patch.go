package fakeapi

import (
	"cmp"
	"errors"
	"net/http"

	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/status"
)

// patchTypes returns the types of patches that the resource takes. Server-side apply is not
// among them, because it needs managed fields. Clients that get 415 fall back to patches
// that they compute themselves.
func patchTypes(typ *object.Type) []string {
	if typ.Builtin() {
		return []string{object.MediaJSONPatch, object.MediaMergePatch, object.MediaStrategicPatch}
	}
	return []string{object.MediaJSONPatch, object.MediaMergePatch}
}

// patched returns what a patch makes of the present object, nil if there is none.
func (d *writeRequest) patched(present object.Tree) (object.Tree, error) {
	apply, err := parsePatch(d.req.typ, d.media, d.body)
	switch {
	case err != nil:
		return nil, err
	case d.req.subresource == object.SubScale:
		return d.req.scaled(present, apply)
	case present == nil:
		return nil, nil
	}
	t, err := apply(object.Copy(present).(object.Tree))
	if err != nil {
		return nil, err
	}
	return t, d.fitPatched(present, t)
}

// fitPatched checks the outcome of a patch.
func (d *writeRequest) fitPatched(present, t object.Tree) (err error) {
	if d.media == object.MediaStrategicPatch { // a real server does not look at them
		object.Carry(t, present, "kind", "apiVersion")
	}
	if d.warnings, err = object.CheckPatched(d.req.typ, t, d.options.Fields); err != nil {
		return err
	}
	d.warn(present, t, " after mutating admission happens")
	return cmp.Or(object.FitName(t, d.req.name), object.FitNamespace(t, d.req.namespace))
}

// parsePatch decodes a patch. All errors are *status.Status.
func parsePatch(typ *object.Type, media string, body []byte) (apply edit, err error) {
	v, err := object.DecodeValue(body)
	if err == nil && media == object.MediaJSONPatch {
		return parseJSONPatch(v)
	}
	change, ok := v.(object.Tree)
	switch {
	case err != nil:
		return nil, status.BadRequest("error decoding patch: %v", err)
	case !ok: // null, for one, would replace the object by nothing
		return nil, status.BadRequest("error decoding patch: json: cannot unmarshal %s into Go "+
			"value of type map[string]interface {}", object.TypeName(v))
	case media == object.MediaMergePatch:
		return func(present object.Tree) (object.Tree, error) {
			return object.MergePatch(present, change).(object.Tree), nil
		}, nil
	}
	return func(present object.Tree) (object.Tree, error) {
		t, err := object.StrategicPatch(typ, present, change)
		if err != nil {
			return nil, refusePatch(err, status.Of(err))
		}
		return t, nil
	}, nil
}

// parseJSONPatch returns the change that a JSON patch makes.
func parseJSONPatch(v any) (edit, error) {
	steps, err := object.ParseJSONPatch(v)
	if err != nil {
		return nil, refusePatch(err, status.BadRequest("error decoding patch: %v", err))
	}
	return func(present object.Tree) (object.Tree, error) {
		v, err := object.ApplyJSONPatch(present, steps)
		t, ok := v.(object.Tree)
		if err != nil || !ok {
			return nil, refusePatch(err, status.Failure(http.StatusUnprocessableEntity,
				"the server rejected our request due to an error in our request", &status.Details{}))
		}
		return t, nil
	}, nil
}

// refusePatch returns the answer to a patch that package object refuses: 413 if it is too much
// work, other for all other errors.
func refusePatch(err error, other *status.Status) *status.Status {
	if limit, ok := errors.AsType[*object.LimitError](err); ok {
		return status.TooLarge(limit.Error())
	}
	return other
}
