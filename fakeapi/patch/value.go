package patch

// An object is a decoded JSON object.
type object = map[string]any

// Copy is a deep copy of a decoded JSON value. What a patch puts into an object
// becomes part of it: a change that is to be applied twice has to be copied.
func Copy(v any) any {
	switch v := v.(type) {
	case object:
		c := make(object, len(v))
		for k, e := range v {
			c[k] = Copy(e)
		}
		return c
	case []any:
		c := make([]any, len(v))
		for i, e := range v {
			c[i] = Copy(e)
		}
		return c
	}
	return v
}

// weight is about how many bytes of JSON v is.
func weight(v any) int {
	n := 8
	switch v := v.(type) {
	case string:
		n += len(v)
	case object:
		for k, e := range v {
			n += len(k) + weight(e)
		}
	case []any:
		for _, e := range v {
			n += weight(e)
		}
	}
	return n
}

// maxDepth is how deep a document may be nested. Nothing deeper can be decoded, but
// a patch that copies a deep value into itself could make it.
const maxDepth = 10_000

// isDeeper says whether v has more than so many levels. It looks no further down
// than it has to.
func isDeeper(v any, levels int) bool {
	switch v := v.(type) {
	case object:
		if levels == 0 {
			return true
		}
		for _, e := range v {
			if isDeeper(e, levels-1) {
				return true
			}
		}
	case []any:
		if levels == 0 {
			return true
		}
		for _, e := range v {
			if isDeeper(e, levels-1) {
				return true
			}
		}
	}
	return false
}

// typeName is the JSON name of v's type, for messages.
func typeName(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "bool"
	case string:
		return "string"
	case []any:
		return "array"
	case object:
		return "object"
	}
	return "number"
}
