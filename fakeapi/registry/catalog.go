package registry

import (
	"fmt"
	"slices"

	"example.com/watchglass/fakeapi/resource"
)

// A Catalog is the set of resources that the server serves at one moment. It is
// immutable: adding or removing a resource puts a new catalog in its place. So a
// request keeps the resource that it has found to its end, and discovery needs no lock.
type Catalog struct {
	endpoints []*Endpoint          // in order of registration
	byPath    map[string]*Endpoint // by group, version and plural
}

// An Endpoint is a resource as it is served, and where its objects are. Versions
// of one resource are endpoints with the same collection.
type Endpoint struct {
	Type       *resource.Type
	Collection *Collection
	hidden     bool // objects are stored in this version, but it is not served
}

func pathKey(group, version, plural string) string { return group + "/" + version + "/" + plural }

func newCatalog(endpoints []*Endpoint) *Catalog {
	k := &Catalog{endpoints: endpoints, byPath: make(map[string]*Endpoint, len(endpoints))}
	for _, e := range endpoints {
		if e.hidden {
			continue
		}
		k.byPath[pathKey(e.Type.Group, e.Type.Version, e.Type.Plural)] = e
	}
	return k
}

// At returns the endpoint at a path, nil if there is none.
func (k *Catalog) At(group, version, plural string) *Endpoint {
	return k.byPath[pathKey(group, version, plural)]
}

// Stored returns the endpoint of the version in which a resource's objects are stored,
// found by plural and group, or by plural; then the first one registered counts.
func (k *Catalog) Stored(name string) *Endpoint {
	var found *Endpoint
	for _, e := range k.endpoints {
		switch r := e.Type; {
		case r.View != nil:
		case r.QualifiedName() == name:
			return e
		case r.Plural == name && found == nil:
			found = e
		}
	}
	return found
}

// Serves reports whether any resource is served in a version of a group.
func (k *Catalog) Serves(group, version string) bool {
	return slices.ContainsFunc(k.endpoints, func(e *Endpoint) bool {
		return e.Type.Group == group && e.Type.Version == version && !e.hidden
	})
}

// Types returns the types that are served, in order of registration.
func (k *Catalog) Types() []*resource.Type {
	var served []*resource.Type
	for _, e := range k.endpoints {
		if !e.hidden {
			served = append(served, e.Type)
		}
	}
	return served
}

// register makes the endpoints of the resources that a server starts with.
func register(l *Registry, resources []resource.Resource) (*Catalog, error) {
	k := newCatalog(nil)
	for _, r := range resources {
		if err := r.Validate(); err != nil {
			return nil, err
		}
		if k.At(r.Group, r.Version, r.Plural) != nil {
			return nil, fmt.Errorf("fakeapi: resource %s of %s is registered twice", r.Plural,
				r.APIVersion())
		}
		e := &Endpoint{Type: resource.New(r)}
		core := k.At("", "v1", "events")
		switch first := k.Stored(r.QualifiedName()); {
		case r.QualifiedName() == resource.Events && core != nil:
			e.Type, e.Collection = resource.EventsView(core.Type, r), core.Collection
		case first != nil:
			if r.Kind != first.Type.Kind || r.Cluster != first.Type.Cluster {
				return nil, fmt.Errorf("fakeapi: resource %s: versions %s and %s differ in more "+
					"than the version", r.QualifiedName(), first.Type.Version, r.Version)
			}
			e.Type = resource.ViewOf(first.Type, r)
			e.Collection = first.Collection.servedAs(e.Type)
		default:
			e.Collection = l.newCollection(e.Type, nil)
		}
		k = newCatalog(append(k.endpoints, e))
	}
	return k, nil
}
