package wire

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"example.com/watchglass/reflector"
)

// FrameReader cuts a stream of bytes into frames: JSON objects, one after another, with any amount
// of JSON whitespace between them (the API server writes one newline). A frame is returned as soon
// as its last brace is there; nothing is read ahead that is not already waiting.
//
// To find the end of an object one must count braces and know when one is inside a string. What
// else is wrong with a frame is for whoever decodes it, with one exception: a frame that was broken
// off has no end and would swallow all that follow, for as long as the stream lasts. The second of
// these gives it away at the latest: in JSON an object cannot begin behind another one's brace, nor
// a line inside a string.
//
// A FrameReader buffers one frame, and never more than [reflector.ObjectLimit] bytes. It is not
// safe for concurrent use.
type FrameReader struct {
	r     io.Reader
	buf   []byte // buf[start:end] has been read and not returned; len(buf) is what fits in
	start int
	end   int
	limit int
	err   error // of r or of the stream; what is in buf may still hold a whole frame
}

const (
	firstBuffer = 4 << 10   // of bytes, to begin with; grows as frames demand
	keepBuffer  = 256 << 10 // a bigger one is given back once its frame is done
)

// NewFrameReader returns a reader of the frames in r.
func NewFrameReader(r io.Reader) *FrameReader {
	return &FrameReader{r: r, limit: reflector.ObjectLimit}
}

// Next returns the next frame, from its first brace to its last. The bytes are valid until the next
// call. At the end of r it returns io.EOF between two frames and io.ErrUnexpectedEOF inside one;
// otherwise an error of r, a [*reflector.TooLargeError], or a [*reflector.DecodeError] that says
// what stands where a frame should begin, or which frame has no end. After an error the reader has
// lost its place: all further calls return the same error.
func (f *FrameReader) Next() ([]byte, error) {
	if err := f.skipSpace(); err != nil {
		return nil, f.fail(err)
	}
	var scan frameScanner
	for scanned := 0; ; {
		n := scan.find(f.buf[f.start+scanned : f.end])
		if scan.brokenOff {
			return nil, f.fail(noEnd(f.buf[f.start:f.end]))
		}
		if n >= 0 {
			frame := f.buf[f.start : f.start+scanned+n]
			f.start += len(frame)
			return frame, nil
		}
		scanned = f.end - f.start
		switch err := f.fill("frame"); {
		case errors.Is(err, io.EOF):
			return nil, f.fail(io.ErrUnexpectedEOF)
		case err != nil:
			return nil, f.fail(err)
		}
	}
}

func (f *FrameReader) fail(err error) error {
	f.err, f.start, f.end, f.buf = err, 0, 0, nil
	return err
}

// skipSpace moves start to the first brace of a frame. Whitespace counts towards the limit: a
// server that sends nothing else is as bad as one that sends an endless frame.
func (f *FrameReader) skipSpace() error {
	for skipped := 0; ; {
		for ; f.start < f.end; f.start++ {
			switch c := f.buf[f.start]; c {
			case ' ', '\t', '\r', '\n':
				skipped++
			case '{':
				return nil
			default:
				return notAFrame(f.buf[f.start:f.end])
			}
		}
		if skipped > f.limit {
			return &reflector.TooLargeError{What: "whitespace between frames", Limit: f.limit}
		}
		f.release()
		if err := f.fill("whitespace"); err != nil {
			return err
		}
	}
}

// release gives back the memory that one big frame has needed. The buffer is empty.
func (f *FrameReader) release() {
	f.start, f.end = 0, 0
	if len(f.buf) > keepBuffer {
		f.buf = nil
	}
}

func notAFrame(data []byte) error {
	err := fmt.Errorf("want a JSON object, have something that begins %q", head(data))
	return &reflector.DecodeError{What: "watch stream", Err: err}
}

func noEnd(data []byte) error {
	err := fmt.Errorf("something else follows before the end of the frame that begins %q", head(data))
	return &reflector.DecodeError{What: "watch stream", Err: err}
}

func head(data []byte) string { return prefix(string(data[:min(len(data), 64)]), 40) }

// fill reads more, at least one byte, behind what is there.
func (f *FrameReader) fill(what string) error {
	if f.err != nil {
		return f.err
	}
	if err := f.makeRoom(what); err != nil {
		return err
	}
	for range maxEmptyReads {
		n, err := f.r.Read(f.buf[f.end:])
		f.end += n
		f.err = err // after a last read with n > 0, its error is for the next fill
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

// makeRoom sees to it that something can be read: by moving what is there to the front, else by
// doubling the buffer, up to the limit and not a byte further.
func (f *FrameReader) makeRoom(what string) error {
	if f.end < len(f.buf) {
		return nil
	}
	if f.start > 0 {
		f.end = copy(f.buf, f.buf[f.start:f.end])
		f.start = 0
		return nil
	}
	if len(f.buf) >= f.limit {
		return &reflector.TooLargeError{What: what, Limit: f.limit}
	}
	bigger := make([]byte, min(f.limit, max(firstBuffer, 2*len(f.buf))))
	copy(bigger, f.buf[:f.end])
	f.buf = bigger
	return nil
}

// frameScanner finds the end of a JSON object in pieces that arrive one after another.
type frameScanner struct {
	depth    int  // of open braces
	inString bool // between two quotes, where braces mean nothing
	escaped  bool // behind a backslash, where a quote means nothing
	last     byte // outside strings, the last one that was not whitespace

	brokenOff bool // what was found last cannot belong to the object
}

// find returns how many bytes of data belong to the object, -1 if all do and more must come, or if
// it was broken off.
func (s *frameScanner) find(data []byte) int {
	for i := 0; i < len(data); i++ {
		if s.inString {
			// Most bytes are in strings, and there are but two that matter: look for them at the
			// speed of memory.
			end := i + s.skipString(data[i:])
			if s.brokenOff = bytes.IndexByte(data[i:end+1], '\n') >= 0; s.brokenOff {
				return -1
			}
			i = end
			continue
		}
		c := data[i]
		switch c {
		case ' ', '\t', '\r', '\n':
			continue
		case '"':
			s.inString = true
		case '{':
			if s.brokenOff = s.depth > 0 && !precedesValue(s.last); s.brokenOff {
				return -1
			}
			s.depth++
		case '}':
			if s.depth--; s.depth == 0 {
				return i + 1
			}
		}
		s.last = c
	}
	return -1
}

func precedesValue(c byte) bool { return c == ':' || c == '[' || c == ',' }

// skipString returns the index of the quote that ends the string, or of the last byte if it goes
// on behind data.
func (s *frameScanner) skipString(data []byte) int {
	quote := -1 // where the next one is; looked for again only when an escape has swallowed it
	for i := 0; i < len(data); i++ {
		if s.escaped {
			s.escaped = false
			continue
		}
		if quote < i {
			quote = indexFrom(data, i, '"')
		}
		if slash := bytes.IndexByte(data[i:quote], '\\'); slash >= 0 {
			i += slash // the loop moves behind it
			s.escaped = true
			continue
		}
		if quote < len(data) {
			s.inString = false
			return quote
		}
		break
	}
	return len(data) - 1
}

// indexFrom returns where c is, at start or behind it, and len(data) if it is not.
func indexFrom(data []byte, start int, c byte) int {
	if i := bytes.IndexByte(data[start:], c); i >= 0 {
		return start + i
	}
	return len(data)
}
