package fakeapi

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/resource"
	"example.com/watchglass/fakeapi/status"
)

// A form is the form in which a client wants objects: the object itself, its metadata
// only, or rows of a table. Forms are comparable: two watchers with the same form are sent
// the same bytes.
type form struct {
	as      string         // the kind, one of those below
	version string         // of metaGroup, for all but asObject: v1, or v1beta1 for old clients
	include string         // for tables: what part of the object a row has, see checkInclude
	view    *resource.Type // for asObject: what the object is shown as; nil: as it is stored
	bare    bool           // for tables: without columns, which only the first of a watch has
}

// The kinds of forms, by their names in Accept headers.
const (
	asObject       = ""
	asMetadata     = "PartialObjectMetadata"     // what metadata clients and many caches want
	asMetadataList = "PartialObjectMetadataList" // their form for lists
	asTable        = "Table"                     // what kubectl get wants
)

// formOf returns the form for objects of a type. include is the parameter includeObject.
func formOf(r *resource.Type, as, version, include string) form {
	f := form{as: as, version: version}
	switch {
	case as == asTable:
		f.include = include
	case as == asObject && r.View != nil:
		f.view = r
	}
	return f
}

// isStored reports whether the form is the object itself, as it is stored.
func (f form) isStored() bool { return f.as == asObject && f.view == nil }

// second returns the Unix time for which bytes in this form are valid. Tables show ages in
// seconds, so they are made anew in the next second. For all other forms it is 0.
func (f form) second() int64 {
	if f.as == asTable {
		return time.Now().Unix()
	}
	return 0
}

// next returns the form of a watch's further events, which do not repeat a table's columns.
func (f form) next() form {
	f.bare = f.as == asTable
	return f
}

const metaGroup = "meta.k8s.io"

// open returns the beginning of a document of a kind of meta.k8s.io, up to its metadata.
func (f form) open(kind string) string {
	return `{"kind":"` + kind + `","apiVersion":"` + metaGroup + "/" + f.version + `","metadata":`
}

// fits returns an error, in the real server's words, if a list, or a single object,
// cannot be shown in the form.
func (f form) fits(r *resource.Type, list bool) error {
	switch {
	case f.as == asMetadata && list:
		return status.Failure(http.StatusNotAcceptable, "you requested "+
			"PartialObjectMetadata, but the requested object is a list ("+goList(r)+")", nil)
	case f.as == asMetadataList && !list:
		return status.InternalError("content is not a list")
	}
	return f.checkInclude()
}

// checkInclude refuses unknown values of the parameter includeObject. Empty means
// Metadata.
func (f form) checkInclude() error {
	switch f.include {
	case "", "Metadata", "Object", "None":
		return nil
	}
	return status.BadRequest("Unable to convert to Table as requested: includeObject: Invalid value: "+
		"%q: must be 'Metadata', 'Object', 'None', or empty", f.include)
}

// goList returns the Go type of a list in the real server, which its message shows.
func goList(r *resource.Type) string {
	if !r.Builtin() {
		return "*unstructured.UnstructuredList"
	}
	group, _, _ := strings.Cut(r.Group, ".")
	if group == "" {
		group = "core"
	}
	return "*" + group + "." + r.Kind + "List"
}

// object returns one document in the form f. Bytes of asObject are the document's own.
func (f form) object(r *resource.Type, d *object.Document) []byte {
	switch f.as {
	case asMetadata, asMetadataList:
		return f.partial(d)
	case asTable:
		return f.oneRow(r, d)
	}
	return show(r, d)
}

// partialMeta is metadata with its fields in the order of PartialObjectMetadata. The
// values are passed on as they are stored.
type partialMeta struct {
	Name            json.RawMessage `json:"name,omitempty"`
	GenerateName    json.RawMessage `json:"generateName,omitempty"`
	Namespace       json.RawMessage `json:"namespace,omitempty"`
	SelfLink        json.RawMessage `json:"selfLink,omitempty"`
	UID             json.RawMessage `json:"uid,omitempty"`
	ResourceVersion json.RawMessage `json:"resourceVersion,omitempty"`
	Generation      json.RawMessage `json:"generation,omitempty"`
	Created         json.RawMessage `json:"creationTimestamp,omitempty"`
	Deleted         json.RawMessage `json:"deletionTimestamp,omitempty"`
	Grace           json.RawMessage `json:"deletionGracePeriodSeconds,omitempty"`
	Labels          json.RawMessage `json:"labels,omitempty"`
	Annotations     json.RawMessage `json:"annotations,omitempty"`
	Owners          json.RawMessage `json:"ownerReferences,omitempty"`
	Finalizers      json.RawMessage `json:"finalizers,omitempty"`
	ManagedFields   json.RawMessage `json:"managedFields,omitempty"`
}

// partial returns a document as a PartialObjectMetadata.
func (f form) partial(d *object.Document) []byte {
	var o struct {
		Metadata partialMeta `json:"metadata"`
	}
	if err := json.Unmarshal(d.Raw, &o); err != nil {
		panic(fmt.Sprintf("fakeapi: stored document %s: %v", d.Key(), err)) // we wrote it
	}
	meta, err := json.Marshal(o.Metadata)
	if err != nil {
		panic(fmt.Sprintf("fakeapi: stored document %s: %v", d.Key(), err))
	}
	return append(append([]byte(f.open("PartialObjectMetadata")), meta...), '}')
}

// bookmarkObject returns the object of a bookmark: only a version, and, if last is set, the
// annotation that ends initial events. It is in the form of the watch, because clients
// that check the kind would drop another one.
func (f form) bookmarkObject(r *resource.Type, version uint64, last bool) []byte {
	rv := `"resourceVersion":"` + strconv.FormatUint(version, 10) + `"`
	meta, sorted := `{`+rv, `{`
	if last {
		mark := `"annotations":{"` + initialEventsEnd + `":"true"}`
		meta, sorted = meta+`,`+mark, sorted+mark+`,`
	}
	meta, sorted = meta+`}`, sorted+rv+`}`
	switch {
	case f.as == asMetadata, f.as == asMetadataList:
		return []byte(f.open("PartialObjectMetadata") + meta + `}`)
	case f.as == asTable:
		return f.bookmarkTable(r, version, meta)
	case r.Builtin():
		return fmt.Appendf(nil, `%s"metadata":%s}`, object.Head(r), sorted)
	}
	return fmt.Appendf(nil, `{"apiVersion":%q,"kind":%q,"metadata":%s}`,
		r.APIVersion(), r.Kind, sorted)
}

// initialEventsEnd is the annotation of the bookmark after a watch's initial
// events.
const initialEventsEnd = "k8s.io/initial-events-end"

// show returns a document as r shows it.
func show(r *resource.Type, d *object.Document) []byte {
	if r.View == nil {
		return d.Raw
	}
	b, _, err := object.Encode(r, r.Shown(d.Tree()))
	if err != nil {
		panic(err) // it has been encoded before
	}
	return b
}
