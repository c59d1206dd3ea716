package object

import "example.com/watchglass/fakeapi/store"

// Frames are lines of JSON with a type and an object. A watch is made of them.
const (
	frameOpen   = `{"type":"`
	frameObject = `","object":`
	frameClose  = "}\n"
)

// NewFrame returns the frame of an object, and the object's own bytes within it.
func NewFrame(kind store.Type, object []byte) (frame, within []byte) {
	head := len(frameOpen) + len(kind) + len(frameObject)
	end := head + len(object)
	frame = AppendFrame(make([]byte, 0, end+len(frameClose)), kind, object)
	return frame, frame[head:end:end]
}

// AppendFrame appends the frame of an object to b.
func AppendFrame(b []byte, kind store.Type, object []byte) []byte {
	b = append(b, frameOpen...)
	b = append(b, kind...)
	b = append(b, frameObject...)
	b = append(b, object...)
	return append(b, frameClose...)
}
