package fakeapi

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// A fieldSelector is conditions on fields, all of which must hold. Only the
// name, the namespace and what a Resource selects can be asked for: a server
// without schemas cannot look into every document for every list.
type fieldSelector []fieldTerm

// A fieldTerm is one condition.
type fieldTerm struct {
	field int // index into Resource.Select, or one of the two below
	value string
	not   bool
}

const (
	fieldName      = -1
	fieldNamespace = -2
)

func (s fieldSelector) matches(d *document) bool {
	for _, t := range s {
		if (t.of(d) == t.value) == t.not {
			return false
		}
	}
	return true
}

// of is the value that the term compares.
func (t fieldTerm) of(d *document) string {
	switch t.field {
	case fieldName:
		return d.name
	case fieldNamespace:
		return d.namespace
	}
	return d.fields[t.field]
}

// parseFields reads terms joined by commas: path=value, path==value,
// path!=value. A backslash takes a comma, an equals sign or a backslash
// literally.
func parseFields(r *Resource, text string) (fieldSelector, error) {
	var s fieldSelector
	for _, part := range splitFields(text) {
		if part == "" {
			continue
		}
		path, value, not, ok := cutTerm(part)
		if !ok {
			return nil, fmt.Errorf("invalid selector: '%s'; can't understand '%s'", text, part)
		}
		value, err := unescape(value)
		if err != nil {
			return nil, err
		}
		field, err := r.selectable(path)
		if err != nil {
			return nil, err
		}
		s = append(s, fieldTerm{field: field, value: value, not: not})
	}
	return s, nil
}

// splitFields cuts at the commas that no backslash precedes.
func splitFields(text string) []string {
	var parts []string
	start := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case ',':
			parts = append(parts, text[start:i])
			start = i + 1
		}
	}
	return append(parts, text[start:])
}

// cutTerm splits a term at its first operator.
func cutTerm(part string) (path, value string, not, ok bool) {
	for i := range len(part) {
		rest := part[i:]
		switch {
		case strings.HasPrefix(rest, "!="):
			return part[:i], rest[2:], true, true
		case strings.HasPrefix(rest, "=="):
			return part[:i], rest[2:], false, true
		case rest[0] == '=':
			return part[:i], rest[1:], false, true
		}
	}
	return "", "", false, false
}

// unescape takes the backslashes out of a value. What they are there for must not
// stand without one.
func unescape(value string) (string, error) {
	if !strings.ContainsAny(value, escapable) {
		return value, nil
	}
	var b strings.Builder
	for i := 0; i < len(value); i++ {
		c := value[i]
		switch {
		case c == '\\':
			i++
			if next := value[i:]; next == "" || !strings.ContainsRune(escapable, rune(next[0])) {
				_, n := utf8.DecodeRuneInString(next)
				return "", fmt.Errorf(`invalid field selector: invalid escape sequence: \%s`, next[:n])
			}
			c = value[i]
		case strings.IndexByte(escapable, c) >= 0:
			return "", fmt.Errorf("invalid field selector: unescaped character in value: %d", c)
		}
		b.WriteByte(c)
	}
	return b.String(), nil
}

// escapable are the characters that have a meaning in field selectors.
const escapable = `\,=`

// selectable is the field that a path in a selector means.
func (r *Resource) selectable(path string) (int, error) {
	switch path {
	case "metadata.name":
		return fieldName, nil
	case "metadata.namespace":
		if !r.Cluster || !r.Builtin() {
			return fieldNamespace, nil
		}
	}
	if i := slices.Index(r.Select, "."+path); i >= 0 {
		return i, nil
	}
	return 0, fmt.Errorf("field label not supported: %s", path)
}
