package fakeapi

import (
	"sync"

	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/resource"
	"example.com/watchglass/fakeapi/status"
	"example.com/watchglass/fakeapi/store"
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

// seenBy returns what an event means to a watcher with a selection: which type of event
// on which document, or nothing (ok is false).
func seenBy(e *store.Event, sel *object.Selection) (kind store.Type, d *object.Document, ok bool) {
	kind = e.Seen(func(o store.Object) bool { return sel.Matches(o.(*object.Document)) })
	if kind == store.Deleted && e.Type != store.Deleted {
		return kind, deletedDocument(e), true
	}
	return kind, e.Object.(*object.Document), kind != ""
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

// frameFor returns the frame for a watcher that wants form f and to which an event means kind
// and d. The bytes are shared and must not be changed.
func frameFor(e *store.Event, r *resource.Type, kind store.Type, d *object.Document,
	f form) []byte {
	if own := d.FrameAs(kind); f.kind == asObject && own != nil {
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

// initialFrame returns the frame for a document that a watch starts with. It is not kept,
// because no other watcher needs it. If it is not the document's own frame, it is made
// in scratch, and valid until scratch is used for the next frame.
func initialFrame(scratch *[]byte, r *resource.Type, d *object.Document, f form) []byte {
	if own := d.FrameAs(store.Added); f.kind == asObject && own != nil {
		return own
	}
	*scratch = object.AppendFrame((*scratch)[:0], store.Added, f.object(r, d))
	return *scratch
}

// errorFrame returns an ERROR frame.
func errorFrame(s *status.Status) []byte {
	b, _ := object.NewFrame(object.Failure, s.Encode())
	return b
}
