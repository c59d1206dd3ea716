package fakeapi

import (
	"fmt"
	"strconv"
)

// A document is one version of one object. It is immutable, shared by the store,
// the history, every list and every watcher; nothing ever copies its bytes.
type document struct {
	// frame is the watch frame of the write that made this version, and raw the
	// object within it: one piece of memory serves lists, gets and watchers.
	frame []byte // {"type":"ADDED","object":…} and a newline
	raw   []byte // the JSON as served: compact, kind and apiVersion in it

	// What the server needs to know without decoding raw again. All of it says
	// the same as raw does.
	namespace string
	name      string
	uid       string
	version   uint64 // resourceVersion
	created   string // creationTimestamp
	labels    map[string]string
	fields    []string // values of Resource.Select, in that order
	deleting  bool     // has a deletionTimestamp
}

// key orders objects the way lists do: by namespace, then by name, bytewise.
// Cluster-wide objects have just the name.
func (d *document) key() string { return keyOf(d.namespace, d.name) }

func keyOf(namespace, name string) string {
	if namespace == "" {
		return name
	}
	return namespace + "/" + name
}

// newDocument seals a tree as the document that a write of the given kind makes
// at a version. The tree's metadata gets the version; nothing else is changed.
func newDocument(r *Resource, t tree, version uint64, kind eventType) (*document, error) {
	m := metaOf(t)
	if version > 0 {
		m["resourceVersion"] = strconv.FormatUint(version, 10)
	} else {
		delete(m, "resourceVersion") // a dry run is told no version
	}
	raw, err := encodeTree(r, t)
	if err != nil {
		return nil, fmt.Errorf("encode %s: %w", r.QualifiedName(), err)
	}
	frame, raw := newFrame(kind, raw)
	return &document{
		frame:     frame,
		raw:       raw,
		namespace: m.text("namespace"),
		name:      m.text("name"),
		uid:       m.text("uid"),
		version:   version,
		created:   m.text("creationTimestamp"),
		labels:    m.texts("labels"),
		fields:    selectFields(r, t),
		deleting:  m.has("deletionTimestamp"),
	}, nil
}

// tree decodes the document again. The result is the caller's.
func (d *document) tree() tree {
	t, err := decodeTree(d.raw)
	if err != nil {
		panic(fmt.Sprintf("fakeapi: stored document %s: %v", d.key(), err)) // we wrote it
	}
	return t
}

// selectFields are the values of the fields that field selectors may name. A
// missing field is the empty string: spec.nodeName= finds unscheduled pods.
func selectFields(r *Resource, t tree) []string {
	if len(r.Select) == 0 {
		return nil
	}
	values := make([]string, len(r.Select))
	for i, path := range r.Select {
		v, ok := lookup(t, path)
		if !ok || v == nil {
			continue
		}
		values[i] = fmt.Sprint(v)
	}
	return values
}
