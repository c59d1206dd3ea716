package form

import (
	"encoding/json"
	"fmt"
	"strconv"

	"example.com/watchglass/fakeapi/object"
)

// initialEventsEnd is the annotation of the bookmark after a watch's initial
// events.
const initialEventsEnd = "k8s.io/initial-events-end"

// bookmark returns the object of a bookmark: only a version, and, if last is set, the
// annotation that ends initial events. It is in the form of the watch, because clients
// that check the kind would drop another one.
func (f Form) bookmark(version uint64, last bool) []byte {
	rv := `"resourceVersion":"` + strconv.FormatUint(version, 10) + `"`
	meta, sorted := `{`+rv, `{`
	if last {
		mark := `"annotations":{"` + initialEventsEnd + `":"true"}`
		meta, sorted = meta+`,`+mark, sorted+mark+`,`
	}
	meta, sorted = meta+`}`, sorted+rv+`}`
	switch {
	case f.as == metadata, f.as == metadataList:
		return []byte(f.open(metadata) + meta + `}`)
	case f.as == table:
		return f.bookmarkTable(version, meta)
	case f.typ.Builtin():
		return fmt.Appendf(nil, `%s"metadata":%s}`, object.Head(f.typ), sorted)
	}
	return fmt.Appendf(nil, `{"apiVersion":%q,"kind":%q,"metadata":%s}`,
		f.typ.APIVersion(), f.typ.Kind, sorted)
}

// bookmarkTable returns a bookmark in table form: a row of empty cells, whose object
// has only the version.
func (f Form) bookmarkTable(version uint64, meta string) []byte {
	t := f.table(versionMeta(version), nil)
	r := row{Cells: make([]any, len(layoutOf(f.typ)))}
	r.Cells[0] = "" // the name
	if f.include != "None" {
		r.Object = json.RawMessage(f.open(metadata) + meta + `}`)
	}
	t.Rows = append(t.Rows, r)
	return t.encode()
}
