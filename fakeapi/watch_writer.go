package fakeapi

import (
	"net/http"
	"sync"
	"time"
)

// A frame is one line of a watch.
type frame struct {
	FrameInfo
	bytes []byte // shared with other watchers: never changed
	// endsInitial marks the bookmark after the initial events.
	endsInitial bool
}

// A frameSink takes the frames of one watch. After an error it must not be used
// any more.
type frameSink interface {
	// begin sends the headers immediately, so that the client knows that its watch
	// is established.
	begin() error
	// send takes one frame. It is written to the client at the next flush or before.
	// sent is false if the client will not get it.
	send(f frame) (sent bool, err error)
	// gather says that many frames are coming, and that each may be overwritten
	// as soon as send has returned.
	gather() error
	// flush pushes what was sent to the client.
	flush() error
}

// A frameWriter is the frameSink that writes frames to the client.
type frameWriter struct {
	ctl  *http.ResponseController
	out  batch           // the frames that are not flushed yet
	sent func(FrameInfo) // Trace.Sent; never nil

	mu     sync.Mutex
	closed bool // the handler is about to return
}

func newFrameWriter(w http.ResponseWriter, sent func(FrameInfo)) *frameWriter {
	return &frameWriter{ctl: http.NewResponseController(w), out: batch{w: w}, sent: sent}
}

func (o *frameWriter) begin() error {
	o.out.w.Header().Set("Content-Type", "application/json")
	o.out.w.WriteHeader(http.StatusOK)
	return o.ctl.Flush()
}

func (o *frameWriter) send(f frame) (sent bool, err error) {
	if err := o.out.add(f.bytes); err != nil {
		return false, err
	}
	o.sent(f.FrameInfo)
	return true, nil
}

func (o *frameWriter) gather() error { return o.out.gather() }

func (o *frameWriter) flush() error {
	if o.out.empty() {
		return nil
	}
	if err := o.out.end(); err != nil {
		return err
	}
	return o.ctl.Flush()
}

// endBy makes a write fail that is still blocked at time t, because the client does not
// read. Any goroutine may call it at any time. After close it does nothing, because the
// connection may already serve another request.
func (o *frameWriter) endBy(t time.Time) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.closed {
		_ = o.ctl.SetWriteDeadline(t)
	}
}

// close makes all later calls of endBy do nothing.
func (o *frameWriter) close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.closed = true
}
