package fakeapi

import (
	"context"
	"maps"
	"reflect"
	"slices"

	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/resource"
	"example.com/watchglass/fakeapi/status"
)

// definitionFinalizer keeps a deleted definition until its objects are gone.
const definitionFinalizer = "customresourcecleanup.apiextensions.k8s.io"

// terminateDefinition gives a definition that is being deleted its finalizer and the
// condition Terminating.
func terminateDefinition(t object.Tree) {
	m := object.MetaOf(t)
	m.SetList("finalizers", append(m.List("finalizers"), definitionFinalizer))
	object.SetAt(t, ".status.conditions", setCondition(object.ListAt(t, ".status.conditions"),
		newCondition(terminating, "True", "InstanceDeletionInProgress",
			"CustomResource deletion is in progress")))
}

// decide gives a definition those of its names that are free. The caller holds
// l.defining. was is the definition before the write, nil for a new one.
func (l *lifecycle) decide(r *resource.Type, was, t object.Tree) error {
	if !r.IsDefinition() {
		return nil
	}
	d, err := readDefinition(t)
	if err != nil {
		return err
	}
	had := statusOfDefinition(was)
	taken, takenKind := l.catalog.Load().takenNames(d.Group, d.name())
	got, condition := d.accept(had.Names, taken, takenKind)
	setDefinitionStatus(t, d, object.ListAt(was, ".status.conditions"), got, condition)
	return nil
}

// serving returns a function that makes the server serve the definition d, or no longer
// serve it if d is removed. The store calls it under its lock, in the write of d: a
// client that sees the definition established can use its resource immediately. The
// costly work is done here, before the lock is taken.
func (l *lifecycle) serving(d *object.Document, removal bool) func() {
	t := d.Tree()
	def, err := readDefinition(t)
	status := statusOfDefinition(t)
	catalog := l.catalog.Load()
	var ended []*endpoint
	switch {
	case !removal && err == nil && status.is(established):
		catalog, ended = catalog.with(d.Name, l.endpointsOf(def, status.Names, catalog))
	case removal && status.is(established):
		catalog, ended = catalog.with(d.Name, nil)
	}
	refused := !removal && !status.is(namesAccepted)
	return func() {
		l.catalog.Store(catalog)
		l.refused = slices.DeleteFunc(l.refused, func(name string) bool { return name == d.Name })
		if refused {
			l.refused = append(l.refused, d.Name)
		}
		for _, e := range ended {
			e.c.change() // their watches end
		}
	}
}

// reconsider gives definitions the names that they were refused, if those are free now.
func (l *lifecycle) reconsider(ctx context.Context) {
	l.defining.Lock()
	refused := slices.Clone(l.refused)
	l.defining.Unlock()
	for _, name := range refused {
		u := update{name: name, subresource: resource.SubStatus, patch: true,
			change: func(t object.Tree) (object.Tree, error) { return t, nil }}
		_, _ = l.definitions.update(ctx, u) // fails if the definition is gone: no name is needed
	}
}

// endpointsOf returns the endpoints that a definition describes. If they show the same
// as before, they are the old ones, so that watches go on.
func (l *lifecycle) endpointsOf(d *definition, names definedNames, old *catalog) []*endpoint {
	c := &collection{store: l.definitions.store, life: l}
	c.changed, c.change = context.WithCancel(context.Background())
	storedAs := ""
	if before := old.stored(d.name()); before != nil {
		c.objects, storedAs = before.c.objects, before.resource.Version
	} else {
		c.objects = c.store.NewCollection(d.name())
	}
	resources, served := d.resources(names, storedAs)
	c.resource = resources[0]
	next := make([]*endpoint, len(resources))
	for i, r := range resources {
		next[i] = &endpoint{resource: r, c: c.servedAs(r), hidden: !served[i]}
	}
	if same := old.named(d.name()); slices.EqualFunc(same, next, (*endpoint).is) {
		return same
	}
	return next
}

// is reports whether two endpoints show the same resource in the same way.
func (e *endpoint) is(f *endpoint) bool {
	return e.hidden == f.hidden && reflect.DeepEqual(e.resource, f.resource)
}

// named returns the endpoints of a resource, in all versions.
func (k *catalog) named(resource string) []*endpoint {
	var all []*endpoint
	for _, e := range k.endpoints {
		if e.isNamed(resource) {
			all = append(all, e)
		}
	}
	return all
}

func (e *endpoint) isNamed(resource string) bool {
	return e.resource.QualifiedName() == resource
}

// with returns a catalog in which next takes the place of a resource's endpoints, and
// the old endpoints, whose watches have to end.
func (k *catalog) with(resource string, next []*endpoint) (with *catalog, ended []*endpoint) {
	old := k.named(resource)
	if slices.Equal(old, next) {
		return k, nil
	}
	at := len(k.endpoints)
	if len(old) > 0 {
		at = slices.Index(k.endpoints, old[0])
	}
	rest := slices.DeleteFunc(slices.Clone(k.endpoints), func(e *endpoint) bool {
		return e.isNamed(resource)
	})
	return newCatalog(slices.Insert(rest, at, next...)), old
}

// definedSchema returns the schema in the resource's definition, completed by the fields
// that all objects have.
func definedSchema(r *resource.Type) object.Tree {
	properties := object.Tree{"apiVersion": object.Tree{"type": "string"},
		"kind": object.Tree{"type": "string"}}
	if own, ok := r.Schema["properties"].(object.Tree); ok {
		maps.Copy(properties, own)
	}
	properties["metadata"] = object.Tree{"type": "object"}
	schema := maps.Clone(r.Schema)
	schema["properties"] = properties
	schema[gvkExtension] = []resource.GVK{r.GVK()}
	return schema
}

// validateDefined adds the field errors of a CustomResourceDefinition, none for other
// objects. It returns a *status.Status if the definition cannot be decoded.
func validateDefined(r *resource.Type, errs *status.FieldErrors, was, t object.Tree) error {
	if !r.IsDefinition() {
		return nil
	}
	d, err := readDefinition(t)
	if err != nil {
		return err
	}
	m := object.MetaOf(t)
	d.validate(errs, m.Text("name"), m.Texts("annotations"))
	if was != nil {
		if before, err := readDefinition(was); err == nil {
			d.checkImmutable(errs, before)
		}
	}
	return nil
}
