package client

import (
	"errors"
	"io"

	"example.com/watchglass/reflector"
)

// source is where values come from, each as its bytes: the frames of a watch, the items of a list.
type source interface {
	// next returns the next value if it has arrived, else errMore. It may return several values
	// together. What it has returned stays valid until fill is called. Another error is returned
	// again by the next call.
	next() ([]byte, error)
	// fill waits until more bytes have arrived.
	fill() error
}

// errMore says that the end of a value has not arrived yet.
var errMore = errors.New("more bytes are needed")

// await waits for the next value.
func await(from source) ([]byte, error) {
	for {
		value, err := from.next()
		if err != errMore {
			return value, err
		}
		if err := from.fill(); err != nil {
			return nil, err
		}
	}
}

// cutter is the [source] of all JSON values in a stream of bytes, one after another. It finds where
// a value ends and leaves the rest to the decoder.
type cutter struct {
	r     io.Reader
	limit int    // most bytes of one value, and of the whitespace before it
	what  string // what the values are, for the error, for example "frame"

	buf   []byte  // what has been read; it is used again when it has been cut off
	full  bool    // the last Read has filled buf, so more bytes may be waiting
	start int     // of the value that comes next, or of the whitespace before it
	scan  scanner // how far the value at start has been looked at
	space int     // bytes of whitespace since the last value
}

const (
	readBuffer = 64 << 10  // bytes: of an idle stream
	keepBuffer = 256 << 10 // of a busy one: what waits makes a larger batch; more for one value only
)

// next implements [source]. It does not move bytes.
func (c *cutter) next() ([]byte, error) {
	if _, err := c.peek(); err != nil {
		return nil, err
	}
	n := c.scan.find(c.buf[c.start:])
	if n == 0 {
		return nil, errMore
	}
	return c.cut(n), nil
}

// cut consumes n bytes, which are a value, and returns them.
func (c *cutter) cut(n int) []byte {
	c.start, c.space, c.scan = c.start+n, 0, scanner{}
	return c.buf[c.start-n : c.start]
}

// peek skips whitespace and returns the byte after it without consuming it.
func (c *cutter) peek() (byte, error) {
	for ; c.start < len(c.buf); c.start++ {
		if b := c.buf[c.start]; !isSpace(b) {
			return b, nil
		}
		c.space++
	}
	if c.space > c.limit { // endless whitespace must end like an endless value
		return 0, &reflector.TooLargeError{What: "whitespace", Limit: c.limit}
	}
	return 0, errMore
}

// quote returns the beginning of what comes next, for an error. It does not wait for more bytes: a
// server that falls silent must not delay the error.
func (c *cutter) quote() string { return quote(c.buf[c.start:]) }

func quote(data []byte) string { return string(data[:min(len(data), 40)]) }

// fill implements [source].
func (c *cutter) fill() error {
	if err := c.makeRoom(); err != nil {
		return err
	}
	n, err := c.r.Read(c.buf[len(c.buf):cap(c.buf)])
	c.buf = c.buf[:len(c.buf)+n]
	c.full = len(c.buf) == cap(c.buf)
	if n == 0 && err != nil { // an error that comes with bytes is returned again, without bytes
		return &readError{shortened(err)}
	}
	return nil
}

// makeRoom makes room for a Read. It moves what is left to the front. The buffer is doubled as long
// as Reads fill it, up to keepBuffer, and beyond that if it does not hold one value, up to exactly
// the limit. It gets its first size again when a Read has not filled it, or a large value is used.
func (c *cutter) makeRoom() error {
	if c.start > 0 { // bytes are not copied onto themselves: a race detector looks at each
		c.buf, c.start = c.buf[:copy(c.buf, c.buf[c.start:])], 0
	}
	left, size := len(c.buf), cap(c.buf)
	switch {
	case left >= c.limit:
		return &reflector.TooLargeError{What: c.what, Limit: c.limit}
	case left == size, c.full && size < keepBuffer:
		size = max(2*size, readBuffer)
	case left == 0 && (!c.full || size > keepBuffer):
		size = readBuffer
	}
	if size = min(size, c.limit); size != cap(c.buf) {
		c.buf = append(make([]byte, 0, size), c.buf...)
	}
	return nil
}

// readError is an error of the reader, as opposed to one about its bytes.
type readError struct{ error }

// noEOF returns the reader's own error, of which io.EOF comes too early.
func (e *readError) noEOF() error {
	if errors.Is(e.error, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return e.error
}
