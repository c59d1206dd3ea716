package registry

import (
	"context"

	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/resource"
	"example.com/watchglass/fakeapi/store"
)

// A Collection has the objects of one resource, in all namespaces, and what requests
// for them need.
type Collection struct {
	Type     *resource.Type
	Objects  *store.Collection // of *document
	registry *Registry

	// Changed is done when the resource's definition changes or is deleted; change ends it.
	Changed context.Context
	change  context.CancelFunc
}

// newCollection returns the collection of a resource, with the objects that there are already,
// if there are any.
func (r *Registry) newCollection(typ *resource.Type, objects *store.Collection) *Collection {
	if objects == nil {
		objects = r.store.NewCollection(typ.QualifiedName())
	}
	c := &Collection{Type: typ, Objects: objects, registry: r}
	c.Changed, c.change = context.WithCancel(context.Background())
	return c
}

// servedAs returns the collection for requests in version r of its resource. The versions
// may differ in whether status is a subresource or ordinary data.
func (c *Collection) servedAs(typ *resource.Type) *Collection {
	if typ.Status == c.Type.Status {
		return c
	}
	stored, same := *c.Type, *c
	stored.Status = typ.Status
	same.Type = &stored
	return &same
}

// Get returns the object that a key holds now, nil if none.
func (c *Collection) Get(key string) *object.Document {
	d, _ := c.Objects.Get(key).(*object.Document)
	return d
}
