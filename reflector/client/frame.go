package client

import (
	"bytes"
	"fmt"

	"example.com/watchglass/reflector"
)

// frames is the [source] of a watch: JSON objects, one after another, with any amount of JSON
// whitespace between them (the API server writes one newline). A frame is there as soon as its last
// brace has arrived; no byte after it is waited for.
type frames struct{ cutter }

// frameEnd is how nearly every frame ends and the next one begins. In valid JSON a brace that
// closes, a line break and a brace that opens stand only between two values: in an array there is a
// comma, and in a string the line break is written as \n.
var frameEnd = []byte("}\n{")

// usualFrame is how far frameEnd is looked for, each time more bytes have arrived.
const usualFrame = 32 << 10

// next returns the next frame, or a [*reflector.DecodeError] that quotes what stands where a frame
// should begin.
//
// It looks for frameEnd first, which is much faster than to look at each byte. If there is no line
// break after some frames, it returns these frames together with the next one.
func (f *frames) next() ([]byte, error) {
	b, err := f.peek()
	if err == nil && b != '{' {
		err = fmt.Errorf("want a JSON object, have something that begins %q", f.quote())
		return nil, &reflector.DecodeError{What: "watch stream", Err: err}
	}
	arrived := f.buf[f.start:]
	n := bytes.Index(arrived[:min(len(arrived), usualFrame)], frameEnd) + 1
	if n == 0 {
		return f.cutter.next()
	}
	return f.cut(n), nil
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
