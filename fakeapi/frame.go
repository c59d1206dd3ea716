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
	frame = make([]byte, 0, head+len(object)+len(frameClose))
	frame = append(frame, frameOpen...)
	frame = append(frame, kind...)
	frame = append(frame, frameObject...)
	frame = append(frame, object...)
	within = frame[head:len(frame):len(frame)]
	return append(frame, frameClose...), within
}

// A frameCache holds the frames of one event, each made the first time that a
// watcher needs it and shared by all others. Most events have one only.
type frameCache struct {
	mu   sync.Mutex
	made []madeFrame // a handful at most
}

type madeFrame struct {
	kind  eventType
	form  form
	bytes []byte
}

// frame is what a watcher that wants form f is sent when event e means kind and
// doc to it. The bytes are shared and must not be changed.
func (e *event) frame(r *Resource, kind eventType, doc *document, f form) []byte {
	if f.kind == asObject && doc == e.doc && kind == e.kind {
		return doc.frame // it was born in it
	}
	e.frames.mu.Lock()
	defer e.frames.mu.Unlock()
	for _, m := range e.frames.made {
		if m.kind == kind && m.form == f {
			return m.bytes
		}
	}
	b, _ := newFrame(kind, f.object(r, doc))
	e.frames.made = append(e.frames.made, madeFrame{kind, f, b})
	return b
}

// initialFrame is the frame for a document that a watch starts with.
func initialFrame(r *Resource, doc *document, f form) []byte {
	if f.kind == asObject && len(doc.frame) > 0 && doc.isAdded() {
		return doc.frame
	}
	b, _ := newFrame(added, f.object(r, doc))
	return b
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
