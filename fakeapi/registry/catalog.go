package registry

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"example.com/watchglass/fakeapi/discovery"
	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/query"
	"example.com/watchglass/fakeapi/resource"
	"example.com/watchglass/fakeapi/status"
	"example.com/watchglass/fakeapi/store"
)

// A Catalog is the set of resources that the server serves at one moment. It is
// immutable: adding or removing a resource puts a new catalog in its place. So a
// request keeps the resource that it has found to its end, and discovery needs no lock.
type Catalog struct {
	endpoints []*Endpoint             // in order of registration
	byPath    map[[3]string]*Endpoint // by group, version and plural

	// Documents returns the discovery documents about what is served.
	Documents func() *discovery.Documents
}

// An Endpoint is a resource as it is served, and where its objects are. Versions
// of one resource are endpoints with the same collection.
type Endpoint struct {
	Type       *resource.Type
	Collection *Collection
}

func newCatalog(endpoints []*Endpoint) *Catalog {
	c := &Catalog{endpoints: endpoints, byPath: make(map[[3]string]*Endpoint, len(endpoints))}
	c.Documents = sync.OnceValue(func() *discovery.Documents { return discovery.Of(c.Types()) })
	for _, e := range endpoints {
		if !e.Type.Hidden {
			c.byPath[[3]string{e.Type.Group, e.Type.Version, e.Type.Plural}] = e
		}
	}
	return c
}

// At returns the endpoint at a path, nil if there is none.
func (c *Catalog) At(group, version, plural string) *Endpoint {
	return c.byPath[[3]string{group, version, plural}]
}

// Stored returns the endpoint of the version in which a resource's objects are stored,
// found by plural and group, or by plural; then the first one registered counts.
func (c *Catalog) Stored(name string) *Endpoint {
	var found *Endpoint
	for _, e := range c.endpoints {
		switch typ := e.Type; {
		case typ.Stored != nil:
		case typ.QualifiedName() == name:
			return e
		case typ.Plural == name && found == nil:
			found = e
		}
	}
	return found
}

// Types returns the types that are served, in order of registration.
func (c *Catalog) Types() []*resource.Type {
	var served []*resource.Type
	for _, e := range c.endpoints {
		if !e.Type.Hidden {
			served = append(served, e.Type)
		}
	}
	return served
}

// collections returns the collections, each once.
func (c *Catalog) collections() []*Collection {
	var all []*Collection
	for _, e := range c.endpoints {
		if e.Type.Stored == nil {
			all = append(all, e.Collection)
		}
	}
	return all
}

// register makes the endpoints of the resources that a server starts with.
func (reg *Registry) register(resources []resource.Resource) (*Catalog, error) {
	c := newCatalog(nil)
	for _, res := range resources {
		if err := res.Validate(); err != nil {
			return nil, err
		}
		if c.At(res.Group, res.Version, res.Plural) != nil {
			return nil, fmt.Errorf("fakeapi: resource %s of %s is registered twice", res.Plural,
				res.APIVersion())
		}
		e := &Endpoint{Type: resource.New(res)}
		if first := c.Stored(res.QualifiedName()); first == nil {
			e.Collection = reg.newCollection(e.Type, nil)
		} else if res.Kind != first.Type.Kind || res.Cluster != first.Type.Cluster {
			return nil, fmt.Errorf("fakeapi: resource %s: versions %s and %s differ in more "+
				"than the version", res.QualifiedName(), first.Type.Version, res.Version)
		} else {
			e.Type.Stored = first.Type
			e.Collection = first.Collection.servedAs(e.Type)
		}
		c = newCatalog(append(c.endpoints, e))
	}
	return c, nil
}

// A Collection has the objects of one resource, in all namespaces, and what requests for them need.
type Collection struct {
	Type     *resource.Type
	Objects  *store.Collection // of *object.Document
	registry *Registry

	// Changed is done when the resource's definition changes or is deleted; change ends it.
	Changed context.Context
	change  context.CancelFunc
}

// newCollection returns the collection of a resource. objects holds those that exist already; nil
// makes an empty collection.
func (reg *Registry) newCollection(typ *resource.Type, objects *store.Collection) *Collection {
	if objects == nil {
		objects = reg.store.NewCollection(typ.QualifiedName())
	}
	c := &Collection{Type: typ, Objects: objects, registry: reg}
	c.Changed, c.change = context.WithCancel(context.Background())
	return c
}

// servedAs returns the collection for requests in another version of its resource. The versions
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

// The wording for versions that are no longer in the history.
const (
	listTooOld     = "The resourceVersion for the provided list is too old."
	continueTooOld = "The provided continue parameter is too old to display a consistent list " +
		"result. You can start a new list without the continue parameter, or use the continue " +
		"token in this response to retrieve the remainder of the results. Continuing with the " +
		"provided token results in an inconsistent list - objects that were created, modified, " +
		"or deleted between the time the first chunk was returned and now may show up in the list."
)

// Page reads the page that a plan asks for.
func (c *Collection) Page(plan query.Plan, sel *object.Selection) (object.Page, error) {
	state, err := c.Objects.Snapshot(), error(nil)
	if plan.Past {
		state, err = c.Objects.SnapshotAt(plan.Version)
	}
	switch {
	case err == nil:
		return object.PageOf(state, sel, plan.Start, plan.Limit), nil
	case plan.Start == "":
		return object.Page{}, status.Expired(listTooOld)
	}
	// The client may still read the rest of the list, but at a later version than the pages before.
	gone := status.Expired(continueTooOld)
	key := strings.TrimSuffix(plan.Start, "\x00")
	gone.Metadata.Continue = query.ContinueAfter(query.AnyVersion, sel.Prefix(), key)
	return object.Page{}, gone
}
