package fakeapi

import (
	"cmp"
	"fmt"
	"mime"
	"net/http"
	"slices"

	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/printer"
	"example.com/watchglass/fakeapi/query"
	"example.com/watchglass/fakeapi/registry"
	"example.com/watchglass/fakeapi/resource"
	"example.com/watchglass/fakeapi/status"
	"example.com/watchglass/fakeapi/wire"
)

// A Scale is the form of a workload at /scale: it shows only how many replicas are wanted
// and how many there are. kubectl scale and autoscalers need no more.

// scaleOf returns an object's Scale. The error is a *status.Status: an object without a wanted
// number
// of replicas has no Scale.
func scaleOf(r *resource.Type, t object.Tree) (object.Tree, error) {
	wanted, ok := object.Lookup(t, r.Scale.Spec)
	if !ok || wanted == nil {
		return nil, status.InternalFailure(fmt.Sprintf("the spec replicas field %q does not exist",
			r.Scale.Spec))
	}
	return scaleWith(r, t, object.IntAt(t, r.Scale.Spec)), nil
}

// scaleWith returns the Scale of an object that wants this number of replicas.
func scaleWith(r *resource.Type, t object.Tree, replicas int64) object.Tree {
	m := object.MetaOf(t)
	meta := object.Tree{}
	for _, field := range []string{"name", "namespace", "uid", "resourceVersion",
		"creationTimestamp"} {
		if m[field] != nil {
			meta[field] = m[field]
		}
	}
	status := object.Tree{"replicas": object.IntAt(t, r.Scale.Status)}
	if s := scaleSelector(r, t); s != "" {
		status["selector"] = s
	}
	spec := object.Tree{} // zero is left out, as in the real server
	if replicas != 0 {
		spec["replicas"] = replicas
	}
	return object.Tree{"kind": resource.ScaleKind.Kind, "apiVersion": resource.ScaleKind.Group + "/" +
		resource.ScaleKind.Version,
		"metadata": meta, "spec": spec, "status": status}
}

// scaleSelector returns the label selector of the replicas, as text.
func scaleSelector(r *resource.Type, t object.Tree) string {
	switch v, _ := object.Lookup(t, r.Scale.Selector); v := v.(type) {
	case string:
		return v
	case object.Tree:
		return printer.Selector(v)
	}
	return ""
}

// scale answers GET, PUT and PATCH of a scale.
func (s *Server) scale(w http.ResponseWriter, q *request) error {
	d, err := s.scaled(w, q)
	if err != nil {
		return err
	}
	scale, err := scaleOf(q.r(), d.Tree())
	if err != nil {
		return err
	}
	wire.Answer(w, q.http, http.StatusOK, object.JSON(scale))
	return nil
}

// scaled carries out a request and returns the object that it is about.
func (s *Server) scaled(w http.ResponseWriter, q *request) (*object.Document, error) {
	if q.verb == resource.VerbGet {
		if d := q.c.Get(object.Key(q.namespace, q.name)); d != nil {
			return d, nil
		}
		return nil, status.NotFound(q.r().About(q.name))
	}
	kind := query.UpdateOptions
	if q.verb == resource.VerbPatch {
		kind = query.PatchOptions
	}
	o, err := query.ParseWrite(kind, q.query)
	if err != nil {
		return nil, err
	}
	change, err := s.readScale(w, q)
	if err != nil {
		return nil, err
	}
	return q.c.Update(q.http.Context(), registry.Update{Namespace: q.namespace, Name: q.name,
		Patch: q.verb == resource.VerbPatch, DryRun: o.DryRun,
		Change: func(present object.Tree) (object.Tree, error) {
			scale, err := change(scaleWith(q.r(), present, object.IntAt(present, q.r().Scale.Spec)))
			if err == nil {
				err = q.checkScale(scale)
			}
			if err != nil {
				return nil, err
			}
			return setScale(q.r(), q.name, present, scale)
		}})
}

// readScale reads a PUT or a PATCH. The result makes the new Scale from the present one.
func (s *Server) readScale(w http.ResponseWriter, q *request) (func(object.Tree) (object.Tree,
	error), error) {
	if q.verb == resource.VerbUpdate {
		body, err := wire.ReadJSON(w, q.http, s.opts.MaxBody)
		if err != nil {
			return nil, err
		}
		t, err := object.DecodeTree(body)
		if err != nil {
			return nil, status.BadRequest("%v", err)
		}
		return func(object.Tree) (object.Tree, error) { return t, fitName(q, t) }, nil
	}
	sent := q.http.Header.Get("Content-Type")
	media, _, err := mime.ParseMediaType(sent)
	if accepted := patchTypes(q.r()); err != nil || !slices.Contains(accepted, media) {
		return nil, status.UnsupportedMediaType(sent, accepted...)
	}
	body, err := wire.ReadBody(w, q.http, s.opts.MaxBody)
	if err != nil {
		return nil, err
	}
	p, err := parsePatch(media, body)
	return p.apply, err
}

// checkScale returns an error if the new Scale is malformed. Otherwise a text in place of
// the number would scale to zero.
func (q *request) checkScale(scale object.Tree) error {
	kind := cmp.Or(object.TextAt(scale, ".kind"), resource.ScaleKind.Kind)
	version := cmp.Or(object.TextAt(scale, ".apiVersion"),
		resource.ScaleKind.Group+"/"+resource.ScaleKind.Version)
	_, err := scaleShape.Check(resource.ScaleKind.Kind, scale)
	if kind != resource.ScaleKind.Kind ||
		version != resource.ScaleKind.Group+"/"+resource.ScaleKind.Version {
		err = fmt.Errorf("no kind %q is registered for version %q", kind, version)
	}
	switch {
	case err == nil:
		return nil
	case q.verb == resource.VerbPatch:
		return status.InvalidPatch(object.JSON(scale), err)
	}
	return status.BadRequest("%s in version %q cannot be handled as a %s: %v",
		kind, resource.ScaleKind.Version, resource.ScaleKind.Kind, err)
}

// scaleShape has the fields of a Scale that a client sets. The server sets the status.
var scaleShape = object.Record{"kind": object.String, "apiVersion": object.String,
	"metadata": object.Metadata,
	"spec":     object.Record{"replicas": object.Int32}}

// setScale sets the object's wanted number of replicas to that of the scale. It also copies
// a resourceVersion in the scale, so that update compares it with the object's.
func setScale(r *resource.Type, name string, t, scale object.Tree) (object.Tree, error) {
	n := object.IntAt(scale, ".spec.replicas")
	switch {
	case n < 0 && r.Builtin():
		return nil, status.InvalidValue(status.About{Group: resource.ScaleKind.Group,
			Kind: resource.ScaleKind.Kind,
			Name: name}, "spec.replicas", n, "must be greater than or equal to 0")
	case n < 0:
		return nil, status.InvalidValue(r.About(name), r.Scale.Spec, n,
			"should be a non-negative integer")
	}
	if !object.SetAt(t, r.Scale.Spec, n) {
		return nil, status.InternalFailure(r.Scale.Spec + " is not within an object")
	}
	if version := object.TextAt(scale, ".metadata.resourceVersion"); version != "" {
		object.MetaOf(t)["resourceVersion"] = version
	}
	return t, nil
}
