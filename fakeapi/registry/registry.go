package registry

import (
	"context"
	"sync/atomic"

	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/status"
	"example.com/watchglass/fakeapi/store"
)

// A Registry enforces how objects depend on each other: an object depends on its namespace, and an
// object of a custom resource on its definition. Both have to exist before the object is created,
// and are removed only after it. All collections of a server share one registry.
type Registry struct {
	store       *store.Store
	catalog     atomic.Pointer[Catalog]
	namespaces  *Collection // nil if they are not served
	definitions *Collection // of CustomResourceDefinitions; nil if they are not served
	strict      bool        // nothing can be created in a missing namespace

	// Turns are those of the server. Each write takes one, so no two are computed at the same time:
	// the names that a definition gets depend on the other definitions.
	Turns *object.Turns

	defaults defaults

	newName func(prefix string) string // generateName, except in a test
}

// New registers resources and creates the initial namespaces. strict refuses to create
// objects in a missing namespace.
func New(st *store.Store, resources []object.Resource, strict bool) (*Registry, error) {
	reg := &Registry{store: st, strict: strict, Turns: new(object.Turns), newName: generateName}
	c, err := reg.register(resources)
	if err != nil {
		return nil, err
	}
	reg.catalog.Store(c)
	reg.definitions = c.byName[object.Definitions]
	if reg.namespaces = c.byName["namespaces"]; reg.namespaces != nil {
		return reg, reg.namespaces.seedNamespaces()
	}
	return reg, nil
}

// Catalog returns what is served now.
func (reg *Registry) Catalog() *Catalog { return reg.catalog.Load() }

// Watchers returns how many watches of a resource are open: see fakeapi.Server.Watchers.
func (reg *Registry) Watchers(resource string) int {
	n := 0
	for _, c := range reg.catalog.Load().collections {
		if resource == "" || resource == c.Type.Plural || resource == c.Type.QualifiedName() {
			n += c.Objects.Watchers()
		}
	}
	return n
}

// write changes the object under a key: see store.GuaranteedUpdate. It does so in a turn, as a
// request with a body of a size in bytes. Then it deletes what has to be deleted because of this
// write.
func (c *Collection) write(ctx context.Context, key string, size int,
	compute func(old *object.Document) (commit, error)) error {
	if present := c.Get(key); present != nil {
		size += len(present.Raw) // it is decoded, too
	}
	var was, is *object.Document
	change := func(present store.Object) (commit, error) {
		was, _ = present.(*object.Document)
		is = was
		take, err := compute(was)
		if take == nil || err != nil {
			return nil, err
		}
		return func(tx *store.Tx) error {
			err := take(tx)
			is, _ = tx.Get(c.Objects, key).(*object.Document)
			return err
		}, nil
	}
	err := c.registry.Turns.Do(ctx, size, func() error {
		return c.Objects.GuaranteedUpdate(ctx, key, change)
	})
	if err != nil || is == was {
		return err
	}
	c.settle(context.WithoutCancel(ctx), was, is) // even if the client disconnects
	return nil
}

// A getter returns the object under a key of a collection.
type getter = func(c *store.Collection, key string) store.Object

// admits returns an error if an object must not be created because its namespace or its
// definition is missing or terminating.
func (reg *Registry) admits(c *Collection, namespace, name string, get getter) error {
	if c.Type.Defined {
		if err := reg.admitsCustom(c, name, get); err != nil {
			return err
		}
	}
	if c.Type.Cluster || reg.namespaces == nil {
		return nil
	}
	switch d, _ := get(reg.namespaces.Objects, namespace).(*object.Document); {
	case d == nil && reg.strict:
		return status.NotFound(reg.namespaces.Type.About(namespace))
	case d != nil && d.Deleting:
		return status.NamespaceTerminating(c.Type.About(name), namespace)
	}
	return nil
}

// admitsCustom checks the definition of an object: it may have been deleted or replaced
// since the request found its resource.
func (reg *Registry) admitsCustom(c *Collection, name string, get getter) error {
	d, _ := get(reg.definitions.Objects, c.Type.QualifiedName()).(*object.Document)
	now := reg.catalog.Load().byName[c.Type.QualifiedName()]
	switch {
	case d == nil || now == nil || now.Objects != c.Objects:
		return status.NotFound(c.Type.About(name))
	case d.Deleting:
		return status.Refused(c.Type.About(name),
			"create not allowed while custom resource definition is terminating")
	}
	return nil
}

// isHeld reports whether an object that is deleted must stay for now.
func isHeld(typ *object.Type, t object.Tree) bool {
	switch m := object.MetaOf(t); {
	case m["finalizers"] != nil:
		return true
	case m["deletionTimestamp"] == nil: // their content goes first, see terminate
		return typ.IsNamespace() || typ.IsDefinition()
	case typ.IsNamespace():
		return len(object.At[[]any](t, ".spec.finalizers")) > 0
	}
	return false
}

// terminate makes the further changes in an object that has just been marked as deleted.
func terminate(typ *object.Type, t object.Tree) {
	switch {
	case typ.IsNamespace():
		holdNamespace(t)
		object.SetAt(t, ".status.phase", "Terminating")
	case typ.IsDefinition():
		terminateDefinition(t)
	default:
		object.MetaOf(t)["deletionGracePeriodSeconds"] = int64(0)
	}
}
