package stream

import (
	"bufio"
	"net/http"
	"sync"
	"time"
)

// A writer is the Sink that writes frames to the client. It collects those that are still to be
// sent, so that they go out in few writes: a write costs far more than copying a frame, so a
// thousand watchers that are behind catch up in a fraction of the time.
//
// Frames that are sent together are one chunk of the response, and no frame is divided between two
// chunks unless it is larger than a buffer. (In a real server they may end anywhere.)
type writer struct {
	Deadline
	to   http.ResponseWriter
	sent func(FrameInfo) // may be nil
	buf  *bufio.Writer   // from buffers; nil if nothing is to be flushed; it keeps its first error
}

// Begin implements Sink.
func (w *writer) Begin() error {
	w.to.Header().Set("Content-Type", "application/json")
	w.to.WriteHeader(http.StatusOK)
	return w.Answer.Flush()
}

// Send implements Sink.
func (w *writer) Send(f Frame) (sent bool, err error) {
	if w.buf == nil {
		w.buf = buffers.Get().(*bufio.Writer)
		w.buf.Reset(w.to)
	}
	if size(f.Line) > w.buf.Available() {
		_ = w.buf.Flush() // Write returns the error, too
	}
	for _, part := range f.Line {
		_, err = w.buf.Write(part)
	}
	if err == nil && w.sent != nil && f.Type != "" {
		w.sent(f.FrameInfo)
	}
	return err == nil, err
}

// size returns how many bytes the parts of a line have.
func size(line [][]byte) (n int) {
	for _, part := range line {
		n += len(part)
	}
	return n
}

// Flush implements Sink. Afterwards the writer holds no memory.
func (w *writer) Flush() error {
	if w.buf == nil {
		return nil
	}
	err := w.buf.Flush()
	buffers.Put(w.buf)
	if w.buf = nil; err != nil {
		return err
	}
	return w.Answer.Flush()
}

// bufferSize is a compromise: a write of this size costs little more per byte
// than a larger one, and every watcher that is behind has a buffer.
const bufferSize = 16 << 10

var buffers = sync.Pool{New: func() any { return bufio.NewWriterSize(nil, bufferSize) }}

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
