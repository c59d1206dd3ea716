package object

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// FieldSelector is a field selector: conditions on fields, all of which must hold. The
// empty one selects everything.
type FieldSelector []FieldTerm

// A FieldTerm is one condition on one field.
type FieldTerm struct {
	Field int    // the number that the field has for the caller of ParseFieldSelector
	Value string // what the field is compared with
	Not   bool   // the field must differ from Value; false: it must be equal
}

// Matches says whether all terms hold. value returns the object's value of a field.
func (s FieldSelector) Matches(value func(field int) string) bool {
	return !slices.ContainsFunc(s, func(t FieldTerm) bool {
		return (value(t.Field) == t.Value) == t.Not
	})
}

// ParseFieldSelector reads terms joined by commas: path=value, path==value, path!=value. A
// backslash takes a comma, an equals sign or a backslash literally. A term that is only an operator
// says nothing, as in a real server. find returns the number of the field with a path such as
// "metadata.name". It returns an error for a field that a selector may not name; ParseFieldSelector
// returns that error unchanged.
func ParseFieldSelector(text string, find func(path string) (int, error)) (FieldSelector, error) {
	parts := fieldPart.FindAllString(text, maxTerms+1)
	if len(parts) > maxTerms {
		return nil, fmt.Errorf("the field selector has more than %d terms", maxTerms)
	}
	slices.Sort(parts) // as the real server, whose error is about the first
	var paths []string
	var s FieldSelector
	for _, part := range parts {
		term := fieldTerm.FindStringSubmatch(part)
		if term == nil {
			return nil, fmt.Errorf("invalid selector: '%.256s'; can't understand '%.256s'", text, part)
		}
		value, err := unescape(term[3])
		if err != nil {
			return nil, fmt.Errorf("invalid field selector: %w", err)
		}
		if term[1] != "" || value != "" {
			paths = append(paths, term[1])
			s = append(s, FieldTerm{Value: value, Not: term[2] == "!="})
		}
	}
	for i, path := range paths {
		var err error
		if s[i].Field, err = find(path); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// fieldPart matches the text between two commas that no backslash precedes.
var fieldPart = regexp.MustCompile(`(?s)(?:[^\\,]|\\.|\\$)+`)

// fieldTerm splits a term at its first operator.
var fieldTerm = regexp.MustCompile(`(?s)^(.*?)(!=|==?)(.*)$`)

// unescape takes out the backslashes of a value. Each comma, equals sign and backslash needs one
// before it, and nothing else may have one.
func unescape(value string) (string, error) {
	var out strings.Builder
	escaped := false
	for _, c := range value {
		special := c == '\\' || c == ',' || c == '='
		switch {
		case escaped && !special:
			return "", fmt.Errorf("invalid escape sequence: \\%c", c)
		case !escaped && c == '\\':
			escaped = true
			continue
		case !escaped && special:
			return "", fmt.Errorf("unescaped character in value: %d", c)
		}
		out.WriteRune(c)
		escaped = false
	}
	if escaped {
		return "", errors.New("invalid escape sequence: \\")
	}
	return out.String(), nil
}
