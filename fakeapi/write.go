package fakeapi

import (
	"context"
	"crypto/rand"
	"fmt"
	"reflect"
	"time"

	"example.com/watchglass/fakeapi/resource"
	"example.com/watchglass/fakeapi/status"
	"example.com/watchglass/fakeapi/store"
)

// writeOptions are the options that all writes have.
type writeOptions struct {
	dryRun bool       // decide and answer as usual, but store nothing
	fields strictness // what happens to duplicate and unknown fields
}

// maxObject is the largest size in bytes of an object that can be stored, the limit of a
// real server's etcd.
const maxObject = 3 << 19

// A commit puts the result of a write into the store. The store calls it under its lock.
type commit = func(*store.Tx) error

// guess is the version that the next write will get, if no other write comes first: a
// document that is encoded with it can usually be committed as it is (document.stamp).
func (c *collection) guess() uint64 { return c.store.Version() + 1 }

// put is the commit of a document as the new state of its object.
func (c *collection) put(d *document) commit {
	along := c.along(d, false)
	return func(tx *store.Tx) error {
		d.stamp(tx.Next())
		along() // before a watcher can see it
		tx.Put(c.objects, d)
		return nil
	}
}

// putRemoval is the commit of an object's removal. Watchers get the last state that was
// stored: the change by a request that removes the last finalizer is never stored.
func (c *collection) putRemoval(last *document) commit {
	shown := last.asDeleted()
	along := c.along(last, true)
	return func(tx *store.Tx) error {
		shown.stamp(tx.Next())
		along()
		tx.Remove(c.objects, shown)
		return nil
	}
}

// checkSize returns an error if the document is too large to be stored.
func (d *document) checkSize() error {
	if len(d.raw) > maxObject {
		return status.InternalError("etcdserver: request is too large")
	}
	return nil
}

// now is the time as metadata has it: RFC 3339 in UTC, whole seconds.
func now() string { return time.Now().UTC().Format(time.RFC3339) }

// newUID is a random (version 4) UUID, RFC 9562.
func newUID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // documented never to fail
	b[6] = b[6]&0x0f | 0x40
	b[8] = b[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// serverFields are the metadata that only the server sets.
var serverFields = []string{"uid", "creationTimestamp", "generation",
	"deletionTimestamp", "deletionGracePeriodSeconds"}

// create stores a new object. t is the decoded body, with the namespace of the request
// (fitNamespace); create may change it. Errors are *status.Status, or ctx's.
func (c *collection) create(ctx context.Context, t tree, o writeOptions) (*document, error) {
	m := metaOf(t)
	version, malformed := parseVersion(m.text("resourceVersion"))
	generated := m.text("name") == "" && m.text("generateName") != ""
	if generated {
		m["name"] = generateName(m.text("generateName"))
	}
	c.prepareNew(t)
	namespace := m.text("namespace")
	if err := c.life.admits(c, namespace, m.text("name"), presentIn); err != nil {
		return nil, err
	}
	var errs status.FieldErrors
	validateMeta(c.resource, &errs, m)
	if err := validateDefined(c.resource, &errs, nil, t); err != nil {
		return nil, err
	}
	if len(errs) > 0 {
		return nil, status.Invalid(c.resource.About(m.text("name")), errs)
	}
	if version != 0 && malformed == nil { // a malformed version is ignored
		return nil, status.InternalError("resourceVersion should not be set on objects to be created")
	}
	for tries := 0; ; tries++ {
		d, err := c.createAs(ctx, t, o)
		if !generated || tries == 8 || err == nil || status.Of(err).Reason != status.ReasonAlreadyExists {
			return d, err
		}
		m["name"] = generateName(m.text("generateName"))
	}
}

// createAs is create under the name that t has.
func (c *collection) createAs(
	ctx context.Context, t tree, o writeOptions) (d *document, err error) {
	m := metaOf(t)
	think := func(there store.Object) (commit, error) {
		if there != nil {
			return nil, status.AlreadyExists(c.resource.About(m.text("name")), there.(*document).deleting)
		}
		version := c.guess()
		if o.dryRun {
			version = 0
		}
		if err := c.life.decide(c.resource, nil, t); err != nil {
			return nil, err
		}
		if d, err = newDocument(c.resource, t, version, store.Added); err != nil || o.dryRun {
			return nil, err
		}
		put := c.put(d)
		return func(tx *store.Tx) error {
			if err := c.life.admits(c, d.namespace, d.name, tx.Get); err != nil {
				return err
			}
			return put(tx)
		}, d.checkSize()
	}
	key := keyOf(m.text("namespace"), m.text("name"))
	if err := c.write(ctx, key, think); err != nil {
		return nil, err
	}
	return d, nil
}

// prepareNew sets the fields that the server sets in a new object, and drops those that a
// client cannot set.
func (c *collection) prepareNew(t tree) {
	m := metaOf(t)
	dropped := []string{"selfLink", "managedFields", "resourceVersion"}
	for _, f := range append(dropped, serverFields...) {
		delete(m, f)
	}
	m["uid"] = newUID()
	m["creationTimestamp"] = now()
	if c.resource.HasGeneration() {
		m["generation"] = int64(1)
	}
	prepareStatus(c.resource, t)
	c.life.addresses.complete(c.resource, nil, t)
	m.tidy()
}

// prepareStatus replaces the status of a new object, which the client that creates it
// cannot set. Nodes are an exception: a kubelet creates its node with a status.
func prepareStatus(r *resource.Type, t tree) {
	if r.Status && r.QualifiedName() != "nodes" {
		delete(t, "status")
	}
	switch {
	case r.IsPod():
		t["status"] = tree{"phase": "Pending", "qosClass": "BestEffort"}
	case r.IsNamespace():
		t["status"] = tree{"phase": "Active"}
	}
}

// generateName is a prefix with five random letters and digits, as in the real server.
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

// changed reports whether anything outside metadata (and status, if that is a
// subresource) differs, so that the generation has to increase.
func isChanged(r *resource.Type, a, b tree) bool {
	for k := range b {
		if _, ok := a[k]; !ok && counts(r, k) {
			return true
		}
	}
	for k, v := range a {
		if counts(r, k) && !reflect.DeepEqual(v, b[k]) {
			return true
		}
	}
	return false
}

func counts(r *resource.Type, key string) bool {
	return key != "metadata" && !(key == "status" && r.Status)
}
