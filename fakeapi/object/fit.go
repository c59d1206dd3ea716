package object

import (
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Metadata has a schema, even in resources without one. Shapes are that schema: they decide
// which values are refused, which fields are dropped as unknown, and what a null means.

// A Shape says which JSON values a field takes.
type Shape interface {
	// fit checks a value and returns it normalized: without nulls and unknown fields. It may
	// change v. at is the path of the value; unknown collects the paths of unknown fields.
	fit(unknown *[]string, at string, v any) (any, error)
}

type (
	// Record takes an object with these fields. A field without a shape may be anything. Fields
	// that are not named have the shape of Others; without Others they are unknown.
	Record map[string]Shape
	// ListOf takes a list whose elements have the shape Of.
	ListOf struct{ Of Shape }

	scalar string
)

// Others stands for all other fields in a Record.
const Others = "*"

// The scalars, as errors name them.
const (
	String      scalar = "string"
	Time        scalar = "time"
	MicroTime   scalar = "MicroTime" // with six digits after the point, as in leases
	Int64       scalar = "int64"
	Int32       scalar = "int32"
	Bool        scalar = "bool"
	IntOrString scalar = "intstr.IntOrString"
	Base64      scalar = "[]uint8"
	Quantity    scalar = "resource.Quantity" // an amount: 2, "500m", "1Gi"
)

var scalars = []scalar{String, Time, MicroTime, Int64, Int32, Bool, IntOrString, Base64, Quantity}

// Check checks a decoded object against a schema and normalizes it: it removes nulls and
// unknown fields, and returns the paths of the unknown ones. name is the path of the object.
func (s Record) Check(name string, o any) (unknown []string, err error) {
	_, err = s.fit(&unknown, name, o)
	return unknown, err
}

// mismatch returns the error for a value that is not of its shape.
func mismatch(at string, v any, want string) error {
	return fmt.Errorf("json: cannot unmarshal %s into field %s of type %s",
		TypeName(v), at, want)
}

func (s scalar) fit(_ *[]string, at string, v any) (_ any, err error) {
	text, isText := v.(string)
	n, isInt := v.(int64)
	_, isFloat := v.(float64)
	ok := isText
	switch s {
	case Bool:
		_, ok = v.(bool)
	case Int64:
		ok = isInt
	case Int32:
		ok = isInt && n == int64(int32(n))
	case IntOrString:
		ok = isText || isInt && n == int64(int32(n))
	case Time:
		return timeIn(time.RFC3339, text)
	case MicroTime:
		return timeIn("2006-01-02T15:04:05.000000Z07:00", text)
	case Base64:
		_, err = base64.StdEncoding.DecodeString(text)
	case Quantity:
		if ok = isText || isInt || isFloat; isText && !isQuantity(text) {
			err = errors.New("quantities must match the regular expression '" + quantities + "'")
		}
	}
	if !ok {
		return nil, mismatch(at, v, string(s))
	}
	return v, err
}

// timeIn returns a time as a real server stores it: in UTC, and without what is smaller than in the
// layout.
func timeIn(layout, text string) (string, error) {
	t, err := time.Parse(layout, text)
	return t.UTC().Format(layout), err
}

// quantities is the expression in the real server's message; not all that matches is a quantity.
const quantities = `^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$`

var isQuantity = regexp.MustCompile(
	`^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([KMGTPE]i|[numkMGTPE]?|[eE][+-]?[0-9]+)$`).MatchString

func (s Record) fit(unknown *[]string, at string, v any) (_ any, err error) {
	o, ok := v.(Tree)
	if !ok {
		return nil, mismatch(at, v, "object")
	}
	for _, name := range slices.Sorted(maps.Keys(o)) {
		inside := strings.TrimPrefix(at+"."+name, ".")
		field, known := s[name]
		others, open := s[Others]
		switch {
		case known:
		case open && others == nil:
			continue
		case open:
			field, inside = others, at
			if o[name] == nil {
				o[name] = emptyOf(others)
			}
		default:
			*unknown = append(*unknown, inside)
		}
		if !known && !open || o[name] == nil {
			delete(o, name)
		} else if field != nil {
			if o[name], err = field.fit(unknown, inside, o[name]); err != nil {
				return nil, err
			}
		}
	}
	return o, nil
}

func (s ListOf) fit(unknown *[]string, at string, v any) (_ any, err error) {
	list, ok := v.([]any)
	if !ok {
		return nil, mismatch(at, v, "list")
	}
	for i, e := range list {
		if e == nil {
			e = emptyOf(s.Of)
		}
		if list[i], err = s.Of.fit(unknown, at+"["+strconv.Itoa(i)+"]", e); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// emptyOf returns what a null stands for in a list or among values.
func emptyOf(s Shape) any {
	if _, isRecord := s.(Record); isRecord {
		return Tree{}
	}
	if s == Quantity {
		return "0"
	}
	return ""
}

// Into checks a decoded value against a schema and decodes it into a struct. It is exact:
// encoding/json alone would take a field KIND for kind. v stays as it is.
func (s Record) Into(name string, v, into any) error {
	v = Copy(v)
	if _, err := s.Check(name, v); err != nil {
		return err
	}
	return json.Unmarshal(JSON(v), into)
}

// The built-in types have schemas of their well-known fields, by qualified name, and so has all
// metadata. One object with a text in place of its spec would stop every typed client: it could not
// decode a list any more. So such an object is refused.

//go:embed schemas.json
var schemasJSON []byte

var schemas = parseSchemas(schemasJSON)

// Metadata has the fields of every object's metadata.
var Metadata = schemas["$metadata"]

// parseSchemas reads schemas that are written as JSON, by name: an object maps names of fields,
// with blanks between them, to their shape; a list has the shape of its elements; and a text is a
// scalar, or the name of another schema: of a part if it begins with $. A field that is null may be
// anything. With a field named Others, a schema also takes fields that it does not name. It panics
// if the text is not JSON, or names a schema that is not there.
func parseSchemas(text []byte) map[string]Record {
	var written map[string]any
	if err := json.Unmarshal(text, &written); err != nil {
		panic(err)
	}
	var shapeOf func(v any) Shape
	shapeOf = func(v any) Shape {
		switch v := v.(type) {
		case string:
			if part, ok := written[v]; ok {
				return shapeOf(part)
			} else if slices.Contains(scalars, scalar(v)) {
				return scalar(v)
			}
			panic("no schema is named " + v)
		case []any:
			return ListOf{shapeOf(v[0])}
		case map[string]any:
			fields := Record{}
			for names, shape := range v {
				for name := range strings.FieldsSeq(names) {
					fields[name] = shapeOf(shape)
				}
			}
			return fields
		}
		return nil // any value
	}
	all := map[string]Record{}
	for name, v := range written {
		all[name], _ = shapeOf(v).(Record) // others are only parts of schemas
	}
	return all
}
