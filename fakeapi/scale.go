package fakeapi

import (
	"cmp"
	"fmt"

	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/patch"
	"example.com/watchglass/fakeapi/printer"
	"example.com/watchglass/fakeapi/resource"
	"example.com/watchglass/fakeapi/status"
)

// A Scale is the form of a workload at /scale: it shows only how many replicas are wanted
// and how many there are. kubectl scale and autoscalers need no more.

const scaleKind, scaleGroup, scaleVersion = "Scale", "autoscaling", "autoscaling/v1"

// scaleShape has the fields of a Scale that a client sets. The server sets the status.
var scaleShape = object.Record{"kind": object.String, "apiVersion": object.String,
	"metadata": object.Metadata, "spec": object.Record{"replicas": object.Int32}}

// scaleOf returns an object's Scale. The error is a *status.Status: an object without a wanted
// number of replicas has no Scale.
func scaleOf(typ *resource.Type, t object.Tree) (object.Tree, error) {
	if object.Lookup(t, typ.Scale.Spec) == nil {
		return nil, status.InternalFailure(fmt.Sprintf("the spec replicas field %q does not exist",
			typ.Scale.Spec))
	}
	return scaleWith(typ, t), nil
}

// scaleWith returns an object's Scale, with zero for missing numbers.
func scaleWith(typ *resource.Type, t object.Tree) object.Tree {
	meta := object.Tree{}
	object.Carry(meta, object.MetaOf(t), "name", "namespace", "uid", "resourceVersion",
		"creationTimestamp")
	status := object.Tree{"replicas": object.At[int64](t, typ.Scale.Status)}
	switch selector := object.Lookup(t, typ.Scale.Selector).(type) {
	case string:
		object.SetDefault(status, "selector", selector)
	case object.Tree:
		object.SetDefault(status, "selector", printer.Selector(selector))
	}
	spec := object.Tree{} // zero is left out, as in the real server
	if replicas := object.At[int64](t, typ.Scale.Spec); replicas != 0 {
		spec["replicas"] = replicas
	}
	return object.Tree{"kind": scaleKind, "apiVersion": scaleVersion,
		"metadata": meta, "spec": spec, "status": status}
}

// scaled returns the object after a change of its Scale, nil if there is no object.
func (req *request) scaled(present object.Tree, change edit) (object.Tree, error) {
	if present == nil {
		return nil, nil
	}
	present = patch.Copy(present).(object.Tree)
	scale, err := change(scaleWith(req.typ, present))
	if err == nil {
		err = req.checkScale(scale)
	}
	if err == nil {
		err = req.setScale(present, scale)
	}
	return present, err
}

// checkScale returns an error if the new Scale is malformed. Otherwise a text in place of
// the number would scale to zero.
func (req *request) checkScale(scale object.Tree) error {
	kind := cmp.Or(object.TextAt(scale, ".kind"), scaleKind)
	version := cmp.Or(object.TextAt(scale, ".apiVersion"), scaleVersion)
	_, err := scaleShape.Check(scaleKind, scale)
	if kind != scaleKind || version != scaleVersion {
		err = fmt.Errorf("no kind %q is registered for version %q", kind, version)
	}
	switch {
	case err == nil:
		return nil
	case req.verb == resource.VerbPatch:
		return status.InvalidPatch(object.JSON(scale), err)
	}
	return status.BadRequest("%s in version \"v1\" cannot be handled as a Scale: %v", kind, err)
}

// setScale sets the object's wanted number of replicas to that of the scale. It also copies
// a resourceVersion in the scale, so that update compares it with the object's.
func (req *request) setScale(t, scale object.Tree) error {
	path := req.typ.Scale.Spec
	n := object.At[int64](scale, ".spec.replicas")
	switch {
	case n < 0 && req.typ.Builtin():
		return status.InvalidValue(status.About{Group: scaleGroup, Kind: scaleKind, Name: req.name},
			"spec.replicas", n, "must be greater than or equal to 0")
	case n < 0:
		return status.InvalidValue(req.typ.About(req.name), path, n, "should be a non-negative integer")
	case !object.SetAt(t, path, n):
		return status.InternalFailure(path + " is not within an object")
	}
	if version := object.TextAt(scale, ".metadata.resourceVersion"); version != "" {
		object.MetaOf(t)["resourceVersion"] = version
	}
	return nil
}
