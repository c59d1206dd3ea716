package wire

import "bufio"

// An indenter passes a JSON document on for people to read, on many lines, and without the
// newline at its end. It needs no memory. A document that would become much larger goes on on
// one line: each level of nesting adds two spaces to each line in it, so 10,000 levels could
// make a document 10,000 times as large.
type indenter struct {
	out *bufio.Writer

	level   int  // how many lists and objects are open
	opened  bool // the last byte has opened one: if it is empty, it stays on one line
	quoted  bool // within a string
	escaped bool // after a backslash

	taken, added int  // bytes of the document, and of line breaks and indentation
	flat         bool // the rest stays on one line
}

// Write implements io.Writer. The error is that of an earlier write, too.
func (d *indenter) Write(p []byte) (int, error) {
	for _, c := range p {
		d.taken++
		if d.quoted {
			d.quoted = d.escaped || c != '"'
			d.escaped = !d.escaped && c == '\\'
			_ = d.out.WriteByte(c)
		} else if c > ' ' {
			d.token(c)
		}
	}
	_, err := d.out.Write(nil) // out keeps its first error
	return len(p), err
}

// token passes on a byte outside of strings.
func (d *indenter) token(c byte) {
	switch {
	case c == '}' || c == ']':
		d.level--
		if !d.opened {
			d.newline()
		}
	case d.opened:
		d.newline()
	}
	_ = d.out.WriteByte(c)
	d.quoted, d.opened = c == '"', false
	switch c {
	case '{', '[':
		d.level++
		d.opened = true
	case ',':
		d.newline()
	case ':':
		_ = d.out.WriteByte(' ')
	}
}

const blanks = "                                                                "

// newline begins a line. Documents that people write become three times as large at most.
func (d *indenter) newline() {
	d.added += 1 + 2*d.level
	d.flat = d.flat || d.added > 3*d.taken+1<<20
	if d.flat {
		return
	}
	_ = d.out.WriteByte('\n')
	for n := 2 * d.level; n > 0; n -= len(blanks) {
		_, _ = d.out.WriteString(blanks[:min(n, len(blanks))])
	}
}
