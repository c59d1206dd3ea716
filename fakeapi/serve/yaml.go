package main

import (
	"fmt"
	"slices"
	"strings"
)

// What is read here is the part of YAML that Kubernetes manifests are written in: documents divided
// by ---, block maps and lists, scalars on one line, plain or quoted, literal (|) and folded (>)
// text, flow collections such as {} and ["a", "b"] that end on their line, and comments.
//
// The rest is refused, with the number of the line: anchors and aliases, tags, directives, merge
// keys, complex keys, tabs in the indentation, scalars that go on in the next line, keys that come
// twice. So are words that YAML's versions disagree about, such as yes and on: a reader that
// guesses has guessed wrong for somebody. What is accepted means what it means to kubectl.

// maxDepth is how deep collections may nest, of either style. The reader recurses: without a limit
// a line of brackets would be a way to exhaust the stack.
const maxDepth = 100

// yaml reads a document. The current line is its first with content.
func (b *block) yaml() (any, error) {
	if isMarker(b.lines[b.at], "---") {
		return nil, b.errorf("a document begins on the line after its dashes")
	}
	v, err := b.node(b.indent(), 0)
	if err == nil && b.skipBlank() {
		err = b.errorf("%q belongs to nothing: the document's value is complete", b.text())
	}
	return v, err
}

func (b *block) number() int { return b.first + b.at }

func (b *block) errorf(format string, args ...any) error {
	return &lineError{b.number(), fmt.Sprintf(format, args...)}
}

// text is the current line without its indentation.
func (b *block) text() string { return strings.TrimLeft(b.lines[b.at], " ") }

func (b *block) indent() int { return indentOf(b.lines[b.at]) }

func indentOf(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

// skipBlank moves on to the next line with content. It is false at the end.
func (b *block) skipBlank() bool {
	for ; b.at < len(b.lines); b.at++ {
		if text := strings.TrimLeft(b.lines[b.at], " \t"); text != "" && text[0] != '#' {
			return true
		}
	}
	return false
}

// node reads the collection or scalar that begins on the current line, at the given indentation.
func (b *block) node(indent, depth int) (any, error) {
	text := b.text()
	switch {
	case depth > maxDepth:
		return nil, b.errorf("nested more than %d deep", maxDepth)
	case text[0] == '%' && indent == 0:
		return nil, b.errorf("directives are not read here")
	case text[0] == '|' || text[0] == '>':
		return nil, b.errorf("%c stands behind the key or the dash that it belongs to", text[0])
	case isItem(text):
		return b.list(indent, depth)
	}
	if _, _, isKey, err := b.cutKey(text); err != nil {
		return nil, err
	} else if isKey {
		return b.mapping(indent, depth)
	}
	return b.value(text, indent, depth)
}

// isItem says whether a line begins an item of a list.
func isItem(text string) bool { return text == "-" || strings.HasPrefix(text, "- ") }

// list reads the items that begin at an indentation.
func (b *block) list(indent, depth int) (any, error) {
	list := []any{}
	for b.skipBlank() && b.indent() == indent && isItem(b.text()) {
		// The dash is indentation to what follows it: "- a: 1" is a map two columns further in.
		rest := b.text()[1:]
		b.lines[b.at] = strings.Repeat(" ", indent+1) + rest
		var item any
		var err error
		switch content := strings.TrimLeft(rest, " "); {
		case content == "" || content[0] == '#':
			item, err = b.below(indent, depth, false)
		case content[0] == '|' || content[0] == '>':
			item, err = b.value(content, indent, depth)
		default:
			item, err = b.node(b.indent(), depth+1)
		}
		if err != nil {
			return nil, err
		}
		list = append(list, item)
	}
	return list, b.endsAt(indent)
}

// mapping reads the entries that begin at an indentation.
func (b *block) mapping(indent, depth int) (any, error) {
	m := map[string]any{}
	for b.skipBlank() && b.indent() == indent && !isItem(b.text()) {
		key, rest, ok, err := b.cutKey(b.text())
		switch _, twice := m[key]; {
		case err != nil:
			return nil, err
		case !ok:
			return nil, b.errorf("%q is no entry of the map it stands in: is it missing a colon?",
				b.text())
		case twice:
			return nil, b.errorf("the key %q comes twice", key)
		}
		if rest == "" || rest[0] == '#' {
			m[key], err = b.below(indent, depth, true)
		} else {
			m[key], err = b.value(rest, indent, depth)
		}
		if err != nil {
			return nil, err
		}
	}
	return m, b.endsAt(indent)
}

// endsAt checks that the line after a collection belongs to something further out.
func (b *block) endsAt(indent int) error {
	switch {
	case !b.skipBlank() || b.indent() < indent:
		return nil
	case b.indent() > indent:
		return b.errorf("indented by %d, while what it follows is complete and indented by %d; "+
			"text of several lines needs | or >", b.indent(), indent)
	}
	return nil
}

// below reads the value that begins on a line after its key or dash, if there is one: null
// otherwise. A list under a key may stand at the key's own indentation.
func (b *block) below(indent, depth int, underKey bool) (any, error) {
	b.at++
	switch {
	case !b.skipBlank():
		return nil, nil
	case b.indent() > indent, underKey && b.indent() == indent && isItem(b.text()):
		return b.node(b.indent(), depth+1)
	}
	return nil, nil
}

// value reads a value that begins in the middle of the current line, and goes to the line after it.
// indent is that of the map or list it belongs to.
func (b *block) value(text string, indent, depth int) (any, error) {
	if text[0] == '|' || text[0] == '>' {
		return b.literal(text, indent)
	}
	s := &scanner{text: text, line: b.number(), depth: depth}
	v, err := s.value(false)
	if err == nil {
		err = s.end()
	}
	b.at++
	return v, err
}

// cutKey takes "key: rest" apart. ok is false where there is no key.
func (b *block) cutKey(text string) (key, rest string, ok bool, err error) {
	s := &scanner{text: text, line: b.number()}
	switch {
	case text[0] == '"' || text[0] == '\'':
		if key, err = s.quoted(); err != nil || !s.colon() {
			return "", "", false, err
		}
	case text[0] == '\t':
		return "", "", false, b.errorf("a tab in the indentation: YAML counts spaces")
	case text == "?" || strings.HasPrefix(text, "? "):
		return "", "", false, b.errorf("complex keys are not read here")
	case slices.Contains([]byte("{[|>"), text[0]):
		return "", "", false, nil
	default:
		plain := s.plain(false)
		if !s.colon() {
			return "", "", false, nil
		}
		if key, err = s.keyOf(plain); err != nil {
			return "", "", false, err
		}
	}
	return key, strings.TrimLeft(s.rest(), " \t"), true, nil
}
