package wire

import (
	"io"

	"example.com/watchglass/reflector"
)

// budgetReader is a reader that can say no: it reads as far as was last allowed, and remembers why
// it stopped and how it began.
//
// It bounds a json.Decoder from below. A decoder asks for more bytes only while it lacks the end of
// a value; if it asks for more than one value may have, that value is too large.
type budgetReader struct {
	r     io.Reader
	limit int
	read  int64  // bytes read so far
	until int64  // how far reading is allowed
	head  []byte // the first few bytes, to quote
	err   error  // the last error
}

// stopped reports whether reading has ended by something else than the end.
func (b *budgetReader) stopped() bool { return b.err != nil && b.err != io.EOF }

// quote returns the first few bytes, and reads some more if they have not come yet.
func (b *budgetReader) quote() string {
	io.CopyN(io.Discard, b, int64(quoteSize-len(b.head))) // what fails here has failed before
	return prefix(string(b.head), 40)
}

const quoteSize = 64 // bytes

// allow allows one value that begins at offset.
func (b *budgetReader) allow(offset int64) { b.until = offset + int64(b.limit) }

func (b *budgetReader) Read(p []byte) (int, error) {
	if b.read >= b.until {
		b.err = &reflector.TooLargeError{What: "value", Limit: b.limit}
		return 0, b.err
	}
	p = p[:min(int64(len(p)), b.until-b.read)]
	n, err := b.r.Read(p)
	if room := quoteSize - len(b.head); room > 0 {
		b.head = append(b.head, p[:min(n, room)]...)
	}
	b.read += int64(n)
	if err != nil {
		b.err = err
	}
	return n, err
}
