package wire

import (
	"fmt"

	"example.com/watchglass/reflector"
)

// frames is the [source] of a watch: JSON objects, one after another, with any amount of JSON
// whitespace between them (the API server writes one newline). A frame is there as soon as its last
// brace has arrived; no byte after it is waited for.
type frames struct{ cutter }

// next returns the next frame, or a [*reflector.DecodeError] that quotes what stands where a frame
// should begin.
func (f *frames) next(room int) ([]byte, error) {
	if b, err := f.peek(); err == nil && b != '{' {
		err = fmt.Errorf("want a JSON object, have something that begins %q", f.quote())
		return nil, &reflector.DecodeError{What: "watch stream", Err: err}
	}
	return f.cutter.next(room)
}

// fill returns io.EOF if the stream ends between two frames, io.ErrUnexpectedEOF inside one.
func (f *frames) fill() error {
	err := f.cutter.fill()
	switch broken, ok := err.(*readError); {
	case ok && f.start < len(f.buf):
		return broken.noEOF()
	case ok:
		return broken.error
	}
	return err
}
