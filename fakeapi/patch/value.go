package patch

// An object is a decoded JSON object.
type object = map[string]any

// Copy returns a deep copy of a decoded JSON value. Parts of a change become parts of the
// patched object, so a caller that applies a change twice has to copy it first.
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

// weight returns roughly how many bytes the JSON of v has.
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

// maxDepth is how deep a document may be nested. A deeper one cannot be decoded, but a
// patch that moves a deep value into itself could make one.
const maxDepth = 10_000

// isDeeper says whether v is nested more than levels deep. It descends no deeper than
// that.
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

// TypeName returns the JSON type of a decoded value, as the real server's messages name it: null,
// bool, string, number, array or object.
func TypeName(v any) string {
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
