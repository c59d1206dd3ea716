package encode

import (
	"net/http"
	"slices"

	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/status"
)

// An Encoder shows objects of a type as a client wants them: the object itself, its metadata
// only, or rows of a table.
type Encoder struct {
	typ     *object.Type
	as      string        // the kind, one of those below
	include string        // for tables: what part of the object a row has, see CheckInclude
	bare    bool          // for tables: without columns, which only the first of a watch has
	turns   *object.Turns // of those that decode documents
}

// The kinds, by their names in Accept headers.
const (
	itself       = ""
	metadata     = "PartialObjectMetadata"     // what metadata clients and many caches want
	metadataList = "PartialObjectMetadataList" // their form for lists
	table        = "Table"                     // what kubectl get wants
)

// New returns the encoder of a kind, as in Accept headers. include is the parameter includeObject,
// which has a meaning only for tables.
func New(typ *object.Type, as, include string, turns *object.Turns) Encoder {
	if as != table {
		include = ""
	}
	return Encoder{typ: typ, as: as, include: include, turns: turns}
}

// next returns the encoder of a watch's further events, which do not repeat a table's columns.
func (enc Encoder) next() Encoder {
	enc.bare = enc.as == table
	return enc
}

const metaVersion = "meta.k8s.io/v1"

// open returns the beginning of a document of a kind, up to its metadata.
func open(kind, apiVersion string) string {
	return `{"kind":"` + kind + `","apiVersion":"` + apiVersion + `","metadata":`
}

// Fits returns an error, in the real server's words, if a list, or a single object,
// cannot be shown in this way.
func (enc Encoder) Fits(list bool) error {
	switch {
	case enc.as == metadata && list:
		return status.Failure(http.StatusNotAcceptable, "you requested PartialObjectMetadata, but "+
			"the requested object is a list", nil)
	case enc.as == metadataList && !list:
		return status.Failure(http.StatusNotAcceptable, "you requested PartialObjectMetadataList, "+
			"but the requested object is not a list", nil)
	}
	return enc.CheckInclude()
}

// CheckInclude refuses unknown values of the parameter includeObject. Empty means Metadata.
func (enc Encoder) CheckInclude() error {
	if slices.Contains([]string{"", "Metadata", "Object", "None"}, enc.include) {
		return nil
	}
	return status.BadRequest("Unable to convert to Table as requested: includeObject: "+
		"Invalid value: %q: must be 'Metadata', 'Object', 'None', or empty", enc.include)
}

// Object returns one document as the client wants it, in parts: the document's own bytes, and small
// ones around them. version takes the place of its own.
func (enc Encoder) Object(d *object.Document, version uint64) [][]byte {
	switch {
	case enc.as == metadata, enc.as == metadataList:
		return partial(d, version)
	case enc.as == table:
		return enc.tableOf(metaAt(version), enc.row(layoutOf(enc.typ), d, version))
	}
	return d.At(version)
}

// partial returns a document as a PartialObjectMetadata.
func partial(d *object.Document, version uint64) [][]byte {
	return slices.Concat([][]byte{[]byte(open(metadata, metaVersion))}, d.MetadataAt(version), closed)
}

// closed ends an object.
var closed = [][]byte{[]byte("}")}
