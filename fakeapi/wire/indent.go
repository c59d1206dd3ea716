package wire

import (
	"bufio"
	"strings"
)

// An indenter writes JSON on many lines, as json.Indent does, but needs no memory for it. It leaves
// out the newline at the end.
type indenter struct {
	to      *bufio.Writer
	depth   int  // how many lists and objects are open
	opened  bool // the last one just now: if it is empty, it stays on its line
	quoted  bool // within a string
	escaped bool // after a backslash in it
}

// maxIndent is how many levels are indented: each adds two spaces to every line in it, so deeper
// ones would make an answer many times as long as its document.
const maxIndent = 50

// Write takes the next part of a document.
func (p *indenter) Write(b []byte) (n int, err error) {
	for _, c := range b {
		if err = p.put(c); err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

func (p *indenter) put(c byte) error {
	if p.quoted {
		p.quoted = c != '"' || p.escaped
		p.escaped = c == '\\' && !p.escaped
		return p.to.WriteByte(c)
	}
	opens, closes := c == '{' || c == '[', c == '}' || c == ']'
	switch {
	case c == '\n':
		return nil
	case closes:
		p.depth--
	}
	if closes != p.opened && (closes || p.opened) {
		p.newline()
	}
	_ = p.to.WriteByte(c) // the writer keeps its error
	switch {
	case opens:
		p.depth++
	case c == ',':
		p.newline()
	case c == ':':
		_ = p.to.WriteByte(' ')
	}
	p.opened, p.quoted = opens, c == '"'
	_, err := p.to.Write(nil)
	return err
}

func (p *indenter) newline() {
	_, _ = p.to.WriteString(indents[:1+2*min(p.depth, maxIndent)])
}

var indents = "\n" + strings.Repeat("  ", maxIndent)
