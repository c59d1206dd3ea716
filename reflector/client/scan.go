package client

import "bytes"

// A scanner finds the end of a JSON value while its bytes arrive. It looks at braces, brackets and
// quotes only, and leaves the rest to the decoder. The zero scanner is at the first byte.
//
// An object or an array ends with the brace or bracket that closes it, any other value before the
// byte that follows it. Both end earlier, before a byte that cannot follow in JSON. The decoder
// refuses such a piece. This finds a server that breaks off in the middle of a frame and goes on
// with the next one. A scanner that only counted braces would take all frames that follow for a
// part of the broken one, for as long as the stream lasts.
type scanner struct {
	at       int  // bytes before it have been looked at
	depth    int  // of open braces and brackets
	inString bool // between two quotes, where braces mean nothing
}

// find returns the length of the value at the beginning of data, 0 if its end is not there yet.
// From call to call data must only grow.
func (s *scanner) find(data []byte) int {
	at, depth, inString := s.at, s.depth, s.inString // local, because this loop is hot
	for ; at < len(data); at++ {
		if inString { // most bytes are in strings, and IndexByte is fast
			i := bytes.IndexByte(data[at:], '"')
			if i < 0 {
				at = len(data)
				break
			}
			at += i
			inString = escaped(data[:at])
			continue
		}
		switch c := data[at]; c {
		case '"':
			inString = true
		case '{', '[':
			if c == '{' && !mayOpen(data[:at]) {
				return at
			}
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return at + 1
			}
			if depth < 0 { // it closes what is around the value
				return max(1, at)
			}
		case ' ', '\t', '\r', '\n', ',', ':':
			if depth == 0 {
				return max(1, at)
			}
		default: // of a number or a literal
			if at > 0 && data[at-1] == '"' {
				return at
			}
		}
	}
	s.at, s.depth, s.inString = at, depth, inString
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

// escaped reports whether the byte after data is escaped: by a backslash that is not itself
// escaped.
func escaped(data []byte) bool { return (len(data)-len(bytes.TrimRight(data, `\`)))%2 == 1 }

func isSpace(b byte) bool { return b == ' ' || b == '\n' || b == '\r' || b == '\t' }
