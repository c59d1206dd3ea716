package registry

import (
	"reflect"
	"slices"

	"example.com/watchglass/fakeapi/crd"
	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/resource"
	"example.com/watchglass/fakeapi/store"
)

// decide gives a definition its names: see crd.Decide. The caller holds reg.defining.
func (reg *Registry) decide(typ *resource.Type, was, t object.Tree) error {
	if !typ.IsDefinition() {
		return nil
	}
	return crd.Decide(was, t, reg.catalog.Load().takenNames)
}

// serving returns a function to be called in the store's update that commits d or removes it. If d
// is a definition, the server serves it from then on, or no longer: a client that sees the
// definition established can use its resource immediately. The costly work is done here, before
// the store is locked.
func (c *Collection) serving(d *object.Document, removal bool) func() {
	if !c.Type.IsDefinition() {
		return func() {}
	}
	reg, t := c.registry, d.Tree()
	def, err := crd.Read(t)
	status := crd.StatusOf(t)
	catalog := reg.catalog.Load()
	var ended []*Endpoint
	switch {
	case !removal && err == nil && status.Is(crd.Established):
		catalog, ended = catalog.with(d.Name, reg.endpointsOf(def, status.Names, catalog))
	case removal && status.Is(crd.Established):
		catalog, ended = catalog.with(d.Name, nil)
	}
	return func() {
		reg.catalog.Store(catalog)
		for _, e := range ended {
			e.Collection.change() // their watches end
		}
	}
}

// endpointsOf returns the endpoints that a definition describes. If they show the same
// as before, they are the old ones, so that watches go on.
func (reg *Registry) endpointsOf(d *crd.Definition, names crd.Names, old *Catalog) []*Endpoint {
	var objects *store.Collection
	storedAs := ""
	if before := old.Stored(d.Name()); before != nil {
		objects, storedAs = before.Collection.Objects, before.Type.Version
	}
	types := d.Types(names, storedAs)
	c := reg.newCollection(types[0], objects)
	next := make([]*Endpoint, len(types))
	for i, typ := range types {
		next[i] = &Endpoint{Type: typ, Collection: c.servedAs(typ)}
	}
	same := old.named(d.Name())
	if slices.EqualFunc(same, next, func(a, b *Endpoint) bool {
		return reflect.DeepEqual(a.Type, b.Type)
	}) {
		return same
	}
	return next
}

// named returns the endpoints of a resource, in all versions.
func (c *Catalog) named(resource string) []*Endpoint {
	return slices.DeleteFunc(slices.Clone(c.endpoints), func(e *Endpoint) bool {
		return e.Type.QualifiedName() != resource
	})
}

// with returns a catalog in which next takes the place of a resource's endpoints, and
// the old endpoints, whose watches have to end.
func (c *Catalog) with(resource string, next []*Endpoint) (with *Catalog, ended []*Endpoint) {
	old := c.named(resource)
	if slices.Equal(old, next) {
		return c, nil
	}
	at := len(c.endpoints)
	if len(old) > 0 {
		at = slices.Index(c.endpoints, old[0])
	}
	rest := slices.DeleteFunc(slices.Clone(c.endpoints), func(e *Endpoint) bool {
		return e.Type.QualifiedName() == resource
	})
	return newCatalog(slices.Insert(rest, at, next...)), old
}

// takenNames returns two functions that report whether a name or a kind is taken in a
// group: by a built-in type, or by any other resource than except.
func (c *Catalog) takenNames(group, except string) (taken, takenKind func(string) bool) {
	names, kinds := map[string]bool{}, map[string]bool{}
	for _, e := range c.endpoints {
		typ := e.Type
		if typ.Group != group || typ.QualifiedName() == except && !typ.Builtin() {
			continue
		}
		names[typ.Plural], names[typ.SingularName()] = true, true
		for _, name := range typ.ShortNames {
			names[name] = true
		}
		kinds[typ.Kind], kinds[typ.Kind+"List"] = true, true
	}
	return func(name string) bool { return names[name] }, func(kind string) bool { return kinds[kind] }
}
