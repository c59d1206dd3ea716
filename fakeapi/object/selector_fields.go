package object

import (
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
// backslash takes a comma, an equals sign or a backslash literally. find returns the number of the
// field with a path such as "metadata.name". It returns an error for a field that a selector may
// not name; ParseFieldSelector returns that error unchanged.
func ParseFieldSelector(text string, find func(path string) (int, error)) (FieldSelector, error) {
	var s FieldSelector
	for _, part := range fieldPart.FindAllString(text, maxTerms+1) {
		if len(s) == maxTerms {
			return nil, fmt.Errorf("the field selector has more than %d terms", maxTerms)
		}
		term := fieldTerm.FindStringSubmatch(part)
		if term == nil {
			return nil, fmt.Errorf("invalid selector: '%.256s'; can't understand '%.256s'", text, part)
		}
		if !fieldValue.MatchString(term[3]) {
			return nil, fmt.Errorf("invalid selector: '%.256s'; in '%.256s' a comma, an equals sign or a "+
				"backslash needs a backslash before it", text, term[3])
		}
		field, err := find(term[1])
		if err != nil {
			return nil, err
		}
		s = append(s, FieldTerm{Field: field, Value: unescape.Replace(term[3]), Not: term[2] == "!="})
	}
	return s, nil
}

// fieldPart matches the text between two commas that no backslash precedes.
var fieldPart = regexp.MustCompile(`(?s)(?:[^\\,]|\\.|\\$)+`)

// fieldTerm splits a term at its first operator.
var fieldTerm = regexp.MustCompile(`(?s)^(.*?)(!=|==?)(.*)$`)

// fieldValue matches a value in which each comma, equals sign and backslash follows a backslash;
// unescape takes these backslashes out.
var (
	fieldValue = regexp.MustCompile(`(?s)^(?:[^\\,=]|\\[\\,=])*$`)
	unescape   = strings.NewReplacer(`\\`, `\`, `\,`, `,`, `\=`, `=`)
)
