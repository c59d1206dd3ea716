package cluster

import (
	"bytes"
	"encoding/binary"
	"unicode/utf16"
	"unicode/utf8"
)

// toUTF8 returns a text in UTF-8 and without a byte order mark. One in UTF-16 must begin with the
// mark, which says the order of its bytes. In place of what is no character comes
// [utf8.RuneError].
func toUTF8(text []byte) []byte {
	var order binary.ByteOrder
	switch {
	case bytes.HasPrefix(text, []byte{0xff, 0xfe}):
		order = binary.LittleEndian
	case bytes.HasPrefix(text, []byte{0xfe, 0xff}):
		order = binary.BigEndian
	default:
		return bytes.TrimPrefix(text, []byte("\ufeff"))
	}
	var units []uint16
	rest := text[2:]
	for ; len(rest) > 1; rest = rest[2:] {
		units = append(units, order.Uint16(rest))
	}
	out := []byte(string(utf16.Decode(units)))
	if len(rest) > 0 { // half a character
		out = utf8.AppendRune(out, utf8.RuneError)
	}
	return out
}
