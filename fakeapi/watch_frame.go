package fakeapi

import (
	"example.com/watchglass/fakeapi/store"

	"example.com/watchglass/fakeapi/status"
)

// The types of frames that do not come from an event of the store.
const (
	bookmarked store.Type = "BOOKMARK"
	failed     store.Type = "ERROR"
)

// Frames are lines of JSON with a type and an object. A watch is made of them.
const (
	frameOpen   = `{"type":"`
	frameObject = `","object":`
	frameClose  = "}\n"
)

// newFrame is the frame of an object, and the object's own bytes within it.
func newFrame(kind store.Type, object []byte) (frame, within []byte) {
	head := len(frameOpen) + len(kind) + len(frameObject)
	end := head + len(object)
	frame = appendFrame(make([]byte, 0, end+len(frameClose)), kind, object)
	return frame, frame[head:end:end]
}

// appendFrame appends the frame of an object to b.
func appendFrame(b []byte, kind store.Type, object []byte) []byte {
	b = append(b, frameOpen...)
	b = append(b, kind...)
	b = append(b, frameObject...)
	b = append(b, object...)
	return append(b, frameClose...)
}

// errorFrame is an ERROR frame.
func errorFrame(s *status.Status) []byte {
	b, _ := newFrame(failed, s.Encode())
	return b
}
