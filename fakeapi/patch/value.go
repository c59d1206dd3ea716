package patch

import (
	"fmt"
	"maps"
	"slices"
)

// An object is decoded JSON.
type object = map[string]any

// Copy returns a deep copy of a decoded JSON value. A patch alters the object that it is applied
// to, so a caller that needs the old one has to copy it first.
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

// Equal reports whether two decoded JSON values are the same. It takes no memory, in contrast to
// reflect.DeepEqual, which keeps a list of all the values that it has seen.
func Equal(a, b any) bool {
	switch a := a.(type) {
	case object:
		b, ok := b.(object)
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

// maxDepth limits the levels of a document. A deeper one cannot be decoded, but a
// patch that moves a deep value into itself could make one.
const maxDepth = 10_000

// isDeeper says whether v is nested more than levels deep. It descends no deeper than that.
func isDeeper(v any, levels int) bool {
	within, _ := v.([]any)
	o, isObject := v.(object)
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
	case object:
		return "object"
	}
	return "number"
}

// How much work one patch may be. Lists make patches expensive: each operation of a JSON
// patch may move a whole list, and each element of a strategic merge patch may merge into
// a list that has to be indexed first. Without limits, a patch of 3 MB could keep a server
// busy for minutes. Patches that people and controllers send stay far below these limits.
const (
	// maxMoved is how many list elements a JSON patch may move when it inserts or removes
	// others: about 1 GB of memory is copied then.
	maxMoved = 1 << 26
	// maxMerged is how many bytes of keys (see weight) a strategic merge patch may look at
	// in the object that it changes. Bytes are counted and not elements, because one key
	// may be nearly as large as the object. An object that can be stored has fewer; only a
	// patch that names the same element again and again looks at the same keys repeatedly.
	maxMerged = 1 << 23
)

// What the two kinds of patches spend, for messages.
const (
	moves  = "moves more than %d list elements"
	merges = "looks at more than %d bytes of the keys of list elements"
)

// A LimitError says that a patch is too much work.
type LimitError struct{ text string }

// Error says which limit the patch exceeds, and what the limit is.
func (e *LimitError) Error() string { return e.text }

// A budget counts work.
type budget struct {
	spent, most int
	what        string // moves or merges
}

// spend counts n more, and returns a *LimitError if the sum is above the limit.
func (b *budget) spend(n int) error {
	if b.spent += n; b.spent > b.most {
		return &LimitError{fmt.Sprintf("the patch "+b.what, b.most)}
	}
	return nil
}

// The content types of the three kinds of patches.
const (
	MediaJSON      = "application/json-patch+json"
	MediaMerge     = "application/merge-patch+json"
	MediaStrategic = "application/strategic-merge-patch+json"
)
