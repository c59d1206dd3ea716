package patch

import "maps"

// Merge applies a JSON merge patch, RFC 7396, and returns the result: objects are merged
// key by key, null removes a key, and any other value replaces the old one. It alters target and
// change, of which parts become parts of the result.
func Merge(target, change any) any {
	p, ok := change.(object)
	if !ok {
		return change
	}
	t, ok := target.(object)
	if !ok {
		dropNulls(p)
		return p
	}
	for k, v := range p {
		if v == nil {
			delete(t, k)
			continue
		}
		t[k] = Merge(t[k], v)
	}
	return t
}

// dropNulls removes what a merge patch leaves out where there is nothing to merge it with.
func dropNulls(p object) {
	maps.DeleteFunc(p, func(_ string, v any) bool {
		if o, ok := v.(object); ok {
			dropNulls(o)
		}
		return v == nil
	})
}

// The content types of the three kinds of patches.
const (
	MediaJSON      = "application/json-patch+json"
	MediaMerge     = "application/merge-patch+json"
	MediaStrategic = "application/strategic-merge-patch+json"
)
