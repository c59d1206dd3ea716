package wire

import (
	"bytes"
	"errors"
	"io"

	"example.com/watchglass/reflector"
)

// cutter cuts JSON values out of a stream of bytes: the frames of a watch, the fields and items of
// a list. It finds where a value ends and leaves the rest to the decoder.
//
// peek and value look only at bytes that have been read, and return errMore if these do not
// suffice. Neither moves bytes, so that values that were cut stay valid until the next fill. await
// and awaitValue are the same with fill in between.
type cutter struct {
	r     io.Reader
	limit int    // most bytes of one value, and of the whitespace before it
	what  string // what the values are, for the error, for example "frame"

	buf   []byte  // buf[start:end] has been read and not cut off; len(buf) is what fits in
	start int     // of the value that comes next, or of the whitespace before it
	end   int     // of what has been read
	scan  scanner // how far the value at start has been looked at
	space int     // bytes of whitespace since the last value
	err   error   // of r, or why there are no more values; buf may still hold whole ones
}

const (
	readBuffer = 64 << 10  // of bytes, to begin with; grows if a value demands it
	keepBuffer = 256 << 10 // a bigger buffer is dropped when its value has been used
)

// errMore says that the end of a value has not been read yet.
var errMore = errors.New("more bytes are needed")

// peek skips whitespace and returns the byte after it without consuming it.
func (c *cutter) peek() (byte, error) {
	for ; c.start < c.end; c.start++ {
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

// value cuts off the value that begins at start, if it has at most room bytes.
func (c *cutter) value(room int) ([]byte, error) {
	n := c.scan.find(c.buf[c.start:c.end])
	if n == 0 {
		return nil, errMore
	}
	c.scan = scanner{}
	if n > room {
		return nil, errMore
	}
	c.start += n
	c.space = 0
	return c.buf[c.start-n : c.start], nil
}

// await is peek that waits for the byte.
func (c *cutter) await() (byte, error) {
	for {
		b, err := c.peek()
		if err != errMore {
			return b, err
		}
		if err := c.fill(); err != nil {
			return 0, err
		}
	}
}

// awaitValue is value that waits for the end of the value. Its caller has called await, so that the
// value begins at start.
func (c *cutter) awaitValue() ([]byte, error) {
	for {
		value, err := c.value(c.limit)
		if err != errMore {
			return value, err
		}
		if err := c.fill(); err != nil {
			return nil, err
		}
	}
}

// drained reports whether everything that has been read has been cut off.
func (c *cutter) drained() bool { return c.start == c.end }

// fail makes all further calls return err, and drops the buffer.
func (c *cutter) fail(err error) {
	c.err, c.start, c.end, c.buf, c.scan = err, 0, 0, nil, scanner{}
}

// quote is the beginning of what comes next, for an error. It does not wait for more bytes: a
// server that falls silent must not delay the error.
func (c *cutter) quote() string { return quote(c.buf[c.start:c.end]) }

func quote(data []byte) string { return prefix(string(data[:min(len(data), 64)]), 40) }

// fill reads at least one more byte.
func (c *cutter) fill() error {
	if c.err != nil {
		return c.err
	}
	if err := c.makeRoom(); err != nil {
		return err
	}
	for range maxEmptyReads {
		n, err := c.r.Read(c.buf[c.end:])
		c.end += n
		c.err = err // if n > 0, the next fill returns it
		if n > 0 {
			return nil
		}
		if err != nil {
			return err
		}
	}
	return io.ErrNoProgress
}

const maxEmptyReads = 100 // as in package bufio

// makeRoom makes room for a Read. It moves what is there to the front, and if that is not enough it
// doubles the buffer, up to exactly the limit.
func (c *cutter) makeRoom() error {
	c.end = copy(c.buf, c.buf[c.start:c.end])
	c.start = 0
	if c.end == 0 && len(c.buf) > keepBuffer {
		c.buf = nil
	}
	if c.end < len(c.buf) {
		return nil
	}
	if len(c.buf) >= c.limit {
		return &reflector.TooLargeError{What: c.what, Limit: c.limit}
	}
	bigger := make([]byte, min(c.limit, max(readBuffer, 2*len(c.buf))))
	copy(bigger, c.buf[:c.end])
	c.buf = bigger
	return nil
}

// scanner finds the end of a JSON value while its bytes arrive. The zero scanner is at its first
// byte.
type scanner struct {
	at       int  // bytes before it have been looked at
	depth    int  // of open braces and brackets
	inString bool // between two quotes, where braces mean nothing
}

// find returns the length of the value at the beginning of data, 0 if its end is not there yet.
// From call to call data must only grow.
func (s *scanner) find(data []byte) int {
	for ; s.at < len(data); s.at++ {
		if s.inString && !s.skipString(data) {
			return 0
		}
		switch c := data[s.at]; c {
		case '"':
			if s.inString = !s.inString; !s.inString && s.depth == 0 {
				return s.at + 1
			}
		case '{', '[':
			if c == '{' && !mayOpen(data[:s.at]) {
				return s.at
			}
			s.depth++
		case '}', ']':
			if s.depth--; s.depth == 0 {
				return s.at + 1
			}
			if s.depth < 0 { // it closes what is around a number or a literal
				return max(1, s.at)
			}
		case ' ', '\t', '\r', '\n', ',', ':':
			if s.depth == 0 {
				return max(1, s.at)
			}
		default: // of a number or a literal
			if s.at > 0 && data[s.at-1] == '"' {
				return s.at
			}
		}
	}
	return 0
}

// mayOpen reports whether an opening brace may follow data: it may where a value may begin.
func mayOpen(data []byte) bool {
	n := len(data)
	for n > 0 && isSpace(data[n-1]) {
		n--
	}
	return n == 0 || data[n-1] == ':' || data[n-1] == '[' || data[n-1] == ','
}

func isSpace(b byte) bool { return b == ' ' || b == '\n' || b == '\r' || b == '\t' }

// skipString moves to the quote that ends the string, and reports whether it is there. Most bytes
// are in strings, and IndexByte is much faster than a look at each byte.
func (s *scanner) skipString(data []byte) bool {
	for {
		i := bytes.IndexByte(data[s.at:], '"')
		if i < 0 {
			s.at = len(data)
			return false
		}
		s.at += i
		if !escaped(data[:s.at]) {
			return true
		}
		s.at++
	}
}

// escaped reports whether the byte after data is escaped: by a backslash that is not itself
// escaped.
func escaped(data []byte) bool {
	n := 0
	for n < len(data) && data[len(data)-1-n] == '\\' {
		n++
	}
	return n%2 == 1
}
