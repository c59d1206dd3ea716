package object

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"example.com/watchglass/fakeapi/status"
	"example.com/watchglass/fakeapi/store"
)

// A Document is one version of one object, as the store keeps it. It is immutable once it is
// committed: the store, its history, lists and watchers share it.
type Document struct {
	// frame is the watch frame of the write that made this version, and raw the
	// object within it: one piece of memory serves lists, gets and watchers.
	frame [1][]byte  // {"type":"ADDED","object":…} and a newline
	kind  store.Type // in the frame
	Raw   []byte     // the JSON as served: compact, kind and apiVersion in it

	meta, tail int // the metadata are the bytes of raw from meta on, without the last tail ones
	digits     int // offset of the resourceVersion's digits in raw; meaningless if version is 0

	// The fields that the server needs without decoding raw again. Their values are those in raw.
	key       string // see Key
	Namespace string
	Name      string
	UID       string
	version   uint64 // resourceVersion
	Deleting  bool   // has a deletionTimestamp

	labels, labelsEnd int // where they are in raw

	// The values of the fields that could be selected when the document was written, in the order
	// of Select in its type.
	typ    *Type
	values []string
}

// Key implements store.Object.
func (d *Document) Key() string { return d.key }

// Version implements store.Object.
func (d *Document) Version() uint64 { return d.version }

// Size implements store.Object.
func (d *Document) Size() int {
	n := len(d.frame[0])
	for _, v := range d.values {
		n += 16 + len(v)
	}
	return n
}

// Key returns an object's key. Bytewise, keys have the order of lists: by namespace, then by name.
// Cluster-wide objects have just the name.
func Key(namespace, name string) string { return KeysIn(namespace) + name }

// KeysIn returns what the keys of all objects in a namespace start with, "" for all namespaces.
func KeysIn(namespace string) string { return strings.TrimPrefix(namespace+"/", "/") }

// New encodes a tree as the document that a write of the given kind makes at a
// version. It sets the version in the tree's metadata and changes nothing else. Every write ends
// here, so this is where a tree that could not be read again is refused.
func New(typ *Type, t Tree, version uint64, kind store.Type) (*Document, error) {
	if isDeeper(t, maxDepth) {
		return nil, status.BadRequest("%v", errTooDeep)
	}
	if _, err := Fit(typ, t, StrictIgnore); err != nil {
		return nil, status.BadRequest("%v", err)
	}
	m := MetaOf(t)
	if version > 0 {
		m["resourceVersion"] = decimal(version)
	} else {
		delete(m, "resourceVersion") // the answer to a dry run has none
	}
	raw, meta, tail, err := encode(typ, t)
	if err != nil {
		return nil, fmt.Errorf("encode %s: %w", typ.QualifiedName(), err)
	}
	d := &Document{kind: kind, version: version, typ: typ, values: selectFields(typ, t),
		meta: meta, tail: tail, digits: meta + versionIn(raw[meta:len(raw)-tail]),
		key:       Key(m.Text("namespace"), m.Text("name")),
		Namespace: m.Text("namespace"), Name: m.Text("name"), UID: m.Text("uid"),
		Deleting: m["deletionTimestamp"] != nil}
	d.labels, d.labelsEnd = labelsIn(raw[:len(raw)-tail], meta)
	d.frame[0], d.Raw = newFrame(kind, raw)
	return d, nil
}

// Stamp gives the document the version at which it is committed. Encoding an object can
// take long, and the version is known only once the store is locked. So the object is
// encoded before, with a guess, and only the digits are replaced under the lock.
func (d *Document) Stamp(version uint64) {
	if digits := decimal(version); len(digits) == len(decimal(d.version)) {
		copy(d.Raw[d.digits:], digits)
		d.version = version
	} else {
		*d = *d.copyAs(d.kind, version)
	}
}

func decimal(version uint64) string { return strconv.FormatUint(version, 10) }

// AsDeleted returns a copy of the document for a DELETED event. The caller still has to stamp
// it with the version of that event.
func (d *Document) AsDeleted() *Document { return d.copyAs(store.Deleted, d.version) }

// copyAs returns a copy of the document in a frame of another kind, at another version.
func (d *Document) copyAs(kind store.Type, version uint64) *Document {
	c := *d
	c.kind, c.version = kind, version
	raw := slices.Concat(d.At(version)...)
	c.frame[0], c.Raw = newFrame(kind, raw)
	return &c
}

// At returns the object's JSON with a version in place of its own, in parts. They are the
// document's own bytes, but for the digits.
func (d *Document) At(version uint64) [][]byte { return d.between(0, len(d.Raw), version) }

// MetadataAt does what At does, for the metadata.
func (d *Document) MetadataAt(version uint64) [][]byte {
	return d.between(d.meta, len(d.Raw)-d.tail, version)
}

func (d *Document) between(from, to int, version uint64) [][]byte {
	if version == d.version {
		return [][]byte{d.Raw[from:to]}
	}
	end := d.digits + len(decimal(d.version))
	return [][]byte{d.Raw[from:d.digits], []byte(decimal(version)), d.Raw[end:to]}
}

// FrameAs returns the document's own frame, in one part, if that is of a kind, nil if not.
func (d *Document) FrameAs(kind store.Type) [][]byte {
	if kind != d.kind {
		return nil
	}
	return d.frame[:]
}

// Tree decodes the document again. The result is the caller's.
func (d *Document) Tree() Tree {
	t, err := DecodeTree(d.Raw)
	if err != nil {
		panic(fmt.Sprintf("fakeapi: stored document %s: %v", d.key, err)) // we wrote it
	}
	return t
}

// maxObject is the largest size in bytes of an object that can be stored, the limit of a
// real server's etcd.
const maxObject = 3 << 19

// CheckSize returns an error if the document is too large to be stored.
func (d *Document) CheckSize() error {
	if len(d.Raw) > maxObject {
		return status.InternalError("etcdserver: request is too large")
	}
	return nil
}

// A frame is a line of JSON with a type and an object. A watch is made of them.

// newFrame returns the frame of an object, and the object's own bytes within it.
func newFrame(kind store.Type, object []byte) (frame, within []byte) {
	frame = slices.Concat(Frame(kind, object)...)
	end := len(frame) - len(frameEnd)
	return frame, frame[end-len(object) : end : end]
}

const frameEnd = "}\n"

// Frame returns the frame of an object that is in parts.
func Frame(kind store.Type, object ...[]byte) [][]byte {
	head := []byte(`{"type":"` + string(kind) + `","object":`)
	return append(append([][]byte{head}, object...), []byte(frameEnd))
}
