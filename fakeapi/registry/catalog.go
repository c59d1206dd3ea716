package registry

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/status"
	"example.com/watchglass/fakeapi/store"
)

// A Catalog is the set of resources that the server serves at one moment. It is
// immutable: adding or removing a resource puts a new catalog in its place. So a
// request keeps the resource that it has found to its end, and discovery needs no lock.
type Catalog struct {
	collections []*Collection          // in order of registration
	byName      map[string]*Collection // by plural and group
}

func newCatalog(collections []*Collection) *Catalog {
	c := &Catalog{collections: collections, byName: map[string]*Collection{}}
	for _, one := range collections {
		c.byName[one.Type.QualifiedName()] = one
	}
	return c
}

// At returns the collection at a path, nil if there is none.
func (c *Catalog) At(group, version, plural string) *Collection {
	found := c.byName[status.Qualify(plural, group)]
	if found == nil || found.Type.Group != group || found.Type.Version != version {
		return nil
	}
	return found
}

// Named returns a collection by plural and group, or by plural; then the first one registered
// counts. It returns nil if there is none.
func (c *Catalog) Named(name string) *Collection {
	if found := c.byName[name]; found != nil {
		return found
	}
	for _, one := range c.collections {
		if one.Type.Plural == name {
			return one
		}
	}
	return nil
}

// Types returns the types that are served, in order of registration.
func (c *Catalog) Types() (types []*object.Type) {
	for _, one := range c.collections {
		types = append(types, one.Type)
	}
	return types
}

// with returns a catalog in which next takes the place of old. Nil means that there is none.
func (c *Catalog) with(old, next *Collection) *Catalog {
	all := slices.Clone(c.collections)
	switch at := slices.Index(all, old); {
	case old == nil:
		all = append(all, next)
	case next == nil:
		all = slices.Delete(all, at, at+1)
	default:
		all[at] = next
	}
	return newCatalog(all)
}

// register makes the collections of the resources that a server starts with.
func (reg *Registry) register(resources []object.Resource) (*Catalog, error) {
	c := newCatalog(nil)
	for _, res := range resources {
		if err := res.Validate(); err != nil {
			return nil, err
		}
		if name := res.QualifiedName(); c.byName[name] != nil {
			return nil, fmt.Errorf("fakeapi: resource %s is registered twice", name)
		}
		c = c.with(nil, reg.newCollection(&object.Type{Resource: res}, nil))
	}
	return c, nil
}

// A Collection has the objects of one resource, in all namespaces, and what requests for them need.
type Collection struct {
	Type     *object.Type
	Objects  *store.Collection // of *object.Document
	registry *Registry

	// Changed is done when the resource's definition changes or is deleted; change ends it.
	Changed context.Context
	change  context.CancelFunc
}

// newCollection returns the collection of a resource. objects holds those that exist already; nil
// makes an empty collection.
func (reg *Registry) newCollection(typ *object.Type, objects *store.Collection) *Collection {
	if objects == nil {
		objects = reg.store.NewCollection(typ.QualifiedName())
	}
	c := &Collection{Type: typ, Objects: objects, registry: reg}
	c.Changed, c.change = context.WithCancel(context.Background())
	return c
}

// Get returns the object that a key holds now, nil if none.
func (c *Collection) Get(key string) *object.Document {
	d, _ := c.Objects.Get(key).(*object.Document)
	return d
}

// The wording for versions that are no longer in the history.
const (
	listTooOld     = "The resourceVersion for the provided list is too old."
	continueTooOld = "The provided continue parameter is too old to display a consistent list " +
		"result. You can start a new list without the continue parameter, or use the continue " +
		"token in this response to retrieve the remainder of the results. Continuing with the " +
		"provided token results in an inconsistent list - objects that were created, modified, " +
		"or deleted between the time the first chunk was returned and now may show up in the list."
)

// Page reads the page that a plan asks for, and returns the continue token for the page after it.
func (c *Collection) Page(plan Plan, sel *object.Selection) (
	p object.Page, next string, err error) {
	state := c.Objects.Snapshot()
	if plan.Past {
		state, err = c.Objects.SnapshotAt(plan.Version)
	}
	switch {
	case err == nil:
		p = object.PageOf(state, sel, plan.Start, plan.Limit)
		if p.Next != "" {
			next = continueAfter(int64(p.Version), sel.Prefix(), p.Next)
		}
		return p, next, nil
	case plan.Start == "":
		return p, "", status.Expired(listTooOld)
	}
	// The client may still read the rest of the list, but at a later version than the pages before.
	gone := status.Expired(continueTooOld)
	key := strings.TrimSuffix(plan.Start, "\x00")
	gone.Metadata.Continue = continueAfter(anyVersion, sel.Prefix(), key)
	return p, "", gone
}
