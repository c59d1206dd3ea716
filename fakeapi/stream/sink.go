package stream

import (
	"net/http"
	"sync"
	"time"

	"example.com/watchglass/fakeapi/store"
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
	Gather() error
	// Flush pushes what was sent to the client.
	Flush() error
}

// A writer is the Sink that writes frames to the client.
type writer struct {
	Deadline
	out  batch           // the frames that are not flushed yet
	sent func(FrameInfo) // may be nil
}

func newWriter(to http.ResponseWriter, sent func(FrameInfo)) *writer {
	return &writer{Deadline: Deadline{Answer: http.NewResponseController(to)}, out: batch{to: to},
		sent: sent}
}

// Begin implements Sink.
func (w *writer) Begin() error {
	w.out.to.Header().Set("Content-Type", "application/json")
	w.out.to.WriteHeader(http.StatusOK)
	return w.Answer.Flush()
}

// Send implements Sink.
func (w *writer) Send(f Frame) (sent bool, err error) {
	if err := w.out.add(f.Line); err != nil {
		return false, err
	}
	if w.sent != nil && f.Type != "" {
		w.sent(f.FrameInfo)
	}
	return true, nil
}

// Gather implements Sink.
func (w *writer) Gather() error { return w.out.gather() }

// Flush implements Sink.
func (w *writer) Flush() error {
	if w.out.empty() {
		return nil
	}
	if err := w.out.end(); err != nil {
		return err
	}
	return w.Answer.Flush()
}

// A Deadline ends an answer whose client does not read it. The handler has to close it before it
// returns.
type Deadline struct {
	Answer *http.ResponseController

	mu     sync.Mutex
	closed bool // the handler is about to return
}

// EndBy makes a write fail that is still blocked at time t, and all later writes. Any goroutine
// may call it at any time. After Close it does nothing, because the connection may already serve
// another request.
func (d *Deadline) EndBy(t time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.closed {
		_ = d.Answer.SetWriteDeadline(t)
	}
}

// Close makes all later calls of EndBy do nothing.
func (d *Deadline) Close() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.closed = true
}
