package stream

import "example.com/watchglass/fakeapi/store"

// The types of frames that do not come from an event of the store.
const (
	Bookmark store.Type = "BOOKMARK"
	Failure  store.Type = "ERROR"
)

// A FrameInfo describes one frame of a watch.
type FrameInfo struct {
	Type    string // ADDED, MODIFIED, DELETED, BOOKMARK or ERROR
	Name    string // empty for bookmarks and errors
	Version uint64 // resourceVersion of the object in it; 0 for errors
	Bytes   int    // the length of the frame with its newline, before HTTP's own framing
}

// A Frame is one line of a watch. If it has no Type, it is not one of the stream's own, and
// Watch.Sent is not called.
type Frame struct {
	FrameInfo
	Line        []byte // shared with other watchers: never changed
	EndsInitial bool   // the bookmark after the initial state
}

// A Sink takes the frames of one watch. After an error it must not be used any more.
type Sink interface {
	// Begin sends the headers immediately, so that the client knows that its watch
	// is established.
	Begin() error
	// Send takes one frame. It is written to the client at the next Flush or before.
	// sent is false if the client will not get it.
	Send(f Frame) (sent bool, err error)
	// Gather says that many frames are coming, and that each may be overwritten
	// as soon as Send has returned.
	Gather()
	// Flush pushes what was sent to the client.
	Flush() error
}
