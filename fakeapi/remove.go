package fakeapi

import (
	"fmt"
	"slices"
)

// A removal is a DELETE of one object.
type removal struct {
	namespace, name string
	uid, version    *string // preconditions; nil: none
	propagation     string  // propagationPolicy; empty: as the object's finalizers say
	orphan          *bool   // orphanDependents, its older form; nil: not given
	writeOptions
}

// remove deletes an object, or marks it as deleted if finalizers hold it. gone
// says which: if true, doc is the last state before. Errors are *Status.
func (c *collection) remove(d removal) (doc *document, gone bool, err error) {
	c.store.mu.Lock()
	defer c.store.mu.Unlock()
	old := c.current(keyOf(d.namespace, d.name))
	if old == nil {
		return nil, false, notFound(c.resource, d.name)
	}
	if err := d.preconditions(c.resource, old); err != nil {
		return nil, false, err
	}
	t := old.tree()
	m := metaOf(t)
	m.setList("finalizers", d.finalizers(m.list("finalizers")))
	if m.has("finalizers") {
		doc, err := c.mark(t, old, d)
		return doc, false, err
	}
	last := old
	if c.resource.isPod() && !old.deleting {
		// A pod is deleted in two writes, even if nobody is there to wait for.
		if last, err = c.mark(t, old, d); err != nil || d.dryRun {
			return last, true, err
		}
	}
	return last, true, c.vanish(last, d.writeOptions)
}

func (d removal) preconditions(r *Resource, old *document) error {
	if d.uid != nil && *d.uid != old.uid {
		return deleteConflict(r, d.name, fmt.Sprintf("the UID in the precondition (%s) does not "+
			"match the UID in record (%s). The object might have been deleted and then recreated",
			*d.uid, old.uid))
	}
	if have := fmt.Sprint(old.version); d.version != nil && *d.version != have {
		return deleteConflict(r, d.name, fmt.Sprintf("the ResourceVersion in the precondition "+
			"(%s) does not match the ResourceVersion in record (%s). The object might have been "+
			"modified", *d.version, have))
	}
	return nil
}

// mark gives t a deletionTimestamp and commits it. An object that has one
// already, and the same finalizers, stays as it is: deleting twice is deleting
// once.
func (c *collection) mark(t tree, old *document, d removal) (*document, error) {
	m := metaOf(t)
	if !old.deleting {
		m["deletionTimestamp"] = now()
		m["deletionGracePeriodSeconds"] = int64(0)
		if c.resource.hasGeneration() {
			m["generation"] = m.generation() + 1
		}
	} else if slices.Equal(m.list("finalizers"), metaOf(old.tree()).list("finalizers")) {
		return old, nil
	}
	return c.seal(modified, t, old, d.writeOptions)
}
