package object

import "example.com/watchglass/fakeapi/store"

// Frames are lines of JSON with a type and an object. A watch is made of them.

// NewFrame returns the frame of an object, and the object's own bytes within it.
func NewFrame(kind store.Type, object []byte) (frame, within []byte) {
	const around = len(`{"type":"","object":}` + "\n")
	frame = AppendFrame(make([]byte, 0, around+len(kind)+len(object)), kind, object)
	end := len(frame) - len("}\n")
	return frame, frame[end-len(object) : end : end]
}

// AppendFrame appends the frame of an object to b.
func AppendFrame(b []byte, kind store.Type, object []byte) []byte {
	b = append(b, `{"type":"`...)
	b = append(b, kind...)
	b = append(b, `","object":`...)
	b = append(b, object...)
	return append(b, "}\n"...)
}
