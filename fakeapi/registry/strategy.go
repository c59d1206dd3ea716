package registry

import (
	"maps"
	"reflect"

	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/resource"
)

// A strategy has the special rules for updates of one built-in type. The real server has
// such rules in one strategy per type; most types have the zero strategy.
type strategy struct {
	// versioned: an update has to name the version that it is based on, as for custom
	// resources. Leader election relies on it: without a version, two candidates could
	// both take a lease.
	versioned bool
	// annotated: changing annotations changes the generation. A Deployment's annotations
	// are copied to its replica sets, so its controller has something to do.
	annotated bool
	// fixed are the metadata fields that a write of the status does not change.
	fixed []string
}

var strategies = map[string]strategy{
	"pods":                       {fixed: []string{"ownerReferences"}},
	"deployments.apps":           {annotated: true, fixed: []string{"labels"}},
	"leases.coordination.k8s.io": {versioned: true},
	"customresourcedefinitions.apiextensions.k8s.io": {versioned: true},
}

func strategyOf(typ *resource.Type) strategy { return strategies[typ.QualifiedName()] }

// splitStatus keeps the two halves of an object apart: a write of the object does not
// change its status. A write of the status changes only the status, and, for built-in
// types, the metadata.
func splitStatus(typ *resource.Type, u Update, was, next object.Tree) {
	if typ.IsNamespace() {
		splitFinalizers(u.Subresource, was, next)
	}
	if !typ.Status {
		return
	}
	if u.Subresource != resource.SubStatus {
		setOrDelete(next, "status", was["status"])
		return
	}
	status, m := next["status"], object.MetaOf(was)
	if typ.Builtin() {
		m = object.MetaOf(next)
		m.Carry(object.MetaOf(was), strategyOf(typ).fixed...)
	}
	clear(next)
	maps.Copy(next, was)
	next["metadata"] = object.Tree(m)
	setOrDelete(next, "status", status)
}

func setOrDelete(t object.Tree, key string, v any) {
	if v == nil {
		delete(t, key)
		return
	}
	t[key] = v
}

// isNewGeneration reports whether an update changes what a controller acts upon.
func isNewGeneration(typ *resource.Type, u Update, was, next object.Tree) bool {
	if !typ.HasGeneration() {
		return false
	}
	annotated := u.Subresource == "" && strategyOf(typ).annotated &&
		!reflect.DeepEqual(object.MetaOf(was)["annotations"], object.MetaOf(next)["annotations"])
	return annotated || isChanged(typ, was, next)
}
