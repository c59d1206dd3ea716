package object

import (
	_ "embed"
	"encoding/json"
	"slices"
	"strings"
)

// The built-in types have schemas of their well-known fields, by qualified name, and so has all
// metadata. One object with a text in place of its spec would stop every typed client: it could not
// decode a list any more. So such an object is refused.

//go:embed schemas.json
var schemasJSON []byte

var schemas = ParseSchemas(schemasJSON)

// Metadata has the fields of every object's metadata.
var Metadata = schemas["$metadata"]

// ParseSchemas reads schemas that are written as JSON, by name: an object maps names of fields,
// with blanks between them, to their shape; a list has the shape of its elements; and a text is a
// scalar, or the name of another schema: of a part if it begins with $. A field that is null may be
// anything. With a field named Others, a schema also takes fields that it does not name. It panics
// if the text is not JSON, or names a schema that is not there.
func ParseSchemas(text []byte) map[string]Record {
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
