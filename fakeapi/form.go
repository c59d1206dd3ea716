package fakeapi

import (
	"encoding/json"
	"fmt"
	"strconv"
)

// A form is what a client wants objects to look like: the object itself, its
// metadata only, or a row of a table. It comes from the Accept header.
type form struct {
	kind    formKind
	include string // for tables: includeObject, Metadata unless given
}

type formKind int

const (
	asObject   formKind = iota
	asMetadata          // PartialObjectMetadata: what metadata clients and many caches want
	asTable             // Table: what kubectl get wants
)

const metaAPIVersion = "meta.k8s.io/v1"

// object is one document in the form f. Bytes of asObject are the document's own.
func (f form) object(r *Resource, d *document) []byte {
	switch f.kind {
	case asMetadata:
		return partial(d)
	case asTable:
		return oneRowTable(r, d, f)
	}
	return d.raw
}

// rawMeta is the metadata of a document, verbatim.
func rawMeta(d *document) json.RawMessage {
	var o struct {
		Metadata json.RawMessage `json:"metadata"`
	}
	if err := json.Unmarshal(d.raw, &o); err != nil {
		panic(fmt.Sprintf("fakeapi: stored document %s: %v", d.key(), err))
	}
	return o.Metadata
}

// partial is a document as a PartialObjectMetadata.
func partial(d *document) []byte {
	b := []byte(`{"kind":"PartialObjectMetadata","apiVersion":"` + metaAPIVersion + `","metadata":`)
	b = append(b, rawMeta(d)...)
	return append(b, '}')
}

// bookmarkObject is the object of a bookmark: nothing but a version, and the
// mark that ends initial events if last is set. It is of the form that the
// watch has, or clients that check the kind drop it.
func (f form) bookmarkObject(r *Resource, version uint64, last bool) []byte {
	meta := `{`
	if last {
		meta += `"annotations":{"` + initialEventsEnd + `":"true"},`
	}
	meta += `"resourceVersion":"` + strconv.FormatUint(version, 10) + `"}`
	switch f.kind {
	case asMetadata:
		return fmt.Appendf(nil, `{"kind":"PartialObjectMetadata","apiVersion":%q,"metadata":%s}`,
			metaAPIVersion, meta)
	case asTable:
		return bookmarkTable(r, version, meta, f)
	}
	if r.Builtin() {
		return fmt.Appendf(nil, `%s"metadata":%s}`, builtinPrefix(r), meta)
	}
	return fmt.Appendf(nil, `{"apiVersion":%q,"kind":%q,"metadata":%s}`, r.APIVersion(), r.Kind, meta)
}

// initialEventsEnd is the annotation of the bookmark after a watch's initial
// events.
const initialEventsEnd = "k8s.io/initial-events-end"
