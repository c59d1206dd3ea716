package stream

import (
	"bufio"
	"net/http"
	"sync"
)

// A batch collects the frames that a watcher has still to send, so that they go out in
// few writes: a write costs far more than copying a frame, so a thousand watchers that
// are behind catch up in a fraction of the time.
//
// A watcher that keeps up has no extra cost. Its one frame is written without a copy,
// from the memory that all watchers share, and is one chunk of the response. Frames
// that are sent together share a chunk, as they do when a watch of the real server
// catches up; no frame is divided between two chunks unless it is larger than a buffer.
type batch struct {
	to http.ResponseWriter

	// first is the only frame so far. It is copied only if another one follows. At
	// most one of first and rest is in use.
	first []byte
	rest  *bufio.Writer // from buffers; nil unless there are several frames
}

func (b *batch) empty() bool { return b.first == nil && b.rest == nil }

// add takes one more frame. It is copied or written by the next add or end; until
// then the caller must not change it.
func (b *batch) add(frame []byte) error {
	if b.empty() {
		b.first = frame
		return nil
	}
	if err := b.gather(); err != nil {
		return err
	}
	return b.append(frame)
}

// gather makes this a batch of copies from the first frame on, for a caller that adds
// many frames or reuses their memory.
func (b *batch) gather() error {
	if b.rest != nil {
		return nil
	}
	b.rest = buffers.Get().(*bufio.Writer)
	b.rest.Reset(b.to)
	first := b.first
	b.first = nil
	return b.append(first)
}

// append copies a frame after the others. If there is no room, it first writes the
// others.
func (b *batch) append(frame []byte) error {
	if len(frame) > b.rest.Available() {
		if err := b.rest.Flush(); err != nil {
			return err
		}
	}
	_, err := b.rest.Write(frame)
	return err
}

// end writes all that is left. Afterwards the batch is empty and holds no memory.
func (b *batch) end() error {
	if first := b.first; first != nil {
		b.first = nil
		_, err := b.to.Write(first)
		return err
	}
	err := b.rest.Flush()
	b.rest.Reset(nil) // or the pool would keep the connection alive
	buffers.Put(b.rest)
	b.rest = nil
	return err
}

// bufferSize is a compromise: a write of this size costs little more per byte
// than a larger one, and every watcher that is behind has a buffer.
const bufferSize = 16 << 10

var buffers = sync.Pool{New: func() any { return bufio.NewWriterSize(nil, bufferSize) }}
