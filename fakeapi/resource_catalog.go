package fakeapi

import (
	"fmt"
	"slices"

	"example.com/watchglass/fakeapi/resource"
)

// A catalog is the set of resources that the server serves at one moment. It is
// immutable: adding or removing a resource puts a new catalog in its place. So a
// request keeps the resource that it has found to its end, and discovery needs no lock.
type catalog struct {
	endpoints []*endpoint          // in order of registration
	byPath    map[string]*endpoint // by group, version and plural
}

// An endpoint is a resource as it is served, and where its objects are. Versions
// of one resource are endpoints with the same collection.
type endpoint struct {
	resource *resource.Type
	c        *collection
	hidden   bool // objects are stored in this version, but it is not served
}

func pathKey(group, version, plural string) string { return group + "/" + version + "/" + plural }

func newCatalog(endpoints []*endpoint) *catalog {
	k := &catalog{endpoints: endpoints, byPath: make(map[string]*endpoint, len(endpoints))}
	for _, e := range endpoints {
		if e.hidden {
			continue
		}
		k.byPath[pathKey(e.resource.Group, e.resource.Version, e.resource.Plural)] = e
	}
	return k
}

// at returns the endpoint at a path, nil if there is none.
func (k *catalog) at(group, version, plural string) *endpoint {
	return k.byPath[pathKey(group, version, plural)]
}

// stored returns the endpoint of the version in which a resource's objects are stored,
// found by plural and group, or by plural; then the first one registered counts.
func (k *catalog) stored(name string) *endpoint {
	var found *endpoint
	for _, e := range k.endpoints {
		switch r := e.resource; {
		case r.View != nil:
		case r.QualifiedName() == name:
			return e
		case r.Plural == name && found == nil:
			found = e
		}
	}
	return found
}

// serves reports whether any resource is served in a version of a group.
func (k *catalog) serves(group, version string) bool {
	return slices.ContainsFunc(k.endpoints, func(e *endpoint) bool {
		return e.resource.Group == group && e.resource.Version == version && !e.hidden
	})
}

// types returns the types that are served, in order of registration.
func (k *catalog) types() []*resource.Type {
	var served []*resource.Type
	for _, e := range k.endpoints {
		if !e.hidden {
			served = append(served, e.resource)
		}
	}
	return served
}

// register makes the endpoints of the resources that a server starts with.
func register(l *lifecycle, resources []resource.Resource) (*catalog, error) {
	k := newCatalog(nil)
	for _, r := range resources {
		if err := r.Validate(); err != nil {
			return nil, err
		}
		if k.at(r.Group, r.Version, r.Plural) != nil {
			return nil, fmt.Errorf("fakeapi: resource %s of %s is registered twice", r.Plural,
				r.APIVersion())
		}
		e := &endpoint{resource: resource.New(r)}
		core := k.at("", "v1", "events")
		switch first := k.stored(r.QualifiedName()); {
		case r.QualifiedName() == resource.Events && core != nil:
			e.resource, e.c = resource.EventsView(core.resource, r), core.c
		case first != nil:
			if r.Kind != first.resource.Kind || r.Cluster != first.resource.Cluster {
				return nil, fmt.Errorf("fakeapi: resource %s: versions %s and %s differ in more "+
					"than the version", r.QualifiedName(), first.resource.Version, r.Version)
			}
			e.resource = resource.ViewOf(first.resource, r)
			e.c = first.c.servedAs(e.resource)
		default:
			e.c = l.newCollection(e.resource, nil)
		}
		k = newCatalog(append(k.endpoints, e))
	}
	return k, nil
}
