package fakeapi

import (
	"bytes"
	"encoding/json"
)

// indent is a JSON document for people to read, on many lines. A document that would
// become much larger is left as it is: each level of nesting is two spaces on each line
// within, so 10,000 levels would be 10,000 times the document.
func indent(doc []byte) []byte {
	if indentedSize(doc, mostIndented(len(doc))) > mostIndented(len(doc)) {
		return doc
	}
	var b bytes.Buffer
	if json.Indent(&b, doc, "", "  ") != nil {
		return doc
	}
	return b.Bytes()
}

// mostIndented is how many bytes a document of a size may have when it is indented. What
// people write triples at most.
func mostIndented(size int) int { return 4*size + 1<<20 }

// indentedSize is about how many bytes an indented document has: exactly so many, but for
// lists and objects without content. It stops counting beyond most.
func indentedSize(doc []byte, most int) int {
	size, level, quoted := 0, 0, false
	for i := 0; i < len(doc) && size <= most; i++ {
		size++
		switch c := doc[i]; {
		case quoted && c == '\\':
			i++
			size++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			level++
			size += 1 + 2*level
		case c == '}' || c == ']':
			level--
			size += 1 + 2*level
		case c == ',':
			size += 1 + 2*level
		case c == ':':
			size++
		}
	}
	return size
}
