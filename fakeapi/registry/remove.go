package registry

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/status"
	"example.com/watchglass/fakeapi/store"
)

// A Removal is a DELETE of one object.
type Removal struct {
	Namespace, Name string
	DeleteOptions
}

// Remove deletes an object, or marks it as deleted if it has finalizers. gone reports
// whether it was removed: then doc is its last state. Errors are *status.Status, or ctx's.
func (c *Collection) Remove(
	ctx context.Context, what Removal) (doc *object.Document, gone bool, err error) {
	compute := func(old *object.Document) (take commit, err error) {
		if err := what.admit(c.Type, old); err != nil {
			return nil, err
		}
		doc, gone, take, err = c.removeOrMark(what, old)
		if len(what.DryRun) > 0 {
			take = nil
		}
		return take, err
	}
	err = c.write(ctx, object.Key(what.Namespace, what.Name), 0, compute)
	return doc, gone, err
}

// removeOrMark returns the answer to a deletion, and its commit.
func (c *Collection) removeOrMark(
	what Removal, old *object.Document) (doc *object.Document, gone bool, take commit, err error) {
	t := old.Tree()
	m := object.MetaOf(t)
	m.SetList("finalizers", what.finalizers(m.List("finalizers")))
	if isHeld(c.Type, t) {
		doc, take, err = c.mark(t, old)
		return doc, false, take, err
	}
	if !c.Type.IsPod() || old.Deleting {
		return old, true, c.commitRemoval(old), nil
	}
	// A pod is deleted in two writes, even if there is nothing to wait for.
	doc, mark, err := c.mark(t, old)
	if err != nil {
		return nil, false, nil, err
	}
	remove := c.commitRemoval(doc)
	return doc, true, func(tx *store.Tx) error { return errors.Join(mark(tx), remove(tx)) }, nil
}

// admit returns an error if the object, nil if there is none, must not be deleted.
func (what Removal) admit(typ *object.Type, old *object.Document) error {
	if old == nil {
		return status.NotFound(typ.About(what.Name))
	}
	about := typ.About(what.Name)
	for _, p := range []struct{ field, want, have, since string }{
		{"UID", what.Preconditions.UID, old.UID, "deleted and then recreated"},
		{"ResourceVersion", what.Preconditions.Version, fmt.Sprint(old.Version()), "modified"},
	} {
		if p.want != "" && p.want != p.have {
			about.Plural = about.Kind // the real server names the kind here
			return status.Conflict(about, fmt.Sprintf("the %s in the precondition (%s) does not match "+
				"the %[1]s in record (%[3]s). The object might have been %[4]s",
				p.field, p.want, p.have, p.since))
		}
	}
	if typ.IsNamespace() && slices.Contains(initialNamespaces, what.Name) {
		return status.Refused(about, "this namespace may not be deleted")
	}
	return nil
}

// mark returns t with a deletionTimestamp, and its commit. If the object has a deletionTimestamp
// already, and the same finalizers, there is nothing to commit: a second deletion writes nothing.
func (c *Collection) mark(t object.Tree, old *object.Document) (*object.Document, commit, error) {
	m := object.MetaOf(t)
	if !old.Deleting {
		m["deletionTimestamp"] = object.Now()
		terminate(c.Type, t)
		if c.Type.HasGeneration() && !c.Type.IsDefinition() {
			m["generation"] = m.Generation() + 1
		}
	} else if slices.Equal(m.List("finalizers"), object.MetaOf(old.Tree()).List("finalizers")) {
		return old, nil, nil
	}
	d, err := object.New(c.Type, t, old.Version(), store.Modified)
	if err != nil {
		return nil, nil, err
	}
	return d, c.commitPut(d), nil
}

// policies maps a propagation policy to the finalizer that it adds. None adds more than one.
var policies = map[string]string{background: "", orphan: object.FinalizerOrphan,
	foreground: object.FinalizerForeground}

// policy returns the propagation policy that the request names in one of two ways, "" if in none.
func (what Removal) policy() string {
	switch {
	case what.Propagation != nil:
		return *what.Propagation
	case what.Orphan == nil:
		return ""
	case *what.Orphan:
		return orphan
	}
	return background
}

// finalizers returns those that an object has after this deletion; present are those before
// it, which stay unchanged. The request's propagation policy replaces that of an earlier
// deletion; without a policy the earlier one stays.
func (what Removal) finalizers(present []string) []string {
	wanted, given := policies[what.policy()]
	if !given {
		return present
	}
	next := slices.DeleteFunc(slices.Clone(present), func(f string) bool {
		return f != wanted && (f == object.FinalizerOrphan || f == object.FinalizerForeground)
	})
	if wanted != "" && !slices.Contains(next, wanted) {
		next = append(next, wanted)
	}
	return next
}
