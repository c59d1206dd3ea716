package encode

import (
	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/status"
	"example.com/watchglass/fakeapi/store"
)

// Frames makes the frames of one watch: of the selected objects, as the client wants them. It
// implements stream.Frames. One goroutine uses it.
type Frames struct {
	enc Encoder
	sel *object.Selection
}

// Frames returns what makes the frames of a watch of the selected objects.
func (enc Encoder) Frames(sel *object.Selection) *Frames { return &Frames{enc, sel} }

// Prefix implements stream.Frames.
func (f *Frames) Prefix() string { return f.sel.Prefix() }

// Selects implements stream.Frames.
func (f *Frames) Selects(o store.Object) bool { return f.sel.Matches(o.(*object.Document)) }

// Event implements stream.Frames.
func (f *Frames) Event(e *store.Event, kind store.Type) (name string, line [][]byte) {
	if kind != store.Deleted || e.Type == store.Deleted {
		return f.Object(e.Object, kind)
	}
	// The object has left the selection: its last selected state, with the version of the event.
	// A client that resumed from the old version would get the event again.
	last := e.Before.(*object.Document)
	return last.Name, f.frame(kind, f.enc.Object(last, e.Version()))
}

// Object implements stream.Frames. The bytes are those of the document, if the client wants the
// object itself and kind is what its write did: that frame all watches share.
func (f *Frames) Object(o store.Object, kind store.Type) (name string, line [][]byte) {
	d := o.(*object.Document)
	if own := d.FrameAs(kind); own != nil && f.enc.as == itself {
		return d.Name, own
	}
	return d.Name, f.frame(kind, f.enc.Object(d, d.Version()))
}

// Bookmark implements stream.Frames.
func (f *Frames) Bookmark(version uint64, last bool) [][]byte {
	return f.frame("BOOKMARK", f.enc.bookmark(version, last))
}

func (f *Frames) frame(kind store.Type, b [][]byte) [][]byte {
	f.enc = f.enc.next()
	return object.Frame(kind, b...)
}

// Failure returns the frame of a Status for an error of the store.
func (f *Frames) Failure(err error) [][]byte {
	return object.Frame("ERROR", status.Of(object.Refusal(err)).Encode())
}

// initialEventsEnd annotates the bookmark after a watch's initial events.
const initialEventsEnd = "k8s.io/initial-events-end"

// bookmark returns the object of a bookmark: only a version, and, if last is set, the
// annotation that ends initial events. It is encoded like the events, because clients
// that check the kind would drop another one.
func (enc Encoder) bookmark(version uint64, last bool) [][]byte {
	meta := metaAt(version)
	if last {
		meta = `{"annotations":{"` + initialEventsEnd + `":"true"},` + meta[1:]
	}
	partial := [][]byte{[]byte(open(metadata, metaVersion) + meta + "}")}
	switch enc.as {
	case itself:
		return [][]byte{[]byte(open(enc.typ.Kind, enc.typ.APIVersion()) + meta + "}")}
	case table: // a row of empty cells, whose object has only the version
		cells := make([]any, len(layoutOf(enc.typ)))
		cells[0] = "" // the name
		return enc.tableOf(metaAt(version), enc.rowOf(cells, partial, partial))
	}
	return partial
}
