package registry

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/query"
	"example.com/watchglass/fakeapi/resource"
	"example.com/watchglass/fakeapi/status"
	"example.com/watchglass/fakeapi/store"
)

// A Removal is a DELETE of one object.
type Removal struct {
	Namespace, Name string
	query.Delete
}

// Remove deletes an object, or marks it as deleted if it has finalizers. gone reports
// whether it was removed: then doc is its last state. Errors are *status.Status, or ctx's.
func (c *Collection) Remove(
	ctx context.Context, r Removal) (doc *object.Document, gone bool, err error) {
	think := func(present store.Object) (take commit, err error) {
		old, _ := present.(*object.Document)
		if old == nil {
			return nil, status.NotFound(c.Type.About(r.Name))
		}
		if err := r.preconditions(c.Type, old); err != nil {
			return nil, err
		}
		if err := refuseDeletion(c.Type, r.Name); err != nil {
			return nil, err
		}
		doc, gone, take, err = c.removeOrMark(r, old)
		if len(r.DryRun) > 0 {
			take = nil
		}
		return take, err
	}
	err = c.write(ctx, object.Key(r.Namespace, r.Name), 0, think)
	return doc, gone, err
}

// removeOrMark returns the answer to a deletion, and its commit.
func (c *Collection) removeOrMark(
	r Removal, old *object.Document) (doc *object.Document, gone bool, take commit, err error) {
	t := old.Tree()
	m := object.MetaOf(t)
	m.SetList("finalizers", r.finalizers(m.List("finalizers")))
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
	putRemoval := c.commitRemoval(doc)
	return doc, true, func(tx *store.Tx) error { return errors.Join(mark(tx), putRemoval(tx)) }, nil
}

func (r Removal) preconditions(typ *resource.Type, old *object.Document) error {
	if want := r.Preconditions.UID; want != nil && *want != old.UID {
		return status.DeleteConflict(typ.About(r.Name), fmt.Sprintf("the UID in the precondition (%s) "+
			"does not match the UID in record (%s). The object might have been deleted and then "+
			"recreated", *want, old.UID))
	}
	have := fmt.Sprint(old.Version())
	if want := r.Preconditions.Version; want != nil && *want != have {
		return status.DeleteConflict(typ.About(r.Name), fmt.Sprintf("the ResourceVersion in the "+
			"precondition (%s) does not match the ResourceVersion in record (%s). The object might "+
			"have been modified", *want, have))
	}
	return nil
}

// mark returns t with a deletionTimestamp, and its commit. If the object has a
// deletionTimestamp already, and the same finalizers, there is nothing to commit: a second
// deletion writes nothing.
func (c *Collection) mark(t object.Tree, old *object.Document) (*object.Document, commit, error) {
	m := object.MetaOf(t)
	if !old.Deleting {
		m["deletionTimestamp"] = object.Now()
		if usual := !terminate(c.Type, t); usual {
			m["deletionGracePeriodSeconds"] = int64(0)
		}
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

// finalizers returns those that an object has after this deletion; present are those before
// it, which stay unchanged. The request's propagation policy replaces that of an earlier
// deletion; without a policy the earlier one stays.
func (r Removal) finalizers(present []string) []string {
	orphan, foreground := slices.Contains(present, object.FinalizerOrphan),
		slices.Contains(present, object.FinalizerForeground)
	switch {
	case r.Orphan != nil:
		orphan, foreground = *r.Orphan, false
	case r.Propagation != "":
		orphan, foreground = r.Propagation == query.Orphan, r.Propagation == query.Foreground
	}
	next := slices.DeleteFunc(slices.Clone(present), func(f string) bool {
		return f == object.FinalizerOrphan && !orphan || f == object.FinalizerForeground && !foreground
	})
	if orphan && !slices.Contains(next, object.FinalizerOrphan) {
		next = append(next, object.FinalizerOrphan)
	}
	if foreground && !slices.Contains(next, object.FinalizerForeground) {
		next = append(next, object.FinalizerForeground)
	}
	return next
}
