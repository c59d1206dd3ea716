package fakeapi

import (
	"fmt"
	"strconv"

	"example.com/watchglass/fakeapi/resource"
	"example.com/watchglass/fakeapi/store"
)

// A document is one version of one object, as the store keeps it. Once it is
// committed it is immutable, and shared by the store, its history, every list and
// every watcher; its bytes are never copied.
type document struct {
	// frame is the watch frame of the write that made this version, and raw the
	// object within it: one piece of memory serves lists, gets and watchers.
	frame []byte // {"type":"ADDED","object":…} and a newline
	raw   []byte // the JSON as served: compact, kind and apiVersion in it

	digits int // offset of the resourceVersion's digits in raw; meaningless if version is 0

	// The fields that the server needs without decoding raw again. Their values are
	// those in raw.
	key       string // see keyOf
	namespace string
	name      string
	uid       string
	version   uint64 // resourceVersion
	created   string // creationTimestamp
	labels    map[string]string
	fields    []string // values of Resource.Select, in that order
	deleting  bool     // has a deletionTimestamp

	resource *resource.Type // fields are the values of its Select
}

// Key implements store.Object.
func (d *document) Key() string { return d.key }

// Version implements store.Object.
func (d *document) Version() uint64 { return d.version }

// Size implements store.Object.
func (d *document) Size() int {
	n := len(d.frame)
	for _, v := range d.fields {
		n += 16 + len(v)
	}
	for k, v := range d.labels {
		n += len(k) + len(v)
	}
	return n
}

// keyOf orders objects the way lists do: by namespace, then by name, bytewise.
// Cluster-wide objects have just the name.
func keyOf(namespace, name string) string {
	if namespace == "" {
		return name
	}
	return namespace + "/" + name
}

// newDocument encodes a tree as the document that a write of the given kind makes at a
// version. It sets the version in the tree's metadata and changes nothing else.
func newDocument(r *resource.Type, t tree, version uint64, kind store.Type) (*document, error) {
	m := metaOf(t)
	if version > 0 {
		m["resourceVersion"] = strconv.FormatUint(version, 10)
	} else {
		delete(m, "resourceVersion") // the answer to a dry run has none
	}
	raw, digits, err := encodeTree(r, t)
	if err != nil {
		return nil, fmt.Errorf("encode %s: %w", r.QualifiedName(), err)
	}
	d := &document{
		digits:    digits,
		key:       keyOf(m.text("namespace"), m.text("name")),
		namespace: m.text("namespace"),
		name:      m.text("name"),
		uid:       m.text("uid"),
		version:   version,
		created:   m.text("creationTimestamp"),
		labels:    m.texts("labels"),
		fields:    selectFields(r, t),
		deleting:  m.has("deletionTimestamp"),
		resource:  r,
	}
	d.frame, d.raw = newFrame(kind, raw)
	return d, nil
}

// stamp gives the document the version at which it is committed. Encoding an object can
// take long, and the version is known only once the store is locked. So the object is
// encoded before, with a guess, and only the digits are replaced under the lock.
func (d *document) stamp(version uint64) {
	digits := strconv.FormatUint(version, 10)
	if was := len(strconv.FormatUint(d.version, 10)); was != len(digits) {
		*d = *d.copyWith(d.kind(), digits, d.digits+was)
	}
	copy(d.raw[d.digits:], digits)
	d.version = version
}

// asDeleted is a copy of the document for a DELETED event. The caller still has to stamp
// it with the version of that event.
func (d *document) asDeleted() *document {
	digits := strconv.FormatUint(d.version, 10)
	return d.copyWith(store.Deleted, digits, d.digits+len(digits))
}

// copyWith is a copy of the document in a frame of another kind, with other digits
// for its version. end is where the present digits end in raw.
func (d *document) copyWith(kind store.Type, digits string, end int) *document {
	c := *d
	raw := make([]byte, 0, len(d.raw)+len(digits))
	raw = append(append(append(raw, d.raw[:d.digits]...), digits...), d.raw[end:]...)
	c.frame, c.raw = newFrame(kind, raw)
	return &c
}

// kind is the type in the document's frame.
func (d *document) kind() store.Type {
	head := d.frame[:len(d.frame)-len(frameClose)-len(d.raw)]
	return store.Type(head[len(frameOpen) : len(head)-len(frameObject)])
}

// tree decodes the document again. The result is the caller's.
func (d *document) tree() tree {
	t, err := decodeTree(d.raw)
	if err != nil {
		panic(fmt.Sprintf("fakeapi: stored document %s: %v", d.key, err)) // we wrote it
	}
	return t
}

// selectFields are the values of the fields that field selectors may name. A missing
// field is the empty string: spec.nodeName= finds unscheduled pods. An object or a list is
// the empty string, too: no selector can match it, and the copies of the selectable fields
// must not make a document many times larger.
func selectFields(r *resource.Type, t tree) []string {
	if len(r.Select) == 0 {
		return nil
	}
	values := make([]string, len(r.Select))
	for i, path := range r.Select {
		switch v, _ := lookup(t, path); v.(type) {
		case string, bool, int64, float64:
			values[i] = fmt.Sprint(v)
		}
	}
	return values
}
