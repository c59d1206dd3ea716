package stream

import (
	"context"
	"errors"
	"time"

	"example.com/watchglass/fakeapi/store"
)

// A Watch is one watch to be served: what the client asks for, and what the server adds.
type Watch struct {
	Collection *store.Collection
	Version    uint64 // the version that the client has; events follow from there
	Initial    bool   // first the present state, which is at least as new as Version
	Marked     bool   // and after it a bookmark that says that all of it was sent
	Frames     Frames // which events the client sees, and as which bytes

	Timeout   time.Duration // how long the watch lasts
	Bookmarks time.Duration // the time between bookmarks; zero: the client wants none
	Grace     time.Duration // how long a client may take to read on when its watch is over
	Ends      []End         // what else ends the watch, besides the client and the timeout

	Sink func(to Sink) Sink // returns what frames pass on their way to the client
	Sent func(FrameInfo)    // called for each frame; nil: not called
}

// Frames decides what one client is shown, and makes the bytes of it, in parts: so an object's own
// bytes need not be copied. One goroutine uses it.
type Frames interface {
	// Prefix returns what the keys of the objects that the client sees begin with.
	Prefix() string
	// Selects says whether the client sees an object.
	Selects(o store.Object) bool
	// Event returns the frame by which the client learns of an event, and the object's
	// name. kind is what the event means to the client: see store.Event.Seen.
	Event(e *store.Event, kind store.Type) (name string, line [][]byte)
	// Object returns the frame of an object, and its name.
	Object(o store.Object, kind store.Type) (name string, line [][]byte)
	// Bookmark returns the frame of a bookmark. last says that it ends the initial state.
	Bookmark(version uint64, last bool) [][]byte
	// Failure returns the frame for an error of the store, which ends the watch.
	Failure(err error) [][]byte
}

// An End is a reason for which the server may end a watch, and the context that is done
// when it does.
type End struct {
	Context context.Context
	Reason  EndReason
}

// An EndReason says why a watch ended. It is the cause with which a context is cancelled.
type EndReason string

// Error implements error.
func (r EndReason) Error() string { return string(r) }

const (
	EndTimeout  EndReason = "timeout"  // timeoutSeconds are over: a clean end
	EndClient   EndReason = "client"   // the client disconnected
	EndSlow     EndReason = "slow"     // the client fell too far behind, or did not read to the end
	EndDropped  EndReason = "dropped"  // DropWatches
	EndChanged  EndReason = "changed"  // a CustomResourceDefinition was changed or deleted
	EndShutdown EndReason = "shutdown" // Close or Shutdown
	EndExpired  EndReason = "expired"  // the version is too old or in the future: an ERROR event
	EndFault    EndReason = "fault"    // an injected fault ended it
)

// A Sink returns these errors to end a stream: cleanly, or in the middle.
var (
	ErrEnded  = errors.New("stream: ended by its sink")
	ErrBroken = errors.New("stream: broken off by its sink")
)

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
	Line        [][]byte // its parts, which are only read
	EndsInitial bool     // the bookmark after the initial state
}

// A Sink takes the frames of one watch. After an error it must not be used any more.
type Sink interface {
	// Begin sends the headers immediately, so that the client knows that its watch is established.
	Begin() error
	// Send takes one frame. It is written to the client at the next Flush or before.
	// sent is false if the client will not get it.
	Send(f Frame) (sent bool, err error)
	// Flush pushes what was sent to the client.
	Flush() error
}
