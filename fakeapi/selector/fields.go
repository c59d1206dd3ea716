package selector

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
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
	return !slices.ContainsFunc(s, func(t Term) bool { return (value(t.Field) == t.Value) == t.Not })
}

// ParseFields reads terms joined by commas: path=value, path==value, path!=value. A backslash takes
// a comma, an equals sign or a backslash literally. find returns the number of the field with a
// path such as "metadata.name". It returns an error for a field that a selector may not name;
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

// fieldPart matches the text between two commas that no backslash precedes.
var fieldPart = regexp.MustCompile(`(?s)(?:[^\\,]|\\.|\\$)+`)

// fieldTerm splits a term at its first operator.
var fieldTerm = regexp.MustCompile(`(?s)^(.*?)(!=|==?)(.*)$`)

// unescape takes the backslashes out of a value. A character that needs a backslash and
// has none is an error.
func unescape(value string) (plain string, err error) {
	plain = specialInValue.ReplaceAllStringFunc(value, func(found string) string {
		switch escaped, ok := strings.CutPrefix(found, `\`); {
		case err != nil: // the first error counts
		case !ok:
			err = fmt.Errorf("invalid field selector: unescaped character in value: %d", found[0])
		case escaped == "" || !strings.Contains(`\,=`, escaped):
			err = fmt.Errorf("invalid field selector: invalid escape sequence: %s", found)
		}
		return found[len(found)-1:]
	})
	return plain, err
}

// specialInValue matches what has a meaning in a term's value: an escape sequence, an operator.
var specialInValue = regexp.MustCompile(`(?s)\\.?|[,=]`)
