package fakeapi

import (
	"context"
	"maps"
	"reflect"
	"slices"
)

// isDefinition says whether objects of the resource are CustomResourceDefinitions.
func (r *Resource) isDefinition() bool {
	return r.Group == "apiextensions.k8s.io" && r.Plural == "customresourcedefinitions"
}

// definitionFinalizer holds a definition that is deleted until its objects are gone.
const definitionFinalizer = "customresourcecleanup.apiextensions.k8s.io"

// terminateDefinition is what else changes in a definition that is deleted.
func terminateDefinition(t tree) {
	m := metaOf(t)
	m.setList("finalizers", append(m.list("finalizers"), definitionFinalizer))
	setAt(t, ".status.conditions", setCondition(listAt(t, ".status.conditions"),
		newCondition(terminating, "True", "InstanceDeletionInProgress",
			"CustomResource deletion is in progress")))
}

// decide gives a definition the names that are free: defining is held. was is the
// definition before, nil for a new one.
func (l *lifecycle) decide(r *Resource, was, t tree) error {
	if !r.isDefinition() {
		return nil
	}
	d, err := readDefinition(t)
	if err != nil {
		return err
	}
	had := statusOfDefinition(was)
	taken, takenKind := l.catalog.Load().takenNames(d.Group, d.name())
	got, condition := d.accept(had.Names, taken, takenKind)
	setDefinitionStatus(t, d, listAt(was, ".status.conditions"), got, condition)
	return nil
}

// serving is what makes the server serve what a definition says, from the moment in
// which the definition is stored on: no client that sees it there, established,
// is too early. It runs under the store's lock; all work is done before.
func (l *lifecycle) serving(d *document, removal bool) func() {
	t := d.tree()
	def, err := readDefinition(t)
	status := statusOfDefinition(t)
	catalog := l.catalog.Load()
	var ended []*endpoint
	switch {
	case !removal && err == nil && status.is(established):
		catalog, ended = catalog.with(d.name, l.endpointsOf(def, status.Names, catalog))
	case removal && status.is(established):
		catalog, ended = catalog.with(d.name, nil)
	}
	refused := !removal && !status.is(namesAccepted)
	return func() {
		l.catalog.Store(catalog)
		l.refused = slices.DeleteFunc(l.refused, func(name string) bool { return name == d.name })
		if refused {
			l.refused = append(l.refused, d.name)
		}
		for _, e := range ended {
			e.c.changed.give() // their watches end
		}
	}
}

// reconsider gives definitions the names that they were refused, if those are free now.
func (l *lifecycle) reconsider(ctx context.Context) {
	l.defining.Lock()
	refused := slices.Clone(l.refused)
	l.defining.Unlock()
	for _, name := range refused {
		u := update{name: name, subresource: subStatus, patch: true,
			change: func(t tree) (tree, error) { return t, nil }}
		_, _ = l.definitions.update(ctx, u) // it may have gone
	}
}

// endpointsOf are the endpoints that a definition describes. Those that it does not
// change stay the same.
func (l *lifecycle) endpointsOf(d *definition, names definedNames, old *catalog) []*endpoint {
	c := &collection{store: l.definitions.store, life: l, changed: newSignal()}
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

// is says whether two endpoints show the same.
func (e *endpoint) is(f *endpoint) bool {
	return e.hidden == f.hidden && reflect.DeepEqual(e.resource, f.resource)
}

// named are the endpoints of a resource, in all versions.
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

// with is the catalog with other endpoints for a resource, in the place of those
// that it has had, and those whose watches have to end.
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

// definedSchema is what a definition says of the resource's objects, and what it need
// not say, because all objects have it.
func (r *Resource) definedSchema() tree {
	properties := tree{"apiVersion": tree{"type": "string"}, "kind": tree{"type": "string"}}
	if own, ok := r.openAPI["properties"].(tree); ok {
		maps.Copy(properties, own)
	}
	properties["metadata"] = tree{"type": "object"}
	schema := maps.Clone(r.openAPI)
	schema["properties"] = properties
	schema[gvkExtension] = []groupVersionKind{r.gvk()}
	return schema
}

// validateDefined is what is wrong with a definition. It is nil for other objects.
func (r *Resource) validateDefined(was, t tree) ([]fieldError, error) {
	if !r.isDefinition() {
		return nil, nil
	}
	d, err := readDefinition(t)
	if err != nil {
		return nil, err
	}
	m := metaOf(t)
	errs := validateDefinition(m.text("name"), m.texts("annotations"), d)
	if was != nil {
		if before, err := readDefinition(was); err == nil {
			errs = append(errs, d.changedNames(before)...)
		}
	}
	return errs, nil
}
