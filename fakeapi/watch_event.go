package fakeapi

import (
	"sync"

	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/resource"
	"example.com/watchglass/fakeapi/status"
	"example.com/watchglass/fakeapi/store"
	"example.com/watchglass/fakeapi/stream"
)

// The store's events as they are sent to watchers. Many watchers need the same frame, so
// it is made once for each event and kept with the event.

// A sharedFrames is the memo of an event (store.Event.Memo).
type sharedFrames struct {
	mu      sync.Mutex
	made    []madeFrame      // a handful at most; the event's own frame is not among them
	size    int              // of these, in bytes
	deleted *object.Document // see deletedDocument; nil until a watcher needs it
}

// Frames in other forms are kept up to twice the size of the event's own, and up to
// sharedSmall bytes in any case. Otherwise watchers in many forms would make the
// history many times as large as Options.HistoryBytes says.
const sharedSmall = 8 << 10

// A madeFrame is a frame, and the type, form and second for which it was made.
type madeFrame struct {
	kind   store.Type
	form   form
	second int64 // see form.second
	bytes  []byte
}

func sharedBy(e *store.Event) *sharedFrames {
	return e.Memo(func() any { return &sharedFrames{} }).(*sharedFrames)
}

// frames are those of one watch: the selected objects, in the form that the client wants.
type frames struct {
	form     form
	resource *resource.Type
	sel      *object.Selection
	scratch  []byte
}

// Prefix implements stream.Frames.
func (f *frames) Prefix() string { return f.sel.Prefix() }

// Selects implements stream.Frames.
func (f *frames) Selects(o store.Object) bool { return f.sel.Matches(o.(*object.Document)) }

// Event implements stream.Frames.
func (f *frames) Event(e *store.Event, kind store.Type) (name string, line []byte) {
	d := e.Object.(*object.Document)
	if kind == store.Deleted && e.Type != store.Deleted {
		d = deletedDocument(e)
	}
	line = frameFor(e, f.resource, kind, d, f.form)
	f.form = f.form.next()
	return d.Name, line
}

// Initial implements stream.Frames. The frame is not kept, because no other watcher needs
// it. If it is not the document's own, it is made in memory that the next one reuses.
func (f *frames) Initial(o store.Object) (name string, line []byte) {
	d := o.(*object.Document)
	if own := d.FrameAs(store.Added); f.form.isStored() && own != nil {
		return d.Name, own
	}
	f.scratch = object.AppendFrame(f.scratch[:0], store.Added, f.form.object(f.resource, d))
	f.form = f.form.next()
	return d.Name, f.scratch
}

// Bookmark implements stream.Frames.
func (f *frames) Bookmark(version uint64, last bool) []byte {
	line, _ := object.NewFrame(stream.Bookmark, f.form.bookmarkObject(f.resource, version, last))
	f.form = f.form.next()
	return line
}

// Failure implements stream.Frames.
func (f *frames) Failure(err error) []byte { return errorFrame(status.Of(fromStore(err))) }

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

// frameFor returns the frame for a watcher that wants form f and to which an event means kind
// and d. The bytes are shared and must not be changed.
func frameFor(e *store.Event, r *resource.Type, kind store.Type, d *object.Document,
	f form) []byte {
	if own := d.FrameAs(kind); f.isStored() && own != nil {
		return own // the frame of the write that made d
	}
	shared := sharedBy(e)
	shared.mu.Lock()
	defer shared.mu.Unlock()
	made := madeFrame{kind: kind, form: f, second: f.second()}
	for i := range shared.made {
		m := &shared.made[i]
		if m.kind != kind || m.form != f {
			continue
		}
		if m.second != made.second { // it shows an age, which has changed
			m.bytes, _ = object.NewFrame(kind, f.object(r, d))
			m.second = made.second
		}
		return m.bytes
	}
	made.bytes, _ = object.NewFrame(kind, f.object(r, d))
	if shared.size+len(made.bytes) <= 2*d.Size()+sharedSmall {
		shared.made = append(shared.made, made)
		shared.size += len(made.bytes)
	}
	return made.bytes
}

// errorFrame returns an ERROR frame.
func errorFrame(s *status.Status) []byte {
	b, _ := object.NewFrame(stream.Failure, s.Encode())
	return b
}
