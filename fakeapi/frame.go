package fakeapi

import "sync"

// Frames are lines of JSON with a type and an object. A watch is made of them.
const (
	frameOpen   = `{"type":"`
	frameObject = `","object":`
	frameClose  = "}\n"
)

// newFrame is the frame of an object, and the object's own bytes within it.
func newFrame(kind eventType, object []byte) (frame, within []byte) {
	head := len(frameOpen) + len(kind) + len(frameObject)
	end := head + len(object)
	frame = appendFrame(make([]byte, 0, end+len(frameClose)), kind, object)
	return frame, frame[head:end:end]
}

// appendFrame appends the frame of an object to b.
func appendFrame(b []byte, kind eventType, object []byte) []byte {
	b = append(b, frameOpen...)
	b = append(b, kind...)
	b = append(b, frameObject...)
	b = append(b, object...)
	return append(b, frameClose...)
}

// A frameCache holds the frames of one event, each made the first time that a
// watcher needs it and shared by all others. Most events have one only.
type frameCache struct {
	mu   sync.Mutex
	made []madeFrame // a handful at most
}

type madeFrame struct {
	kind   eventType
	form   form
	second int64 // see form.second
	bytes  []byte
}

// frame is what a watcher that wants form f is sent when event e means kind and
// doc to it. The bytes are shared and must not be changed.
func (e *event) frame(r *Resource, kind eventType, doc *document, f form) []byte {
	if f.kind == asObject && doc == e.doc && kind == e.kind {
		return doc.frame // it was born in it
	}
	e.frames.mu.Lock()
	defer e.frames.mu.Unlock()
	made := madeFrame{kind: kind, form: f, second: f.second()}
	for i := range e.frames.made {
		m := &e.frames.made[i]
		if m.kind != kind || m.form != f {
			continue
		}
		if m.second != made.second { // it tells an age, and that has passed
			m.bytes, _ = newFrame(kind, f.object(r, doc))
			m.second = made.second
		}
		return m.bytes
	}
	made.bytes, _ = newFrame(kind, f.object(r, doc))
	e.frames.made = append(e.frames.made, made)
	return made.bytes
}

// initialFrame is the frame for a document that a watch starts with. Nobody else
// will be sent it, so it is not kept: where it is not the document's own frame,
// it is made in scratch, and is good until scratch is used for the next.
func initialFrame(scratch *[]byte, r *Resource, doc *document, f form) []byte {
	if f.kind == asObject && doc.isAdded() {
		return doc.frame
	}
	*scratch = appendFrame((*scratch)[:0], added, f.object(r, doc))
	return *scratch
}

// isAdded says whether the document's own frame is of type ADDED.
func (d *document) isAdded() bool {
	return len(d.frame)-len(d.raw) == len(frameOpen)+len(added)+len(frameObject)+len(frameClose)
}

// errorFrame is an ERROR frame.
func errorFrame(s *Status) []byte {
	b, _ := newFrame(failed, s.encode())
	return b
}
