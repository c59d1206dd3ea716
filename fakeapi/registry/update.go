package registry

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"

	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/status"
	"example.com/watchglass/fakeapi/store"
)

// An Update is a PUT or a PATCH, of an object or of one of its subresources.
type Update struct {
	Namespace, Name string
	Subresource     string // status, finalize, or empty
	Patch           bool   // a few refusals are worded differently for patches
	DryRun          bool   // decide and answer as usual, but store nothing
	Size            int    // of the request's body, in bytes

	// Change decodes the request and makes the new object from the present one, which it must
	// not alter; the new object may share parts of it, but not of the metadata. If there is none,
	// present is nil, and only the error matters. It is called again if another write has changed
	// the object meanwhile.
	Change func(present object.Tree) (object.Tree, error)
}

// Update replaces an object. Errors are *status.Status, or ctx's.
func (c *Collection) Update(ctx context.Context, u Update) (answer *object.Document, err error) {
	compute := func(old *object.Document) (commit, error) {
		var was object.Tree
		if old != nil {
			was = old.Tree()
		}
		next, err := u.Change(was)
		if err == nil && old == nil {
			err = status.NotFound(c.Type.About(u.Name))
		}
		if err == nil {
			err = c.admit(u, old, was, next)
		}
		if err != nil {
			return nil, err
		}
		var take commit
		answer, take, err = c.replace(u, old, was, next)
		return take, err
	}
	if err := c.write(ctx, object.Key(u.Namespace, u.Name), u.Size, compute); err != nil {
		return nil, err
	}
	return answer, nil
}

// admit validates next against the present object and sets the fields in it that a client
// cannot change.
func (c *Collection) admit(u Update, old *object.Document, was, next object.Tree) error {
	object.MetaOf(next).Tidy()
	if err := c.preconditions(u, old, object.MetaOf(next)); err != nil {
		return err
	}
	splitStatus(c.Type, u, was, next)
	c.complete(was, next)
	m, wm := object.MetaOf(next), object.MetaOf(was)
	if wm["deletionTimestamp"] != nil {
		object.Carry(m, wm, "deletionTimestamp") // it can never be removed
	}
	var moved status.FieldErrors
	checkImmutable(&moved, m, wm)
	object.Carry(m, wm, serverFields...)
	object.Carry(m, wm, "name", "namespace")
	delete(m, "managedFields")
	delete(m, "selfLink")
	errs, err := c.validate(was, next)
	if err != nil {
		return err
	}
	if fresh := object.NewFinalizers(m, wm); wm["deletionTimestamp"] != nil && len(fresh) > 0 {
		errs.Forbidden("metadata.finalizers", fmt.Sprintf("no new finalizers can be added if the "+
			"object is being deleted, found new finalizers %#v", fresh))
	}
	if errs = append(errs, moved...); len(errs) > 0 {
		return status.Invalid(c.Type.About(u.Name), errs)
	}
	c.registry.decide(c.Type, was, next)
	return nil
}

// preconditions returns an error if the request names a version or a uid other than those
// of the present object, or has no version although it needs one.
func (c *Collection) preconditions(u Update, old *object.Document, m object.Meta) error {
	version, err := ParseVersion(m.Text("resourceVersion"))
	uid := precondition(c.Type.About(u.Name), "UID", m.Text("uid"), old.UID)
	switch {
	case uid != nil && !u.Patch:
		return uid
	case err != nil:
		return status.InternalError("%v", err)
	case version == 0 && c.Type.Builtin() && !slices.Contains(versioned, c.Type.QualifiedName()):
		return nil
	case version == 0:
		about := c.Type.About(u.Name)
		about.Kind = about.Plural // here the real server names the resource
		return status.InvalidValue(about, "metadata.resourceVersion", 0,
			"must be specified for an update")
	case version != old.Version():
		return status.Conflict(c.Type.About(u.Name), "the object has been modified; please apply your "+
			"changes to the latest version and try again")
	}
	return nil
}

// precondition returns an error if a field of the object has not the value that the client wants;
// empty is any value.
func precondition(about status.About, field, want, have string) error {
	if want == "" || want == have {
		return nil
	}
	return status.Conflict(about, fmt.Sprintf("Precondition failed: %s in precondition: %s, "+
		"%[1]s in object meta: %[3]s", field, want, have))
}

// checkImmutable adds an error for each immutable field that the client tries to change.
func checkImmutable(errs *status.FieldErrors, m, was object.Meta) {
	for _, f := range []string{"uid", "deletionTimestamp", "deletionGracePeriodSeconds"} {
		if m[f] != nil && m[f] != was[f] {
			errs.Invalid("metadata."+f, m[f], "field is immutable")
		}
	}
}

// replace returns the answer to an update, and the commit of next as the new state; nil if
// next changes nothing. The commit removes a deleted object that has no finalizer left.
func (c *Collection) replace(u Update, old *object.Document,
	was, next object.Tree) (answer *object.Document, take commit, err error) {
	m := object.MetaOf(next)
	if isNewGeneration(c.Type, was, next) {
		m["generation"] = m.Generation() + 1
	}
	d, err := object.New(c.Type, next, old.Version(), store.Modified)
	switch {
	case err != nil:
		return nil, nil, err
	case bytes.Equal(d.Raw, old.Raw):
		return old, nil, nil
	case u.DryRun:
		return d, nil, nil
	case old.Deleting && !isHeld(c.Type, next):
		// The answer is the object without finalizers, but at its old version:
		// only watchers receive the version of the removal.
		return d, c.commitRemoval(old), nil
	}
	return d, c.commitPut(d), d.CheckSize()
}

// versioned lists the built-in types whose updates have to name the version that they are based on,
// as those of custom resources have to. Leader election relies on it: without a version, two
// candidates could both take a lease.
var versioned = []string{"leases.coordination.k8s.io", object.Definitions}

// splitStatus keeps the two halves of an object apart: a write of the object does not change its
// status. A write of the status changes only the status, and, for built-in types, the metadata.
func splitStatus(typ *object.Type, u Update, was, next object.Tree) {
	if typ.IsNamespace() {
		splitFinalizers(u.Subresource, was, next)
	}
	if !typ.Status {
		return
	}
	if u.Subresource != object.SubStatus {
		object.Carry(next, was, "status")
		return
	}
	changed, m := maps.Clone(next), object.MetaOf(was)
	if typ.Builtin() {
		m = object.MetaOf(next)
	}
	clear(next)
	maps.Copy(next, was)
	next["metadata"] = object.Tree(m)
	object.Carry(next, changed, "status")
}

// isNewGeneration reports whether an update changes what a controller acts upon: anything outside
// metadata, and outside status if that is a subresource.
func isNewGeneration(typ *object.Type, was, next object.Tree) bool {
	counted := func(t object.Tree) object.Tree {
		t = maps.Clone(t)
		delete(t, "metadata")
		if typ.Status {
			delete(t, "status")
		}
		return t
	}
	return typ.HasGeneration() && !object.Equal(counted(was), counted(next))
}
