// Package frames is exercise 1.2 of the workshop: cutting the body of a watch into events.
package frames

import (
	"io"
)

// A Reader cuts the body of a watch into frames: lines, each of them one event in JSON.
type Reader struct {
	body   io.Reader
	buffer []byte // what was read and is not yet returned
	err    error  // what ended the body
}

// NewReader returns a reader of the frames in body.
func NewReader(body io.Reader) *Reader { return &Reader{body: body} }

// Next returns the next frame, without its newline. It returns a frame as soon as its newline has
// arrived, and does not wait for more bytes than that. Empty lines are not frames.
//
// When the body has ended between two frames, the error is io.EOF. When it has ended in the middle
// of a line, the error is io.ErrUnexpectedEOF, and the half line is not returned: half an event is
// not an event. If the body fails with another error, that is the error, also in the middle of a
// line.
//
// The error is returned after all frames that came before it or with it, and again by each later
// call. What the body says after its first error does not count.
func (r *Reader) Next() (string, error) {
	panic("TODO")
}
