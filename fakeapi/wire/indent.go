package wire

import (
	"bytes"
	"encoding/json"
)

// indent returns a JSON document for people to read, on many lines. A document that would
// become much larger is left as it is: each level of nesting adds two spaces to each line
// in it, so 10,000 levels could make a document 10,000 times as large.
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

// mostIndented returns how many bytes a document of a size may have when it is indented.
// Documents that people write become three times as large at most.
func mostIndented(size int) int { return 4*size + 1<<20 }

// indentedSize returns how many bytes an indented document has; for empty lists and objects it
// counts too many. It stops counting beyond most.
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
