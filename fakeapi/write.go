package fakeapi

import (
	"crypto/rand"
	"fmt"
	"reflect"
	"time"
)

// writeOptions are what all writes have in common.
type writeOptions struct {
	dryRun bool       // decide and answer as usual, but store nothing
	fields strictness // what becomes of duplicate and unknown fields
}

// maxObject is the size in bytes from which an object is too large for storage,
// as etcd is set up with a real server.
const maxObject = 3 << 19

// seal encodes t as the next version of its object and, unless this is a dry
// run, commits it. The lock is held for writing.
func (c *collection) seal(
	kind eventType, t tree, prev *document, o writeOptions) (*document, error) {
	if o.dryRun {
		version := uint64(0)
		if prev != nil {
			version = prev.version
		}
		return newDocument(c.resource, t, version, kind)
	}
	doc, err := newDocument(c.resource, t, c.store.version+1, kind)
	if err != nil {
		return nil, err
	}
	if len(doc.raw) > maxObject && kind != removed { // what is too large can always go
		return nil, internalError("etcdserver: request is too large")
	}
	c.commit(kind, doc, prev)
	return doc, nil
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

// create stores a new object. t is the decoded body, already fitted to the
// request (fit); create takes it over. Errors are *Status.
func (c *collection) create(t tree, o writeOptions) (*document, error) {
	m := metaOf(t)
	version, err := parseVersion(m.text("resourceVersion"))
	generated := m.text("name") == "" && m.text("generateName") != ""
	if generated {
		m["name"] = generateName(m.text("generateName"))
	}
	c.resource.prepareNew(t)
	if errs := c.resource.validateMeta(m); len(errs) > 0 {
		return nil, invalidObject(c.resource, m.text("name"), errs...)
	}
	if version != 0 && err == nil { // what is no version is not taken for one
		return nil, internalError("resourceVersion should not be set on objects to be created")
	}
	c.store.mu.Lock()
	defer c.store.mu.Unlock()
	for tries := 0; ; tries++ {
		there := c.current(keyOf(m.text("namespace"), m.text("name")))
		switch {
		case there == nil:
			return c.seal(added, t, nil, o)
		case !generated || tries == 8:
			return nil, alreadyExists(c.resource, m.text("name"), there.deleting)
		}
		m["name"] = generateName(m.text("generateName"))
	}
}

// prepareNew sets what the server sets on a new object, and drops what it does
// not let a client set.
func (r *Resource) prepareNew(t tree) {
	m := metaOf(t)
	dropped := []string{"selfLink", "managedFields", "resourceVersion"}
	for _, f := range append(dropped, serverFields...) {
		delete(m, f)
	}
	m["uid"] = newUID()
	m["creationTimestamp"] = now()
	if r.hasGeneration() {
		m["generation"] = int64(1)
	}
	r.prepareStatus(t)
	r.complete(nil, t)
	m.tidy()
}

// generateName completes a prefix, cut so that the name is a DNS label still, with
// five letters and digits, without those that could spell words: as the real
// server does.
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

// changed says whether anything outside metadata (and status, if that is a
// subresource) differs: whether the generation has to move.
func (r *Resource) changed(a, b tree) bool {
	for k := range b {
		if _, ok := a[k]; !ok && r.counts(k) {
			return true
		}
	}
	for k, v := range a {
		if r.counts(k) && !reflect.DeepEqual(v, b[k]) {
			return true
		}
	}
	return false
}

func (r *Resource) counts(key string) bool {
	return key != "metadata" && !(key == "status" && r.Status)
}
