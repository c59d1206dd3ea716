package fakeapi

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"example.com/watchglass/fakeapi/resource"
	"example.com/watchglass/fakeapi/status"
	"example.com/watchglass/fakeapi/store"
)

// A removal is a DELETE of one object.
type removal struct {
	namespace, name string
	uid, version    *string // preconditions; nil: none
	propagation     string  // propagationPolicy; empty: as the object's finalizers say
	orphan          *bool   // orphanDependents, its older form; nil: not given
	writeOptions
}

// remove deletes an object, or marks it as deleted if it has finalizers. gone reports
// whether it was removed: then doc is its last state. Errors are *status.Status, or ctx's.
func (c *collection) remove(
	ctx context.Context, d removal) (doc *document, gone bool, err error) {
	think := func(present store.Object) (take commit, err error) {
		old, _ := present.(*document)
		if old == nil {
			return nil, status.NotFound(c.resource.About(d.name))
		}
		if err := d.preconditions(c.resource, old); err != nil {
			return nil, err
		}
		if err := refuseDeletion(c.resource, d.name); err != nil {
			return nil, err
		}
		doc, gone, take, err = c.removeOrMark(d, old)
		if d.dryRun {
			take = nil
		}
		return take, err
	}
	err = c.write(ctx, keyOf(d.namespace, d.name), think)
	return doc, gone, err
}

// removeOrMark returns the answer to a deletion, and its commit.
func (c *collection) removeOrMark(
	d removal, old *document) (doc *document, gone bool, take commit, err error) {
	t := old.tree()
	m := metaOf(t)
	m.setList("finalizers", d.finalizers(m.list("finalizers")))
	if isHeld(c.resource, t) {
		doc, take, err = c.mark(t, old)
		return doc, false, take, err
	}
	if !c.resource.IsPod() || old.deleting {
		return old, true, c.putRemoval(old), nil
	}
	// A pod is deleted in two writes, even if there is nothing to wait for.
	doc, mark, err := c.mark(t, old)
	if err != nil {
		return nil, false, nil, err
	}
	putRemoval := c.putRemoval(doc)
	return doc, true, func(tx *store.Tx) error { return errors.Join(mark(tx), putRemoval(tx)) }, nil
}

func (d removal) preconditions(r *resource.Type, old *document) error {
	if d.uid != nil && *d.uid != old.uid {
		return status.DeleteConflict(r.About(d.name),
			fmt.Sprintf("the UID in the precondition (%s) does not "+
				"match the UID in record (%s). The object might have been deleted and then recreated",
				*d.uid, old.uid))
	}
	if have := fmt.Sprint(old.version); d.version != nil && *d.version != have {
		return status.DeleteConflict(r.About(d.name),
			fmt.Sprintf("the ResourceVersion in the precondition "+
				"(%s) does not match the ResourceVersion in record (%s). The object might have been "+
				"modified", *d.version, have))
	}
	return nil
}

// mark returns t with a deletionTimestamp, and its commit. If the object has a
// deletionTimestamp already, and the same finalizers, there is nothing to commit: a second
// deletion writes nothing.
func (c *collection) mark(t tree, old *document) (*document, commit, error) {
	m := metaOf(t)
	if !old.deleting {
		m["deletionTimestamp"] = now()
		if usual := !terminate(c.resource, t); usual {
			m["deletionGracePeriodSeconds"] = int64(0)
		}
		if c.resource.HasGeneration() && !c.resource.IsDefinition() {
			m["generation"] = m.generation() + 1
		}
	} else if slices.Equal(m.list("finalizers"), metaOf(old.tree()).list("finalizers")) {
		return old, nil, nil
	}
	d, err := newDocument(c.resource, t, old.version, store.Modified)
	if err != nil {
		return nil, nil, err
	}
	return d, c.put(d), nil
}
