// Fails: TestNext/a last line without its newline is half a line, too
// A frame is JSON, and there is a decoder for that. It does not ask for the newline.

// Package frames is exercise 1.2 of the workshop: cutting the body of a watch into events.
package frames

import (
	"encoding/json"
	"io"
)

// A Reader cuts the body of a watch into frames: lines, each of them one event in JSON.
type Reader struct {
	body    io.Reader
	decoder *json.Decoder
}

// NewReader returns a reader of the frames in body.
func NewReader(body io.Reader) *Reader { return &Reader{body, json.NewDecoder(body)} }

// Next returns the next frame, without its newline. It returns a frame as soon as its newline has
// arrived, and does not wait for more bytes than that. Empty lines are no frames.
//
// When the body has ended between two frames, the error is io.EOF. When it has ended in the middle
// of a line, the error is io.ErrUnexpectedEOF, and the half line is not returned: half an event is
// no event. If the body fails with another error, that is the error.
func (r *Reader) Next() (string, error) {
	var frame json.RawMessage
	if err := r.decoder.Decode(&frame); err != nil {
		return "", err
	}
	return string(frame), nil
}
