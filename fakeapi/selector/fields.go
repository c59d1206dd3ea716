package selector

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// Fields is a field selector: conditions on fields, all of which must hold. The
// empty one selects everything.
type Fields []Term

// A Term is one condition on one field.
type Term struct {
	Field int    // the number that the field has for the caller of ParseFields
	Value string // what the field is compared with
	Not   bool   // the field must differ from Value; false: it must be equal
}

// Matches says whether all terms hold. value returns the object's value of a field.
func (s Fields) Matches(value func(field int) string) bool {
	for _, t := range s {
		if (value(t.Field) == t.Value) == t.Not {
			return false
		}
	}
	return true
}

// ParseFields reads terms joined by commas: path=value, path==value,
// path!=value. A backslash takes a comma, an equals sign or a backslash
// literally. find returns the number of the field with a path such as
// "metadata.name". It returns an error for a field that a selector may not name;
// ParseFields returns that error unchanged.
func ParseFields(text string, find func(path string) (int, error)) (Fields, error) {
	var s Fields
	for _, part := range fieldPart.FindAllString(text, maxTerms+1) {
		if len(s) == maxTerms {
			return nil, fmt.Errorf("the field selector has more than %d terms", maxTerms)
		}
		term := fieldTerm.FindStringSubmatch(part)
		if term == nil {
			return nil, fmt.Errorf("invalid selector: '%s'; can't understand '%s'", cut(text), cut(part))
		}
		value, err := unescape(term[3])
		if err != nil {
			return nil, err
		}
		field, err := find(term[1])
		if err != nil {
			return nil, err
		}
		s = append(s, Term{Field: field, Value: value, Not: term[2] == "!="})
	}
	return s, nil
}

// fieldPart is what is between two commas that no backslash precedes.
var fieldPart = regexp.MustCompile(`(?s)(?:[^\\,]|\\.|\\$)+`)

// fieldTerm splits a term at its first operator.
var fieldTerm = regexp.MustCompile(`(?s)^(.*?)(!=|==?)(.*)$`)

// unescape takes the backslashes out of a value. A character that needs a backslash and
// has none is an error.
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
