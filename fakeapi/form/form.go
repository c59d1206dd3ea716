package form

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/resource"
	"example.com/watchglass/fakeapi/status"
)

// A Form is the form in which a client wants objects of a type: the object itself, its
// metadata only, or rows of a table. Forms are comparable: two watchers with the same form
// are sent the same bytes.
type Form struct {
	typ     *resource.Type
	as      string // the kind, one of those below
	version string // of metaGroup, for all but itself: v1, or v1beta1 for old clients
	include string // for tables: what part of the object a row has, see CheckInclude
	bare    bool   // for tables: without columns, which only the first of a watch has
}

// The kinds of forms, by their names in Accept headers.
const (
	itself       = ""
	metadata     = "PartialObjectMetadata"     // what metadata clients and many caches want
	metadataList = "PartialObjectMetadataList" // their form for lists
	table        = "Table"                     // what kubectl get wants
)

// New returns the form of a kind and a version, both as in Accept headers. include is the
// parameter includeObject, which has a meaning only for tables.
func New(typ *resource.Type, as, version, include string) Form {
	f := Form{typ: typ, as: as, version: version}
	if as == table {
		f.include = include
	}
	return f
}

// IsTable reports whether the form is a table.
func (f Form) IsTable() bool { return f.as == table }

// isStored reports whether the form is the object itself, as it is stored.
func (f Form) isStored() bool { return f.as == itself && f.typ.View == nil }

// second returns the Unix time for which bytes in this form are valid. Tables show ages in
// seconds, so they are made anew in the next second. For all other forms it is 0.
func (f Form) second() int64 {
	if f.as == table {
		return time.Now().Unix()
	}
	return 0
}

// next returns the form of a watch's further events, which do not repeat a table's columns.
func (f Form) next() Form {
	f.bare = f.as == table
	return f
}

const metaGroup = "meta.k8s.io"

// open returns the beginning of a document of a kind of meta.k8s.io, up to its metadata.
func (f Form) open(kind string) string {
	return `{"kind":"` + kind + `","apiVersion":"` + metaGroup + "/" + f.version + `","metadata":`
}

// Fits returns an error, in the real server's words, if a list, or a single object,
// cannot be shown in the form.
func (f Form) Fits(list bool) error {
	switch {
	case f.as == metadata && list:
		return status.Failure(http.StatusNotAcceptable, "you requested "+
			"PartialObjectMetadata, but the requested object is a list ("+goList(f.typ)+")", nil)
	case f.as == metadataList && !list:
		return status.InternalError("content is not a list")
	}
	return f.CheckInclude()
}

// CheckInclude refuses unknown values of the parameter includeObject. Empty means
// Metadata.
func (f Form) CheckInclude() error {
	switch f.include {
	case "", "Metadata", "Object", "None":
		return nil
	}
	return status.BadRequest("Unable to convert to Table as requested: includeObject: "+
		"Invalid value: %q: must be 'Metadata', 'Object', 'None', or empty", f.include)
}

// goList returns the Go type of a list in the real server, which its message shows.
func goList(typ *resource.Type) string {
	if !typ.Builtin() {
		return "*unstructured.UnstructuredList"
	}
	group, _, _ := strings.Cut(typ.Group, ".")
	if group == "" {
		group = "core"
	}
	return "*" + group + "." + typ.Kind + "List"
}

// Object returns one document in the form. The bytes of a stored object are the document's
// own.
func (f Form) Object(d *object.Document) []byte {
	switch {
	case f.as == metadata, f.as == metadataList:
		return f.partial(d)
	case f.as == table:
		return f.table(versionMeta(d.Version()), []*object.Document{d}).encode()
	case f.typ.View == nil:
		return d.Raw
	}
	b, _, err := object.Encode(f.typ, f.typ.Shown(d.Tree()))
	if err != nil {
		panic(err) // it has been encoded before
	}
	return b
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
func (f Form) partial(d *object.Document) []byte {
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
	return append(append([]byte(f.open(metadata)), meta...), '}')
}
