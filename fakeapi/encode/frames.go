package encode

import (
	"encoding/json"
	"fmt"

	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/status"
	"example.com/watchglass/fakeapi/store"
)

// Frames makes the frames of one watch: of the selected objects, as the client wants them. It
// implements stream.Frames. One goroutine uses it.
type Frames struct {
	enc     Encoder
	sel     *object.Selection
	scratch []byte
}

// Frames returns what makes the frames of a watch of the selected objects.
func (enc Encoder) Frames(sel *object.Selection) *Frames { return &Frames{enc: enc, sel: sel} }

// Prefix implements stream.Frames.
func (f *Frames) Prefix() string { return f.sel.Prefix() }

// Selects implements stream.Frames.
func (f *Frames) Selects(o store.Object) bool { return f.sel.Matches(o.(*object.Document)) }

// Event implements stream.Frames. The bytes may be those of the document, which all watches share:
// they must not be changed.
func (f *Frames) Event(e *store.Event, kind store.Type) (name string, line []byte) {
	d := e.Object.(*object.Document)
	if kind == store.Deleted && e.Type != store.Deleted {
		// The object has left the selection: its last selected state, with the version of the event.
		// A client that resumed from the old version would get the event again.
		d = e.Before.(*object.Document).AsDeleted()
		d.Stamp(e.Version())
	}
	if line = f.own(d, kind); line == nil {
		line, _ = object.NewFrame(kind, f.enc.Object(d))
		f.enc = f.enc.next()
	}
	return d.Name, line
}

// own returns the frame of the write that made d, nil if that is of another kind or not what the
// client wants.
func (f *Frames) own(d *object.Document, kind store.Type) []byte {
	if !f.enc.IsStored() {
		return nil
	}
	return d.FrameAs(kind)
}

// Initial returns the frame of a document of the initial state. If it is not the document's own, it
// is made in memory that the next one reuses.
func (f *Frames) Initial(o store.Object) (name string, line []byte) {
	d := o.(*object.Document)
	if line = f.own(d, store.Added); line != nil {
		return d.Name, line
	}
	line = object.AppendFrame(f.scratch[:0], store.Added, f.enc.Object(d))
	if f.enc = f.enc.next(); cap(line) <= 16<<10 { // the watch keeps it for as long as it lasts
		f.scratch = line
	}
	return d.Name, line
}

// Bookmark implements stream.Frames.
func (f *Frames) Bookmark(version uint64, last bool) []byte {
	line, _ := object.NewFrame("BOOKMARK", f.enc.bookmark(version, last))
	f.enc = f.enc.next()
	return line
}

// Failure returns the frame of a Status for an error of the store.
func (f *Frames) Failure(err error) []byte {
	line, _ := object.NewFrame("ERROR", status.Of(object.Refusal(err)).Encode())
	return line
}

// initialEventsEnd annotates the bookmark after a watch's initial events.
const initialEventsEnd = "k8s.io/initial-events-end"

// bookmark returns the object of a bookmark: only a version, and, if last is set, the
// annotation that ends initial events. It is encoded like the events, because clients
// that check the kind would drop another one.
func (enc Encoder) bookmark(version uint64, last bool) []byte {
	meta := metaAt(version)
	if last {
		meta = `{"annotations":{"` + initialEventsEnd + `":"true"},` + meta[1:]
	}
	switch {
	case enc.as == metadata, enc.as == metadataList:
		return []byte(enc.open(metadata) + meta + "}")
	case enc.as == table:
		return enc.bookmarkTable(version, meta)
	case enc.typ.Builtin():
		return []byte(object.Head(enc.typ) + `"metadata":` + meta + "}")
	}
	return fmt.Appendf(nil, `{"apiVersion":%q,"kind":%q,"metadata":%s}`,
		enc.typ.APIVersion(), enc.typ.Kind, meta)
}

// bookmarkTable returns a bookmark in table form: a row of empty cells, whose object
// has only the version.
func (enc Encoder) bookmarkTable(version uint64, meta string) []byte {
	r := row{Cells: make([]any, len(layoutOf(enc.typ)))}
	r.Cells[0] = "" // the name
	if enc.include != "None" {
		r.Object = json.RawMessage(enc.open(metadata) + meta + "}")
	}
	return enc.tableOf(metaAt(version), r)
}
