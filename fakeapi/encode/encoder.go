package encode

import (
	"net/http"
	"slices"
	"time"

	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/resource"
	"example.com/watchglass/fakeapi/status"
)

// An Encoder shows objects of a type as a client wants them: the object itself, its metadata
// only, or rows of a table.
type Encoder struct {
	typ     *resource.Type
	as      string // the kind, one of those below
	version string // of metaGroup, for all but itself: v1, or v1beta1 for old clients
	include string // for tables: what part of the object a row has, see CheckInclude
	bare    bool   // for tables: without columns, which only the first of a watch has

	Limiter object.Limiter // of those that decode documents
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
func New(typ *resource.Type, as, version, include string) Encoder {
	if as != table {
		include = ""
	}
	return Encoder{typ: typ, as: as, version: version, include: include}
}

// IsStored reports whether the form is the object itself, as it is stored: then Object costs
// nothing.
func (f Encoder) IsStored() bool { return f.as == itself && f.typ.View == nil }

// second returns the Unix time for which bytes in this form are valid. Tables show ages in
// seconds, so they are made anew in the next second; bytes in other forms stay valid.
func (f Encoder) second() int64 {
	if f.as == table {
		return time.Now().Unix()
	}
	return 0
}

// next returns the form of a watch's further events, which do not repeat a table's columns.
func (f Encoder) next() Encoder {
	f.bare = f.as == table
	return f
}

const metaGroup = "meta.k8s.io"

// open returns the beginning of a document of a kind of meta.k8s.io, up to its metadata.
func (f Encoder) open(kind string) string {
	return `{"kind":"` + kind + `","apiVersion":"` + metaGroup + "/" + f.version + `","metadata":`
}

// Fits returns an error, in the real server's words, if a list, or a single object,
// cannot be shown in the form.
func (f Encoder) Fits(list bool) error {
	switch {
	case f.as == metadata && list:
		return status.Failure(http.StatusNotAcceptable, "you requested PartialObjectMetadata, but "+
			"the requested object is a list", nil)
	case f.as == metadataList && !list:
		return status.Failure(http.StatusNotAcceptable, "you requested PartialObjectMetadataList, "+
			"but the requested object is not a list", nil)
	}
	return f.CheckInclude()
}

// CheckInclude refuses unknown values of the parameter includeObject. Empty means Metadata.
func (f Encoder) CheckInclude() error {
	if slices.Contains([]string{"", "Metadata", "Object", "None"}, f.include) {
		return nil
	}
	return status.BadRequest("Unable to convert to Table as requested: includeObject: "+
		"Invalid value: %q: must be 'Metadata', 'Object', 'None', or empty", f.include)
}

// Object returns one document in the form. The bytes of a stored object are the document's own.
func (f Encoder) Object(d *object.Document) []byte {
	switch {
	case f.as == metadata, f.as == metadataList:
		return f.partial(d)
	case f.as == table:
		return f.tableOf(metaAt(d.Version()), f.row(layoutOf(f.typ), d))
	case f.typ.View == nil:
		return d.Raw
	}
	t, leave := f.Limiter.TreeIn(d)
	defer leave()
	b, _, _, err := object.Encode(f.typ, f.typ.Shown(t))
	if err != nil {
		panic(err) // it has been encoded before
	}
	return b
}

// partial returns a document as a PartialObjectMetadata. The metadata is passed on as it is stored.
func (f Encoder) partial(d *object.Document) []byte {
	return append(append([]byte(f.open(metadata)), d.Metadata()...), '}')
}
