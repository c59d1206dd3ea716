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
func scaleOf(typ *resource.Type, t object.Tree) (object.Tree, error) {
	wanted, ok := object.Lookup(t, typ.Scale.Spec)
	if !ok || wanted == nil {
		return nil, status.InternalFailure(fmt.Sprintf("the spec replicas field %q does not exist",
			typ.Scale.Spec))
	}
	return scaleWith(typ, t, object.IntAt(t, typ.Scale.Spec)), nil
}

// scaleWith returns the Scale of an object that wants this number of replicas.
func scaleWith(typ *resource.Type, t object.Tree, replicas int64) object.Tree {
	m := object.MetaOf(t)
	meta := object.Tree{}
	for _, field := range []string{"name", "namespace", "uid", "resourceVersion",
		"creationTimestamp"} {
		if m[field] != nil {
			meta[field] = m[field]
		}
	}
	status := object.Tree{"replicas": object.IntAt(t, typ.Scale.Status)}
	if s := scaleSelector(typ, t); s != "" {
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
func scaleSelector(typ *resource.Type, t object.Tree) string {
	switch v, _ := object.Lookup(t, typ.Scale.Selector); v := v.(type) {
	case string:
		return v
	case object.Tree:
		return printer.Selector(v)
	}
	return ""
}

// scale answers GET, PUT and PATCH of a scale.
func (s *Server) scale(w http.ResponseWriter, req *request) error {
	d, err := s.scaled(w, req)
	if err != nil {
		return err
	}
	scale, err := scaleOf(req.typ, d.Tree())
	if err != nil {
		return err
	}
	wire.Answer(w, req.http, http.StatusOK, object.JSON(scale))
	return nil
}

// scaled carries out a request and returns the object that it is about.
func (s *Server) scaled(w http.ResponseWriter, req *request) (*object.Document, error) {
	if req.verb == resource.VerbGet {
		if d := req.collection.Get(object.Key(req.namespace, req.name)); d != nil {
			return d, nil
		}
		return nil, status.NotFound(req.typ.About(req.name))
	}
	kind := query.UpdateOptions
	if req.verb == resource.VerbPatch {
		kind = query.PatchOptions
	}
	o, err := query.ParseWrite(kind, req.query)
	if err != nil {
		return nil, err
	}
	change, err := s.readScale(w, req)
	if err != nil {
		return nil, err
	}
	return req.collection.Update(req.http.Context(), registry.Update{Namespace: req.namespace,
		Name:  req.name,
		Patch: req.verb == resource.VerbPatch, DryRun: o.DryRun,
		Change: func(present object.Tree) (object.Tree, error) {
			scale, err := change(scaleWith(req.typ, present, object.IntAt(present, req.typ.Scale.Spec)))
			if err == nil {
				err = req.checkScale(scale)
			}
			if err != nil {
				return nil, err
			}
			return setScale(req.typ, req.name, present, scale)
		}})
}

// readScale reads a PUT or a PATCH. The result makes the new Scale from the present one.
func (s *Server) readScale(w http.ResponseWriter, req *request) (func(object.Tree) (object.Tree,
	error), error) {
	if req.verb == resource.VerbUpdate {
		body, err := wire.ReadJSON(w, req.http, s.opts.MaxBody)
		if err != nil {
			return nil, err
		}
		t, err := object.DecodeTree(body)
		if err != nil {
			return nil, status.BadRequest("%v", err)
		}
		return func(object.Tree) (object.Tree, error) { return t, fitName(req, t) }, nil
	}
	sent := req.http.Header.Get("Content-Type")
	media, _, err := mime.ParseMediaType(sent)
	if accepted := patchTypes(req.typ); err != nil || !slices.Contains(accepted, media) {
		return nil, status.UnsupportedMediaType(sent, accepted...)
	}
	body, err := wire.ReadBody(w, req.http, s.opts.MaxBody)
	if err != nil {
		return nil, err
	}
	p, err := parsePatch(media, body)
	return p.apply, err
}

// checkScale returns an error if the new Scale is malformed. Otherwise a text in place of
// the number would scale to zero.
func (req *request) checkScale(scale object.Tree) error {
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
	case req.verb == resource.VerbPatch:
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
func setScale(typ *resource.Type, name string, t, scale object.Tree) (object.Tree, error) {
	n := object.IntAt(scale, ".spec.replicas")
	switch {
	case n < 0 && typ.Builtin():
		return nil, status.InvalidValue(status.About{Group: resource.ScaleKind.Group,
			Kind: resource.ScaleKind.Kind,
			Name: name}, "spec.replicas", n, "must be greater than or equal to 0")
	case n < 0:
		return nil, status.InvalidValue(typ.About(name), typ.Scale.Spec, n,
			"should be a non-negative integer")
	}
	if !object.SetAt(t, typ.Scale.Spec, n) {
		return nil, status.InternalFailure(typ.Scale.Spec + " is not within an object")
	}
	if version := object.TextAt(scale, ".metadata.resourceVersion"); version != "" {
		object.MetaOf(t)["resourceVersion"] = version
	}
	return t, nil
}
