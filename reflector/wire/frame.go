package wire

import (
	"errors"
	"fmt"
	"io"

	"example.com/watchglass/reflector"
)

// FrameReader cuts a stream of bytes into frames: JSON objects, one after another, with any amount
// of JSON whitespace between them (the API server writes one newline). A frame is returned as soon
// as its last brace has arrived; a FrameReader never waits for bytes after it.
//
// A frame ends with the brace that closes it, or earlier, before a byte that no JSON object can
// have in that place. The decoder refuses such a piece. This finds a server that breaks off in the
// middle of a frame and goes on with the next one. A reader that only counted braces would take all
// frames that follow for a part of the broken one, for as long as the stream lasts.
//
// A FrameReader buffers what one Read returns, or one frame, and never more than
// [reflector.ObjectLimit] bytes. It is not safe for concurrent use.
type FrameReader struct{ cutter }

// NewFrameReader returns a reader of the frames in r.
func NewFrameReader(r io.Reader) *FrameReader {
	return newFrameReader(r, reflector.ObjectLimit)
}

func newFrameReader(r io.Reader, limit int) *FrameReader {
	return &FrameReader{cutter{r: r, limit: limit, what: "frame"}}
}

// Next returns the next frame. The bytes are valid until the next call. At the end of the stream it
// returns io.EOF between two frames and io.ErrUnexpectedEOF inside one; otherwise an error of the
// underlying reader, a [*reflector.TooLargeError], or a [*reflector.DecodeError] that quotes what
// stands where a frame should begin. After an error the reader has lost its place: all further
// calls return the same error.
func (f *FrameReader) Next() ([]byte, error) {
	for {
		frame, err := f.cut(f.limit)
		if err == errMore {
			err = f.fill()
			if err == nil {
				continue
			}
			if errors.Is(err, io.EOF) && !f.drained() {
				err = io.ErrUnexpectedEOF
			}
		}
		if err != nil {
			f.fail(err)
		}
		return frame, err
	}
}

// ready returns the next frame if it has arrived and has at most room bytes, else nil. It leaves
// the frames before it valid.
func (f *FrameReader) ready(room int) []byte {
	frame, _ := f.cut(room) // what is wrong is found again by Next
	return frame
}

func (f *FrameReader) cut(room int) ([]byte, error) {
	b, err := f.peek()
	switch {
	case err != nil:
		return nil, err
	case b != '{':
		err = fmt.Errorf("want a JSON object, have something that begins %q", f.quote())
		return nil, &reflector.DecodeError{What: "watch stream", Err: err}
	}
	return f.value(room)
}
