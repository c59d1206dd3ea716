package fakeapi

import (
	"cmp"
	"fmt"

	"example.com/watchglass/fakeapi/encode"
	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/status"
)

// A Scale is the form of a workload at /scale: it shows only how many replicas are wanted
// and how many there are. kubectl scale and autoscalers need no more.

const scaleKind, scaleVersion = "Scale", "autoscaling/v1"

// scaleShape has the fields of a Scale that a client sets. The server sets the status.
var scaleShape = object.Record{"kind": object.String, "apiVersion": object.String,
	"metadata": object.Metadata, "spec": object.Record{"replicas": object.Int32}}

// scaleOf returns an object's Scale, with zero for missing numbers.
func scaleOf(typ *object.Type, t object.Tree) object.Tree {
	meta := object.Tree{}
	object.Carry(meta, object.MetaOf(t), "name", "namespace", "uid", "resourceVersion",
		"creationTimestamp")
	status := object.Tree{"replicas": object.At[int64](t, typ.Scale.Status)}
	switch selector := object.Lookup(t, typ.Scale.Selector).(type) {
	case string:
		object.SetDefault(status, "selector", selector)
	case object.Tree:
		object.SetDefault(status, "selector", encode.SelectorText(selector))
	}
	spec := object.Tree{} // zero is left out, as in the real server
	if replicas := object.At[int64](t, typ.Scale.Spec); replicas != 0 {
		spec["replicas"] = replicas
	}
	return object.Tree{"kind": scaleKind, "apiVersion": scaleVersion,
		"metadata": meta, "spec": spec, "status": status}
}

// scaled returns the object after a change of its Scale, nil if there is no object. It also copies
// a resourceVersion in the Scale, so that update compares it with the object's.
func (req *request) scaled(present object.Tree, change edit) (object.Tree, error) {
	if present == nil {
		return nil, nil
	}
	present = object.Copy(present).(object.Tree)
	scale, err := change(scaleOf(req.typ, present))
	if err != nil {
		return nil, err
	}
	// Without this check a text in place of the number would scale to zero.
	_, err = scaleShape.Check(scaleKind, scale)
	if kind := cmp.Or(object.TextAt(scale, ".kind"), scaleKind); err == nil && kind != scaleKind {
		err = fmt.Errorf("the kind is %q", kind)
	}
	n, path := object.At[int64](scale, ".spec.replicas"), req.typ.Scale.Spec
	switch {
	case err != nil:
		return nil, status.BadRequest("the object cannot be handled as a Scale: %v", err)
	case n < 0:
		return nil, status.InvalidValue(req.typ.About(req.name), path, n, "must not be negative")
	case !object.SetAt(present, path, n):
		return nil, status.InternalError("%s is not within an object", path)
	}
	if version := object.TextAt(scale, ".metadata.resourceVersion"); version != "" {
		object.MetaOf(present)["resourceVersion"] = version
	}
	return present, nil
}
