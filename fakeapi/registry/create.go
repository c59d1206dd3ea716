package registry

import (
	"context"
	"crypto/rand"

	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/status"
	"example.com/watchglass/fakeapi/store"
)

// A commit puts the result of a write into the store. The store calls it under its lock.
type commit = func(*store.Tx) error

// commitPut returns the commit of a document as the new state of its object.
func (c *Collection) commitPut(d *object.Document) commit {
	serve := c.serving(d, false)
	return func(tx *store.Tx) error {
		d.Stamp(tx.Next())
		serve() // before a watcher can see it
		tx.Put(c.Objects, d)
		return nil
	}
}

// commitRemoval returns the commit of an object's removal. Watchers get the last state that was
// stored: the change by a request that removes the last finalizer is never stored.
func (c *Collection) commitRemoval(last *object.Document) commit {
	shown := last.AsDeleted()
	serve := c.serving(last, true)
	return func(tx *store.Tx) error {
		shown.Stamp(tx.Next())
		serve()
		tx.Remove(c.Objects, shown)
		return nil
	}
}

// serverFields lists the metadata that only the server sets.
var serverFields = []string{"uid", "creationTimestamp", "generation",
	"deletionTimestamp", "deletionGracePeriodSeconds"}

// Create stores a new object. decode returns it, with the namespace of the request, and is called
// in the turn of a request with a body of a size in bytes. Errors are *status.Status, or ctx's.
func (c *Collection) Create(ctx context.Context, size int, decode func() (object.Tree, error),
	dryRun bool) (d *object.Document, err error) {
	err = c.registry.Turns.Do(ctx, size, func() error {
		t, err := decode()
		if err == nil {
			d, err = c.createNamed(t, dryRun)
		}
		return err
	})
	return d, err
}

// createNamed creates an object under its name or, if the server has to generate that, under the
// first that is free.
func (c *Collection) createNamed(t object.Tree, dryRun bool) (*object.Document, error) {
	m := object.MetaOf(t)
	if m.Text("name") != "" || m.Text("generateName") == "" {
		return c.create(t, dryRun)
	}
	var refusal error
	for range maxAttempts {
		next := object.Copy(t).(object.Tree)
		object.MetaOf(next)["name"] = c.registry.newName(m.Text("generateName"))
		d, err := c.create(next, dryRun)
		if err == nil || status.Of(err).Reason != status.ReasonAlreadyExists {
			return d, err
		}
		refusal = err
	}
	return nil, refusal
}

// maxAttempts is how many names the server generates for an object before it gives up.
const maxAttempts = 8

// create stores a new object that has its name.
func (c *Collection) create(t object.Tree, dryRun bool) (*object.Document, error) {
	m := object.MetaOf(t)
	version, malformed := ParseVersion(m.Text("resourceVersion"))
	c.prepareNew(t)
	namespace := m.Text("namespace")
	if err := c.registry.admits(c, namespace, m.Text("name"), (*store.Collection).Get); err != nil {
		return nil, err
	}
	errs, err := c.validate(nil, t)
	if err != nil {
		return nil, err
	}
	switch {
	case len(errs) > 0:
		return nil, status.Invalid(c.Type.About(m.Text("name")), errs)
	case version != 0 && malformed == nil && !dryRun: // a malformed one is ignored
		return nil, status.InternalError("resourceVersion should not be set on objects to be created")
	}
	return c.createAs(t, dryRun)
}

// createAs creates the object under the name that t has.
func (c *Collection) createAs(t object.Tree, dryRun bool) (d *object.Document, err error) {
	m, version := object.MetaOf(t), uint64(0)
	about, key := c.Type.About(m.Text("name")), object.Key(m.Text("namespace"), m.Text("name"))
	if !dryRun { // if no other write comes first, the document can be committed as it is
		version = c.registry.store.Version() + 1
	}
	create := func(present store.Object) (commit, error) {
		there, _ := present.(*object.Document)
		switch {
		case there != nil && m.Text("generateName") != "":
			return nil, status.NameTaken(about)
		case there != nil:
			return nil, status.AlreadyExists(about, there.Deleting)
		}
		c.registry.decide(c.Type, nil, t)
		if d, err = object.New(c.Type, t, version, store.Added); err != nil || dryRun {
			return nil, err
		}
		put := c.commitPut(d)
		return func(tx *store.Tx) error {
			if err := c.registry.admits(c, d.Namespace, d.Name, tx.Get); err != nil {
				return err
			}
			return put(tx)
		}, d.CheckSize()
	}
	err = c.Objects.GuaranteedUpdate(context.Background(), key, create)
	return d, err
}

// prepareNew sets the fields that the server sets in a new object, and drops those that a
// client cannot set.
func (c *Collection) prepareNew(t object.Tree) {
	m := object.MetaOf(t)
	object.Carry(m, nil, serverFields...)
	object.Carry(m, nil, "selfLink", "managedFields", "resourceVersion")
	m["uid"] = object.NewUID()
	m["creationTimestamp"] = object.Now()
	if c.Type.HasGeneration() {
		m["generation"] = int64(1)
	}
	prepareStatus(c.Type, t)
	c.complete(nil, t)
	m.Tidy()
}

// prepareStatus replaces the status of a new object, which the client that creates it
// cannot set. Nodes are an exception: a kubelet creates its node with a status.
func prepareStatus(typ *object.Type, t object.Tree) {
	if typ.Status && typ.QualifiedName() != "nodes" {
		delete(t, "status")
	}
	switch {
	case typ.IsPod():
		t["status"] = object.Tree{"phase": "Pending", "qosClass": "BestEffort"}
	case typ.IsNamespace():
		t["status"] = object.Tree{"phase": "Active"}
	}
}

// validate returns the field errors of t. was is the object before the write, nil for a new
// one. err is a *status.Status if t is not even an object of its type.
func (c *Collection) validate(was, t object.Tree) (errs status.FieldErrors, err error) {
	object.ValidateMeta(&errs, c.Type, object.MetaOf(t))
	switch {
	case !c.Type.Builtin():
		err = object.CheckCustom(c.Type, t)
	case c.Type.IsDefinition():
		validateDefinition(&errs, was, t)
	case c.Type.IsPod():
		node := object.TextAt(was, ".spec.nodeName")
		if node != "" && object.TextAt(t, ".spec.nodeName") != node {
			errs.Forbidden("spec.nodeName", "a pod stays on its node")
		}
	}
	return errs, err
}

// complete fills in what a client may leave out of t: see defaults.Complete. was is the
// object before the update, nil for a new one.
func (c *Collection) complete(was, t object.Tree) {
	switch {
	case c.Type.IsDefinition():
		completeDefinition(t)
	case c.Type.IsNamespace():
		prepareNamespace(was, t)
	}
	c.registry.defaults.complete(c.Type, was, t)
}

// generateName returns a prefix with five random letters and digits, as in the real server.
// The prefix is cut so that the name is not longer than a DNS label. There are no vowels
// in the alphabet, so that names contain no words.
func generateName(prefix string) string {
	const alphabet = "bcdfghjklmnpqrstvwxz2456789"
	const longest = 63
	var b [5]byte
	_, _ = rand.Read(b[:])
	for i := range b {
		b[i] = alphabet[int(b[i])%len(alphabet)]
	}
	return prefix[:min(len(prefix), longest-len(b))] + string(b[:])
}
