package registry

import (
	"reflect"

	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/store"
)

// decide gives a definition its names: see decideDefinition.
func (reg *Registry) decide(typ *object.Type, was, t object.Tree) {
	if typ.IsDefinition() {
		decideDefinition(was, t, reg.catalog.Load().Types())
	}
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
	catalog := reg.catalog.Load()
	old := catalog.byName[d.Name]
	next := old
	if status := definitionStatusOf(t); status.is(established) {
		next = nil
		if !removal {
			next = reg.defined(t, status.Names, old)
		}
	}
	if next == old {
		return func() {}
	}
	catalog = catalog.with(old, next)
	return func() {
		reg.catalog.Store(catalog)
		if old != nil {
			old.change() // its watches end
		}
	}
}

// defined returns the collection that a definition describes. If it shows the same as before, it is
// the old one, so that watches go on.
func (reg *Registry) defined(t object.Tree, names definitionNames, old *Collection) *Collection {
	typ := readDefinition(t).typeUnder(names)
	var objects *store.Collection
	if old != nil {
		if reflect.DeepEqual(old.Type, typ) {
			return old
		}
		objects = old.Objects
	}
	return reg.newCollection(typ, objects)
}
