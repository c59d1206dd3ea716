package fakeapi

import (
	"context"

	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/resource"
	"example.com/watchglass/fakeapi/store"
)

// A collection has the objects of one resource, in all namespaces, and what requests
// for them need.
type collection struct {
	resource *resource.Type
	objects  *store.Collection // of *document
	life     *lifecycle

	// changed is done when the resource's definition changes or is deleted; change ends it.
	changed context.Context
	change  context.CancelFunc
}

// newCollection returns the collection of a resource, with the objects that there are already,
// if there are any.
func (l *lifecycle) newCollection(r *resource.Type, objects *store.Collection) *collection {
	if objects == nil {
		objects = l.store.NewCollection(r.QualifiedName())
	}
	c := &collection{resource: r, objects: objects, life: l}
	c.changed, c.change = context.WithCancel(context.Background())
	return c
}

// servedAs returns the collection for requests in version r of its resource. The versions
// may differ in whether status is a subresource or ordinary data.
func (c *collection) servedAs(r *resource.Type) *collection {
	if r.Status == c.resource.Status {
		return c
	}
	stored, same := *c.resource, *c
	stored.Status = r.Status
	same.resource = &stored
	return &same
}

// current returns the object that a key holds now, nil if none.
func (c *collection) current(key string) *object.Document {
	d, _ := c.objects.Get(key).(*object.Document)
	return d
}
