package encode

import (
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/status"
	"example.com/watchglass/fakeapi/store"
)

// Frames makes the frames of one watch: of the selected objects, in the form that the client
// wants. It implements stream.Frames. One goroutine uses it.
type Frames struct {
	form    Encoder
	sel     *object.Selection
	scratch []byte
}

// Frames returns what makes the frames of a watch of the selected objects.
func (f Encoder) Frames(sel *object.Selection) *Frames { return &Frames{form: f, sel: sel} }

// Prefix implements stream.Frames.
func (f *Frames) Prefix() string { return f.sel.Prefix() }

// Selects implements stream.Frames.
func (f *Frames) Selects(o store.Object) bool { return f.sel.Matches(o.(*object.Document)) }

// Event implements stream.Frames. The bytes are shared and must not be changed.
func (f *Frames) Event(e *store.Event, kind store.Type) (name string, line []byte) {
	d := e.Object.(*object.Document)
	if kind == store.Deleted && e.Type != store.Deleted {
		d = deletedDocument(e)
	}
	line = f.form.frame(e, kind, d)
	f.form = f.form.next()
	return d.Name, line
}

// Initial returns the frame of a document of the initial state. It is not kept, because no other
// watcher needs it. If it is not the document's own, it is made in memory that the next one reuses.
func (f *Frames) Initial(o store.Object) (name string, line []byte) {
	d := o.(*object.Document)
	if own := f.form.own(d, store.Added); own != nil {
		return d.Name, own
	}
	line = object.AppendFrame(f.scratch[:0], store.Added, f.form.Object(d))
	if f.form = f.form.next(); cap(line) <= 16<<10 { // the watch keeps it for as long as it lasts
		f.scratch = line
	}
	return d.Name, line
}

// Bookmark implements stream.Frames.
func (f *Frames) Bookmark(version uint64, last bool) []byte {
	line, _ := object.NewFrame("BOOKMARK", f.form.bookmark(version, last))
	f.form = f.form.next()
	return line
}

// Failure returns the frame of a Status for an error of the store.
func (f *Frames) Failure(err error) []byte {
	line, _ := object.NewFrame("ERROR", status.Of(object.Refusal(err)).Encode())
	return line
}

// A sharedFrames is the memo of an event (store.Event.Memo): many watchers need the same
// frame, so it is made once for each event and kept with the event.
type sharedFrames struct {
	mu      sync.Mutex
	made    []madeFrame      // a handful at most; the event's own frame is not among them
	size    int              // of these, in bytes
	deleted *object.Document // see deletedDocument; nil until a watcher needs it
}

// Frames in other forms are kept up to twice the size of the event's own, and up to
// sharedSmall bytes in any case. Otherwise watchers in many forms would make the
// history many times as large as its limit in bytes says.
const sharedSmall = 8 << 10

// A madeFrame is kept with the type, form and second for which it was made.
type madeFrame struct {
	kind   store.Type
	form   Encoder
	second int64 // see Encoder.second
	bytes  []byte
}

func sharedBy(e *store.Event) *sharedFrames {
	return e.Memo(func() any { return &sharedFrames{} }).(*sharedFrames)
}

// deletedDocument returns what a watcher receives with DELETED if the event's update has made
// the object leave the watcher's selection: the last selected state, with the version of
// the update. A client that resumed from the old version would get the event again.
func deletedDocument(e *store.Event) *object.Document {
	shared := sharedBy(e)
	shared.mu.Lock()
	defer shared.mu.Unlock()
	if shared.deleted == nil {
		shared.deleted = e.Before.(*object.Document).AsDeleted()
		shared.deleted.Stamp(e.Version())
	}
	return shared.deleted
}

// own returns the frame of the write that made d, nil if that is of another kind or form.
func (f Encoder) own(d *object.Document, kind store.Type) []byte {
	if !f.IsStored() {
		return nil
	}
	return d.FrameAs(kind)
}

// frame returns the frame for a watcher to which an event means kind and d.
func (f Encoder) frame(e *store.Event, kind store.Type, d *object.Document) []byte {
	if own := f.own(d, kind); own != nil {
		return own
	}
	shared := sharedBy(e)
	shared.mu.Lock()
	defer shared.mu.Unlock()
	made := madeFrame{kind: kind, form: f, second: f.second()}
	i := slices.IndexFunc(shared.made, func(m madeFrame) bool { return m.kind == kind && m.form == f })
	if i >= 0 && shared.made[i].second == made.second {
		return shared.made[i].bytes
	}
	made.bytes, _ = object.NewFrame(kind, f.Object(d))
	if i >= 0 {
		shared.made[i] = made // the old one shows an age, which has changed
	} else if shared.size+len(made.bytes) <= 2*d.Size()+sharedSmall {
		shared.made = append(shared.made, made)
		shared.size += len(made.bytes)
	}
	return made.bytes
}

// initialEventsEnd annotates the bookmark after a watch's initial events.
const initialEventsEnd = "k8s.io/initial-events-end"

// bookmark returns the object of a bookmark: only a version, and, if last is set, the
// annotation that ends initial events. It is in the form of the watch, because clients
// that check the kind would drop another one.
func (f Encoder) bookmark(version uint64, last bool) []byte {
	meta := metaAt(version)
	if last {
		meta = `{"annotations":{"` + initialEventsEnd + `":"true"},` + meta[1:]
	}
	switch {
	case f.as == metadata, f.as == metadataList:
		return []byte(f.open(metadata) + meta + "}")
	case f.as == table:
		return f.bookmarkTable(version, meta)
	case f.typ.Builtin():
		return []byte(object.Head(f.typ) + `"metadata":` + meta + "}")
	}
	return fmt.Appendf(nil, `{"apiVersion":%q,"kind":%q,"metadata":%s}`,
		f.typ.APIVersion(), f.typ.Kind, meta)
}

// bookmarkTable returns a bookmark in table form: a row of empty cells, whose object
// has only the version.
func (f Encoder) bookmarkTable(version uint64, meta string) []byte {
	r := row{Cells: make([]any, len(layoutOf(f.typ)))}
	r.Cells[0] = "" // the name
	if f.include != "None" {
		r.Object = json.RawMessage(f.open(metadata) + meta + "}")
	}
	return f.tableOf(metaAt(version), r)
}
