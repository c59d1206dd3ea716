package object

import (
	"encoding/json"
	"maps"
	"slices"
)

// Copy returns a deep copy of a decoded JSON value. A patch alters the object that it is applied
// to, so a caller that needs the old one has to copy it first.
func Copy(v any) any {
	switch v := v.(type) {
	case Tree:
		c := make(Tree, len(v))
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

// Equal reports whether two decoded JSON values are the same. It takes no memory, in contrast to
// reflect.DeepEqual, which keeps a list of all the values that it has seen.
func Equal(a, b any) bool {
	switch a := a.(type) {
	case Tree:
		b, ok := b.(Tree)
		return ok && maps.EqualFunc(a, b, Equal)
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, Equal)
	}
	return a == b // a can be compared, so b can be anything
}

// weight returns roughly how many bytes the JSON of v has.
func weight(v any) int {
	n := 8
	switch v := v.(type) {
	case string:
		n += len(v)
	case Tree:
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

// maxDepth limits the levels of a document. A deeper one cannot be decoded, but a
// patch that moves a deep value into itself could make one.
const maxDepth = 10_000

// isDeeper says whether v is nested more than levels deep. It descends no deeper than that.
func isDeeper(v any, levels int) bool {
	within, _ := v.([]any)
	o, isObject := v.(Tree)
	if levels == 0 {
		return within != nil || isObject
	}
	for _, e := range o {
		if isDeeper(e, levels-1) {
			return true
		}
	}
	return slices.ContainsFunc(within, func(e any) bool { return isDeeper(e, levels-1) })
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
	case Tree:
		return "object"
	}
	return "number"
}

// A LimitError says that a patch has too many operations, or a result that is too large.
type LimitError struct{ text string }

// Error says which limit the patch exceeds, and what the limit is.
func (e *LimitError) Error() string { return e.text }

// The content types of the three kinds of patches.
const (
	MediaJSONPatch      = "application/json-patch+json"
	MediaMergePatch     = "application/merge-patch+json"
	MediaStrategicPatch = "application/strategic-merge-patch+json"
)

// Text returns any JSON value as text: strings as they are, others as JSON.
func Text(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	b, _ := json.Marshal(v) // it was decoded from JSON
	return string(b)
}
