package fakeapi

import (
	"maps"
	"net/http"
	"reflect"

	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/resource"
	"example.com/watchglass/fakeapi/status"
)

// A strategy has the special rules for updates of one built-in type. The real server has
// such rules in one strategy per type; most types have the zero strategy.
type strategy struct {
	// create: a PUT of an object that does not exist creates it.
	create bool
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
	"services":                   {create: true},
	"events":                     {create: true},
	"deployments.apps":           {annotated: true, fixed: []string{"labels"}},
	"leases.coordination.k8s.io": {create: true, versioned: true},
	"customresourcedefinitions.apiextensions.k8s.io": {versioned: true},
}

func strategyOf(r *resource.Type) strategy { return strategies[r.QualifiedName()] }

// splitStatus keeps the two halves of an object apart: a write of the object does not
// change its status. A write of the status changes only the status, and, for built-in
// types, the metadata.
func splitStatus(r *resource.Type, u update, was, next object.Tree) {
	if r.IsNamespace() {
		splitFinalizers(u.subresource, was, next)
	}
	if !r.Status {
		return
	}
	if u.subresource != resource.SubStatus {
		setOrDelete(next, "status", was["status"])
		return
	}
	status, m := next["status"], object.MetaOf(was)
	if r.Builtin() {
		m = object.MetaOf(next)
		m.Carry(object.MetaOf(was), strategyOf(r).fixed...)
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
func isNewGeneration(r *resource.Type, u update, was, next object.Tree) bool {
	if !r.HasGeneration() {
		return false
	}
	annotated := u.subresource == "" && strategyOf(r).annotated &&
		!reflect.DeepEqual(object.MetaOf(was)["annotations"], object.MetaOf(next)["annotations"])
	return annotated || isChanged(r, was, next)
}

// commit carries out a PUT or a PATCH. created reports whether it has created the object,
// which only a PUT can do.
func (d *draft) commit() (doc *object.Document, created bool, err error) {
	q := d.q
	u := update{namespace: q.namespace, name: q.name, subresource: q.subresource,
		patch: q.verb == resource.VerbPatch, dryRun: d.options.DryRun, change: d.change}
	creates := !u.patch && u.subresource == "" && strategyOf(q.c.resource).create
	for {
		doc, err = q.c.update(q.http.Context(), u)
		if err == nil || !creates || status.Of(err).Reason != status.ReasonNotFound {
			return doc, false, err
		}
		doc, err = d.create()
		if err == nil || status.Of(err).Reason != status.ReasonAlreadyExists {
			return doc, true, err
		}
	}
}

// create creates the object of a PUT. Its resourceVersion is ignored, because there is no
// object to compare it with. A uid is a conflict: it belongs to an object that no longer
// exists.
func (d *draft) create() (*object.Document, error) {
	t, err := d.apply(nil)
	if err != nil {
		return nil, err
	}
	q, m := d.q, object.MetaOf(t)
	if uid := m.Text("uid"); uid != "" {
		return nil, status.Conflict(q.r().About(q.name),
			q.c.wrongUID(object.Key(q.namespace, q.name), uid, ""))
	}
	delete(m, "resourceVersion")
	return q.c.create(q.http.Context(), q.r().Kept(t), d.options.DryRun)
}

// code returns the HTTP status of a write that was accepted.
func code(created bool) int {
	if created {
		return http.StatusCreated
	}
	return http.StatusOK
}
