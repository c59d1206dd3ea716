package fakeapi

import (
	"sync"

	"example.com/watchglass/fakeapi/store"
)

// The store's events as watchers are sent them. What one watcher needs, others
// need as well, so it is made once for each event and kept with it.

// A sharedFrames is the memo of an event (store.Event.Memo).
type sharedFrames struct {
	mu       sync.Mutex
	made     []madeFrame // a handful at most; the event's own frame is not among them
	size     int         // of these, in bytes
	farewell *document   // nil until an object leaves a selection
}

// Frames in other forms are kept up to twice the size of the event's own, and up to
// sharedSmall bytes in any case. Otherwise watchers in many forms would make the
// history many times as large as Options.HistoryBytes says.
const sharedSmall = 8 << 10

// A madeFrame is a frame, and what it was made for.
type madeFrame struct {
	kind   store.Type
	form   form
	second int64 // see form.second
	bytes  []byte
}

func sharedBy(e *store.Event) *sharedFrames {
	return e.Memo(func() any { return &sharedFrames{} }).(*sharedFrames)
}

// seenBy is what an event means to a watcher with a selection: which type of event
// on which document, or nothing (ok is false).
func seenBy(e *store.Event, sel *selection) (kind store.Type, d *document, ok bool) {
	kind = e.Seen(func(o store.Object) bool { return sel.matches(o.(*document)) })
	if kind == store.Deleted && e.Type != store.Deleted {
		return kind, farewell(e), true
	}
	return kind, e.Object.(*document), kind != ""
}

// farewell is the object as a watcher is shown it last whose selection this
// event's update has left: the last state that was selected, at the version of the
// update. A client that resumed from the old version would get it twice.
func farewell(e *store.Event) *document {
	shared := sharedBy(e)
	shared.mu.Lock()
	defer shared.mu.Unlock()
	if shared.farewell == nil {
		shared.farewell = e.Before.(*document).farewell()
		shared.farewell.stamp(e.Version())
	}
	return shared.farewell
}

// frameFor is what a watcher that wants form f is sent when an event means kind and
// d to it. The bytes are shared and must not be changed.
func frameFor(e *store.Event, r *Resource, kind store.Type, d *document, f form) []byte {
	if f.kind == asObject && kind == d.kind() {
		return d.frame // it was born in it
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
		if m.second != made.second { // it tells an age, and that has passed
			m.bytes, _ = newFrame(kind, f.object(r, d))
			m.second = made.second
		}
		return m.bytes
	}
	made.bytes, _ = newFrame(kind, f.object(r, d))
	if shared.size+len(made.bytes) <= 2*len(d.frame)+sharedSmall {
		shared.made = append(shared.made, made)
		shared.size += len(made.bytes)
	}
	return made.bytes
}

// initialFrame is the frame for a document that a watch starts with. No other watcher
// is sent it, so it is not kept: where it is not the document's own frame, it is
// made in scratch, and is good until scratch is used for the next.
func initialFrame(scratch *[]byte, r *Resource, d *document, f form) []byte {
	if f.kind == asObject && d.kind() == store.Added {
		return d.frame
	}
	*scratch = appendFrame((*scratch)[:0], store.Added, f.object(r, d))
	return *scratch
}
