package registry

import (
	"context"
	"reflect"
	"slices"

	"example.com/watchglass/fakeapi/crd"
	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/patch"
	"example.com/watchglass/fakeapi/resource"
	"example.com/watchglass/fakeapi/store"
)

// decide gives a definition those of its names that are free. The caller holds
// r.defining. was is the definition before the write, nil for a new one.
func (r *Registry) decide(typ *resource.Type, was, t object.Tree) error {
	if !typ.IsDefinition() {
		return nil
	}
	return crd.Decide(was, t, r.catalog.Load().takenNames)
}

// serving returns a function that makes the server serve the definition d, or no longer
// serve it if d is removed. The store calls it under its lock, in the write of d: a
// client that sees the definition established can use its resource immediately. The
// costly work is done here, before the lock is taken.
func (r *Registry) serving(d *object.Document, removal bool) func() {
	t := d.Tree()
	def, err := crd.Read(t)
	status := crd.StatusOf(t)
	catalog := r.catalog.Load()
	var ended []*Endpoint
	switch {
	case !removal && err == nil && status.Is(crd.Established):
		catalog, ended = catalog.with(d.Name, r.endpointsOf(def, status.Names, catalog))
	case removal && status.Is(crd.Established):
		catalog, ended = catalog.with(d.Name, nil)
	}
	refused := !removal && !status.Is(crd.NamesAccepted)
	return func() {
		r.catalog.Store(catalog)
		r.refused = slices.DeleteFunc(r.refused, func(name string) bool { return name == d.Name })
		if refused {
			r.refused = append(r.refused, d.Name)
		}
		for _, e := range ended {
			e.Collection.change() // their watches end
		}
	}
}

// reconsider gives definitions the names that they were refused, if those are free now.
func (r *Registry) reconsider(ctx context.Context) {
	r.defining.Lock()
	refused := slices.Clone(r.refused)
	r.defining.Unlock()
	for _, name := range refused {
		u := Update{Name: name, Subresource: resource.SubStatus, Patch: true,
			Change: func(present object.Tree) (object.Tree, error) {
				return patch.Copy(present).(object.Tree), nil
			}}
		_, _ = r.definitions.Update(ctx, u) // fails if the definition is gone: no name is needed
	}
}

// endpointsOf returns the endpoints that a definition describes. If they show the same
// as before, they are the old ones, so that watches go on.
func (r *Registry) endpointsOf(d *crd.Definition, names crd.Names, old *Catalog) []*Endpoint {
	var objects *store.Collection
	storedAs := ""
	if before := old.Stored(d.Name()); before != nil {
		objects, storedAs = before.Collection.Objects, before.Type.Version
	}
	resources, served := d.Types(names, storedAs)
	c := r.newCollection(resources[0], objects)
	next := make([]*Endpoint, len(resources))
	for i, typ := range resources {
		next[i] = &Endpoint{Type: typ, Collection: c.servedAs(typ), hidden: !served[i]}
	}
	if same := old.named(d.Name()); slices.EqualFunc(same, next, (*Endpoint).equals) {
		return same
	}
	return next
}

// equals reports whether two endpoints show the same resource in the same way.
func (e *Endpoint) equals(f *Endpoint) bool {
	return e.hidden == f.hidden && reflect.DeepEqual(e.Type, f.Type)
}

// named returns the endpoints of a resource, in all versions.
func (c *Catalog) named(resource string) []*Endpoint {
	var all []*Endpoint
	for _, e := range c.endpoints {
		if e.isNamed(resource) {
			all = append(all, e)
		}
	}
	return all
}

func (e *Endpoint) isNamed(resource string) bool {
	return e.Type.QualifiedName() == resource
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
		return e.isNamed(resource)
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
